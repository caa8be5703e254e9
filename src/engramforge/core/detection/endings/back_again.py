"""What a person says to be amiss again, or not mended after all: "the login thing is broken again", "the leak is back".

Which closed thread that is, is for whoever knows those (core/registries/closed_threads).
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.endings.closings import FAULTY
from engramforge.core.detection.passages import passages
from engramforge.core.detection.traps import is_asserted, is_conditional
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import ThreadStatus

REOPENED: Final = "told to be back"
"""The rule of what is read here; `text` is what is back."""
_SURE: Final = 0.85
_LONGEST: Final = 300
_PART: Final = r"(?>(?!(?:never|not|no|nobody|nothing)\b)(?:[^\s,;:.!?]|\.(?=\w)){1,30})"
_BEGINS: Final = (
    r"\A\W{0,6}(?:(?:ok(?:ay)?|so|and|well|oh|hey|hm+|ugh|argh|damn|no|btw|fyi|great|now)\b\W{0,3}){0,3}"
)
_WHAT: Final = (
    r"(?P<what>(?!(?:is|are|was|were|does|do|did|has|have|had|can|could|should|will|would|if|when|once|unless|what"
    r"|why|how|who|where|which|it|that|this|they|everything|nothing|something|i|we|you|he|she|make|check|see|try|run"
    rf"|look|tell|let)\b){_PART}(?:\s{_PART}){{0,9}}?)"
)
_IS: Final = r"(?:\s(?:is|are|was|were|has been|have been|got|gets|keeps|looks|seems)|['\u2019]s)"
_AMISS: Final = (
    r"(?:broken|down|dead|stuck|failing|flaky|red|slow|wrong|offline|jammed|frozen|missing|blank|empty|off|late"
    r"|garbled|loose|blocked|clogged|(?:fail|leak|crash|dripp|hang|flicker|jamm|stick|stall|los|dropp|overheat|squeak"
    r"|drift|loop|break|freez|slipp|rattl|wobbl|smok|burn|tim)ing(?: out)?)"
)
_DOES: Final = (
    r"(?:fails?|crash(?:es|ed)?|leaks?|leaked|hangs?|hung|breaks?|broke|stalls?|stalled|freezes?|froze|drips?|dripped"
    r"|jams?|jammed|drops?|dropped|loses?|lost|times out|timed out|flickers?|stops?|stopped|overheats?|drifts?"
    r"|squeaks?)"
)
_AGAIN: Final = r"(?:\s[a-z]{2,12}){0,2}?\sagain\b"
_FRAMES: Final = tuple(
    late(rf"(?i){_BEGINS}{frame}")
    for frame in (
        rf"{_WHAT}{_IS}(?: \w{{2,10}})? {_AMISS}{_AGAIN}",
        rf"{_WHAT} {_DOES}{_AGAIN}",
        rf"{_WHAT}(?:\s(?:is|are|came)|['\u2019]s) back\b(?!\s(?:up|online|to|in|on|from|at|now|and running)\b)",
        rf"{_WHAT}\s(?:(?:is|are|was|were)(?:n['\u2019]?t| not)) (?:really |actually )?(?:fixed|solved|resolved|gone"
        r"|mended|repaired)(?: after all| at all| really)?\b",
    )
)
_REOPENS: Final = (
    late(
        rf"(?i){_BEGINS}(?:please |let['\u2019]?s |we (?:have|need) to |can you )?re-?open {_WHAT}(?=\W*\Z|[,;.!])"
    ),
    late(rf"(?i){_BEGINS}{_WHAT} (?:is|are) (?:open again|not done after all)\b"),
)
_BACK: Final = 2
"""Which of the frames is of a fault alone: what else is back is nothing amiss."""
_HINTS: Final = ("again", "back", "n't", "nt ", " not ", "open", "n\u2019t")


def back_again(text: str) -> list[Detection]:
    """What a person's words say to be amiss again, at most one.

    >>> said = "the winch is stuck again", "the leak in the hull is back", "reopen the winch", "the winch wasnt fixed"
    >>> [[each.text for each in back_again(one)] for one in said]
    [['the winch'], ['the leak in the hull'], ['the winch'], ['the winch']]
    >>> other = "is the winch stuck again?", "if the winch is stuck again", "the skipper is back", "try the winch again"
    >>> any(map(back_again, other))
    False
    """
    lowered = text.lower()
    if len(text) > _LONGEST or not any(hint in lowered for hint in _HINTS):
        return []
    for passage in passages(text):
        for at, frame in enumerate((*_FRAMES, *_REOPENS)):
            hit = frame.match(passage.plain)
            if hit is None or is_conditional(passage.plain, hit.start("what")):
                continue
            what = passage.said[slice(*hit.span("what"))]
            is_told = at < len(_FRAMES)
            if (is_told and not is_asserted(hit[0])) or (at == _BACK and FAULTY.search(what) is None):
                continue
            return [_back(passage.said, what, is_named=not is_told)]
    return []


def _back(said: str, what: str, *, is_named: bool) -> Detection:
    return Detection(
        kind=Kind.THREAD,
        sentence=said,
        rule=REOPENED,
        confidence=_SURE,
        text=what,
        status=str(ThreadStatus.OPEN),
        is_update=True,
        content="named" if is_named else "",
    )
