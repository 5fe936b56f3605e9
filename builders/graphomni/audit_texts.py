"""The audit of what surrounds the graphs of a cell's queries, by comparing the records.

All but a record's own graph, its number of nodes and the nodes of its question is fixed by its
task, prompt scheme and format, and much of that by less: the exemplars and the sentences are the
same in all formats. So the commonest text is held to be the right one, and whoever has another is
named. What is wrong in all records alike shows in the exemplars' own claims alone.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.audit_layouts import first_difference, layout_faults
from benchloom.builders.graphomni.grid import DIFFICULTIES
from benchloom.builders.graphomni.reading import Parts, read_exemplars, read_query
from benchloom.builders.graphs.graph import Graph

Fixed = tuple[str, str, str, str, str]
"""Scheme, format, text before the own header, wording of header and question, and the rest."""

_YES_NO = ("connectivity", "cycle", "hamiltonian_cycle")
_NAMED = 3


@lru_cache(maxsize=1024)
def set_faults(before: str, task: str, serialization: str) -> tuple[str, ...]:
    """Returns what is wrong with the exemplars of a query as a set, a sentence each.

    No two of their graphs are isomorphic, all have the task and the format of the query, and those
    of yes/no tasks have both answers. What cannot be read, `claims.exemplar_faults` says.

    Args:
        before: The text before the query's header, as `Parts.before` has it.
        task: The query's task.
        serialization: The query's format.
    """
    try:
        _, exemplars = read_exemplars(before)
        graphs = [it.graph() for it in exemplars]
    except InputError:
        return ()
    faults = []
    for number, (it, graph) in enumerate(zip(exemplars, graphs, strict=True), 1):
        if (it.task, it.serialization) != (task, serialization):
            faults.append(f"exemplar {number} is of {it.task} in the format {it.serialization}")
        faults += [
            f"in exemplar {number} {fault}"
            for fault in layout_faults(it.serialization, it.graph_text, graph)
        ]
    for (one, graph), (two, other) in combinations(enumerate(graphs, 1), 2):
        if is_isomorphic(graph, other):
            faults.append(f"exemplars {one} and {two} show the same graph")
    if task in _YES_NO and exemplars:
        negative = sum(_answer(it).startswith(("No,", "The answer is none")) for it in exemplars)
        if negative in (0, len(exemplars)):
            faults.append("its exemplars all have the same answer")
    return tuple(faults)


def text_faults(columns: Mapping[str, Any], instances: Mapping[str, Graph]) -> list[str]:
    """Returns where records of a cell deviate from the others, and which exemplars are instances.

    Args:
        columns: The cell's columns.
        instances: The graph of each instance, by its name.
    """
    ids = columns["id"]
    places: defaultdict[Fixed, list[int]] = defaultdict(list)
    names = ("prompt_scheme", "serialization", "query")
    for place, (scheme, serialization, query) in enumerate(
        zip(*(columns[name] for name in names), strict=True)
    ):
        places[scheme, serialization, *_fixed(query)].append(place)
    return _deviations(places, ids) + _evaluated(places, ids, instances)


def is_isomorphic(graph: Graph, other: Graph) -> bool:
    """Returns whether two graphs are isomorphic."""
    if graph == other:
        return True
    if _profile(graph) != _profile(other):
        return False
    import networkx

    return bool(networkx.is_isomorphic(*(networkx.Graph(list(it.edges)) for it in (graph, other))))


def named(ids: Sequence[Any], places: Sequence[int]) -> str:
    """Returns the first few names of records in words, and how many more there are."""
    shown = ", ".join(str(ids[place]) for place in sorted(places)[:_NAMED])
    more = len(places) - _NAMED
    return f"{shown} and {more:,} more" if more > 0 else shown


def _fixed(query: Any) -> tuple[str, str, str]:
    """Returns a query's text before its header, its wording, and what else is fixed."""
    try:
        it = read_query(query)
    except (InputError, AttributeError, TypeError):
        return "", "", "a text that is no query"
    return it.before, it.wording, f"{it.serialization} {it.construct} {it.after}"


def _deviations(places: Mapping[Fixed, list[int]], ids: Sequence[Any]) -> list[str]:
    """Returns which records deviate; each record once, by what says most about it."""
    groups: defaultdict[tuple[str, ...], defaultdict[str, list[int]]]
    groups = defaultdict(lambda: defaultdict(list))
    for fixed, at in places.items():
        for group, text in _aspects(fixed):
            groups[group][text] += at
    faults = []
    told: set[int] = set()
    # What belongs to one format and scheme comes last: it holds all that the others hold.
    for (aspect, *_), texts in sorted(groups.items(), key=lambda item: len(item[0])):
        usual, *others = sorted(texts, key=lambda text: (-len(texts[text]), min(texts[text])))
        for text in others:
            if told.issuperset(texts[text]):
                continue
            told.update(texts[text])
            found, wanted = first_difference(text, usual)
            sentence = f"of {named(ids, texts[text])} differ from those of "
            if len(texts[text]) == len(texts[usual]):
                sentence += f"{named(ids, texts[usual])} (which are as many)"
            else:
                sentence += "the other records"
            faults.append(f"{aspect} {sentence}: {found!r} in place of {wanted!r}")
    return faults


def _aspects(fixed: Fixed) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yields texts, each with what it is and the records among which it is the same."""
    scheme, serialization, before, wording, rest = fixed
    yield ("the fixed words", scheme, serialization), f"{before}\n{wording}\n{rest}"
    try:
        head, exemplars = read_exemplars(before)
        questions = [
            f"{it.n_nodes} nodes, {it.source} to {it.target}, edges {it.graph().edges}"
            for it in exemplars
        ]
    except InputError:
        return
    # An exemplar that is worded otherwise than the query adds a second wording.
    wordings = dict.fromkeys((wording, *(it.wording for it in exemplars)))
    yield ("the words of header and question",), "\n".join(wordings)
    if head:
        yield ("the words of the algorithm",), head
    if exemplars:
        yield ("the exemplars",), "\n".join(questions)
        yield ("the exemplars' answers",), "\n".join(map(_answer, exemplars))
        # Instruct shows the reasoning of CoT.
        alike = "cot" if scheme == "instruct" else scheme
        yield ("the exemplars' steps", alike), "\n".join(it.after for it in exemplars)


def _evaluated(
    places: Mapping[Fixed, list[int]], ids: Sequence[Any], instances: Mapping[str, Graph]
) -> list[str]:
    """Returns which exemplars are evaluated instances."""
    shown: defaultdict[tuple[int, Graph], list[int]] = defaultdict(list)
    for (_, _, before, _, _), at in places.items():
        try:
            for number, it in enumerate(read_exemplars(before)[1], 1):
                shown[number, it.graph()] += at
        except InputError:
            continue  # what cannot be read is said where each record is looked at
    alike: defaultdict[tuple[int, ...], list[str]] = defaultdict(list)
    for name, graph in instances.items():
        if graph.n_nodes <= DIFFICULTIES["easy"][1]:  # larger ones are no exemplars
            alike[_profile(graph)].append(name)
    return [
        f"exemplar {number} of {named(ids, at)} has the graph of the instance {name}"
        for (number, graph), at in shown.items()
        for name in alike.get(_profile(graph), ())
        if is_isomorphic(graph, instances[name])
    ]


def _answer(exemplar: Parts) -> str:
    """Returns the last sentence of an exemplar."""
    return exemplar.after.strip().rpartition(". ")[2]


def _profile(graph: Graph) -> tuple[int, ...]:
    """Returns numbers that isomorphic graphs share."""
    return (graph.n_nodes, *sorted(graph.degrees))
