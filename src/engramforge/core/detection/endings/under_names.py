"""Matters that are closed under their name: "the font thing: Lato, so thats done", "soft delete: no, we keep all".

What stands before the colon is the matter; what stands behind it answers: by a yes or no, as the answer to a
"question", or because it ends with words that say that this was it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engramforge.core.detection.passages import Passage, passages
from engramforge.core.detection.traps import asks, is_asserted, is_conditional, is_hearsay
from engramforge.core.registries.closed.questions import is_yes_or_no
from engramforge.core.registries.closed_threads import Over
from engramforge.core.text.late_pattern import late

_PART: Final = r"(?>[^\s,;:.!?]{1,30})"
_UNDER: Final = late(
    r"(?i)\A\W{0,4}(?:(?:ok(?:ay)?|so|and|well|btw|fyi|update|re|about)\b\W{0,3}){0,2}(?:as for )?"
    rf"(?P<teller>{_PART}(?:\s{_PART}){{0,2}}?\s(?:says|said|writes|wrote|answered|confirmed|told (?:me|us))"
    r"(?: (?:that|about|on|regarding))?\s(?:the )?)?"
    rf"(?P<what>{_PART}(?:\s{_PART}){{0,6}})\s?:\s{{1,3}}(?P<answer>\S.{{1,300}})\Z"
)
_LISTED: Final = late(
    r"(?i)\s(?:questions?|things?|issues?|points?|matters?|topics?|problems?|business|stuff|to-?dos?|tasks?|threads?"
    r"|tickets?)\Z"
)
_QUESTION: Final = late(r"(?i)\squestion\Z")
_THAT: Final = r"(?:(?:that|this|it|which)(?: one| question| point| matter)?(?:['\u2019]?s| is| was) )"
_OVER: Final = (
    rf"(?:(?:so|and|which means)\s){{0,2}}(?:{_THAT}?(?:now |then |all |finally |already )?"
    r"(?:done(?: and dusted)?|finished|settled|answered|closed|sorted(?: out)?|decided|agreed|dealt with|solved"
    r"|off (?:the|my|our) list)(?: now| then)?"
    r"|(?:that|this|which) (?:settles|closes|answers|solves) (?:it|that|this|the (?:question|matter|point)))"
)
_ENDS_SO: Final = late(rf"(?i)[,;.\u2014\u2013-]\s{{0,3}}{_OVER}\W{{0,4}}\Z")
_SAYS_SO: Final = late(rf"(?i)\A\W{{0,4}}{_OVER}\W{{0,4}}\Z")
_LATER: Final = late(
    r"(?i)\b(?:not yet|almost|nearly|half|partly|mostly|partially|once|until|unless|soon|would|could|should|might"
    r"|will|hop(?:e|es|ing)|hopefully|guess|tomorrow|later|if|when)\b"
)
"""What is told is still to come, or is not all."""
_OPEN: Final = late(
    r"(?i)\?|\b(?:still|open|not sure|unsure|no (?:idea|clue|news|answer|reply)|unclear|unknown|undecided|wait\w*"
    r"|ask\w*|check\w*|tbd|tba|maybe|perhaps|probably|who|whose|which|what|whether|how|why|discuss\w*|think\w*|need\w*|to-?do"
    r"|depends?|pending|look\w*|find out|says?|said|wants?|nothing|nobody|either|or|vs|same as|see|come back|next)\b"
)
"""Is no answer, or one of others."""
_LEAST_WORDS: Final = 2
_BEHIND: Final = 2
"""Sentences behind the answer in which somebody says that this was it."""
_LAST_WORDS: Final = 60
_LONGEST: Final = 300


class Under(NamedTuple):
    """What is closed under its name, in which words."""

    sentence: str
    what: str
    over: Over


def may_be_under(text: str) -> bool:
    """Whether a text may close something under its name: it costs little to ask."""
    return ": " in text


def under_names(said: Sequence[Passage], text: str = "") -> Iterator[Under]:
    """What sentences close under its name. `text`: that they are from, whose last word may be too short for one.

    >>> def closed(*said): return [(each.what, str(each.over)) for each in under_names([Passage(x, x) for x in said])]
    >>> closed("the font thing: Lato everywhere.", "so thats done")
    [('the font', 'closed as one of a list')]
    >>> closed("font question: Lato for all")
    [('font question: Lato for all', 'answered under its name')]
    >>> closed("font question: still open"), closed("the fonts: Lato everywhere")
    ([], [])
    """
    for at, passage in enumerate(said):
        hit = _UNDER.match(passage.plain)
        if hit is None or is_conditional(passage.plain, 0) or asks(hit["answer"]):
            continue
        what = passage.said[slice(*hit.span("what"))]
        end = _end_behind(said, at, text)
        if end is not None:
            told = " ".join(each.said for each in said[at : end + 1])
            if hit["teller"]:
                # Who says that this settles it takes over what somebody else has told.
                if not _LATER.search(told) and not _OPEN.search(hit["answer"]):
                    yield Under(told, passage.said[hit.start("what") :].strip(), Over.ANSWERED)
                continue
            if not _LATER.search(told) and is_asserted(passage.plain):
                listed = _LISTED.search(what)
                yield (
                    Under(told, what, Over.NAMED)
                    if listed is None
                    else Under(told, what[: listed.start()], Over.LISTED)
                )
        elif not hit["teller"] and _is_answer(hit["what"], hit["answer"]) and not is_hearsay(passage.plain):
            yield Under(passage.said, passage.said[hit.start("what") :].strip(), Over.TOPIC)


def under_a_list(own: str, held: str) -> list[Under]:
    """What is closed as one of a list where the answer looks like a text that is handed on: "the font thing: ... done".

    >>> [each.what for each in under_a_list("the font thing:", " Lato for all. so thats done")]
    ['the font']
    >>> under_a_list("the font thing:", " Lato for all"), under_a_list("Ann says:", " Lato for all. so thats done")
    ([], [])
    """
    if not held or not own.rstrip().endswith(":") or len(held) > _LONGEST or "\n" in held.strip():
        return []
    text = f"{own.rstrip()} {held.strip()}"
    return [each for each in under_names(list(passages(text)), text) if each.over is Over.LISTED]


def _end_behind(said: Sequence[Passage], at: int, text: str) -> int | None:
    """The place of the sentence that says that a matter is over: the same, or one of the two behind it."""
    if _ENDS_SO.search(said[at].plain):
        return at
    behind = range(at + 1, min(at + 1 + _BEHIND, len(said)))
    place = next((place for place in behind if _SAYS_SO.match(said[place].plain)), None)
    if place is None and len(said) - at <= _BEHIND and _ENDS_SO.search(text[-_LAST_WORDS:]):
        return len(said) - 1
    return place


def _is_answer(what: str, answer: str) -> bool:
    if is_yes_or_no(answer):
        return not _OPEN.search(answer.partition(",")[0]) and not _LATER.search(answer)
    is_told = len(answer.split()) >= _LEAST_WORDS and not _OPEN.search(answer) and not _LATER.search(answer)
    return is_told and _QUESTION.search(what) is not None
