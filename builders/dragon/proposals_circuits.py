"""Rules for circuits, whose regions are components named by their classes."""

from collections.abc import Mapping

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.matching import Text, fold
from benchloom.builders.dragon.work import Role

# Words that classes add to tell kinds of one component apart.
_QUALIFIERS = frozenset(fold("unpolarized polarized photo single multi cell ac dc adjustable"))
_OTHER_NAMES = {
    "gnd": ("ground", "earth"),
    "operational_amplifier": ("op amp", "opamp", "op-amp"),
    "voltage.battery": ("battery",),
    "integrated_circuit": ("IC",),
    "acv": ("ac voltage source", "ac source"),
    "voltage-ac": ("ac voltage source", "ac source"),
    "voltage-dc": ("dc voltage source", "dc source"),
    "diode.light_emitting": ("LED", "light emitting diode"),
}
_PLAIN_WORDS = ("and", "or", "not")
"""Gates whose names are words of every question."""
_NO_COMPONENTS = frozenset({"text", "junction", "crossover", "unknown", "terminal"})
_COUNTS = ("many", "number", "count", "total")
_ALL = ("component", "element", "part", "device")


def pick_on_circuit(item: Item, question: Text, answer: Text) -> Mapping[str, Role]:
    """Returns the roles of regions by their ids.

    - Where components are counted, those of the class that is named show the answer; all of them
      if the question is about components at large.
    - Else components that the answer names show the answer, and those that the question names
      support it.
    """
    names = {region.id: (*_names(region.label), *region.aliases) for region in item.regions}
    in_question = question.find(names)
    kind = str(item.details.get("question_type", "")).casefold()
    if "count" in kind or (not kind and question.mentions(_COUNTS)):
        if not in_question and question.mentions(_ALL):
            in_question = {
                region.id: [] for region in item.regions if region.label not in _NO_COMPONENTS
            }
        return dict.fromkeys(in_question, "answer")
    roles: dict[str, Role] = dict.fromkeys(answer.find(names), "answer")
    for name in in_question:
        roles.setdefault(name, "support")
    return roles


def _names(label: str) -> tuple[str, ...]:
    """Returns what a question may call a component of a class."""
    if label in _PLAIN_WORDS:
        return label.upper(), f"{label} gate", f"{label} count"
    head, dot, kind = label.partition(".")
    plain = " ".join(word for word in fold(label) if word not in _QUALIFIERS)
    names = [label, *_OTHER_NAMES.get(label, ()), *_OTHER_NAMES.get(head, ()), plain]
    if dot:
        names += [f"{kind} {head}", head]
    return tuple(dict.fromkeys(name for name in names if name))
