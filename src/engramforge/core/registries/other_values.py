"""The same said with another value: "from now on we deploy on Tuesdays", "5 days, not 3", "5 min is too often. 15".

Which of the decisions that stand is meant, and what it says in the place of the new value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from engramforge.core.registries.complaints import WE, complaint_in, is_aside, without_complaints
from engramforge.core.registries.named_stems import stems_in, stems_in_order
from engramforge.core.text.dates import MONTHS, WEEK
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, stem_set

_CLAUSE: Final = late(r"[,;:!?()\u2014\u2013]|\.(?:\s|\Z)")
_NUMBER_WORDS: Final = """
one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety
"""
_CLASSES: Final = (
    (*WEEK, "weekday", "weekend"),
    MONTHS,
    tuple(_NUMBER_WORDS.split()),
)
_CLASS: Final = {stem_of(word): at for at, words in enumerate(_CLASSES) for word in words}
_VALUES: Final = frozenset(_CLASS)
_NUMBERS: Final = 2
"""Values that take each other's place in the same words, by their class; digits are numbers, too."""
_FEWEST: Final = 2
"""Stems with which words say of what they tell another value."""
_NAMED: Final = "|".join(f"{word}s?" for words in _CLASSES for word in words)
_DENIED: Final = late(
    rf"(?i)[,;(\u2014\u2013-]\s{{0,3}}(?:and )?(?:not|no longer|instead of|rather than) (?:the |on |at "
    rf"|in )?(?P<old>\d[\d.]*|{_NAMED})"
    r"(?:\s(?!any)\w{1,12}){0,2}?(?:\s(?:any ?more|any longer))?\)?(?=\W*\Z|\s*[,;:.!])"
)
_COUNT: Final = (
    r"\b(?P<amount>\d[\d.]{0,8}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty"
    r"|fifty|sixty|ninety)"
)
_NO_UNIT: Final = (
    r"(?!(?:it|is|are|should|will|would|then|instead|please|now|for|in|on|at|from|and|times?)\b)"
)
_UNIT: Final = rf"(?P<unit>{_NO_UNIT}[a-z]{{2,20}})\b"
_AMOUNTS: Final = late(rf"(?i){_COUNT}\s?{_UNIT}")
_AT_THE_END: Final = late(rf"(?i){_COUNT}\s?{_UNIT}\Z")
_NEW: Final = rf"(?:(?:every|only|just|at least|at most)\s)?(?P<new>{_COUNT}(?:\s?{_UNIT})?)"
_STOP: Final = (
    r"(?=\W*\Z|\s*[,;:!(\u2014\u2013]|\.(?:\s|\Z)|\s(?:from|instead|please|then|for|in|on|at|now)\b)"
)
_REMADE: Final = tuple(
    late(rf"(?i){frame}")
    for frame in (
        rf"\b{WE}\s(?:\w+ ){{1,8}}?(?P<new>{_COUNT}\s?{_UNIT})",
        rf"\b(?:make (?:it|that|them)|{WE} (?:do|say|take|try)|(?:go|going|up|down|change|switch|raise it|lower it) to"
        rf"|go with|rather|better)\s{_NEW}{_STOP}",
        rf"(?:\A|(?<=[,;:.!\u2014\u2013]))\W{{0,4}}{_NEW}\s(?:(?:is|are) (?:enough|plenty|fine|better)"
        rf"|(?:should|will) (?:do|be enough)|it is|instead|then)\b",
    )
)
"""States an amount in the place of one that is complained of."""
_SETS: Final = late(
    r"(?i)\A\W*(?>(?:(?:ok(?:ay)?|so|and|actually|no|yeah|well|hm+|please|pls|then|just)\b\W{0,3}){0,4})"
    rf"(?:(?P<sets>(?:{WE}\s)?(?:make|set|limit|cap|raise|lower|cut|shorten|extend|reduce|increase|bump))"
    rf"|(?P<ought>(?:(?>[\w'-]{{1,30}})\s){{1,5}}?(?:should|must|needs? to|ha(?:s|ve) to)(?: now)?"
    rf" (?:be|last|take|stay))"
    rf"|(?P<allows>(?:(?>[\w'-]{{1,30}})\s){{1,5}}?(?:may|can)(?: now)? (?:be|have|last|take|get))"
    rf"|(?:{WE}\s)?(?:keep|hold|store|do|have))\s"
)
"""Begins a clause that gives something its amount; `sets`: by itself in the place of another; `ought`: what is to have
another; `allows`: after all."""
_IS_OTHERWISE: Final = late(
    r"(?i)\b(?:but|why|yet|though|it|its|is|was|shows?|says?|got|gets?|gives?|returns?|takes?|currently|by now|already|"
    r"until|if|when)\b|\?"
)
"""Tells that an amount is not what it should be, which is a fault: "it should be 60 min, but is 30"."""
_AFTER_ALL: Final = late(r"(?i)\bafter all\W*\Z")
_ANEW: Final = late(
    r"(?i)\bonly\W*\Z|\b(?:from (?:now|today) on|instead)\W*\Z|\binstead of (?:the )?(?P<old>\d[\d.]{0,8})\b"
)
_ANY_AMOUNT: Final = late(rf"(?i){_COUNT}(?:\s?{_UNIT})?")
_FIGURE: Final = late(r"\d")
_POINTS: Final = late(r"(?i)\b(?:it|that|this|them|'?em|those|these)\b")
_CONDITION: Final = late(r"(?i)\b(?:unless|except|if|when(?:ever)?|as long as|provided)\b")
_ONE_OF_MANY: Final = late(r"(?i)\b(?:one|an?|(?<![\d.,])1) (?!(?:\w*ss|is|was|has|as)\b)[a-z]{2,}s\b")
_FOLD: Final = 4.0
"""How many times an amount may change where nothing else says that it is of the same."""
_OF_TIME: Final = stem_set("second minute hour day night week month quarter year")


