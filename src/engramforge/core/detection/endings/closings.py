"""Matters that a person closes in plain words: "the privacy page is done", "we can close the font question".

Read here is only what somebody says to be over; which open thread that is, is for whoever knows those that are open
(core/registries/closed_threads). What is asked, denied, supposed or told of others closes nothing.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.passages import passages
from engramforge.core.detection.traps import is_asserted, is_conditional
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import ThreadStatus

CLOSED: Final = "closed in plain words"
"""The rule of what is read here. `text` is what is said to be over."""
_SURE: Final = 0.85
_LONGEST: Final = 1_000
"""Characters of a turn in which somebody closes something: a longer one mostly holds what was pasted."""
_MOST: Final = 8

_OVER: Final = (
    r"(?:done|finished|fixed|settled|answered|closed|resolved|sorted(?: out)?|solved|merged|shipped|decided"
    r"|complete)"
)
_ALREADY: Final = r"(?:(?:now|all|finally|already|also|just)\s){0,2}"
_STOP: Final = r"(?=\W*\Z|\s*[,;:.!\u2014\u2013]|\s-\s|\s(?:now|too|since|by|in|as)\b)"
_WHAT: Final = r"(?P<what>(?>(?:[^\s,;:.!?]|\.(?=\w)){1,30})(?:\s(?>(?:[^\s,;:.!?]|\.(?=\w)){1,30})){0,11}?)"
_BEGINS: Final = (
    r"(?:\A|(?<=[,;:.!\u2014\u2013]))\W{0,6}"
    r"(?:(?:ok(?:ay)?|so|and|well|great|good|btw|by the way|fyi)\b\W{0,3}){0,2}"
)
_DID: Final = (
    r"(?:wrote|written|finished|fixed|did|closed|solved|settled|resolved|answered|added|built|shipped|merged|sent"
    r"|published|set up|cleaned up|removed|updated|done with)"
)
_CLOSES: Final = tuple(
    late(rf"(?i){_BEGINS}{frame}")
    for frame in (
        rf"{_WHAT}(?:\s(?:is|are|was|has been|have been|got)|['\u2019]s) {_ALREADY}{_OVER}{_STOP}",
        rf"{_WHAT}\s*[,;\u2014\u2013-]\s*(?:and )?(?:that|this|it)(?:['\u2019]s| is) {_ALREADY}{_OVER}{_STOP}",
        rf"(?:i|we)(?:['\u2019]ve| have)? {_ALREADY}{_DID} {_WHAT}{_STOP}",
        rf"(?:done|closed|settled|resolved|fixed)\s*(?::|\u2014|\u2013|\s-\s)\s*{_WHAT}{_STOP}",
        rf"(?:(?:we|you|i) (?:can|may) |let['\u2019]?s |please )?close {_WHAT}{_STOP}",
    )
)
"""Says that something is over."""
_LEAVES: Final = tuple(
    late(rf"(?i){_BEGINS}{frame}")
    for frame in (
        rf"(?:drop|forget|skip|scratch) {_WHAT}\s*[,;\u2014\u2013-]\s*(?:it['\u2019]s |we )?"
        r"(?:not|no longer|don['\u2019]?t) (?:needed|need|worth|necessary)",
        rf"{_WHAT} (?:is|are) (?:not|no longer) (?:needed|necessary)(?: any ?(?:more|longer))?{_STOP}",
    )
)
"""Says that something is no longer to be done."""
_MAY: Final = late(rf"(?i)\b(?:{_OVER}|close|{_DID}|not needed|no longer|needed|necessary)\b")
_NOT_YET: Final = late(
    r"(?i)\b(?:not|never|n['\u2019]t|almost|nearly|half|partly|mostly|once|until|unless|soon|when|before|after|if"
    r"|would|could|should|might|may be|will|to be)\b"
)


def may_close(text: str) -> bool:
    """Whether a text has a word with which somebody may close something: it costs little to ask."""
    return _MAY.search(text) is not None


def closings_in(text: str) -> list[Detection]:
    """What a person's text says to be over.

    >>> [(each.text, each.status) for each in closings_in("The privacy page is done. Drop the map todo, not needed.")]
    [('The privacy page', 'resolved'), ('the map todo', 'abandoned')]
    >>> closings_in("Is the privacy page done? It is not done yet. When the map is done we ship.")
    []
    """
    if len(text) > _LONGEST or not may_close(text):
        return []
    return [found for each in passages(text) if (found := _of(each.said, each.plain)) is not None][:_MOST]


def _of(said: str, plain: str) -> Detection | None:
    if not is_asserted(plain):
        return None
    for patterns, status in ((_LEAVES, ThreadStatus.ABANDONED), (_CLOSES, ThreadStatus.RESOLVED)):
        for pattern in patterns:
            hit = pattern.search(plain)
            if hit is None or is_conditional(plain, hit.start()):
                continue
            if status is ThreadStatus.RESOLVED and _NOT_YET.search(plain[: hit.end()]):
                continue
            return Detection(
                kind=Kind.THREAD,
                sentence=said,
                rule=CLOSED,
                confidence=_SURE,
                text=said[slice(*hit.span("what"))].strip(),
                status=str(status),
                is_update=True,
                resolution=said,
            )
    return None
