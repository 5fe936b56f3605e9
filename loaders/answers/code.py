"""Code in answers: it claims nothing, but for the output that is stated in it."""

import re

_FENCE = re.compile(
    r"(?:^[ \t>]{0,12}|(?<=: )|(?<=:\*\* ))(?:```+|~~~+)[ \t]{0,4}([\w+#.\-]{0,20})", re.MULTILINE
)
_LANGUAGES = frozenset(
    [
        "python",
        "py",
        "python3",
        "cpp",
        "c++",
        "c",
        "java",
        "javascript",
        "js",
        "typescript",
        "ts",
        "go",
        "rust",
        "r",
        "ruby",
        "julia",
        "matlab",
        "bash",
        "sh",
        "shell",
        "sql",
        "scala",
        "kotlin",
        "swift",
        "csharp",
        "c#",
        "php",
        "haskell",
        "perl",
        "lua",
        "pseudocode",
        "ipython",
    ]
)
_CODE_LINE = re.compile(
    r"[ \t>]{0,40}(?:(?:def|class)\s+\w{1,80}\s{0,3}[(:]|import\s+\w|from\s+[\w.]{1,80}\s+import\b"
    r"|return\b(?!\s+to\b)[^.]{0,200}$|print\s{0,3}\(|(?:for|while|if|elif)\b[^\n]{1,200}:\s{0,9}$"
    r"|(?:else|try|finally)\s{0,3}:\s{0,9}$|>>>|#include\b|(?:int|void|bool"
    r"|std::\w{1,40})\s+\w{1,40}"
    r"\s{0,3}\(|(?:console\.log|System\.out|cout|printf)\b|assert\b)"
    r"|[ \t]{0,40}[\w.\[\]]{1,60}\s{0,3}(?:[+\-"
    r"|&*]?=)\s{0,3}(?:\w[\w.]{0,60}\((?![^\n]*=\s{0,3}\d{1,9}\s{0,3}[.$]?\s{0,3}$)"
    r"|\[\s{0,3}\]|\{(?!\s?\d{1,6}(?:,\s?\d{1,6}){0,60}\s?\}))"
    r"|[ \t]{0,40}\w[\w.]{0,60}\([^()\n]{0,200}\)\s{0,3};?\s{0,3}(?:#[^\n]{0,200})?$"
)
_OUTPUT = re.compile(
    r"(?:#|//|--)\s{0,3}(?:->|=>|(?:final\s+)?(?:expected\s+)?(?:output|outputs|prints|result"
    r"|answer|returns)\b\s{0,3}[:=]?)\s{0,3}([^\n]{1,400})",
    re.IGNORECASE,
)
_EXPECTED = re.compile(r"expected", re.IGNORECASE)


def without_code(text: str) -> str:
    """Returns a text without its code; outputs stated in comments stay, as `Output: ...`.

    What stands in a fence of no programming language and does not look like code is no code. A
    fence that is never closed reaches to the end.
    """
    if "```" in text or "~~~" in text:
        text = _without_fences(text)
    if "(" in text or "=" in text or "return" in text:
        rows = text.split("\n")
        if any(map(_CODE_LINE.match, rows)):
            text = "\n".join(map(_stated, rows))
    return text


def _without_fences(text: str) -> str:
    parts: list[str] = []
    at, inside = 0, ""
    opened = False
    for fence in _FENCE.finditer(text):
        piece = text[at : fence.start()]
        parts.append(_of_fence(piece, inside) if opened else piece)
        line_end = text.find("\n", fence.end())
        rest = text[fence.end() : line_end if line_end >= 0 else len(text)]
        if not opened and "`" in rest:
            # All on one line: ```3```
            at = fence.start()
            parts.append("\n")
            closing = rest.find("`")
            parts.append(f"{fence[1]}{rest[:closing]}")
            at = fence.end() + closing + len(rest[closing:]) - len(rest[closing:].lstrip("`"))
            continue
        opened = not opened
        inside = fence[1].lower()
        at = fence.end()
        parts.append("\n")
    rest = text[at:]
    parts.append(_of_fence(rest, inside) if opened else rest)
    return "".join(parts)


def _of_fence(body: str, language: str) -> str:
    rows = body.split("\n")
    if language in _LANGUAGES or any(map(_CODE_LINE.match, rows)):
        return "\n".join(filter(None, map(_stated_output, rows)))
    return body


def _stated(row: str) -> str:
    return _stated_output(row) if _CODE_LINE.match(row) else row


def _stated_output(row: str) -> str:
    found = _OUTPUT.search(row)
    if found is None or _EXPECTED.search(found[0]):
        return ""
    return f"Output: {found[1]}"
