"""What a person rejects in the words of a mood, beside something else that they take: "i hate jest, vitest then".

Moods have more wordings than any list, and many speak of the moment. So what is read here ends nothing by itself: it
waits for review, and is told beside the decision that chose what is rejected.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from engramforge.core.detection.endings.plain_turns import KEPT
from engramforge.core.detection.named.entries import has_name
from engramforge.core.detection.passages import Passage, passages
from engramforge.core.detection.said_parts import statement
from engramforge.core.detection.traps import is_asserted, is_conditional, is_unreal_request
from engramforge.core.registries.complaints import ANY_WORD, complaint_in, is_aside, may_be_name
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import DecisionStatus

DISLIKED: Final = "perhaps reversed by a dislike"
"""The rule of what is read here. `text` is what is rejected, `superseded_by` the words that take something else."""
_LONGEST: Final = 300
"""Characters of a turn in which somebody rejects something: a longer one tells of much else."""
_SURE: Final = 0.5
_APOSTROPHE: Final = r"['\u2019]?"
_WORD: Final = (
    r"(?!(?:the|an?|our|my|your|his|her|its|their|that|this|these|those|it|them|they|we|i|you|he|she|who|what|which|all"
    rf"|everything|nothing|both|how|when|if|and|but|so)\b){ANY_WORD}"
)
_NAME: Final = rf"(?P<left>{_WORD}(?:\s{_WORD}){{0,1}}?)"
_END: Final = (
    r"(?=\W*\Z|\s*[,;:.!(\u2014\u2013]|\s-\s|\s(?:so|and|then|because|cause|bc|since|now|by now|already|anyway|these"
    r"|too|as|for|with|in|on)\b)"
)
_CLAUSE: Final = (
    r"(?i)(?:\A|(?<=[,;:.!\u2014\u2013])|(?<=\s-)|\b(?:because|cause|bc|since|as|so|but|and)\b)\W{0,6}"
    r"(?>(?:(?:ok(?:ay)?|well|hm+|so|ugh|argh|man|god|sorry|honestly|actually|wait|no|nah|nope|the|our)\b"
    r"\W{1,6}){0,4})"
)
_AWAY: Final = r"(?:out|down|off|over|hanging|dry|up)"
_REJECTED: Final = tuple(
    late(rf"{_CLAUSE}{frame}")
    for frame in (
        rf"(?:we|i|(?:we|i){_APOSTROPHE}(?:ve|m|re|d)|im|ive)\s(?>(?:(?:am|are|have|just|really|all|so|simply|totally"
        r"|absolutely|officially|getting|got|do|truly)\s){0,4})"
        rf"(?:hate|loathe|despise|detest|regret|distrust|can(?:{_APOSTROPHE}t|not) (?:stand|bear|take)"
        rf"|don{_APOSTROPHE}t (?:trust|like)|(?:sick|tired|weary) of|fed up with|had (?:it|enough) (?:with|of)"
        rf"|done with|over with|through with)\s(?:the |this |that |using )?{_NAME}{_END}",
        r"(?:screw|fuck|to hell with|(?:good)?bye(?: bye)?|farewell(?: to)?|enough (?:of|with)|so much for|away from"
        rf"|down with)\s(?:the |this |that )?{_NAME}{_END}",
        rf"{_NAME}\s(?:(?:has|have|is|are|was|were|just|really|now|always|still)\s){{0,3}}(?:driv(?:es?|ing)|drove|mak(?:es?"
        r"|ing)|made|annoy(?:s|ing|ed)?|bug(?:s|ging|ged)?|kill(?:s|ing|ed)?|let(?:s|ting)?|kick(?:s|ed|ing)?|thr(?:ew"
        r"|ows?|owing)|lock(?:s|ed|ing)?|shut(?:s|ting)?|cut(?:s|ting)?|turn(?:s|ed|ing)?|ban(?:s|ned|ning)?|block(?:s"
        r"|ed|ing)?|drop(?:s|ped|ping)?|suspend(?:s|ed)?|burn(?:s|ed|t)?|fail(?:s|ed|ing)?|screw(?:s|ed|ing)?|charg(?:es?"
        r"|ed|ing)|fool(?:s|ed)?|leav(?:es?|ing)|left|betray(?:s|ed)?)\s(?:me|us|everyone|everybody|the team)\b"
        rf"(?:\s(?:all\s)?(?:{_AWAY}|mad|crazy|nuts|insane|cry|sad|sick|angry|up the wall|too much|double|twice))?",
        rf"{_NAME}\s(?:is|are|was|were|{_APOSTROPHE}s)\s(?>(?:(?:just|really|such|a|an|so|simply|total|pure|utter|the|dead"
        r"|not|no)\s){0,4})(?:joke|garbage|trash|crap|rubbish|hell|horrible|terrible|awful|useless|shit|worst|horror"
        r"|to (?:me|us)|for (?:me|us)|fun|closing|shutting down|discontinued|abandoned|shite|disgrace|torture)\b",
        rf"{_NAME}\s(?:(?:has|have|just|again)\s){{0,3}}(?:raised|doubled|tripled|hiked|upped|increased|jacked up)"
        r"\s(?:its|their|the|all)\s(?:\w{2,20}\s)?(?:prices?|fees?|rates?)\b",
        rf"{_NAME}\s(?:can|should|may)\s(?:go|burn|rot|die|jump|get lost|shove)\b",
    )
)
"""Says what somebody has enough of."""
_TAKEN: Final = rf"(?P<taken>{_WORD}(?:\s{_WORD}){{0,2}}?)"
_TAKEN_END: Final = (
    r"(?=\W*\Z|\s*[,;:!(\u2014\u2013]|\.(?:\s|\Z)|\s-\s|\s(?:for|in|on|at|then|instead|now|because|cause|since|as|please"
    r"|pls|and|with|from|today|it is)\b)"
)
_TAKES: Final = tuple(
    late(rf"(?i){frame}")
    for frame in (
        r"\b(?:switch|mov|chang|migrat|convert|go)(?:e|ed|ing)?\s(?:(?:over|back)\s)?(?:to|with|for)\s"
        rf"(?:the |an? )?{_TAKEN}{_TAKEN_END}",
        rf"\b(?:use|take|try|pick|hello|hi|welcome|long live|adopt)\s(?:an? )?{_TAKEN}{_TAKEN_END}",
        rf"\b[a-z]{{2,20}}\s(?:to|on|with|via|in|by|at|through|from)\s{_TAKEN}\s(?:now|from now on|instead)\b",
        rf"(?:\A|(?<=[,;:.!\u2014\u2013]))\W{{0,6}}{_TAKEN}\s(?:then|instead|after all|it is|rather|from now on|now"
        r"|from (?:mon|tues|wednes|thurs|fri|satur|sun)day)(?=\W*\Z|\s*[,;.!])",
    )
)
"""Says what is taken, by its name."""


def rejected_in(text: str) -> list[Detection]:
    """What a person's text rejects where it takes something else by its name: the first, or none.

    >>> (one,) = rejected_in("i hate jest. vitest then")
    >>> one.text, one.superseded_by
    ('jest', 'vitest then')
    >>> [rejected_in(each) for each in ("i hate jest", "i hate jest, fix the tests", "should we drop jest? i hate it")]
    [[], [], []]
    """
    if len(text) > _LONGEST or "?" in text:
        return []
    for passage, after in pairwise([*passages(text), Passage("", "")]):
        if (found := _rejected(passage, after)) is not None:
            return [found]
    return []


def rejects(sentence: str) -> bool:
    """Whether a sentence says in the words of a mood what somebody has enough of: "jest annoys me"."""
    return any(each.search(sentence) for each in _REJECTED)


def _rejected(passage: Passage, after: Passage) -> Detection | None:
    hits = (each.search(passage.plain) for each in _REJECTED)
    if (hit := next((each for each in hits if each is not None), None)) is not None:
        left, span = passage.said[slice(*hit.span("left"))], hit.span()
    elif (complaint := complaint_in(passage.plain)) is not None:
        left, span = complaint.left, (complaint.begin, complaint.end)
    else:
        return None
    rest = f"{passage.plain[: span[0]]}{' ' * (span[1] - span[0])}{passage.plain[span[1] :]}"
    if not _is_own(passage.plain, rest, span[0]):
        return None
    for words, where in ((rest, passage), (after.plain, after)):
        if where is after and not _is_own(words, words, 0):
            continue
        if _takes(words, left):
            sentence = passage.said if where is passage else f"{passage.said} {after.said}"
            return _turn(sentence, left, statement(where.said))
    return None


def _takes(words: str, left: str) -> bool:
    old = set(left.casefold().split())
    named = [hit["taken"] for each in _TAKES if (hit := each.search(words)) is not None]
    return any(may_be_name(each) and old.isdisjoint(each.casefold().split()) for each in named)


def _is_own(plain: str, rest: str, begin: int) -> bool:
    """Whether the speaker says it as their own and as the case, and by the rest of it nothing stays as it is."""
    if not plain or has_name(plain) or KEPT.search(rest) or is_aside(rest):
        return False
    return is_asserted(plain) and not is_conditional(plain, begin) and not is_unreal_request(plain)


def _turn(sentence: str, left: str, taken: str) -> Detection:
    return Detection(
        kind=Kind.DECISION,
        sentence=sentence,
        rule=DISLIKED,
        confidence=_SURE,
        text=left,
        status=str(DecisionStatus.SUPERSEDED),
        is_update=True,
        superseded_by=taken,
    )
