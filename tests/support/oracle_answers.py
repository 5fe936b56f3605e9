"""Right and wrong answers to GraphOmni's instances in ten phrasings each, and how they are judged.

Run as a program it prints the figures for all instances of the published benchmark.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator

from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.graphomni.grid import COUNTS, NP_HARD
from benchloom.builders.graphomni.plan import plan_task
from benchloom.builders.graphomni.questions import answer_sentence
from benchloom.builders.recipe import Recipe
from benchloom.loaders.answers.graphomni import Question

THINKING = "Let me look at the nodes and edges first. The graph has several nodes. "


def instances(task: str, limit: int | None = None) -> list[Instance]:
    """Returns the instances of a task, of all difficulties."""
    splits = plan_task(Recipe.of("graphomni", limit=limit), task)
    return [instance for specs in splits.values() for instance in specs.instances]


def reference(instance: Instance) -> dict[str, object]:
    """Returns an instance's columns."""
    return {
        "n_nodes": instance.graph.n_nodes,
        "edges": [list(edge) for edge in instance.graph.edges],
        "source": instance.source,
        "target": instance.target,
        "answer": instance.answer,
    }


def wrong(instance: Instance) -> str:
    """Returns a wrong answer in the same form."""
    answer = instance.answer
    if answer in ("Yes", "No"):
        return "No" if answer == "Yes" else "Yes"
    if answer == "none":
        return ",".join(map(str, range(max(instance.graph.n_nodes, 3))))
    size, colon, side = answer.partition(": ")
    if colon:
        return f"{int(size) + 1}: {side}"
    nodes = answer.split(",")
    if len(nodes) == 1:
        return str(int(answer) + 1)
    return ",".join(nodes[::-1]) if instance.source is not None else ",".join(nodes[:-1])


def phrasings(instance: Instance, answer: str) -> Iterator[tuple[str, bool]]:
    """Yields texts that give an answer, and whether the strict grader takes them."""
    task, source, target = instance.task, instance.source, instance.target
    sentence = answer_sentence(task, source, target, answer)
    arrows = answer.replace(",", " -> ") if task != "max_cut" else answer
    listed = f"[{answer.replace(',', ', ')}]" if "," in answer and ":" not in answer else answer
    text = rf"\text{{{answer}}}" if answer.isalpha() else answer
    yield answer, True
    yield sentence, True
    yield f"**Answer:** {answer}", True
    yield f"{THINKING}\n\nThe final answer is $\\boxed{{{text}}}$.", True
    yield f"<think>Is it so? Maybe no, maybe 7, 1, 2 or none.</think>\n\n{sentence}", True
    yield f'```json\n{{"answer": "{answer}"}}\n```', True
    yield f"{sentence}\n\nQ: {_other_question(instance)}\nA: 1,2,3 yes no 4\n", True
    yield f"{THINKING}So the answer is {arrows}.\n\nI hope this helps!", False
    yield f"### Final Answer\n\n**{listed}**", True
    yield f"{sentence}\n\nThis follows from the edges of the graph.", False


def _other_question(instance: Instance) -> str:
    return f"What about the next graph, of {instance.graph.n_nodes} nodes?"


def judged(instance: Instance) -> Iterator[tuple[str, bool, bool, str, str]]:
    """Yields text, whether it is right, whether strict takes it, and both graders' verdicts."""
    question = Question(instance.task, reference(instance))
    for is_right, answer in ((True, instance.answer), (False, wrong(instance))):
        for text, is_accepted in phrasings(instance, answer):
            lenient = question.judge(text).verdict
            strict = question.judge(text, "strict").verdict
            yield text, is_right, is_accepted, lenient, strict


def expected(is_right: bool, is_accepted: bool) -> tuple[str, str]:
    """Returns the verdicts that the lenient and the strict grader have to give."""
    verdict = "correct" if is_right else "incorrect"
    return verdict, verdict if is_accepted else "unparseable"


def main() -> int:
    """Prints how all answers are judged; the exit status tells whether all as they have to be."""
    failed = 0
    for task in (*COUNTS, *NP_HARD):
        counts: Counter[str] = Counter()
        shown = 0
        all_instances = instances(task)
        for instance in all_instances:
            for text, is_right, is_accepted, *verdicts in judged(instance):
                good = tuple(verdicts) == expected(is_right, is_accepted)
                counts["as they have to be" if good else "otherwise"] += 1
                if not good and shown < 5:
                    shown += 1
                    print(instance.answer, "|", re.sub(r"\s+", " ", text), "|", verdicts)
        failed += counts["otherwise"]
        print(f"{task}: {len(all_instances)} instances, {dict(counts)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
