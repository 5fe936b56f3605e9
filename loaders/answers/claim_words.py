"""The words around a claim: labels, corrections, ideas given up, explanations."""

import re

from benchloom.loaders.answers.markup import BOX
from benchloom.loaders.answers.words import NUMBER

_ANSWER = (
    r"(?:(?:the|my|our|final|correct|short|overall|direct|best|numerical|numeric|actual)\s)*"
    r"(?:answers?|ans|solution|réponse|réponse finale|respuesta|respuesta final|antwort|resposta"
    r"|risposta|ответ)\b|(?:最终)?(?:答案|回答)|(?<![一-鿿])答(?=\s?:)|答え|정답|답(?=\s?[:은])"
)
_RESULT = (
    r"(?:(?:the|my|our|final|actual|expected)\s)*(?:outputs?|result|conclusion|verdict|returns"
    r"|prints)\b|结论|結論|输出|结果"
)
_VERB = (
    r"(?:\s?\([^()]{0,60}\))?(?:\s(?:to|for|of)\s[^.:=]{1,120}?(?=\s(?:is|are|should|must"
    r"|would)\s|:|=))?"
    r"\s{0,3}(?:(?:[:=]|->|[是为為](?=\s*+[\w:\[(])|は|은|는)|(?:\bis|\bare|\bwas|\bwould\sbe"
    r"|\bshould\sbe|\bmust\sbe"
    r"|\bremains|\bcan\sbe|\bbe|\best|\bes|\bist|\bé|\bè)\b)+[\s:=]*+"
    r"(?:(?:therefore|thus|hence|then|clearly|indeed|still|simply|that|just)\b[\s,:]*+)*"
)
LABEL = re.compile(
    rf"(?P<answer>\b{_ANSWER}){_VERB}|(?P<result>\b{_RESULT})(?:{_VERB}|\s(?=true|false))"
    r"|\b(?P<run>code|program|script|function)\s(?:[a-z]{1,10}\s){0,4}?(?:returns?|prints?"
    r"|outputs?|gives)\s"
)
SHORT_LABEL = re.compile(r"a\s?:\s*+")
SAID = re.compile(
    r"\b(?:answer|say|respond|conclude|go|going)s?(?:\swith)?:?\s[\"']?(?=(?:yes|no)\b)(?!no\s\w)"
)
OPEN = re.compile(r"\b(?:if|whether|unless|otherwise|suppose|supposing|assum\w{1,4}|else)\b")
HINTS = (
    "answer",
    BOX,
    "ans",
    "solution",
    "respuesta",
    "réponse",
    "antwort",
    "ответ",
    "答",
    "답",
    "resposta",
    "risposta",
)
LABEL_HINTS = (
    "answer",
    "ans",
    "sol",
    "output",
    "result",
    "return",
    "concl",
    "verdict",
    "prin",
    "antw",
    "resp",
    "risp",
)
CORRECTION = re.compile(
    r"\bwait\b[\s,.!:\-]*+(?:(?:no|actually|hold on|sorry|but|hmm|let me)\b[\s,.!:\-]*+)*"
    r"|\bhmm+\b[\s,.!:]*+(?:no\b[\s,.!:]*+)?|^(?:oops|actually|correction|sorry)\b[\s,.:!\-]*+"
    r"(?:no\b[\s,.!:]*+)?"
    r"|\b(?:let me|let us|i will|i'll|let's)\s(?:re-?\w+|double-?\s?check|check\sagain|try\sagain"
    r"|correct|fix|verify)\b"
    r"|\bon second thought\b[\s,:]*+|\bscratch that\b[\s,:]*+|\bhold on\b[\s,.!:]*+"
    r"|\bi\s(?:misread|missed|miscounted|overlooked|forgot|mistakenly|was\swrong|misjudged)\b"
    r"|\b(?:wrong|incorrect|mistaken|mistake|error)\b"
    r"(?!\sto (?:say|claim|think|assume|conclude|assert|believe)\b)"
)
LAST_NO = re.compile(r"\bno\b[\s.!]*$")
ASKED_LIST = re.compile(r"\d[\])]?\s?(?:->|,|-)\s?[\[(]?\d[^?]{0,200}\?.{0,40}\bno\b[\s.!]*$")
CORRECTION_HINTS = (
    *("wait", "hmm", "oops", "actual", "correct", "sorry", "let me", "let us", "let's", "i will"),
    *("i'll", "thought", "scratch", "hold on", "i mi", "i over", "i forgot", "i was", "wrong"),
    *("mistake", "error"),
)
TAKEN_BACK = re.compile(
    r"\b(?:i|we)\s(?:have\s)?(?:made|was|were)\s(?:a|an)?\s?(?:\w{1,9}\s)?(?:mistake|wrong"
    r"|mistaken|error)\b"
    r"|\b(?:that|this|it|which|answer|the above|my (?:first|previous|initial|earlier) answer)\s"
    r"(?:is|was|were)\s(?:wrong|incorrect|not\s(?:right|correct)|a mistake)\b|\bmy mistake\b"
    r"|\bscratch that\b"
)
CONCLUDING = re.compile(
    r"\W{0,3}(?:so|therefore|thus|hence|in conclusion|consequently|finally|overall)\b"
)
OPENING = re.compile(
    r"(?:a|(?:the\s)?(?:final\s|short\s)?answer|ans|response|reply|solution|output|result"
    r"|explanation|reasoning|assistant)\s?:\s*+(?=\S)"
)
"""A label before all that is answered: what follows need not be a claim."""
FIRST_OF_LIST = re.compile(r"1[.)]\s")
MOST_BEFORE = 3
MOST_WORDS = 4
MOST_WORDS_LABELLED = 9
CLAUSE_END = re.compile(r"[,;:.]\s|\s(?:because|since|as|so)\s")
WORDS = re.compile(r"[a-z]{2,}")
VALUE_FIRST = re.compile(
    r"[\s\"'(\[{*:]*+(?:(?:a|an|the|exactly|only|just|number|nodes?|option|path(?! \d)"
    r"|order)\s)*(?:yes|no|none|true|false|[✓✗∞-]|\d|inf|[a-f]\)"
    rf"|{NUMBER}|\W|[^\x00-\x7f])"
)
"""A label before such an answer is no mere heading."""
OPTION_LETTER = re.compile(
    r"(?:(?:option|choice)\s)?(?:\([a-f]\)|[a-f]\)|(?<=option\s)[a-f]"
    r"|[b-f]\.)[\s:,.\-]{1,4}(?=[\w\[(\"'])"
)
CONDITIONAL = re.compile(r"\b(?:if|otherwise|else|when|depending)\b")
EXPLAINS = re.compile(
    r"(?:(?:brief |short |detailed )?(?:explanation|justification|rationale|proof|remarks?|notes?)"
    r"|reasoning|why)\b(?:\s\w{1,12}){0,2}\s?:|(?:explanation|justification|reasoning)$"
)
EXPLAINS_HINTS = ("expl", "note", "reason", "remark", "justif", "why", "proof", "rational")
GIVEN_UP_HINTS = (
    "at first",
    "initially",
    "i was ",
    "i thought",
    "i first",
    "i orig",
    "i consid",
    "i assum",
    "i believ",
    "i tried",
    "i said",
    "might",
    "may ",
    "could ",
    "would ",
)
GIVEN_UP = re.compile(
    r"\b(?:at first(?: glance| sight)?|initially|i (?:was (?:going|about|tempted) to"
    r"|(?:first |initially |originally )(?:thought|considered|assumed|said|believed|tried))"
    r"|(?<!\bas )(?:one|you|we) (?:might|may|could) (?:think|say|expect|guess|believe|assume)"
    r"|it (?:might|may|would) (?:seem|appear|look)|some (?:would|might|may) say)\b.*?"
    r"(?:$|,\s(?=(?:it|there|they|the graph) (?:does|do|is|are|has|have|contains?|exists?)\b)"
    r"|\b(?:but|however|yet|in fact|actually|in reality|on closer \w+|then i)\b,?\s*+"
    r"(?:on closer \w+,?\s)?)"
)
"""A first idea that is given up, up to where the writer turns from it."""
PRONOUN = re.compile(
    r"(?:(?:in fact|actually|indeed),? )?(?:there|it|they|the graphs?|this graph)\b"
)
SHORT_ANSWER = re.compile(
    r"(?:there|it|they|the graphs?|this graph) (?:is|are|does|do)(?:n't| not)?(?: (?:one"
    r"|none))?(?=[.:,!]|$)"
)
SIDE_NOTE = re.compile(r"\([^()]*\)\W*")
NOTED = re.compile(r"[a-z]{2,}(?=[^()a-z])")
"""A word of a note in brackets, but its last one; a note has two of them."""
VERDICT = re.compile(
    r"(?:(?:final )?answer\s?:\s)?[\"'(]?(?P<said>yes|no)\b[\"')]?(?=\s?[.,;:!\-]|$)"
)
SAID_OF_CLAIM = re.compile(r"\b(?:statement|claim|assertion|proposition|idea) that\b")
NO_MISTAKE = re.compile(
    r"\b(?:no|not|without|any|avoid|nothing)\s(?:\w{1,9}\s)?(?:mistakes?|errors?|wrong"
    r"|incorrect)\b"
)
