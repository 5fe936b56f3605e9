"""Which regions of a diagram are likely to be evidence for an answer, by rules.

A rule looks at nothing but words: what the question and the answer name, and what kind of thing is
asked. It is a start for the people who review, never more.
"""

from collections.abc import Callable, Mapping
from itertools import count

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.matching import Text
from benchloom.builders.dragon.proposals_charts import pick_on_chart
from benchloom.builders.dragon.proposals_circuits import pick_on_circuit
from benchloom.builders.dragon.proposals_maps import pick_on_map
from benchloom.builders.dragon.proposals_texts import pick_labels, pick_texts
from benchloom.builders.dragon.regions import LEAST_SEEN, box_to_see
from benchloom.builders.dragon.work import Evidence, Role

Rule = Callable[[Item, Text, Text], Mapping[str, Role]]
"""Gives the roles of regions by their ids, from an item, its question and its answer."""

RULES: dict[str, Rule] = {
    "ai2d": pick_labels,
    "chartqa": pick_on_chart,
    "circuit_vqa": pick_on_circuit,
    "infographics_vqa": pick_texts,
    "mapiq": pick_on_map,
    "mapwise": pick_on_map,
}

_YES_OR_NO = {("yes",), ("no",)}
_ASKS_FOR_A_NAME = ("what", "which", "who", "whom", "whose", "where")


def propose(item: Item) -> tuple[Evidence, ...]:
    """Returns the evidence proposed for an item: `p1`, `p2`, ..., the answer's boxes first.

    Within a role they come in the order of the regions. Nothing is proposed where nothing of the
    picture is named, nor a region of which the frame has left too little to be seen.

    Args:
        item: The question, with the regions of its picture.
    """
    question, answer = Text.of(item.question), Text.of(item.answer)
    if answer.words in _YES_OR_NO and not question.mentions(_ASKS_FOR_A_NAME):
        answer = Text.of("")  # a judgement; a region called "No" is not meant
    roles = RULES.get(item.source, pick_labels)(item, question, answer)
    chosen = [
        region
        for region in item.regions
        if region.id in roles and not (region.clipped and min(region.bbox[2:]) <= LEAST_SEEN)
    ]
    chosen.sort(key=lambda region: roles[region.id] != "answer")
    width, height = item.image_file.width, item.image_file.height
    return tuple(
        Evidence(
            f"p{number}",
            roles[one.id],
            one.label,
            box_to_see(one.bbox, width, height),
            one.origin,
            one.id,
        )
        for number, one in zip(count(1), chosen, strict=False)
    )
