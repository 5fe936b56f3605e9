"""Rules for maps whose parts are regions: places named, their neighbours, the legend, the title."""

import re
from collections.abc import Iterable, Mapping

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.matching import Text, fold
from benchloom.builders.dragon.places import Country, find_country
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.work import Role

# All of them folded as `fold` does it.
_NOT_PLACES = ("legend", "title", "key", "colorbar", "colourbar", "scale", "source", "caption")
_LEGEND = ("legend", "colorbar", "colourbar", "key")
_TITLE = ("title", "caption")
_ABOUT_VALUES = frozenset(
    fold(
        "value range class category legend shade colour color dark darker darkest light "
        "lighter lightest high higher highest low lower lowest least less lesser above below "
        "exceed fall greater greatest large larger largest small smaller smallest rank "
        "similar different difference outlier median mean average percentage percent "
        "proportion majority equal maximum minimum"
    )
)
_ABOUT_LEGEND = ("legend", "shade", "colour", "color", "category")
_ABOUT_MAP = ("depict", "title", "topic", "subject")
_BORDERS = ("border", "bordering", "bordered", "adjoin", "adjoining", "adjacent")
_NEIGHBOURS = ("neighbour", "neighbor")
_BESIDE = ("neighbouring", "neighboring")
_KINDS = ("state", "province", "territory", "region", "county", "country")
_NUMBERS = (("at",), ("exactly",), ("only",), ("more",), ("all",))
"""What may follow "borders" where neighbours are counted."""
_BETWEEN = ("the", "of", "to", "with", *_KINDS)
"""Words that may stand between "bordering" and a name."""
_RANGE = re.compile(r"\d\s*%?\s*[-–—]\s*[$]?-?\d")


def pick_on_map(item: Item, question: Text, answer: Text) -> Mapping[str, Role]:
    """Returns the roles of regions by their ids.

    - What the answer names shows the answer; what the question names supports it.
    - Neighbours support it when the question asks about borders: of the place that is named beside
      the word ("bordering Texas", "the Canada border"), or of the place compared with them.
    - The legend supports it when values or classes are asked for. It shows the answer when that is
      a class, or when the question is about the legend itself.
    - The title supports it when the question is what the map shows.
    """
    labels = {region.id: region.label or region.id for region in item.regions}
    named_alone = [label for label in labels.values() if not _is(label, _NOT_PLACES)]
    country = find_country(named_alone)
    aliases = {region.id: region.aliases for region in item.regions}
    names = {f"region {key}": (label, *aliases[key]) for key, label in labels.items()}
    by_code: dict[str, list[str]] = {}
    if country:
        # Also those without a region: "New Mexico" must not be taken for Mexico.
        names |= {f"place {code}": known for code, known in country.names.items()}
        for key, label in labels.items():
            code = next(filter(None, map(country.code, (label, *aliases[key]))), None)
            if code:
                by_code.setdefault(code, []).append(key)
                names[f"place {code}"] += aliases[key]
                del names[f"region {key}"]
        names |= {f"around {name}": known for name, known in country.around_names.items()}
    for key, label in labels.items():
        if _is(label, _NOT_PLACES):
            names.pop(f"region {key}", None)  # asked about in other ways

    in_answer, in_question = answer.find(names), question.find(names)
    roles: dict[str, Role] = {}

    def add(keys: Iterable[str], role: Role) -> None:
        for key in keys:
            for region in by_code.get(key[6:], ()) if key.startswith("place ") else (key[7:],):
                roles.setdefault(region, role)

    told = [key for key in in_answer if not key.startswith("around ")]
    add(told, "answer")
    add((key for key in in_question if not key.startswith("around ")), "support")
    if country:
        beside = _find_neighbours(country, question, in_question, in_answer)
        add((f"place {code}" for code in beside), "support")
    for region in item.regions:
        if role := _furniture_role(item, region, question, bool(told)):
            roles[region.id] = role
    return roles


def _furniture_role(item: Item, region: Region, question: Text, answered: bool) -> Role | None:
    """Returns the role of a region that is a legend or a title, or None."""
    label = region.label or region.id
    if _is(label, _LEGEND):
        if not answered and (_RANGE.search(item.answer) or question.mentions(_ABOUT_LEGEND)):
            return "answer"
        return "support" if question.mentions(_ABOUT_VALUES) else None
    if _is(label, _TITLE) and question.mentions(_ABOUT_MAP):
        return "support"
    return None


def _find_neighbours(
    country: Country,
    question: Text,
    in_question: Mapping[str, list[int]],
    in_answer: Mapping[str, list[int]],
) -> list[str]:
    """Returns the codes of the places of which a question says that they lie beside something."""
    words = question.words
    at = {place: key for key, places in in_question.items() for place in places}
    found: list[str] = []
    if "rank" not in words[:1]:  # there all places are named
        for key in in_question:
            if key.startswith("around "):
                found += country.around[key.removeprefix("around ")]
    compared = False
    for number, word in enumerate(words):
        if word in _BORDERS:
            following = number + 1
            while following < len(words) and words[following] in _BETWEEN:
                following += 1
            key = at.get(following, "")
            if key.startswith("place "):
                found += country.neighbours[key.removeprefix("place ")]
            elif words[number + 1 : number + 2] in _NUMBERS:
                compared = True  # "which state borders at least two states of the same range?"
        elif word in _BESIDE and (number + 1 == len(words) or words[number + 1] not in _KINDS):
            key = at.get(number + 1, "")
            if key.startswith("place "):
                found += country.neighbours[key.removeprefix("place ")]
        elif word in _NEIGHBOURS:
            compared = True
    if compared:
        subjects = [key for key in in_question if key.startswith("place ")] or [
            key for key in in_answer if key.startswith("place ")
        ]
        for key in subjects:
            found += country.neighbours[key.removeprefix("place ")]
    return found


def _is(label: str, kinds: tuple[str, ...]) -> bool:
    """Tells whether a label is of some kind of thing, as "legend" or "legend 2"."""
    return not set(fold(label.replace("_", " "))).isdisjoint(kinds)
