"""Throws random and mutated answers at every grader; prints what was thrown and the slowest.

python tests/support/fuzz_answers.py [N]    N answers through each grader, 100,000 by default
"""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchloom.builders.seeds import rng
from benchloom.loaders.answers import Grader, judge

CASES = Path(__file__).parents[1] / "cases"
GRAPH = {"n_nodes": 6, "edges": [[0, 1], [1, 2], [2, 3], [3, 0], [4, 5]], "source": 0, "target": 2}
GRAPHOMNI = {
    "bfs_order": "0,1,3,2",
    "connectivity": "Yes",
    "cycle": "Yes",
    "diameter": "3",
    "shortest_path": "0,1,2",
    "triangle": "0",
    "hamiltonian_cycle": "none",
    "max_cut": "5: 0,2,4",
}
VGA = {
    "hard_iso": "yes",
    "ham_path": "no",
    "ham_cycle": "yes",
    "shortest_path": "3",
    "chordless_cycle": "5",
}
DRAGON = {
    "evidence": [{"id": "d1", "role": "answer", "label": "", "bbox": [10, 10, 20, 20]}],
    "image_ref": {"width": 100, "height": 100},
}
EVIDENCE = [
    "Answer: A1/<10,10,20,20>, S1/<0,0,5,5>\nExplanation: the bar.",
    "**Final Answer**: `A1/10,10,20,20`",
    '{"bbox_2d": [10, 10, 30, 30], "label": "bar"}',
    "Answer: none\nExplanation: there is nothing.",
]
WORDS = """
yes no not a path cycle is there The answer: 3 12 0,1,2 [0, 1] -> → <think> </think> \\boxed{ }
{"answer": } ``` | --- # ** $ ( ) . , ; : ! ? é 是 ½ ٣ 1e9 -1 Wait Actually Q: A: Output: E1/
<1,2,3,4> &lt;
"""
PIECES = (*WORDS.split(), "\n", "\n\n", "\u202e", "\x1b[31m", "\x00", "\ud800")


def answers() -> dict[str, list[str]]:
    """Returns answers as models write them, by task."""
    found = {"chartqa": list(EVIDENCE)}
    for name in ("graphomni_answers", "graphomni_phrasings", "vga_answers"):
        for line in (CASES / f"{name}.jsonl").read_text().splitlines():
            case = json.loads(line)
            task = {"bfs": "bfs_order"}.get(case["task"], case["task"])
            found.setdefault(task, []).append(case["response"])
    return found


def fuzzed(count: int, tasks: Sequence[str]) -> Iterator[str]:
    """Yields answers to tasks in turn: cut, glued, with letters changed, and strings of pieces."""
    of, draw = answers(), rng("fuzz answers")
    for number in range(count):
        own = of[tasks[number % len(tasks)]]
        text, other = (own[int(draw.integers(len(own)))] for _ in range(2))
        start, stop = sorted(int(one) for one in draw.integers(0, len(text) + 1, 2))
        kind = int(draw.integers(4))
        if kind == 0:
            yield text[:start] + text[stop:]
        elif kind == 1:
            yield text[:stop] + other[start:]
        elif kind == 2:
            letters = list(text)
            for place in draw.integers(0, max(len(letters), 1), 3) if letters else ():
                letters[int(place)] = chr(int(draw.choice([draw.integers(32, 127), 0x2192, 10, 0])))
            yield "".join(letters)
        else:
            chosen = draw.integers(0, len(PIECES), int(draw.integers(1, 60)))
            yield str(draw.choice(["", " "])).join(PIECES[int(one)] for one in chosen)


def graders() -> Iterator[tuple[str, Grader, list[tuple[str, dict[str, Any]]]]]:
    """Yields every benchmark and grader, with tasks and references to judge by."""
    graphomni = [(task, {**GRAPH, "answer": answer}) for task, answer in GRAPHOMNI.items()]
    yield "graphomni", "reference", graphomni[:6]
    graders: tuple[Grader, Grader] = ("strict", "lenient")
    for grader in graders:
        yield "graphomni", grader, graphomni
        yield "vga", grader, [(task, {"answer": answer}) for task, answer in VGA.items()]
        yield "dragon", grader, [("chartqa", DRAGON)]


def main(count: int) -> None:
    """Throws, and prints a line for each grader."""
    for benchmark, grader, asked in graders():
        taken = np.empty(count)
        outcomes: dict[str, int] = {}
        worst = ""
        for task, reference in asked:  # what is compiled or imported once is not the answer's
            judge(benchmark, task, "", reference, grader)
            judge(benchmark, task, EVIDENCE[0], reference, grader)
        for place, text in enumerate(fuzzed(count, [task for task, _ in asked])):
            task, reference = asked[place % len(asked)]
            start = time.thread_time()
            verdict = judge(benchmark, task, text, reference, grader)
            taken[place] = time.thread_time() - start
            outcomes[verdict.verdict] = outcomes.get(verdict.verdict, 0) + 1
            if taken[place] >= taken[: place + 1].max():
                worst = text
        print(
            f"{benchmark} {grader}: {count:,} answers, slowest {1000 * taken.max():.1f} ms, "
            f"mean {1e6 * taken.mean():.0f} us, {outcomes}; slowest begins {worst[:60]!r}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