def value_denied(sentence: str) -> str:
    """The value that a sentence says not to be meant, as a stem; "" for none.

    >>> value_denied("the deadline is 5 days, not 3"), value_denied("not before 3")
    ('3', '')
    """
    hit = _DENIED.search(sentence)
    return "" if hit is None else stem_of(hit["old"].lower())


def without_value_denied(sentence: str) -> str:
    """A sentence, the value blanked that it says not to be meant."""
    return _DENIED.sub(lambda hit: " " * len(hit[0]), sentence)


def changes_amount(rest: str, left: str) -> bool:
    """Whether the words beside a complaint about an amount state another of the same.

    >>> changes_amount("we keep logs for 90 days", "30 days"), changes_amount("make it 15", "5 min")
    (True, True)
    >>> changes_amount("make it 15 kilos", "5 min")
    False
    """
    return _changed(rest, left) is not None


def amount_alone(rest: str, left: str) -> int | None:
    """Where they state it and name nothing that it is of; None for nowhere."""
    place, hit = _changed(rest, left) or (0, None)
    return hit.start() if hit is not None and place else None


def beside_complaint(sentence: str, left: str) -> str:
    """A sentence without the complaint about something; of one that only states another amount no more than both, since
    what stands between is a reason.

    >>> beside_complaint("5 min is too often, i hear it in the kitchen. make it 15", "5 min")
    '5 min is too often, make it 15'
    """
    rest, complaint = without_complaints(sentence), complaint_in(sentence)
    begin = None if complaint is None else amount_alone(rest, left)
    if complaint is None or begin is None:
        return rest
    return f"{sentence[complaint.begin : complaint.end].strip()}, {sentence[begin:]}"


def with_changed_amount(decision: str, rest: str, left: str) -> str:
    """A decision with the amount that the words beside a complaint state; "" where these say by themselves what it is
    of, or the decision has no such amount.

    >>> with_changed_amount("we poll every 5 minutes", "make it 15", "5 min")
    'we poll every 15 minutes'
    """
    old = _AT_THE_END.search(left)
    place, hit = _changed(rest, left) or (0, None)
    if hit is None or old is None or not place:
        return ""
    for there in _AMOUNTS.finditer(decision):
        if _measure(there) == _measure(old):
            new = hit["new"] if hit["unit"] else f"{hit['new']}{decision[there.end('amount') : there.end()]}"
            return _with_amount(decision, there.start(), there.end(), new)
    if _measure(old)[1] in stems_in(decision):
        # "fps stays at 25" has the unit elsewhere.
        for there in _ANY_AMOUNT.finditer(decision):
            if there["amount"] == old["amount"] and not there["unit"]:
                return _with_amount(decision, there.start(), there.end(), hit["amount"])
    return ""


