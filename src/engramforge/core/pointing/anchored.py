"""Whether a turn that names nothing changes a statement, by the talk around it: what was stated, asked and answered
right before it, and what is answered to it.

"Make it 4" behind "when do backups run?" and "At 3 am." is of the backups, whoever said so and in whichever session.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import lru_cache
from typing import Final, NamedTuple

from engramforge.core.detection.passages import passages
from engramforge.core.injection.gate import asks
from engramforge.core.injection.inputs.echoes import stems_of
from engramforge.core.injection.inputs.matters import distinctive
from engramforge.core.injection.inputs.slots import (
    NUMBER,
    UNIT,
    amounts_in,
    is_of_the_noun,
    may_be_of,
    values_of,
)
from engramforge.core.pointing.asked_kinds import may_answer
from engramforge.core.pointing.pointed import Pointed, chosen_name, has_another, is_of_the_kind, pointed_in
from engramforge.core.pointing.reported import reported_in
from engramforge.core.registries.changed.same_matter import means_for_now
from engramforge.core.registries.complaints import ANY_WORD, may_be_name
from engramforge.core.registries.intervals import intervals_in, without_intervals
from engramforge.core.registries.wording.passed_on import without_source
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, stem_set, words_of
from engramforge.model.registries.detection import Said

_LONGEST: Final = 160
_LONGEST_NAMED: Final = 120
"""Characters of a turn, or an answer, that is of one matter, and of a statement that has one name in it."""
_TURNS_KEPT: Final = 128
_PROMPTS: Final = 2
"""How many turns of a person a statement, or a question of it, is behind at most."""
_TOO: Final = r"(?:\s(?:then|instead|it is|please|pls|now|from now on))"
_VALUE: Final = rf"(?P<value>-?{NUMBER}(?:\s?(?!(?:then|it|instead|please|pls|now|from)\b){UNIT})?)"
_CHANGE_IT: Final = r"(?:\s?[,;.]\s?(?:so |please |pls )?(?:change|set|make|update|fix) (?:it|that|this))?"
_AMOUNTS: Final = (
    late(
        r"(?i)\A\W*(?:(?:so|then|rather|better|nah|nope|actually|say|hm+|ok)\b\W{1,3}){1,3}"
        rf"{_VALUE}{_TOO}?\W*\Z"
    ),
    late(rf"(?i)\A\W*{_VALUE}{_TOO}\W*\Z"),
)
"""An amount that stands alone at the end of a turn: "so 88", "it clashes with the import, 4 then"."""
_CLAUSE_END: Final = late(r"[,;:.!?\u2014\u2013]\s")
_SAYS: Final = late(
    r"(?i)\A\W*(?:[\w'\u2019-]{1,20}\s){1,3}(?:says?|said|wants?|asks? for|asked for|insists? on|needs?|demands?)\s"
    rf"{_VALUE}{_CHANGE_IT}{_TOO}?\W*\Z"
)
"""The same of what others want: "legal says 10, change it"."""
_CORRECTED: Final = late(
    r"(?i)\A\W*(?:(?:oh|hm+|ok(?:ay)?|ah)\W{1,3})?(?:actually,? no|no,? wait|wait,? no|nope|nah|no|wait|sorry"
    r"|on second thoughts?|scratch that|(?:i )?changed my mind)\W{1,4}"
    r"(?:(?:make it|rather|better|back to|let['\u2019]?s"
    rf" (?:say|do|take))\s)?{_VALUE}(?:\s(?:was|is|were|are) (?:fine|better|right|ok(?:ay)?|good|enough|plenty))?"
    rf"{_TOO}?\W*\Z"
)
"""An amount behind a correction: "no wait, 45", "nah, 5 was fine"."""
_ALONE: Final = late(rf"(?i)\A\W*{_VALUE}{_CHANGE_IT}{_TOO}?\W*\Z")
_NAME: Final = late(
    r"(?i)\A\W*(?>(?:(?:oh|hm+|ok(?:ay)?|well|so|and|ugh)\b\W{1,3}){0,3})"
    r"(?:(?:actually|no,? wait|wait,? no|nah|nope|no|wait|rather|sorry|on second thoughts?|on reflection"
    r"|(?:i )?changed my mind|scratch that|scrap that)\b\W{1,3}){1,3}"
    r"(?:(?:let['\u2019]?s |we )?(?:use|take|go with|(?:go )?back to) )?"
    rf"(?P<value>{ANY_WORD}(?:\s(?!then\b|instead\b|it\b|please\b|pls\b|now\b){ANY_WORD})?)"
    rf"{_TOO}?(?=\W*\Z|\s?[,;.(\u2014\u2013]|\s-\s)"
)
"""A name that stands alone behind a correction: "nah, minio", "actually nats, way less to babysit"."""
_AGREED: Final = late(
    r"(?i)\A\W*(?:(?:ok(?:ay)?|alright|all right|fine|well|good|right|hm+|yeah|yes)\W{1,3}){1,2}"
    rf"(?:(?:let['\u2019]?s |we )?(?:use|take|go with|try) )?(?P<value>{ANY_WORD})\s(?:then|it is)\W*\Z"
)
"""The same behind what was proposed: "ok nats then"."""
_BEHIND: Final = late(
    r"(?i)\A\W*(?:(?:oh|hm+|ok(?:ay)?|actually|no|nah|so|rather|make it|and|better)\b\W{0,3}){0,3}\Z|\A\W*\Z"
)
_SINCE: Final = late(
    r"(?i)\A\W*(?:(?:from [\w ]{2,20} on|from now|instead|then|please|pls|now|on)\b\W*){0,3}\Z"
)
_NO_NAMES: Final = frozenset(("colour", "tongue", "day"))
"""Kinds of values that are no things of their own."""
_NO_MATTER: Final = stem_set("""
changed count default done level limit max maximum min minimum move moved now set size switched updated value
""")
_NOT_TAKEN: Final = late(
    r"(?i)\b(?:not|still|fail\w*|errors?|broken|cannot|instead of|already|why|would|could|should)\b|n['\u2019]t\b|\?"
)
"""An answer that does not simply take up what it is told."""


class Given(NamedTuple):
    """What a turn gives; `is_loose`: in words that may mean something else, so that the answer has to take it up."""

    pointed: Pointed
    is_loose: bool


@lru_cache(maxsize=_TURNS_KEPT)
def given_in(turn: str) -> Given | None:
    """What a turn gives that names nothing; None for any other.

    >>> said = "make it 4", "that collides with the import, 4 then", "so 88", "legal says 10", "nah, minio", "run it"
    >>> [each and each.pointed.value for each in map(given_in, said)]
    ['4', '4', '88', '10', 'minio', None]
    """
    if not 0 < len(turn) <= _LONGEST or asks(turn) or means_for_now(turn):
        return None
    told = without_source(turn.strip())
    if told != turn.strip():
        by_source = given_in(told)
        if by_source is not None or (by_source := _amount_alone(told)) is not None:
            return by_source
    pointed = pointed_in(turn)
    if pointed is not None and not (pointed.is_name and pointed.value[:1].isdigit()):
        return Given(pointed, is_loose=pointed.is_name)
    if any(map(str.isdecimal, turn)):
        last = _CLAUSE_END.split(turn.strip())[-1]
        hits = (*(pattern.match(last) for pattern in _AMOUNTS), _SAYS.match(turn), _CORRECTED.match(turn))
        if (given := next(filter(None, hits), None)) is not None:
            return Given(Pointed(given["value"], turn), is_loose=True)
    if _is_interval(turn):
        return Given(Pointed(turn, turn), is_loose=False)
    hit = _NAME.match(turn) or _AGREED.match(turn)
    if hit is None or not may_be_name(hit["value"]) or hit["value"][:1].isdigit():
        return None
    return Given(Pointed(hit["value"], turn, is_name=True), is_loose=True)


def _amount_alone(told: str) -> Given | None:
    hit = _ALONE.match(told)
    return None if hit is None else Given(Pointed(hit["value"], told), is_loose=True)


def _is_interval(turn: str) -> bool:
    """Whether a turn says no more than how often: "weekly from january on"."""
    if len(intervals_in(turn)) != 1:
        return False
    return _SINCE.match(_BEHIND.sub("", without_intervals(turn))) is not None


def is_anchored(turn: str, earlier: str, keys: Set[str], before: Sequence[Said], answer: str = "") -> bool:
    """Whether a turn that names nothing gives another value to an earlier statement.

    `keys`: the logical ids of the statement, and of what changed it since; `before`: the turns ahead of the turn in its
    conversation, the newest first; `answer`: what was answered to it.

    >>> asked = Said("At 3 am.", "b", False), Said("when do backups run?", "a", True)
    >>> said = "backups run at 3 am", "the mast is 3 m high"
    >>> [is_anchored("make it 4", each, {"x"}, asked, "Moved to 4 am.") for each in said]
    [True, False]
    """
    given = given_in(turn)
    if given is None or asks(earlier) or (given.is_loose and not _takes_up(answer, given.pointed)):
        return False
    pointed = given.pointed
    if not _fits(pointed, earlier, _unit(pointed, answer, before)):
        return False
    prompts, told = 0, ""
    for said in before:
        if not said.is_own:
            if prompts == 0:
                told = said.text
                is_it = said.message_id in keys and len(told) <= _LONGEST
                if is_it or (not pointed.is_name and _restates(told, earlier)):
                    return True
            continue
        prompts += 1
        if said.message_id in keys:
            return _is_of_it(given, earlier, answer, is_next=prompts == 1)
        if prompts == 1 and pointed.is_name and _names(said.text, earlier) and not asks(said.text):
            # "Kelp rots" names what is left, where the answer has it switched.
            return _has_switched(answer, pointed.value)
        if asks(said.text) and not (pointed.is_name or may_answer(said.text, earlier)):
            return False
        if asks(said.text) and _shares(said.text, earlier):
            return not pointed.is_name or _names(told, earlier) or is_of_the_kind(earlier, pointed.value)
        if prompts == _PROMPTS or any(amounts_in(f"{said.text} {told}")):
            return False
    return False


def _fits(pointed: Pointed, earlier: str, unit: str) -> bool:
    if pointed.is_name:
        words = {each.casefold() for each in words_of(pointed.value)}
        is_new = len(earlier) <= _LONGEST_NAMED and words.isdisjoint(words_of(earlier.casefold()))
        return is_new and _may_be_of_its_kind(pointed.value, earlier)
    if its := intervals_in(pointed.value):
        old = intervals_in(earlier)
        return len(old) == 1 and old != its
    return has_another(earlier, pointed, unit)


def _may_be_of_its_kind(name: str, earlier: str) -> bool:
    """Whether a name is of a kind of which a statement has another, or one of both has no known kind; a colour is of no
    thing that has none."""
    kinds, old = values_of(name).keys(), values_of(earlier).keys()
    return bool(kinds & old) or not (kinds & _NO_NAMES or (kinds and old))


def _is_of_it(given: Given, earlier: str, answer: str, *, is_next: bool) -> bool:
    """Whether what was answered speaks of the statement that was said before a turn, or of nothing else."""
    pointed = given.pointed
    if pointed.is_name:
        return is_next or bool(chosen_name(earlier)) or is_of_the_kind(earlier, pointed.value)
    nouns = _nouns(answer) - {stem_of(each) for each in words_of(pointed.value)}
    is_named = any(is_of_the_noun(each, _nouns(earlier)) for each in nouns)
    if not nouns or is_named or stems_of(answer.replace("_", " ")) & (stems_of(earlier) - _NO_MATTER):
        return True
    # An answer may have another word for it: "Retention is 10 years.".
    units = {its for _, its in amounts_in(answer) if its}
    is_alike = any(its and may_be_of(unit, its) for unit in units for _, its in amounts_in(earlier))
    return given.is_loose and (is_next or is_alike)


def _nouns(text: str) -> frozenset[str]:
    """The stems of what a text is of, the parts of identifiers among them."""
    return distinctive(text.replace("_", " ").casefold()) - _NO_MATTER


def _shares(question: str, earlier: str) -> bool:
    its = _nouns(earlier)
    return any(is_of_the_noun(each, its) for each in _nouns(question))


def _restates(told: str, earlier: str) -> bool:
    """Whether an answer has an amount of a statement with its unit."""
    if len(told) > _LONGEST:
        return False
    old = {each for each in amounts_in(earlier) if each[1]}
    return any(
        number == each[0] and unit and may_be_of(unit, each[1])
        for number, unit in amounts_in(told)
        for each in old
    )


def _names(told: str, earlier: str) -> bool:
    name = chosen_name(earlier).casefold()
    return bool(name) and name in told.casefold()


def _has_switched(answer: str, name: str) -> bool:
    """Whether an answer reports that something is a thing of a name now: "Switched to NATS.", not "Added NATS."."""
    report = reported_in(answer)
    return report is not None and report.name[:1] == tuple(words_of(name.casefold()))[:1]


def _takes_up(answer: str, pointed: Pointed) -> bool:
    """Whether an answer says what a turn gives: "Switched to MinIO."."""
    first = next((each.said for each in passages(answer[:_LONGEST])), "")
    if _NOT_TAKEN.search(first) is not None:
        return False
    if pointed.is_name:
        name = words_of(pointed.value.casefold())[:1]
        return bool(name) and any(each.startswith(name[0]) for each in words_of(first.casefold()))
    given = {number for number, _ in amounts_in(pointed.value)}
    return not given.isdisjoint(number for number, _ in amounts_in(first))


def _unit(pointed: Pointed, answer: str, before: Sequence[Said]) -> str:
    """The unit of the amount that a turn gives, as it, what is answered, or what was answered before it says."""
    given = dict(amounts_in(pointed.value))
    told = [its for number, its in amounts_in(answer[:_LONGEST]) if number in given and its]
    last = before[0].text if before and not before[0].is_own else ""
    was = [its for _, its in amounts_in(last[:_LONGEST]) if its]
    return next((its for its in (*given.values(), *told, *was) if its), "")
