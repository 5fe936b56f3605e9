"""Free text made plain, so that claims can be looked for: what was thought, what is code, markup.

What comes out is lower case, without markup; an answer in a box (LaTeX) or in `<answer>` stands
between `BOX` and `BOX_END`.

Only the first `HEAD` and the last `TAIL` characters of an answer (of the part before a newly
started question) are looked at, of very many lines the first and the
last `MOST_LINES`, and of a sentence the last `SENTENCE` characters, so that the time for an
answer is bounded whatever it holds.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from benchloom.loaders.answers.code import without_code
from benchloom.loaders.answers.markup import BOX, BOX_END, without_markup
from benchloom.loaders.answers.structure import with_json_read, with_tables_read
from benchloom.loaders.answers.words import has_any, last_match

__all__ = [
    "BOX",
    "BOX_END",
    "SENTENCE",
    "backwards",
    "bare_line",
    "lines",
    "one_turn",
    "plain",
    "sentences",
    "spelled",
    "starts",
    "without_thought",
]

HEAD = 3_000
TAIL = 10_000
SENTENCE = 1_500
MOST_LINES = 300

_TAGS = r"think(?:ing)?|thoughts?|reasoning|analysis|reflection|scratchpad"
_THOUGHT = re.compile(
    rf"<\s{{0,3}}(?P<close>/?)\s{{0,3}}(?:{_TAGS})\s{{0,3}}>|◁(?P<close2>/?)think▷"
    rf"|\[(?P<close3>/?)THINK(?:ING)?\]|<\|(?P<close4>end_of_|/)?(?:thought|think)\|>"
    rf"|<\|(?P<open5>begin_of)_thought\|>",
    re.IGNORECASE,
)
_FINAL_CHANNEL = re.compile(r"<\|channel\|>\s{0,3}final\s{0,3}<\|message\|>")
_BEGINNING = re.compile(
    r"\s{0,9}(?:<\|start_header_id\|>assistant<\|end_header_id\|>|<\|im_start\|>assistant"
    r"|<\|assistant\|>|<start_of_turn>model|<\|begin_of_(?:solution|text)\|>|<s>"
    r"|(?:###\s{0,3})?(?:assistant|response)\s{0,3}:)\s{0,9}",
    re.IGNORECASE,
)
_END = re.compile(
    r"<\|(?:endoftext|im_end|eot_id|end|end_of_text|end_of_solution|user|im_start|return|eom_id)\|>"
    r"|</s>|<eos>|<end_of_turn>|\[/?INST\]|<｜end▁of▁sentence｜>|<\|start_header_id\|>"
)
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]{0,30}[ -/]?[@-~]|\][^\x07\x1b]{0,200}\x07|.)?")
_CONTROLS = "".join(map(chr, (*range(9), 11, 12, *range(14, 32), 127)))
_HIDDEN = re.compile(f"[{re.escape(_CONTROLS)}]")
# A question that starts anew after an answer. Those of `_SURE` never belong to an answer; of the
# others only an answer that has claimed something is thought to be over.
_NEW_LINE = r"[\n.!?](?:(?<=\n)[ \t>#*_\-]{0,12}(?:\d{1,3}[.)] {0,3})?|(?<=[.!?])\s{1,9})"
_SURE = (
    r"q ?\d{0,4} ?[:.]|given a graph(?: representation)?,? your task|(?:human|user|instruction) ?:"
    r"|(?:give|is there|what is|how many)\b[^\n]{1,200}\n\s{0,9}a ?:"
)
_PERHAPS = (
    r"(?:question|problem|exercise|example|task|query) ?\d{0,4}\*{0,2} ?:"
    r"|(?:question|problem|exercise|example|task) #?\d{1,4}\*{0,2}[ .]*\n"
    r"|(?:is|are|does|do|what|how|can|which|give)\b[^\n?]{5,250}\? answer (?:yes|no"
    r"|\d)[^\n]{0,60}\n"
    r"|in the picture [^\n]{5,250}\? answer (?:yes|no|\d)[^\n]{0,60}\n"
    r"|(?:now,? )?(?:let us |let's )?consider (?:another|a different|the (?:next|following)) graph"
    r"|(?:next|new|another|second) (?:question|problem|example|graph)\b"
    r"|given (?:a|the following|an undirected) graph\b|determine (?:if"
    r"|whether) there is [^\n]{0,200}?"
    r"(?:graph\.|\?|\n)|graph ?: ?[a-z][\w ]{0,40} is\b|and the graph representation of"
    r"|(?:the graph representation|graph representation) (?:of|is)\b"
)
_NEW_QUESTION = re.compile(
    rf"{_NEW_LINE}(?=q[ \d:.]|q(?:uestion|uery)|giv|human|user|instr|is |there|what|how|prob|exer"
    r"|exam|task|are |do|can |which|in the p|now|let|consider|next|new|another|second|determ|graph"
    rf"|and the|the graph)(?:(?P<sure>{_SURE})|(?P<perhaps>{_PERHAPS}))"
)
_PREAMBLE = 120
"""Characters without a digit that may stand before a question that is only repeated."""
_MOST_STOPS = 4


def without_thought(text: str) -> str | None:
    """Returns a text without what was thought; None if a thought was never ended.

    All before a lone closing tag was thought.
    """
    if not has_any(text, ("<", "◁", "[T", "[t", "[/")):
        return text
    if (channel := last_match(_FINAL_CHANNEL, text)) is not None:
        text = text[channel.end() :]
    elif "<|channel|>analysis" in text or "<|channel|>commentary" in text:
        return None
    kept: list[str] = []
    at, inside = 0, False
    for tag in _THOUGHT.finditer(text):
        if any(tag[name] for name in ("close", "close2", "close3", "close4")):
            if not inside:
                kept.clear()
            inside = False
        elif not inside:
            kept.append(text[at : tag.start()])
            inside = True
        at = tag.end()
    if inside:
        return None
    return "".join([*kept, text[at:]])


def one_turn(text: str) -> str:
    """Returns what stands before the sign of a chat format that ends the answer."""
    if (start := _BEGINNING.match(text)) is not None:
        text = text[start.end() :]
    if "<" in text or "INST]" in text:
        for end in _END.finditer(text):
            if text[: end.start()].strip():
                return text[: end.start()]
    return text


def starts(text: str) -> Iterator[tuple[str, bool]]:
    """Yields what stands before each newly started question, and the whole text last.

    Whether it certainly is a new one comes with it: then what follows is no part of the answer.
    """
    count = 0
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = text.replace("İ", "i").lower()
    for found in _NEW_QUESTION.finditer(lowered):
        before = text[: found.start() + 1]
        if not before.strip():
            continue
        short = len(before) < _PREAMBLE and not any(c.isdigit() for c in before)
        yield before, found["sure"] is not None and not short
        count += 1
        if count == _MOST_STOPS:
            break
    yield text, True


def spelled(text: str) -> str:
    """Returns a text in plain characters: digits, dashes, quotes, arrows, spaces and signs."""
    if not text.replace("\n", " ").isprintable():
        text = _HIDDEN.sub("", _ESCAPES.sub("", text) if "\x1b" in text else text)
        text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    if text.isascii():
        return text
    return text.translate(_SPELLING)


class _Spelling(dict[int, str]):
    """What stands for a character that is not ASCII, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        found = char
        if code >= 0x80:
            category = unicodedata.category(char)
            if category == "Nd":
                found = str(unicodedata.decimal(char))
            elif 0xFF01 <= code <= 0xFF5E:
                found = chr(code - 0xFEE0)
                found += " " if found in ",;!?" else ""
            elif 0x1D400 <= code <= 0x1D7FF or 0xFB00 <= code <= 0xFB06:
                found = unicodedata.normalize("NFKC", char)
            elif category == "Zs":
                found = " "
            elif category in ("Zl", "Zp"):
                found = "\n"
            elif category in ("Cf", "Mn", "Me", "Cs", "Co") or code == 0xFE0F:
                found = "" if category != "Mn" else char
            elif category == "Pd":
                found = "-"
            elif 0x1F800 <= code <= 0x1F8FF or unicodedata.name(char, "").endswith(
                "RIGHTWARDS ARROW"
            ):
                found = "->"
        self[code] = found
        return found


