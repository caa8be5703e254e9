"""Outcomes that end a matter without its name: who answered what they were asked, what was found and mended, what is
where it was to be, and what somebody tells before "done" or "so that's settled".

Read here is only what is told; which open thread that ends is asked in core/registries/closed_threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from engramforge.core.detection.passages import Passage, passages
from engramforge.core.detection.traps import is_asserted, is_conditional
from engramforge.core.registries.closed_threads import Over
from engramforge.core.text.late_pattern import late

_APOSTROPHE: Final = r"['\u2019]"
_LEAD: Final = (
    r"\A\W{0,6}(?>(?:(?:ok(?:ay)?|so|and|well|great|good|btw|by the way|fyi|update|yes|yeah|yay|ah|oh|hey)\b"
    r"\W{0,3}){0,2})"
)
_NO_WHO: Final = (
    r"(?!(?:if|when|once|until|unless|whether|who|what|which|nobody|everybody|somebody|someone|no|none|it|that|this"
    r"|i|we|you|he|she|they|nothing|as|because|since|maybe|perhaps|not|hasn|haven|has|have|had)\b)"
)
_WHO: Final = r"(?P<who>(?:[A-Za-z]{1,4}\.\s)?[^\W\d][\w'\u2019-]{1,30}(?:\s[^\W\d][\w'\u2019-]{1,30}){0,2}?)"
_JUST: Final = r"(?>(?:(?:has|have|just|finally|now|already)\s){0,2})"
_I: Final = rf"(?:(?:i|we)(?:{_APOSTROPHE}ve)?\s)?{_JUST}"
_ANSWERED: Final = (
    r"answered|replied|responded|wrote back|(?:got|came) back(?: to (?:me|us))?|called back"
    r"|let (?:me|us) know"
)
_TOLD: Final = r"(?P<told>[^?]{6,600})\Z"
_REPLIES: Final = tuple(
    (over, late(rf"(?is){_LEAD}{frame}"))
    for over, frame in (
        (Over.REPLIED, rf"{_NO_WHO}{_WHO}\s{_JUST}(?:{_ANSWERED})\b(?! (?:to|my|our|all|every)\b){_TOLD}"),
        (
            Over.REPLIED,
            rf"{_I}(?:asked|heard (?:back )?from|got (?:an? |the )?(?:answer|reply) from)\s{_NO_WHO}{_WHO}"
            rf"\s?[:;,.\u2014\u2013-]\s{_TOLD}",
        ),
        (
            Over.REPLIED,
            rf"(?:an? |the )?(?:answer|reply|word) (?:of|from)\s{_NO_WHO}{_WHO}\s?(?::|is\b|was\b){_TOLD}",
        ),
        (
            Over.SAID,
            rf"{_NO_WHO}{_WHO}\s{_JUST}(?:says?|said|told (?:me|us)|confirmed|wrote|decided)\b{_TOLD}",
        ),
        (
            Over.SAID,
            rf"{_I}(?:called|phoned|rang|spoke (?:to|with)|talked to)\s{_NO_WHO}{_WHO}\s?[:;,]\s{_TOLD}",
        ),
    )
)
"""Who told something that they may have been asked for."""
_SENT: Final = late(
    rf"(?i){_LEAD}(?:the |our |my )?{_NO_WHO}{_WHO}\s{_JUST}(?:sent|mailed|e-?mailed|delivered|uploaded|shared|brought"
    rf"|posted"
    r"|dropped off|forwarded|gave|handed(?: over| in)?|supplied)(?: (?:me|us))?(?: (?:over|back))?\s(?:the |their |his"
    r" |her |its |all )?(?P<thing>(?!(?:me|us|an?|no|none|nothing|some|half|most|only|about"
    r"|to)\b)[\w'\u2019-]{1,30}(?:\s[\w'\u2019-]{1,30}){0,4}?)"
    r"(?=\W*\Z|\s?[,;.!(\u2014\u2013]|\s(?:today|yesterday|now|already|last|this|over|in|to (?:me|us)|by (?:mail|post)"
    r"|on \w{3,6}day)\b)"
)
"""Tells who sent what."""
_NO_ANSWER: Final = late(
    rf"(?i)\b(?:no (?:idea|answer|reply|clue)|(?:do|does|did)(?:n{_APOSTROPHE}?t| not) know|not (?:sure|yet|now)"
    r"|(?:will|must|has to|have to|needs? to|is going to|wants to|would|could|might|tries to|promised? to)"
    r" (?:\w+ )?(?:check|ask|look|think|tell|call|get|let|answer|send|see|find|decide|reply|know|come back)"
    rf"|(?:he|she|they|i|we|it){_APOSTROPHE}ll|later|tomorrow|next (?:week|month|time)|soon|ask (?:again|him|her|them"
    r"|somebody|someone)|maybe|perhaps|probably|i guess|it depends|depends on|hi|hello|thanks?|still (?:open|thinking"
    r"|waiting|checking)|waiting|out of office|on holiday|sick)\b"
)
"""Tells nothing, or that the answer is still to come."""
_PLACE: Final = (
    r"(?:in|on|at|over in|inside|over on)\s(?:the |our |my )?"
    r"(?P<place>[\w.+#-]{2,30}(?:\s[\w.+#-]{2,30}){0,2}?)"
)
_THERE: Final = late(
    rf"(?i){_LEAD}(?:(?:all|both) )?(?P<what>[\w'\u2019-]{{1,30}}(?:\s[\w'\u2019-]{{1,30}}){{0,5}}?)\s(?:is|are)\s"
    rf"(?P<full>(?:(?:all|now|finally|already|completely)\s){{0,3}}){_PLACE}(?=\s(?P<since>since|now|as of|already)\b"
    r"|\W*\Z|\s*[,;.!])"
)
"""Tells that things are where they were to be: "the old rows are all in postgres since last night"."""
_PARTLY: Final = late(
    r"(?i)\b(?:not|half|some|most|almost|nearly|part(?:ly)?|few|except|still|only|until|but|should)\b"
)
_NOT_ALL: Final = late(
    r"(?i)\b(?:not|half|some|most|almost|nearly|part(?:ly)?|except|still|wrong|broken|empty|unreadable|should|will"
    r"|but)\b"
)
_ENDS: Final = late(
    r"(?i)(?<=[.!;,])\s+(?:(?:so|and|now|all)\s){0,2}(?:(?:(?:that|this|it)(?:['\u2019]?s| is)|case) (?:now )?)?"
    r"(?P<how>fixed|solved|mended|repaired|done|settled|sorted(?: out)?|closed|finished|resolved|dealt with|decided)"
    r"(?: (?:it|that|now|then))?\W*\Z"
)
"""Says behind what was told that this was it: ". Done.", ". so that's settled"."""
_MENDS: Final = ("fixed", "solved", "mended", "repaired", "sorted", "resolved")
_THING: Final = r"(?:thing|problem|issue|bug|error|fault|mystery|failure|trouble)"
_FOUND: Final = tuple(
    late(rf"(?i){_LEAD}{frame}")
    for frame in (
        rf"{_I}(?:found|tracked down|figured out|nailed|caught|hunted down|understood)\s"
        rf"(?:out )?(?:(?:what(?:{_APOSTROPHE}s| is| was) wrong with"
        r"|the (?:cause|reason|culprit) (?:of|for|behind))\s)?"
        rf"(?:the )?(?P<what>[\w.-]{{2,40}}(?:\s[\w.-]{{2,40}}){{0,5}}?)(?:\s{_THING})?\s*[,;:\u2014\u2013-]\s",
        rf"(?:the )?(?P<what>[\w.-]{{2,40}}(?:\s[\w.-]{{2,40}}){{0,5}}?)\s{_THING}\s(?:was|is|came from)\s",
    )
)
"""Tells the cause of what was faulty, which says that it is mended only beside a word for that."""
_OPEN_STILL: Final = late(
    r"(?i)\b(?:tomorrow|later|next week|still|waiting|will (?:check|ask|call|look|see)|not (?:yet|sure)"
    r"|no (?:answer|idea|one)|nobody|list|backlog|board|agenda|maybe|perhaps|almost|nearly|half|part(?:ly)?)\b"
)
_MAY: Final = late(
    r"(?i)\b(?:answer\w*|repl\w+|respon\w+|back|know|asked|heard|called|phoned|rang|spoke|talked|says?|said|told"
    r"|sent|mailed|e-?mailed|delivered|uploaded|shared|brought|posted|dropped|forwarded|gave|handed|supplied"
    r"|confirmed|wrote|decided|since|now|all|already|finally|completely|fixed|solved|mended|repaired|done|settled"
    r"|sorted|closed|finished|resolved|dealt)\b"
)


class Outcome(NamedTuple):
    """The sentence that tells an outcome, how it does, and what it says that of; of one who answers, that and their
    words."""

    sentence: str
    over: Over
    what: str


def may_tell(text: str) -> bool:
    """Whether a text has a word with which somebody may tell an outcome: it costs little to ask."""
    return _MAY.search(text) is not None


def outcomes_in(text: str, held: str = "") -> Iterator[Outcome]:
    """What a text tells that may end a matter. `held`: what it only hands on, as the answer that somebody else gave.

    >>> [(each.over.name, each.what) for each in outcomes_in("Otto answered: the pump has a warranty")]
    [('REPLIED', 'Otto: the pump has a warranty')]
    >>> [each.what for each in outcomes_in("the old rows are all in postgres since last night")]
    ['the old rows in postgres']
    >>> [each.what for each in outcomes_in("found the login test bug, was the clock. fixed")]
    ['login test']
    >>> list(outcomes_in("Otto answered that he'll look"))
    []
    """
    if not may_tell(text):
        return
    said = list(passages(text))
    if len(said) == 1 and (given := held.strip()) and "\n" not in given:
        yield from _replied(said[0], Passage(given, given))
        said = []
    for one, after in pairwise([*said, Passage("", "")]):
        yield from _replied(one, after)
        yield from _there(one)
        yield from _sent(one)
    ends = _ENDS.search(text)
    told = [] if ends is None else list(passages(text[: ends.start()].rstrip(" ,;")))
    if ends is not None and told:
        yield from _ended(told, ends["how"].lower())


def _replied(one: Passage, after: Passage) -> Iterator[Outcome]:
    plain = one.plain
    if "?" in after.plain or plain.rstrip().endswith("?"):
        return
    # "Asked Otto. The pump has a warranty."
    whole = f"{plain} {after.plain}".strip()
    said = f"{one.said} {after.said}".strip()
    for over, pattern in _REPLIES:
        if (hit := pattern.match(whole)) is not None:
            told = said[hit.start("told") :].strip(" :;,.-\u2014\u2013")
            if not _NO_ANSWER.search(hit["told"]) and not is_conditional(plain, 0) and len(told.split()) > 1:
                yield Outcome(one.said, over, f"{said[slice(*hit.span('who'))]}: {told}")
            return


def _sent(one: Passage) -> Iterator[Outcome]:
    hit = _SENT.match(one.plain)
    if hit is None or _NOT_ALL.search(one.plain) or not is_asserted(one.plain):
        return
    yield Outcome(
        one.said, Over.SENT, f"{one.said[slice(*hit.span('who'))]}: {one.said[slice(*hit.span('thing'))]}"
    )


def _there(one: Passage) -> Iterator[Outcome]:
    hit = _THERE.match(one.plain)
    if (
        hit is None
        or not (hit["full"] or hit["since"])
        or _PARTLY.search(one.plain)
        or not is_asserted(one.plain)
    ):
        return
    yield Outcome(
        one.said, Over.THERE, f"{one.said[slice(*hit.span('what'))]} in {one.said[slice(*hit.span('place'))]}"
    )


def _ended(told: Sequence[Passage], how: str) -> Iterator[Outcome]:
    last = told[-1]
    if last.plain.rstrip().endswith("?") or is_conditional(last.plain, 0) or _OPEN_STILL.search(last.plain):
        return
    if how.startswith(_MENDS):
        for pattern in _FOUND:
            if (hit := pattern.match(last.plain)) is not None:
                yield Outcome(last.said, Over.MENDED, last.said[slice(*hit.span("what"))])
                return
    yield Outcome(last.said, Over.CLEARED, last.said)
