"""Which rule somebody lifts who says that what it forbids or limits may be done: "dogs are ok everywhere now"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engramforge.core.registries.named_stems import purposes_in, stems_in
from engramforge.core.registries.said_again import denies
from engramforge.core.text.late_pattern import late

_WORD: Final = r"(?>[\w'\u2019-]{1,30})"
_WHERE: Final = r"(?P<where>everywhere|anywhere|wherever|all over|in (?:all|any|every) \w{2,20})"
_WHEN: Final = r"(?P<when>(?:at )?any ?time|always|whenever|all day|every day|around the clock)"
_WHO: Final = r"(?P<who>for (?:everyone|everybody|anyone|anybody|all))"
_EXTENT: Final = rf"(?:{_WHERE}|{_WHEN}|{_WHO}|(?P<again>now|again|after all))"
_END: Final = r"(?=\W*\Z|\s*[,;:.!(\u2014\u2013]|\s(?:now|again|too|as|since|because|so|and|if)\b)"
_BEGIN: Final = (
    r"(?i)(?:\A|(?<=[,;.!\u2014\u2013]))\W{0,4}(?>(?:(?:ok(?:ay)?|so|and|but|well|actually|now|yes|the|our|all)"
    r"\b\W{1,4}){0,4})"
)
_ACT: Final = (
    r"(?:touch|edit|change|alter|modify|update|write to|migrate|drop|move|delete|rename|clean up|work on|use)"
)
_ACTED: Final = (
    r"(?:touched|edited|changed|altered|modified|updated|written to|migrated|dropped|moved|deleted|renamed"
    r"|used)"
)
_AGAIN: Final = (
    r"(?:again|now|freely|from now on|as (?:you|we) (?:like|want|please)|after all)(?=\W*\Z|\s*[,;:.!(\u2014\u2013])"
    r"(?![^.;!?]{0,80}\b(?:if|once|when|until|till?|after|unless|but|except|only)\b)"
)
_LIFTS: Final = tuple(
    late(f"{_BEGIN}{frame}")
    for frame in (
        rf"(?:(?P<what>{_WORD}(?:\s{_WORD}){{0,2}}?)\s(?:is|are)|(?:they|it|that)['\u2019]?(?:re|s)?(?: is| are)?)"
        r"\s(?:now |all |totally )?(?:ok(?:ay)?|fine|allowed|permitted|welcome|alright|legal|free)"
        rf"(?:\s(?:in|on|at|by|inside|near)\s[^,;:.!?]{{2,40}}?)?\s{_EXTENT}{_END}",
        r"(?P<all>any(?:one|body)|every(?:one|body))\s(?:can|may|is allowed to)(?: now)?\s(?P<what>(?!be\b|see\b)"
        rf"{_WORD})(?:\s{_WORD}){{0,2}}?{_END}",
        rf"(?P<what>{_WORD}(?:\s{_WORD}){{0,2}}?\s(?:can|may)(?: now| all)?\s{_WORD})(?:\s{_WORD}){{0,2}}?\s{_EXTENT}"
        rf"{_END}",
        r"(?:you|we|i|one|people|any(?:one|body)|every(?:one|body))(?:(?: can| may)(?: all)?|(?:['\u2019]?re| are)"
        rf" (?:allowed|free) to) (?:now |again )?{_ACT} (?:the |our |my )?"
        rf"(?P<what>{_WORD}(?:\s{_WORD}){{0,2}}?) {_AGAIN}",
        rf"(?P<what>{_WORD}(?:\s{_WORD}){{0,2}}?) (?:(?:is|are) (?:now )?(?:ok(?:ay)?|fine|safe|free|allowed) to"
        rf" {_ACT}|(?:can|may) (?:now )?be {_ACTED}) {_AGAIN}",
        rf"(?:from now on,? |now )?(?P<whom>{_WORD}(?:\s{_WORD}){{0,2}}?) (?:can|may|(?:is|are) allowed to)"
        rf"(?: now| also)? (?P<what>(?!not\b|be\b|see\b){_WORD}(?:\s{_WORD}){{0,4}}?),? (?:too|as well)"
        r"(?=\W*\Z|\s*[,;:.!(\u2014\u2013])",
        rf"(?:hands[- ]off|ban|freeze|lock|embargo)(?: on| for| of)? (?:the |our )?"
        rf"(?P<what>{_WORD}(?:\s{_WORD}){{0,2}}?) (?:is|are) (?:now )?(?:over|lifted|gone|off|done){_END}",
    )
)
_FORBIDS: Final = late(
    r"(?i)\b(?:(?:hands|fingers) off|off[- ]limits|stay away from|leave [^,;:.]{2,40} alone|nobody|no one|frozen|locked"
    r"|read[- ]only|do not touch|untouchable)\b"
)
"""Forbids without a denial: "hands off the members table"."""
_LIMITS: Final = late(
    r"(?i)\b(?:only|always|must|max(?:imum)?|at most|at least|up to|nobody|every|each|per|minimum)\b"
)
_FOR_SOME: Final = late(
    r"(?i)\b(?:only|nobody but|no one but) (?P<who>[^,;:.]{1,60}?) (?:can|may|is allowed to|are allowed to)"
    r" (?P<act>[^,;:.]{2,80})"
)
_ONLY: Final = late(r"(?i)\bonly\b|\bnobody but\b|\bno one but\b")
_PLACED: Final = late(
    r"(?i)\bonly\b[^,;:.]{0,40}?\b(?:in|on|at|behind|inside|outside|near|within|under|by|next to|around|from)\b"
)
_TIMED: Final = late(
    r"(?i)\bonly\b[^,;:.]{0,40}?\b(?:in|on|at|from|until|till|after|before|between|during|when|once|twice)\b"
)


def lifting_in(sentence: str) -> re.Match[str] | None:
    """Where a sentence says that something may be done: everywhere, at any time, by everybody or others too, or again;
    `what` is what, None where that is only pointed at."""
    return next((hit for each in _LIFTS if (hit := each.search(sentence)) is not None), None)


def limits(decision: str) -> bool:
    """Whether a decision is a rule that forbids or limits something."""
    return denies(decision) or _FORBIDS.search(decision) is not None or _LIMITS.search(decision) is not None


def lifted_rule(sentence: str, decisions: Sequence[str]) -> int | None:
    """The place of the only rule that a sentence lifts; None for none, for several, and for one of another place.

    >>> rules = ("dogs only in room 4", "no cats in the kitchen")
    >>> [lifted_rule(each, rules) for each in ("dogs are ok everywhere now", "cats are allowed in the kitchen again")]
    [0, 1]
    >>> [lifted_rule(each, rules) for each in ("dogs are ok in the garden now", "cats are fine in the hall now")]
    [None, None]
    """
    hit = lifting_in(sentence)
    if hit is None or not hit["what"] or not (what := stems_in(hit["what"])):
        return None
    said = [each for _, each in purposes_in(hit[0])]
    found = []
    for at, decision in enumerate(decisions):
        if not what <= stems_in(decision) or not _is_lifted(hit, decision):
            continue
        its = [each for _, each in purposes_in(decision)]
        if not (said and its) or any(one & other for one in said for other in its):
            found.append(at)
    return found[0] if len(found) == 1 else None


def _is_lifted(hit: re.Match[str], decision: str) -> bool:
    """Whether a decision limits just that to which a permission sets no limit."""
    named = hit.groupdict()
    if whom := named.get("whom"):
        some = _FOR_SOME.search(decision)
        is_act = some is not None and stems_in(hit["what"]) <= stems_in(some["act"])
        return is_act and not stems_in(whom) & stems_in(some["who"] if some else "")
    if named.get("all") or named.get("who"):
        return _ONLY.search(decision) is not None
    if denies(decision) or _FORBIDS.search(decision):
        return True
    limit = _PLACED if named.get("where") else _TIMED if named.get("when") else None
    return limit is not None and limit.search(decision) is not None
