"""Whether a person takes back what was said in the turn before ("no, we did not decide that"), or their own words."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.passages import sentences
from engramforge.core.text.late_pattern import late

_DECIDE: Final = r"(?:decid\w*|agree\w*|settle\w*|cho[os]se?\w*|pick(?:ed)?|said|say|approv\w*|commit\w*)"
_NOT: Final = r"(?:not|never|\w+n['\u2019]?t)"
_DENIES: Final = late(
    rf"(?i)\b(?:we|i|they|you)\b(?:\s+\w+)?\s+(?:{_NOT}|(?:have|had|did|do) not)(?:\s+(?:yet|actually|really"
    rf"|ever|even))?\s+(?:\w+\s+)?{_DECIDE}\b(?:\s+(?:on|to|upon))?(?P<what>[^.!?]{{0,200}})|\b(?:nobody"
    rf"|no one|none of us)\b(?:\s+\w+)?\s+{_DECIDE}\b(?P<whatever>[^.!?]{{0,200}})|\b(?:that|this|it)(?:['\u2019]s| is"
    rf"| was| has)?\s*{_NOT}\s+(?:been\s+)?(?:what (?:we|i) |something (?:we|i) )?(?:{_DECIDE}|true|right|correct)\b"
    r"|^\W*(?:no|nope|wrong)\b\W+(?:that|this|it)(?:['\u2019]s| is| was) (?:wrong|incorrect|false|made up"
    r"|a mistake|nonsense)\b|\bdas (?:haben wir|habe ich|wurde) (?:so )?nicht (?:entschieden|beschlossen"
    r"|gesagt|vereinbart)\b|\b(?:nous n['\u2019]avons|on n['\u2019]a) (?:pas|jamais) (?:d\u00e9cid\u00e9"
    r"|dit)\b|\bno (?:lo )?(?:hemos )?decidi\w*"
)
_DENIED: Final = (
    *("decid", "agree", "settle", "chos", "choos", "pick", "sai", "say", "approv", "commit", "true", "right"),
    *("correct", "wrong", "false", "made up", "mistake", "nonsense", "nicht", "d\u00e9cid\u00e9", "dit"),
)
"""Every denial has one of these in small letters."""
_TAKES_BACK: Final = late(
    r"(?i)[\s\"'*_.!;,\u2013\u2014-]*+(?:(?:no|oh|ah|hm++|wait|sorry|actually|well)\b[\s,.!\u2013\u2014-]*+){0,4}"
    r"(?:(?:no,? )?(?:we|i) (?:did not|didn['\u2019]?t|never did|have not|haven['\u2019]?t)\s*(?:[.!]|$)"
    r"|(?:scratch|strike|forget|ignore|cancel) (?:that|this)\s*(?:[.!,]|$)|(?:i(?:['\u2019]m| am|['\u2019]?m) |i was )?"
    r"(?:just|only) (?:kidding|joking)\b|(?:that|this|it) (?:was|is) (?:for |in )?(?:the|an)\s?other project\b)"
)
_FALSE: Final = late(
    r"(?i)\b(?:it|that)(?:['\u2019]?s| is| was)\s+(?:(?:simply|just|plainly|clearly|quite|also)\s+)?(?:false|untrue"
    r"|wrong|incorrect|a (?:lie|myth|rumou?r)|nonsense|(?:not|hardly)\s+(?:true|correct|right|so|the case))"
    rf"(?:\s+to (?:say|claim))?\s+that\s+(?:we|i|they|you|he|she|anybody|anyone|somebody|someone)\s+"
    rf"(?:\w+\s+)?(?:{_DECIDE}|chosen?)\b"
)
"""Denies that anybody agreed: "it is false that we agreed on tin"."""
_SAID_NOT: Final = late(
    r"(?:(?<![\w'\u2019])NOT|(?:[.!\u2026]|\s[\u2013\u2014-])\s*[Nn]ot(?=\W*!))[\s.!\"')]*\Z"
)
"""The loud "not" at its end that makes a joke of a statement: "we use Kafka NOT.\"."""
_NOT_BEHIND: Final = late(r"[\s.!\u2026\u2013\u2014-]*(?:NOT[.!]*|[Nn]ot!+)[\"')]*(?=\s*\Z|\s+[A-Z])")
_OR_NOT: Final = late(r"(?i)\b(?:or|why|if) not\W*\Z")
_BROKEN_OFF: Final = late(r"\s[\u2013\u2014-]+\s|[;,]\s|[.!?]\s")
_FRAME: Final = 60
"""Characters before a sentence in which it is denied."""
_EARLY: Final = 3
"""Sentences of a turn in which a contradiction of the turn before is looked for."""


def denied(text: str) -> str | None:
    """What a person's turn says was not decided, "" for all that was said before it; None if it denies nothing."""
    text = text[:1_000].replace("\n", " ")
    if not any(map(text.lower().__contains__, _DENIED)):
        return None
    for sentence, _ in zip(sentences(text), range(_EARLY), strict=False):
        hit = _DENIES.search(sentence)
        if hit is not None and not sentence.endswith("?"):
            return (hit["what"] or hit["whatever"] or "").strip()
    return None


def is_taken_back(text: str, sentence: str) -> bool:
    """Whether a text takes a sentence of it back, at its end or right behind it: "... Scratch that.", "... NOT.", or
    denies in it that anybody agreed."""
    begin = text.find(sentence)
    if begin < 0:
        return _FALSE.search(sentence) is not None
    if any(hit.end() > begin for hit in _FALSE.finditer(text, max(begin - _FRAME, 0), begin + len(sentence))):
        return True
    end = begin + len(sentence)
    # Where all is loud, a loud "not" is one as any other.
    is_loud = not sentence.isupper()
    if is_loud and (_SAID_NOT.search(sentence) or _NOT_BEHIND.match(text, end)):
        return not _OR_NOT.search(sentence)
    if _TAKES_BACK.match(text, end):
        return True
    return any(_TAKES_BACK.match(text, hit.end(), end + 1) for hit in _BROKEN_OFF.finditer(text, begin, end))
