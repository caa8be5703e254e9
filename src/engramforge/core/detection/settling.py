"""Which statement is settled by words that only say that something is decided: that around or before them."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import Final

from engramforge.core.detection.cues.cue_rule import beginnings, compiled, is_english
from engramforge.core.detection.cues.language_cues import LANGUAGE_DECISION_RULES
from engramforge.core.detection.cues.language_cues import SETTLES as SETTLES_ABROAD
from engramforge.core.detection.cues.settling_cues import (
    APPROVING,
    DECISION_HEAD,
    ENDORSES,
    MATTER_SETTLED,
    MATTERS,
    POINTS_BACK,
    SETTLES,
    SETTLING,
)
from engramforge.core.detection.said_parts import why_said
from engramforge.core.detection.traps import asks, is_hearsay, is_hedged, is_request, is_unreal_request
from engramforge.core.text.late_pattern import late, may_wait

_BREAK: Final = late(
    r"(?:,|;|\s[-\u2013\u2014]+|\s?[(\[]|\s(?:=>|->)|\.{2,}|\u2026|(?<=\w):)\s*(?=\S)|\s+(?=and (?:that|this|it|we"
    r"|i)\b)"
)
"""Where a clause ends."""
_MAY_BREAK: Final = (
    *(",", ":", "-", "(", ";", "\u2013", "\u2014", "[", "..", "\u2026", "=>"),
    *("and t", "and i", "and w"),
)
"""One of these is where any clause ends; looking for them takes a tenth of the time."""
LONGEST_CLAUSE: Final = 160
"""Longer clauses say more than that something is decided."""
_OF_MATTERS: Final = late(
    r"(?i)\b(?:pr|mr|prs|pull request|merge request|patch|ticket|invoice|payment|refund|vacation|holiday|leave"
    r"|expenses?|contract|merged|deployed|fixed|bug|visa|loan|i)\b|#\d"
)
"""What gets approved without being a decision of the project."""
_PAST: Final = late(r"(?i)\b(?:was|were|had|did|went|came|took|gave|made|\w{2,}ed)\b")
_OF_PEOPLE: Final = late(r"(?i)\W*(?:\w+ of us|everyone|everybody|nobody|no one|he|she|they|it|all|both)\b")
_IS_RULE: Final = late(
    r"(?i)\b(?:will|shall|must|is|are|be|stays?|remains?|uses?|runs?|go|goes|gets?|lives?|no|only|all|each|every"
    r"|never|always|expires?|moves?|takes?|keeps?|returns?|with|we['\u2019]?re \w+ing)\b"
)
_REACTS: Final = late(
    r"(?i)\W*(?:thanks?|thank you|great|nice|cool|perfect|awesome|lgtm|looks|sounds|makes sense|good|well done|hi"
    r"|hey|hello|yes|no(?= (?:problem|worries|idea))|sure|sorry|ok|okay|it works|works|done|he|she|they|you|his|her"
    r"|their|forgot|meant|didn['\u2019]?t|did not|should(?:['\u2019]?ve| have)|haven['\u2019]?t|so (?!we\b|i\b)\w+"
    r" the|i(?:['\u2019](?:ve|m|d))?(?: (?:have|had|was|am|think|feel|guess|know|see|need|like|love|hope|hate"
    r"|\w+ed))|we (?:had|have|were|met|talked|spoke|discussed|looked|compared|evaluated|tried|tested|need))\b(?![-/])"
)
"""Answers or tells what somebody did, which nothing makes a decision of."""
_UNSURE: Final = late(r"(?i)\b(?:could|might|may|would|should|i think|imo|in my opinion|not sure|still)\b")
_UNMADE: Final = late(
    r"(?i)\b(?:no|not|n['\u2019]t|pending|open|next|examples?|sample|reasons?|rationale|context|consequences?|impact"
    r"|why|before|until|without|needed|needs?|questions?|owner|date|drivers?|status|trees?|tables?|maker|points?"
    r"|criteria|deadline|your|his|her|their|if|whether|how|who|when|to make|options? for|wrote|says?|said|tests?"
    r"|functions?|wrong|bad|good|hard|tough|difficult|still|will|would|should|could|might|may)\b"
)
"""Makes such a head one of something else: "Decision drivers:"."""
_COLON: Final = late(r"(?<=[\w)'\u2019]):\s+(?=\S.{3})")
_FACES: Final = r"\s(?:[:;=]-?[)(dp|]|lol|haha|\^\^|[\U0001f300-\U0001faff\u2705\u2714])"
_FACE: Final = late(rf"(?i){_FACES}(?:{_FACES})*\W*\Z")
_LONGEST_HEAD: Final = 110
_ABROAD: Final = frozenset().union(*(rule.begins for rule in LANGUAGE_DECISION_RULES))
_SHORTEST: Final = 3
_LONGEST_NAME: Final = 3
"""More words say for themselves what they are about."""
_FURTHEST: Final = 50
"""Letters before the word that says that something is decided, at most."""
for _wording in (*SETTLES, ENDORSES, DECISION_HEAD):
    may_wait(_wording, partial(compiled, _wording))


def settles(said: str) -> bool:
    """Whether a sentence or clause says no more than that something is decided."""
    if len(said) > LONGEST_CLAUSE:
        return False
    if _stems(said)[0] < _FURTHEST:
        bare, may_approve = _FACE.sub("", said), not APPROVING.isdisjoint(beginnings(said))
        if _matches(bare, may_approve=may_approve) or _all_settle(bare, may_approve=may_approve):
            return True
    begun = beginnings(said)
    return not _ABROAD.isdisjoint(begun) and not is_english(begun) and SETTLES_ABROAD.match(said) is not None


@lru_cache(maxsize=16)
def _stems(plain: str) -> tuple[int, int]:
    """Where the first and the last beginnings of words stand without which nothing is settled; beyond the end and
    before the beginning if nowhere.
    """
    stems = SETTLING & beginnings(plain)
    if not stems:
        return len(plain) + _FURTHEST, -1
    plain = plain.lower()
    return min(map(plain.find, stems)), max(map(plain.rfind, stems))


def _may_break(said: str) -> bool:
    return any(map(said.__contains__, _MAY_BREAK))


def _all_settle(said: str, *, may_approve: bool) -> bool:
    """Whether each of two or three clauses does: "Discussed, decided"."""
    clauses = _BREAK.split(said, 3)
    return 1 < len(clauses) < 4 and all(_matches(clause, may_approve=may_approve) for clause in clauses)


def _matches(clause: str, *, may_approve: bool) -> bool:
    return _says_decided(clause) or (may_approve and compiled(ENDORSES).match(clause) is not None)


def _says_decided(clause: str) -> bool:
    return any(compiled(wording).match(clause) for wording in SETTLES)


def settles_next(said: str) -> bool:
    """Whether such a sentence may speak of the one that follows it: "Decision taken. We move to Oslo.\""""
    return _says_decided(said) and POINTS_BACK.match(said) is None


