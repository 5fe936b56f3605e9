"""Where the names of things occur in a question or an answer."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
CODE = re.compile(r"[A-Z]{1,3}")
"""A name of a few capitals. It is looked for as it is: "OR" and "A" are also plain words."""


@dataclass(frozen=True)
class Text:
    """A text in which names are looked up.

    Attributes:
        raw: As it is.
        words: Its words, folded.
    """

    raw: str
    words: tuple[str, ...]

    @classmethod
    def of(cls, raw: str) -> "Text":
        """Returns a text made ready."""
        return cls(raw, fold(raw))

    def find(
        self, names: Mapping[str, Iterable[str]], partly: bool = False
    ) -> dict[str, list[int]]:
        """Returns which things are named, and where: the numbers of the words they begin at.

        Whole words are compared, without case, accents and plural. A longer name comes before a
        shorter one, and no word counts for two: "West Virginia" does not name Virginia. What is
        named alike (ten resistors) is found at the same places.

        Args:
            names: The names of each thing.
            partly: Whether a thing is also named by all words of its name apart from one another,
                or else by its head alone ("lion" of "mountain lion 2"), if they are not part of a
                whole name; then with no places.
        """
        by_phrase: dict[tuple[str, ...], list[str]] = {}
        for key, all_names in names.items():
            for name in all_names:
                phrase = (name,) if CODE.fullmatch(name) else fold(name)
                if phrase and key not in by_phrase.setdefault(phrase, []):
                    by_phrase[phrase].append(key)
        found: dict[str, list[int]] = {}
        used: set[int] = set()
        for phrase in sorted(by_phrase, key=lambda phrase: (-len(phrase), phrase)):
            for place in self._places(phrase):
                span = range(place, place + len(phrase))
                if used.isdisjoint(span):
                    used.update(span)
                    for key in by_phrase[phrase]:
                        found.setdefault(key, []).append(place)
        if partly:
            left = {word for place, word in enumerate(self.words) if place not in used}
            for key, all_names in names.items():
                if key not in found and any(is_partly_named(name, left) for name in all_names):
                    found[key] = []
        return {key: found[key] for key in names if key in found}

    def mentions(self, words: Iterable[str]) -> bool:
        """Tells whether any of some folded words occurs."""
        return not set(words).isdisjoint(self.words)

    def _places(self, phrase: tuple[str, ...]) -> list[int]:
        if CODE.fullmatch(phrase[0]):
            return self._code_places(phrase[0])
        places = range(len(self.words) - len(phrase) + 1)
        return [place for place in places if self.words[place : place + len(phrase)] == phrase]

    def _code_places(self, code: str) -> list[int]:
        """Returns where a name of a few capitals stands as it is written.

        A single letter must not be a word of the sentence: "What does A eat?" names A, "A fox
        eats what?" does not.
        """
        return [
            len(fold(self.raw[: one.start()]))
            for one in re.finditer(rf"(?<![^\W_]){code}(?![^\W_]|['’])", self.raw)
            if len(code) > 1 or _is_letter(self.raw, one.start())
        ]


def _plain(word: str) -> str:
    """Returns a number in its shortest form, or a word without its plural ending."""
    if word[0].isdecimal():
        if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", word):
            word = word.replace(",", "")
        return word.rstrip("0").rstrip(".") if re.fullmatch(r"\d+\.\d+", word) else word
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and re.search(r"(ss|x|ch|sh)es$", word):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and word[-2] not in "siu":
        return word[:-1]
    return word


def fold(text: str) -> tuple[str, ...]:
    """Returns the words of a text without case, accents and plural endings.

    A number is a word, without commas between its digits and zeros at the end of its decimals. A
    text of signs alone has no words.
    """
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(one for one in plain if not unicodedata.combining(one)).casefold()
    plain = re.sub(r"['’]s\b", "", plain)
    return tuple(_plain(word) for word in WORD.findall(plain))


def head_of(words: Iterable[str]) -> tuple[str, ...]:
    """Returns the word that says what kind of thing folded words name: the last but for numbers.

    It is none of the plain words that tell nothing, and no mere letter or two.
    """
    told = [word for word in content(words) if len(word) > 2 and not word[0].isdecimal()]
    return tuple(told[-1:])


def is_partly_named(name: str, words: Set[str]) -> bool:
    """Tells whether all words of a name, or its head, are among some folded words."""
    if CODE.fullmatch(name):
        return False
    told = fold(name)
    head = head_of(told)
    return bool(head) and (set(content(told)) <= words or head[0] in words)


COMMON = frozenset(
    fold(
        "a about after all also an and any are as at be because been before being between "
        "both but by can could did do does during each for from had has have he her his how i "
        "if in into is it its many may more most much must no not of on one or other our out "
        "over per same shall she should so some such than that the their them then there "
        "these they this those through to under until up very was we were what when where "
        "which while who whom whose why will with would yes you your"
    )
)
"""Words that do not tell what a question is about."""


def content(words: Iterable[str]) -> tuple[str, ...]:
    """Returns the folded words that tell what a text is about."""
    return tuple(word for word in words if word not in COMMON)


def _is_letter(text: str, place: int) -> bool:
    """Tells whether a capital that stands alone is a letter of the diagram, and no word."""
    before, after = text[:place].rstrip(), text[place + 1 :].strip(" .?!")
    return text[place] not in "AI" or not after or bool(before and before[-1] not in ".?!:")