_SPELLING = _Spelling()
for _chars, _plain in (
    ("‘’‚‛′`´ʼ‹›", "'"),
    ("“”„‟″«»「」『』", '"'),
    ("→⇒⟶➔➜➝➞➡⟹↦➙►▶⮕", "->"),
    ("↔⇔⟷⟺", "->"),
    ("−‐‑‒–—―－─━", "-"),
    ("。．", ". "),
    ("，、､", ", "),
    ("：", ":"),
    ("；", "; "),
    ("…", "..."),
    ("✅✔☑👍🟢", " ✓ "),
    ("❌✗✘✖🚫❎👎⛔🔴", " ✗ "),
    ("•◦▪●‣·∙■□◆", "*"),
    ("↓⇓⬇", ""),
    ("️⃣\u200b‌‍⁠﻿", ""),
    ("【〔", "["),
    ("】〕", "]"),
    ("∞♾", " infinity "),
    ("≈≃≅", "≈"),
    ("△▲", "triangle"),
    ("×", "*"),
    ("÷∕⁄", "/"),
    ("│┃", "|"),
):
    for _char in _chars:
        _SPELLING[ord(_char)] = _plain
_SPELLING[ord("`")] = "`"


def plain(text: str, keys: Sequence[str] = ()) -> str:
    """Returns a text as claims are looked for in it.

    Args:
        text: What was answered, without thoughts, in plain characters.
        keys: Names under which a JSON object may hold the answer, besides `answer` and its like.
    """
    if len(text) > HEAD + TAIL:
        text = f"{text[:HEAD]}\n{text[-TAIL:]}"
    text = without_code(text)
    if "\\" in text or "∎" in text or "Q.E.D." in text:
        text = _END_OF_PROOF.sub("", text)
    if "{" in text:
        text = with_json_read(text, keys)
    if "|" in text:
        text = with_tables_read(text)
    return without_markup(text).lower()


