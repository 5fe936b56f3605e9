"""LaTeX, HTML and Markdown inside lines taken out of a text; boxes are marked."""

import html
import re

BOX, BOX_END = "\ue000", "\ue001"
"""Between these stands what an answer puts in a box (LaTeX) or in `<answer>`."""

_BOX_HEAD = r"\\(?:boxed|fbox|framebox)\s{0,3}\{"
_INNER_BOX = re.compile(_BOX_HEAD)
_BRACES = re.compile(_BOX_HEAD + r"|\\[{}]|[{}]")
_FONTS = (
    "text|mathbf|textbf|mathrm|textit|mathit|mathsf|texttt|emph|bm|operatorname|underline|bf|rm"
    "|displaystyle"
)
_LATEX_WORDS = (
    (re.compile(r"\\(?:d|t)?frac\s{0,3}\{([^{}]{0,40})\}\s{0,3}\{([^{}]{0,40})\}"), r"\1/\2"),
    (
        re.compile(
            r"\\(?:xrightarrow(?:\{[^{}]{0,40}\})?|(?:long)?(?:left)?rightarrow|Rightarrow"
            r"|Longrightarrow|to|implies|mapsto)(?![A-Za-z])"
        ),
        " -> ",
    ),
    (re.compile(r"\\(max|min)(?![A-Za-z])"), r"\1"),
    (re.compile(r"\\infty(?![A-Za-z])"), " infinity "),
    (re.compile(r"\\(?:times|cdot|ast)(?![A-Za-z])"), " * "),
    (re.compile(r"\\(?:approx|simeq)(?![A-Za-z])"), " ≈ "),
    (re.compile(r"\\(?:ldots|dots|cdots)(?![A-Za-z])"), "..."),
    (re.compile(r"\\(?:checkmark)(?![A-Za-z])"), " ✓ "),
    (re.compile(r"\\(?:neg|lnot)(?![A-Za-z])"), " not "),
    (re.compile(r"\\(?:begin|end)\s{0,3}\{[^{}]{0,30}\}"), "\n"),
    (re.compile(r"\\\\"), "\n"),
    (re.compile(rf"\\(?:{_FONTS})(?![A-Za-z])\s{{0,3}}\{{([^{{}}]{{0,400}})\}}"), r"\1"),
    (re.compile(rf"\\(?:{_FONTS})(?![A-Za-z])\s{{0,3}}"), ""),
    (re.compile(r"\\(?:left|right|big|Big|bigl|bigr|quad|qquad)(?![A-Za-z])"), " "),
    (re.compile(r"\\[,;:! ]"), " "),
    (re.compile(r"\\[\[\]()]"), " "),
    (re.compile(r"\\([{}_%#&$|*\-\"'`.])"), r"\1"),
    (re.compile(r"\\n(?![A-Za-z])"), "\n"),
)
_ANSWER_TAG = re.compile(r"<\s{0,3}(?:final_?)?answer\s{0,3}>", re.IGNORECASE)
_ANSWER_TAG_END = re.compile(r"<\s{0,3}/\s{0,3}(?:final_?)?answer\s{0,3}>", re.IGNORECASE)
_BREAK_TAG = re.compile(r"<\s?(?:br|/?p|/?li|/?div|/?tr|/?h\d|/?ul|/?ol|hr)\s?/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9_]{0,15}(?:\s[^<>\n]{0,100})?/?>")
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~|<(?:s|del|strike)>[^<\n]{1,200}</(?:s|del|strike)>")
# The sign comes first in these patterns, by which they are found fast.
_SLANTED = re.compile(
    r"\*(?:(?<![\w*]\*)(?=[\w\"'(\[])|(?<=[\w.!?\"')\]]\*)(?![\w*]))"
    r"|_(?:_+(?!\d)|(?<!\w_)(?=\w)|(?<=[\w.!?]_)(?!\w))"
)
_SNAKE = re.compile(r"_(?<=[a-zA-Z]_)(?=[a-zA-Z])")


def without_markup(text: str) -> str:
    """Returns a text without LaTeX, HTML and Markdown inside lines; boxes stand between `BOX`."""
    if "~~" in text or "<s" in text or "<d" in text:
        text = _STRUCK.sub(" ", text)
    if "\\" in text:
        text = _boxed(text)
        for pattern, instead in _LATEX_WORDS:
            text = pattern.sub(instead, text)
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _ANSWER_TAG_END.sub(BOX_END, _ANSWER_TAG.sub(BOX, text))
        text = _TAG.sub("", _BREAK_TAG.sub("\n", text))
    if "$" in text:
        text = text.replace("$", "")
    if "**" in text:
        text = text.replace("**", "")
    if "`" in text:
        text = text.replace("`", "")
    if "*" in text or "_" in text:
        text = _SLANTED.sub("", text)
    if "_" in text:
        text = _SNAKE.sub(" ", text)
    return text


def _boxed(text: str) -> str:
    """Returns a text with the contents of LaTeX boxes between `BOX` and `BOX_END`."""
    opened: list[tuple[int, int] | None] = []
    boxes: list[tuple[int, int, int]] = []
    for brace in _BRACES.finditer(text):
        if brace[0] in ("\\{", "\\}"):
            continue
        if brace[0] != "}":
            opened.append((brace.start(), brace.end()) if brace[0] != "{" else None)
        elif opened:
            box = opened.pop()
            if box is not None:
                boxes.append((*box, brace.start()))
    parts, at = [], 0
    for start, inside, end in sorted(boxes):
        if start >= at:
            content = _INNER_BOX.sub("{", text[inside:end]).replace("\n", " ")
            parts += [text[at:start], BOX, content, BOX_END]
            at = end + 1
    return "".join([*parts, text[at:]])