def is_all_said(new: str, sentence: str) -> bool:
    """Whether a decision with another amount says all that a sentence does: it sets no condition, and one is one thing.

    >>> is_all_said("logs are kept for 7 days", "30 days is overkill, 7 is fine unless a customer complained")
    False
    """
    return not (_CONDITION.search(sentence) or _ONE_OF_MANY.search(new))


def _with_amount(decision: str, begin: int, end: int, new: str) -> str:
    """A decision with another amount at a place; without what it said of that one: ", nobody talks us into 50"."""
    rest = decision[end:]
    if any(map(is_number, stems_in(new) & stems_in(rest))) and (stop := _CLAUSE.search(rest)):
        rest = rest[: stop.start()]
    return f"{decision[:begin]}{new}{rest}"


class _Amount(NamedTuple):
    """An amount that a clause gives to what `matter` names; `old`: the number in whose place, "" where nobody says;
    `is_whole`: whether `matter` has to be all that has it."""

    said: re.Match[str]
    matter: frozenset[str]
    old: str
    is_whole: bool = False


def amount_set(sentence: str, *, is_named: bool = False) -> bool:
    """Whether a sentence gives something an amount that may have been another. `is_named`: only where it names that.

    >>> amount_set("make the thumbs 600"), amount_set("keep the backups for 14 days only"), amount_set("wait 5 days")
    (True, True, False)
    """
    amount = _set_in(sentence)
    return amount is not None and not (is_named and not amount.matter)


def is_ought(sentence: str) -> bool:
    """Whether a sentence says what amount something is to have, which changes the amount of the same thing alone.

    >>> is_ought("the lamps should be on for 40 min"), is_ought("make the lamps 40 min")
    (True, False)
    """
    amount = _set_in(sentence)
    return amount is not None and amount.is_whole


def with_amount_set(decisions: Sequence[str], sentence: str) -> tuple[int, str] | None:
    """The place of the only decision with another amount of what a sentence gives one to, and the decision with that;
    None where there is none, or several.

    >>> with_amount_set(("thumbs are 400px wide", "we keep backups for 30 days"), "make the thumbs 600")
    (0, 'thumbs are 600px wide')
    >>> with_amount_set(("thumbs are 400px wide",), "make the banner 600") is None
    True
    """
    amount = _set_in(sentence)
    return None if amount is None else _only_other(decisions, amount)


def is_amount(text: str) -> bool:
    """Whether a text is an amount and nothing else: "14 days", "20"."""
    return _ANY_AMOUNT.fullmatch(text) is not None and _FIGURE.match(text) is not None


def with_amount_agreed(decisions: Sequence[str], amount: str, told: str) -> tuple[int, str] | None:
    """The same of an amount that was agreed on by itself; `told`: what was said with it, which names no other matter.

    >>> with_amount_agreed(("we keep backups for 30 days", "a cap of 5 users"), "14 days", "14 days then?")
    (0, 'we keep backups for 14 days')
    """
    hit = _ANY_AMOUNT.fullmatch(amount)
    if hit is None:
        return None
    matter = stems_in(_ANY_AMOUNT.sub(" ", told))
    named = [each for each in decisions if not matter or matter & stems_in(each)]
    found = _only_other(named, _Amount(hit, frozenset(), ""))
    return None if found is None else (list(decisions).index(named[found[0]]), found[1])


def are_such_values(new: frozenset[str], old: frozenset[str]) -> bool:
    """Whether stems that are days, months or numbers may take the place of others; those that are none may."""
    return {_class_of(each) for each in new} - {None} <= {_class_of(each) for each in old}


def _set_in(sentence: str) -> _Amount | None:
    clause = _CLAUSE.split(sentence, maxsplit=1)[0]
    begins = _SETS.match(clause)
    anew = _ANEW.search(clause)
    old = (anew["old"] or "") if anew is not None else value_denied(sentence)
    if begins is None or is_aside(clause):
        return None
    if not (begins["sets"] or anew or old or begins["allows"] or begins["ought"]):
        return None
    if begins["ought"] and _IS_OTHERWISE.search(sentence, len(clause)):
        return None
    if begins["allows"] and _AFTER_ALL.search(clause) is None:
        return None
    rest = clause[begins.end() : anew.start() if anew is not None else None]
    rest = f"{begins['allows'] or begins['ought'] or ''} {rest}".lstrip()
    hits = [hit for hit in _ANY_AMOUNT.finditer(_AFTER_ALL.sub("", rest)) if _FIGURE.match(hit["amount"])]
    if len(hits) != 1:
        return None
    (hit,) = hits
    matter = stems_in(_POINTS.sub(" ", f"{rest[: hit.start()]} {rest[hit.end() :]}"))
    amount = _Amount(hit, matter, old, bool(begins["ought"]))
    return amount if matter or old or _POINTS.search(rest) else None