_END_OF_PROOF = re.compile(r"\$?\\(?:black)?square\b\$?|\$?\\qed(?:symbol)?\b\$?|Q\.E\.D\.|∎")
_SIGNS = r"(?:[\s>#*+~]|[-=](?=[\s\-=]|$))*"
_LEAD = re.compile(
    rf"{_SIGNS}(?:\(?(?:\d{{1,3}}|[a-z])[.)]\s{{1,5}}(?=[\w\"'(\[{{✓✗\ue000]))?{_SIGNS}"
)
_ITEM = re.compile(r"\s*+(?:[*\-+]\s|\(?\d{1,3}[.)]\s)")
_SENTENCE_END = re.compile(
    r"[.!;?](?:(?<=[.!;])(?<![.!?]\s\d\.)(?<![.!?]\s\d\d\.)(?<!\bi\.e\.)(?<!\be\.g\.)"
    r"(?<!\bpp\.)[\"')\]]{0,3}\s++(?![/*+=])"
    r"|(?<=\?)[\"')\]]{0,3}\s+(?!\W{0,4}(?:(?:the answer is )?(?:yes|no)|yes|no|true|false|is|was"
    r"|(?:there|it|they)\s(?:is|are|does|do|has|have)(?:n't|\snot)?(?:\s(?:one|none))?(?=\W*$"
    r"|[.,]\s))\b|[✓✗]))"
)
_LABEL_LINE = re.compile(
    r"(?:the |my )?(?:final |short |correct )?(?:answer|result|output|conclusion|solution|verdict"
    r"|ans|response)s?[.:]?|.{0,300}:"
)


_MAY_END = (". ", "! ", "; ", "? ", '" ', ") ", "' ", "] ")
_ANNOUNCES = re.compile(
    r"(?:let's|let us|let me|sure|okay|ok|certainly|of course|step|here is (?:how|my|a)"
    r"|here's (?:how|my|a)"
    r"|i will|i'll|we will|we'll)\b"
)
"""A line that announces what follows and does not name it."""


def lines(text: str) -> list[str]:
    """Returns the lines that hold something; of very many the first and the last."""
    rows = [line for line in (raw.strip() for raw in text.split("\n")) if line]
    return rows if len(rows) <= MOST_LINES else rows[: MOST_LINES // 5] + rows[-MOST_LINES:]


def bare_line(line: str) -> str:
    """Returns a line without bullet, number, quote or heading signs before it."""
    found = _LEAD.match(line)
    return line[found.end() :].rstrip() if found else line


def sentences(line: str) -> list[str]:
    """Returns the sentences of a line."""
    if not has_any(line, _MAY_END):
        return [line]
    parts, at = [], 0
    for end in _SENTENCE_END.finditer(line):
        parts.append(line[at : end.start() + 1])
        at = end.end()
    return [*parts, line[at:]]


def backwards(
    rows: Sequence[str], is_needless: Callable[[str], bool] = lambda row: False
) -> Iterator[tuple[str, int]]:
    """Yields the sentences of lines from the last to the first, and how many lines follow.

    A line after a label (`Final answer`, `The path is:`) comes a second time, behind its label.

    Args:
        rows: The lines.
        is_needless: Whether a line need not be read; it is asked when the line's turn comes.
    """
    for i in range(len(rows) - 1, -1, -1):
        if is_needless(rows[i]) and (not i or is_needless(rows[i - 1])):
            continue
        after = len(rows) - 1 - i
        line = bare_line(rows[i])[-SENTENCE:]
        if not line:
            continue
        listed = _ITEM.match(rows[i]) and i + 1 < len(rows) and _ITEM.match(rows[i + 1])
        parts = sentences(line)
        for sentence in reversed(parts[1:]):
            if sentence:
                yield sentence, after
        if i and not listed and len(rows[i - 1]) < 300:
            label = bare_line(rows[i - 1])
            if _LABEL_LINE.fullmatch(label) and not _ANNOUNCES.match(label):
                last = sentences(label)[-1].rstrip(" .:")
                yield f"{last}: {parts[0]}", after
        if parts[0]:
            yield parts[0], after