def settles_matter(said: str) -> bool:
    """Whether a sentence says that a matter is settled, and the next may say how: "The debate is over. Oslo won.\""""
    return (
        len(said) <= LONGEST_CLAUSE
        and not MATTERS.isdisjoint(beginnings(said))
        and MATTER_SETTLED.match(said) is not None
    )


def settled_by(statement: str, clause: str) -> bool:
    """Whether a clause that only says that something is decided makes a decision of a statement."""
    statement = why_said(statement)[0]
    if len(statement.strip()) < _SHORTEST or _REACTS.match(statement) or _UNSURE.search(statement):
        return False
    if asks(statement) or is_request(statement) or is_hearsay(statement) or is_hedged(statement):
        return False
    if is_unreal_request(statement):
        return False
    is_past = _PAST.search(statement) is not None and _IS_RULE.search(statement) is None
    if _says_decided(_FACE.sub("", clause)) or SETTLES_ABROAD.match(clause):
        return not (is_past and _OF_PEOPLE.match(statement))
    return not is_past and _OF_MATTERS.search(statement) is None


def end_of_statement(plain: str) -> int:
    """Where a sentence's statement ends that a clause behind it settles: "We use tabs, decided"; 0 if none does."""
    if (last := _stems(plain)[1]) < 0 or not _may_break(plain):
        return 0
    plain = _FACE.sub("", plain)
    for hit in _BREAK.finditer(plain, max(0, len(plain) - LONGEST_CLAUSE)):
        if hit.end() > last:
            return 0
        clause = plain[hit.end() :]
        if hit[0][0] == ":" and clause[:6].lower() == "agreed":
            continue  # "Ann: agreed, thanks"
        if _matches(clause, may_approve=not APPROVING.isdisjoint(beginnings(plain))):
            return hit.start() if settled_by(plain[: hit.start()], clause) else 0
    return 0


def begin_of_statement(plain: str) -> int:
    """Where a sentence's statement begins that a clause before it settles: "It's official, we go"; 0 if none."""
    if (first := _stems(plain)[0]) > _FURTHEST or not _may_break(plain):
        return 0
    has_matter = not MATTERS.isdisjoint(beginnings(plain))
    for hit in _BREAK.finditer(plain, first, LONGEST_CLAUSE):
        clause, rest = plain[: hit.start()], plain[hit.end() :]
        is_led = hit[0][0] in ":-\u2013\u2014" or hit[0].strip()[:1] in "-\u2013\u2014"
        if has_matter and (matter := MATTER_SETTLED.match(clause)) is not None:
            is_answer = settled_by(rest, "decided") and _OF_MATTERS.search(rest) is None
            return _begin_of_answer(matter, rest, hit.end()) if is_answer else 0
        if _says_decided(clause) and (is_led or POINTS_BACK.match(clause) is None):
            if _matches(rest, may_approve=True):
                return 0
            return hit.end() if settled_by(rest, clause) else 0
    return 0


def _begin_of_answer(matter: re.Match[str], answer: str, begin: int) -> int:
    """Where the answer begins, or the matter itself where the answer is a mere name: "hosting: Oslo"."""
    topics = [name for name in ("topic", "about", "on") if (matter[name] or "").strip()]
    if not topics or len(answer.split()) > _LONGEST_NAME:
        return begin
    return matter.start(topics[0])


def begin_after_head(plain: str) -> int:
    """Where in a sentence the statement begins that words before a colon call a decision; 0 if none do."""
    colon = _COLON.search(plain, 0, _LONGEST_HEAD)
    if colon is None or _UNMADE.search(plain, 0, colon.start()) is not None:
        return 0
    return colon.end() if compiled(DECISION_HEAD).match(plain[: colon.start()]) is not None else 0