def _only_other(decisions: Sequence[str], amount: _Amount) -> tuple[int, str] | None:
    """The only decision that has another such amount and speaks of the matter."""
    number, unit = _measure(amount.said)
    found: list[tuple[int, str]] = []
    # An amount alone comes in the place of one that it may be: "make it 60" of 30, not of 3.
    is_alone = not (amount.matter or amount.old or unit)
    for at, each in enumerate(decisions):
        if not amount.matter <= stems_in(each):
            continue
        if (
            amount.is_whole
            and len(amount.matter) < _FEWEST
            and not stems_in(_ANY_AMOUNT.sub(" ", each)) <= amount.matter
        ):
            continue
        for there in _ANY_AMOUNT.finditer(each):
            before, its = _measure(there)
            is_same = unit == its or {unit, its} <= _OF_TIME if unit else _FIGURE.match(before) is not None
            is_apart = (
                bool(unit and not there["unit"] and unit in stems_in(each))
                and _FIGURE.match(before) is not None
            )
            is_same = is_same or is_apart
            is_same = is_same and (not is_alone or _is_near(before, number))
            if is_same and before != number and amount.old in ("", before):
                new = (
                    amount.said[0]
                    if unit and not is_apart
                    else f"{number}{each[there.end('amount') : there.end()]}"
                )
                found.append((at, _with_amount(each, there.start(), there.end(), new)))
    return found[0] if len(found) == 1 else None


def _is_near(one: str, other: str) -> bool:
    low, high = sorted((float(one.rstrip(".") or 0), float(other.rstrip(".") or 0)))
    return 0 < high <= _FOLD * low


def is_number(stem: str) -> bool:
    """Whether a stem is a number."""
    return _class_of(stem) == _NUMBERS


def with_another_value(decisions: Sequence[str], said: str) -> list[tuple[int, str]]:
    """The places of the decisions that say the same with another day, month or number, with what they say in its place.

    >>> with_another_value(("the cancel deadline is 3 days", "rent is due in 3 days"), "cancel deadline 5 days, not 3")
    [(0, '3')]
    """
    clauses = [stems_in_order(each, _VALUES) for each in _CLAUSE.split(without_value_denied(said))]
    found = ((at, _other_value(stems_in_order(each, _VALUES), clauses)) for at, each in enumerate(decisions))
    denied = value_denied(said)
    return [(at, value) for at, value in found if value and value == (denied or value)]


def _other_value(old: Sequence[str], clauses: Sequence[Sequence[str]]) -> str:
    for new in clauses:
        if len(new) < _FEWEST:
            continue
        for begin in range(len(old) - len(new) + 1):
            others = [pair for pair in zip(old[begin:], new, strict=False) if pair[0] != pair[1]]
            if len(others) == 1 and _class_of(others[0][0]) == _class_of(others[0][1]) is not None:
                return others[0][0]
    return ""


def _class_of(stem: str) -> int | None:
    return _NUMBERS if re.fullmatch(r"\d[\d.]*", stem) else _CLASS.get(stem)


def _changed(rest: str, left: str) -> tuple[int, re.Match[str]] | None:
    """Where words state another amount than `left` of the same unit, or of time as well, and by which wording; the
    first one names what the amount is of."""
    old = _AT_THE_END.search(left)
    if old is None or is_aside(rest):
        return None
    count, unit = _measure(old)
    for place, pattern in enumerate(_REMADE):
        if (hit := pattern.search(rest)) is None:
            continue
        number, other = _measure(hit)
        is_same = other in ("", unit) or {other, unit} <= _OF_TIME
        if is_same and (number, other or unit) != (count, unit):
            return place, hit
    return None


def _measure(hit: re.Match[str]) -> tuple[str, str]:
    """How many of which unit, as stems."""
    unit = hit["unit"] or ""
    return hit["amount"].lower(), next(iter(stems_in(f"1 {unit}") - {"1"}), "")
