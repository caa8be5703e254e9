"""Whether a person contradicts what was said in the turn before: "no, we did not decide that"."""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.detection.passages import sentences

_DECIDE: Final = r"(?:decid\w*|agree\w*|settle\w*|cho[os]se?\w*|pick(?:ed)?|said|say|approv\w*|commit\w*)"
_NOT: Final = r"(?:not|never|\w+n['\u2019]?t)"
_DENIES: Final = re.compile(
    rf"(?i)\b(?:we|i|they|you)\b(?:\s+\w+)?\s+(?:{_NOT}|(?:have|had|did|do) not)(?:\s+(?:yet|actually|really"
    rf"|ever|even))?\s+(?:\w+\s+)?{_DECIDE}\b(?:\s+(?:on|to|upon))?(?P<what>[^.!?]{{0,200}})|\b(?:nobody"
    rf"|no one|none of us)\b(?:\s+\w+)?\s+{_DECIDE}\b(?P<whatever>[^.!?]{{0,200}})|\b(?:that|this"
    rf"|it)(?:['\u2019]s| is| was| has)?\s*{_NOT}\s+(?:been\s+)?(?:what (?:we|i) |something (?:we"
    rf"|i) )?(?:{_DECIDE}|true|right|correct)\b"
    r"|^\W*(?:no|nope|wrong)\b\W+(?:that|this|it)(?:['\u2019]s| is| was) (?:wrong|incorrect|false|made up"
    r"|a mistake|nonsense)\b|\bdas (?:haben wir|habe ich|wurde) (?:so )?nicht (?:entschieden|beschlossen"
    r"|gesagt|vereinbart)\b|\b(?:nous n['\u2019]avons|on n['\u2019]a) (?:pas|jamais) (?:d\u00e9cid\u00e9"
    r"|dit)\b|\bno (?:lo )?(?:hemos )?decidi\w*"
)
_EARLY: Final = 3
"""Sentences of a turn in which a contradiction of the turn before is looked for."""


def denied(text: str) -> str | None:
    """What a person's turn says was not decided, "" for all that was said before it; None if it denies nothing."""
    for sentence, _ in zip(sentences(text[:1_000].replace("\n", " ")), range(_EARLY), strict=False):
        hit = _DENIES.search(sentence)
        if hit is not None and not sentence.endswith("?"):
            return (hit["what"] or hit["whatever"] or "").strip()
    return None
