"""A decision that its own message corrects: "backups run weekly. no wait, daily".

What is corrected is mostly a bare value or name, which says nothing alone; so the decision is told with it, as it was
said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection

_TURNS: Final = late(
    r"(?i)\A[\s.,;:!\u2013\u2014-]{0,6}((?:(?:oh|uh|hm+|ah|ehm|er) ?,? )?(?:no,? wait|wait,? no|no,? sorry|sorry,? no"
    r"|no,? actually|actually,? no|scratch that|correction|nah,? wait|wait,? make (?:it|that))\b[^.!?\n]{1,100})"
)


def with_correction(text: str, found: Sequence[Detection]) -> list[Detection]:
    """Detections of a message, a decision with what the message says at once in its place.

    >>> said = "run it weekly"
    >>> decided = Detection(kind=Kind.DECISION, sentence=said, rule="r", confidence=0.9, text=said, status="active")
    >>> [each.text for each in with_correction("run it weekly. no wait, daily", [decided])]
    ['run it weekly. no wait, daily']
    >>> [each.text for each in with_correction("run it weekly. no cats", [decided])]
    ['run it weekly']
    """
    return [_corrected(text, each) if each.kind is Kind.DECISION else each for each in found]


def _corrected(text: str, decision: Detection) -> Detection:
    said = decision.sentence.rstrip(" .,;:!")
    at = text.find(said) if said else -1
    turn = None if at < 0 else _TURNS.match(text[at + len(said) :][:200])
    return (
        decision
        if turn is None
        else replace(decision, text=f"{decision.text.rstrip(' .')}. {turn[1].strip()}")
    )
