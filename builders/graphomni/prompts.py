"""The nine prompt schemes (sections A.5 and A.7), and the queries that they and the formats give.

A scheme is a function from a `Setting` to a `Frame`: it decides what stands before the query's own
text, after its graph and after its `A:`. Frames do not depend on the instance, so they are made
once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from benchloom.builders.graphomni import exemplars as exemplars_of
from benchloom.builders.graphomni.exemplars import Exemplar
from benchloom.builders.graphomni.grid import PROMPT_SCHEMES, SERIALIZATIONS
from benchloom.builders.graphomni.questions import header, question, size_sentence, wording
from benchloom.builders.graphomni.serializers import SERIALIZERS, Serializer
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.registry import lookup, register

CONSTRUCT = "Let's construct a graph with the nodes and edges first"
PAPER_NAMES = {
    "zero_shot": "0-Shot",
    "zero_cot": "0-CoT",
    "zero_instruct": "0-Instruct",
    "zero_algorithm": "0-Algorithm",
    "ltm": "LTM",
    "k_shot": "k-shot",
    "cot": "CoT",
    "instruct": "Instruct",
    "algorithm": "Algorithm",
}
"""The schemes' names in the paper; its published data writes `none` for 0-Shot."""


@dataclass(frozen=True)
class Frame:
    """What a scheme puts around a query's own text.

    Attributes:
        before: Text before the header.
        after_graph: A sentence between the graph and the question.
        after_answer: A cue after `A:`.
    """

    before: str = ""
    after_graph: str = ""
    after_answer: str = ""


@dataclass(frozen=True)
class Setting:
    """What a scheme may use.

    Attributes:
        task: The task.
        serializer: The format of the query's graph, and so of the exemplars' graphs.
        exemplars: The worked examples.
    """

    task: str
    serializer: Serializer
    exemplars: Sequence[Exemplar]

    @property
    def algorithm(self) -> str:
        """The description of the task's algorithm, and an empty line."""
        return wording(self.task).algorithm + "\n\n"

    def worked(self, attribute: str, after_graph: str = "") -> str:
        """Returns the exemplars, an empty line after each.

        Args:
            attribute: What stands before the answer sentence: `reasoning`, `run`, or nothing.
            after_graph: The sentence between graph and question.
        """
        blocks = []
        for shown in self.exemplars:
            state, ask = _own_text(
                self.task, self.serializer, shown.graph, shown.source, shown.target
            )
            steps = f"{getattr(shown, attribute)} " if attribute else ""
            between = after_graph and f"\n{after_graph}"
            blocks.append(f"{state}{between}{ask} {steps}{shown.sentence}\n\n")
        return "".join(blocks)


PROMPTS: dict[str, Callable[[Setting], Frame]] = {}
"""All prompt schemes by name."""


@register(PROMPTS, "zero_shot")
def zero_shot(_: Setting) -> Frame:
    """Returns nothing around the query."""
    return Frame()


@register(PROMPTS, "zero_cot")
def zero_cot(_: Setting) -> Frame:
    """Returns a cue to think step by step."""
    return Frame(after_answer="Let's think step by step:")


@register(PROMPTS, "zero_instruct")
def zero_instruct(_: Setting) -> Frame:
    """Returns a cue to construct the graph."""
    return Frame(after_answer=f"{CONSTRUCT}:")


@register(PROMPTS, "zero_algorithm")
def zero_algorithm(setting: Setting) -> Frame:
    """Returns the algorithm before the query."""
    return Frame(before=setting.algorithm)


@register(PROMPTS, "ltm")
def ltm(_: Setting) -> Frame:
    """Returns a cue for least-to-most prompting."""
    return Frame(after_answer="Let's break down this problem:")


@register(PROMPTS, "k_shot")
def k_shot(setting: Setting) -> Frame:
    """Returns exemplars with their answers."""
    return Frame(before=setting.worked(""))


@register(PROMPTS, "cot")
def cot(setting: Setting) -> Frame:
    """Returns exemplars with their reasoning and answers."""
    return Frame(before=setting.worked("reasoning"))


@register(PROMPTS, "instruct")
def instruct(setting: Setting) -> Frame:
    """Returns exemplars with their reasoning and answers, and the construction after each graph."""
    return Frame(setting.worked("reasoning", f"{CONSTRUCT}."), after_graph=f"{CONSTRUCT}.")


@register(PROMPTS, "algorithm")
def algorithm(setting: Setting) -> Frame:
    """Returns the algorithm, and exemplars with a run of it."""
    return Frame(before=setting.algorithm + setting.worked("run"))


def compose(
    scheme: str,
    task: str,
    serialization: str,
    graph: Graph,
    source: int | None = None,
    target: int | None = None,
    exemplars: Sequence[Exemplar] = (),
) -> str:
    """Returns the text of one query.

    Args:
        scheme: Name of the prompt scheme.
        task: The task.
        serialization: Name of the format.
        graph: The graph that is asked about.
        source: The first node that is asked about, where the task has one.
        target: The second node, where the task has one.
        exemplars: What schemes with exemplars show.

    Raises:
        InputError: If a name is unknown, or a node is missing.
    """
    serializer = lookup(SERIALIZERS, serialization, "serialization")
    frame = lookup(PROMPTS, scheme, "prompt scheme")(Setting(task, serializer, exemplars))
    return _framed(frame, *_own_text(task, serializer, graph, source, target))


def queries(
    task: str,
    graph: Graph,
    source: int | None,
    target: int | None,
    generation: int,
    serializations: Sequence[str] = SERIALIZATIONS,
    schemes: Sequence[str] = PROMPT_SCHEMES,
) -> Iterator[tuple[str, str, str]]:
    """Yields the queries of an instance as (serialization, scheme, text).

    All schemes of the first format come first. Arguments and errors are those of `compose`.
    """
    for serialization in serializations:
        serializer = lookup(SERIALIZERS, serialization, "serialization")
        state, ask = _own_text(task, serializer, graph, source, target)
        for scheme in schemes:
            yield (
                serialization,
                scheme,
                _framed(_frame(task, serialization, scheme, generation), state, ask),
            )


@lru_cache(maxsize=1024)
def _frame(task: str, serialization: str, scheme: str, generation: int) -> Frame:
    """Returns the frame with the exemplars of a generation."""
    shown = exemplars_of.exemplars(task, generation)
    setting = Setting(task, SERIALIZERS[serialization], shown)
    return lookup(PROMPTS, scheme, "prompt scheme")(setting)


def _own_text(
    task: str, serializer: Serializer, graph: Graph, source: int | None, target: int | None
) -> tuple[str, str]:
    """Returns what states a query's graph, and what asks about it."""
    state = (
        f"{header(task, source, target)} {size_sentence(graph.n_nodes)}\n"
        f"And the graph representation of: {serializer.title} is\n{serializer.serialize(graph)}"
    )
    return state, f"\nQ: {question(task, source, target)}\nA:"


def _framed(frame: Frame, state: str, ask: str) -> str:
    """Returns a query's text in its frame."""
    between = frame.after_graph and f"\n{frame.after_graph}"
    after = frame.after_answer and f" {frame.after_answer}"
    return f"{frame.before}{state}{between}{ask}{after}"
