"""What an answer reports to have been changed, and of what: "Set the request timeout to 45 seconds.".

Right behind a person's turn that gives the value, in whatever words, such a report is evidence that what was said
before of the same matter with another value is no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from engramforge.core.injection.inputs.echoes import stems_of
from engramforge.core.injection.inputs.matters import COMMON, distinctive, measures_of
from engramforge.core.injection.inputs.slots import AMOUNT, amounts_in, is_of_the_noun, may_be_of, values_of
from engramforge.core.oracle.units import UNITS
from engramforge.core.registries.changed.same_matter import means_for_now
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import is_stop_word, stem_of, stem_set, words_of

_LONGEST: Final = 200
"""Characters of a turn, an answer or a statement that is of one matter."""
_KEPT: Final = 128
_SENTENCES: Final = 2
_CHANGED: Final = (
    r"(?:switched|changed|moved|set|raised|lowered|increased|reduced|decreased|bumped|updated|migrated|extended"
    r"|shortened|cut|doubled|halved|tripled|adjusted|swapped|reset|reverted|put|dropped|pinned)"
)
_VALUE: Final = r"(?P<value>[^\s,;:!?][^,;:!?\n]{0,60})"
_REPORTS: Final = tuple(
    late(rf"(?i)\A\W*(?:(?:ok(?:ay)?|done|sure|right|alright)\b\W{{1,3}}){{0,2}}{frame}")
    for frame in (
        rf"(?:(?:i|we)(?: have|['\u2019]ve)? )?{_CHANGED}\b(?P<what>[^,;:!?\n]{{0,80}}?)"
        rf"\s(?:back )?(?:over )?(?:to|onto|at)\s{_VALUE}",
        rf"(?:(?:i|we)(?: have|['\u2019]ve)? )?(?:replaced|swapped)\s(?P<left>[^,;:!?\n]{{2,60}}?)\s(?:by|with|for)\s"
        rf"{_VALUE}",
        rf"(?P<what>[^,;:!?\n]{{2,80}}?)\s(?:(?:is|are|was|were|has been|have been)\s)?(?:now\s)?{_CHANGED}"
        rf"\s(?:back )?(?:over )?(?:to|onto|at)\s{_VALUE}",
        r"(?P<what>[^,;:!?\n]{2,80}?)\s(?:is|are|runs?|uses?|goes|go|gets?|expires?|lasts?|stays?|takes?|comes?"
        r"|points?|holds?|(?:may|can|must) (?:be|have|take))\s"
        r"(?P<value>(?=[^,;:!?\n]{0,70}\b(?:now|again|from now on)\b)[^,;:!?\n]{1,80})",
        r"(?P<what>)(?P<value>[^,;:!?\n]{1,40}?)\s(?:now|it is|then|from now on)(?=\W*\Z)",
    )
)
_NOT_DONE: Final = late(
    r"(?i)\b(?:not|never|still|fail\w*|errors?|broken|cannot|would|could|should|might|if|why|unless|maybe|perhaps"
    r"|was|were|used to|todo|later|propose|suggest\w*|recommend\w*)\b|n['\u2019]t\b|\?"
)
"""Tells of no change that was made."""
_SENTENCE: Final = late(r"(?<=[.!?])\s+(?=[A-Z\"'`(])|\n")
_LEAD: Final = late(
    r"(?i)\A(?:(?:the|an?|now|be|back|out|up|over|to|at|on|for|as|in|by|with|via|stored|kept|sent|held|run|made|served"
    r"|polled|cached|published|built|deployed|hosted|(?P<how>numbered|named|called|written|rendered|shown|capped"
    r"|limited|styled|tested|signed|encrypted|compressed|sorted|formatted))\s){1,4}"
)
_END: Final = late(
    r"(?i)\s(?:for|in|on|as|from|because|so|everywhere|now|and|instead|with|again|then|too|across|of|at|per|via|it is"
    r"|by)\b|[.]?\W*\Z"
)
_WORDS_OF_A_NAME: Final = 3
_MOST_ALONE: Final = 2
_LEAST: Final = 3
"""Words of a name, also of one that stands alone, and letters of its beginning."""
_VERSION: Final = late(r"(?i)v?\d")
_PARTS: Final = late(r"[,;]\s+|\.\s+|\sand\s")
_IDENTIFIER: Final = late(r"(?<=[a-z])(?=[A-Z])|_")
_OF_CODE: Final = late(
    r"(?i)/\w|\w/|\(\)|\.(?:[jt]sx?|mjs|py|go|rs|rb|java|kt|php|json|ya?ml|toml|ini|md|html?|s?css|sql|txt|sh|lock|env)\b"
)
"""Files and calls, which are where work is done."""
_ASSIGNS: Final = late(
    r"(?i):\s|\b(?:is|are|be|was|gets?|uses?|using|via|through|from|with|by|as|on|in|at|to|has|have|runs?|stays?|keeps?"
    r"|becomes?)\b"
)
_FORBIDS: Final = late(r"(?i)\A\W*(?:(?:please|pls)\s)?(?:never|no|don['\u2019]?t|do not|avoid|without)\b")
_BY_FACTOR: Final = (
    (late(r"(?i)\bdouble (?:it|that|them|the)\b|\btwice (?:that|as)\b|\bx ?2\b"), 2.0),
    (late(r"(?i)\bhalve\b|\bhalf (?:of )?(?:it|that|the)\b|\bin half\b"), 0.5),
    (late(r"(?i)\btriple (?:it|that|them|the)\b|\bthree times (?:that|as)\b"), 3.0),
)
_ONE: Final = late(r"(?i)\b(?:1|an?|one|each|every)\b")
"""How a turn says one of something: "a day"."""
_BACK: Final = late(r"(?i)\b(?:back|again|revert\w*|was (?:fine|better|right|ok(?:ay)?))\b")
_NOT_OF_IT: Final = stem_set("""
back change changed config configuration count current default done duration frequency instead length level lifetime
limit max maximum min minimum move moved now number option out parameter period set setting size switched too ttl update
updated value wait
""")
"""Words that a change is told with, and that name no matter by themselves."""
_OF_ALL: Final = 3
_THINGS: Final = frozenset(("colour", "tongue", "day"))
"""Kinds of values that are no names."""


class Report(NamedTuple):
    """What an answer reports: the stems of what was changed, of a matter and all, the value, as it is written, by its
    words and as an amount, and whether it was so before; `is_old`: whether what was changed is named by its old
    value."""

    what: frozenset[str]
    words: frozenset[str]
    value: str
    name: tuple[str, ...]
    amount: tuple[str, str] | None
    is_back: bool
    is_old: bool = False


@lru_cache(maxsize=_KEPT)
def reported_in(answer: str) -> Report | None:
    """The first change that an answer reports; None where it reports none.

    >>> set_to, switched = reported_in("Set the tide alarm to 45 seconds."), reported_in("Switched to NATS.")
    >>> sorted(set_to.what), set_to.amount, set_to.name
    (['alarm', 'tide'], ('45', 'seconds'), ('45', 'seconds'))
    >>> sorted(switched.what), switched.amount, switched.name
    ([], None, ('nats',))
    >>> reported_in("I would set it to 45."), reported_in("The fog alarm rings now and then."), reported_in("Fixed.")
    (None, None, None)
    """
    if not 0 < len(answer) <= 2 * _LONGEST:
        return None
    for said in _SENTENCE.split(answer.strip())[:_SENTENCES]:
        if len(said) > _LONGEST or _NOT_DONE.search(said) is not None:
            continue
        for pattern in _REPORTS:
            if (hit := pattern.match(said)) is not None and (report := report_of(hit, said)) is not None:
                return report
    return None


def reports_another(turn: str, answer: str, earlier: str, *, is_changed: bool = False) -> bool:
    """Whether the answer to a person's turn reports that what was said earlier has another value, which the turn gives.

    `is_changed`: whether the earlier value was changed since, so that the report may give it back.

    >>> reported = "no wait, 45", "Set the tide alarm to 45 seconds."
    >>> said = "the tide alarm is 30 s", "the tide alarm is 45 s", "the fog alarm is 30 s", "ring 30 s before the tide"
    >>> [reports_another(*reported, each) for each in said]
    [True, False, False, False]
    >>> reports_another("kelp out, sand in", "Switched to sand.", "bedding of the tanks: kelp, 2 cm deep")
    True
    >>> reports_another("pytest for that test", "Switched the test to pytest.", "never skip a test on fridays")
    False
    """
    report = reported_in(answer)
    if report is None or not 0 < len(turn) <= _LONGEST:
        return False
    if means_for_now(turn) or not (_gives(turn, report) or _by_factor(turn, report, earlier)):
        return False
    is_back = report.is_back or _BACK.search(turn) is not None or is_changed
    if report.what:
        return is_of_it(report, report.what, report.words, earlier, is_back)
    what = _nouns(turn) - frozenset(map(stem_of, report.name))
    return is_of_it(report, what, what, earlier, is_back)


def is_told_by(turn: str, answer: str) -> bool:
    """Whether an answer reports what a turn gives, and names of what it is.

    >>> [is_told_by("make it 15", each) for each in ("The tide alarm is 15 min now.", "Set to 15.", "Ok, 10 it is.")]
    [True, False, False]
    """
    report = reported_in(answer)
    if report is None or not report.what:
        return False
    return _gives(turn, report) or (report.amount is not None and factor_in(turn) is not None)


def factor_in(turn: str) -> float | None:
    """By what a turn has something multiplied: "double it"; None where it says nothing so.

    >>> factor_in("hm double it"), factor_in("cut it in half"), factor_in("a double room")
    (2.0, 0.5, None)
    """
    if len(turn) > _LONGEST:
        return None
    return next((by for pattern, by in _BY_FACTOR if pattern.search(turn) is not None), None)


def may_report_another(answer: str, earlier: str) -> bool:
    """Whether an answer reports a value of what it names, which an earlier statement is of, be that another or not.

    >>> [may_report_another(f"Set the {each} alarm to 45 s.", "the tide alarm is 30 s") for each in ("tide", "fog")]
    [True, False]
    """
    report = reported_in(answer)
    return report is not None and is_of_it(report, report.what, report.words, earlier, is_back=True)


def is_of_it(
    report: Report, what: frozenset[str], words: frozenset[str], earlier: str, is_back: bool
) -> bool:
    """Whether a report is of an earlier statement, or of a part of it, that has another value."""
    if not what or not 0 < len(earlier) <= 2 * _LONGEST:
        return False
    if report.amount is not None:
        words = words - _NOT_OF_IT
    parts = [part for part in _PARTS.split(earlier) if part.strip()]
    return any(_is_another(report, what, words, part, is_back) for part in dict.fromkeys((*parts, earlier)))


def report_of(hit: re.Match[str], said: str) -> Report | None:
    """What a change was told to be, as its groups `what` and `value` have it; None where that is no value."""
    lead = _LEAD.match(given := hit["value"].strip())
    value, how = (given, "") if lead is None else (given[lead.end() :], lead["how"] or "")
    end = _END.search(value)
    value = (value[: end.start()] if end is not None else value).strip(" .\"'`*()")
    groups = hit.groupdict()
    left = groups.get("left") or ""
    what = f"{left or groups['what']} {how}"
    name = tuple(words_of(value.casefold()))
    if not 0 < len(name) <= _WORDS_OF_A_NAME or _OF_CODE.search(value) is not None:
        return None
    if all(map(is_stop_word, name)):
        return None
    amount = next(amounts_in(value), None)
    if amount is None and name[0][:1].isdigit() and len(name) > 1 and "-" not in value:
        return None
    if not (left or groups["what"]) and amount is None and len(name) > _MOST_ALONE:
        return None
    its = _nouns(what)
    if not its and amount is not None and amount[1]:
        # An everyday thing is the matter where its unit says of what kind the value is: "uploads may be 60 MB".
        its = _words(what) - _NOT_OF_IT - COMMON
    return Report(its, _words(what), value, name, amount, _BACK.search(said) is not None, bool(left))


def _words(text: str) -> frozenset[str]:
    return stems_of(_IDENTIFIER.sub(" ", text))


def _nouns(text: str) -> frozenset[str]:
    """The stems of what a text is of, the parts of identifiers among them."""
    return distinctive(_IDENTIFIER.sub(" ", text)) - _NOT_OF_IT


def _gives(turn: str, report: Report) -> bool:
    """Whether a turn has the value that a report tells."""
    if report.amount is not None:
        if report.amount[0] == "1" and report.amount[1]:
            return _ONE.search(turn) is not None and report.amount[1] in turn.casefold()
        return any(number == report.amount[0] for number, _ in amounts_in(turn))
    said = words_of(turn.casefold())
    return any(each == report.name[0] or _is_begun(each, report.name) for each in said)


def _is_begun(word: str, name: tuple[str, ...]) -> bool:
    """Whether a word is a name without its end, or with more: "postgres" and "PostgreSQL"."""
    short, long = sorted((word, name[0]), key=len)
    return len(short) >= _LEAST and long.startswith(short) and not is_stop_word(short)


def _by_factor(turn: str, report: Report, earlier: str) -> bool:
    """Whether a turn gives the reported value as a multiple of the earlier one: "double it"."""
    if report.amount is None:
        return False
    if (factor := factor_in(turn)) is None:
        return False
    new = float(report.amount[0])
    return any(abs(float(number) * factor - new) < 1e-6 for number, _ in amounts_in(earlier))


def _is_another(
    report: Report, what: frozenset[str], words: frozenset[str], earlier: str, is_back: bool
) -> bool:
    """Whether an earlier statement is of what was changed, and has another value."""
    its, said = _nouns(earlier), _words(earlier)
    if report.amount is not None and report.amount[1]:
        its |= said - COMMON
    if not (what & its or any(is_of_the_noun(each, its) for each in what)):
        return False
    if not all(is_of_the_noun(each, said) for each in words):
        return False
    if report.amount is not None:
        return _has_another_amount(report.amount, words, earlier, is_back)
    if len(what) * _OF_ALL < len(its) or _FORBIDS.match(earlier) is not None:
        return False
    has_it = {*report.name} <= {*words_of(earlier.casefold())}
    if has_it and not is_back:
        return False
    if measures_of(earlier) - {""}:
        return False
    has_value = report.is_old or bool(its - words) or _has_code(earlier) or (is_back and has_it)
    is_told = _ASSIGNS.search(earlier) is not None or len(words_of(earlier)) == len(what) + 1
    return has_value and is_told and _may_be_of_its_kind(report, earlier)


def _has_another_amount(amount: tuple[str, str], words: frozenset[str], earlier: str, is_back: bool) -> bool:
    """Whether a statement has an amount of the same kind, with another number, unless that is given back."""
    number, unit = amount
    old = [each for each in amounts_in(earlier) if may_be_of(unit, each[1])]
    if not unit:
        # A figure alone counts what it is of, or is in the unit that all know.
        old = [each for each in old if not each[1] or each[1] in UNITS or stem_of(each[1]) in words]
    return bool(old) and (is_back or all(each[0] != number for each in old))


def _has_code(earlier: str) -> bool:
    """Whether a statement has a number that is no amount: "2026-0001"."""
    return any(map(str.isdecimal, AMOUNT.sub(" ", earlier)))


def _may_be_of_its_kind(report: Report, earlier: str) -> bool:
    if _VERSION.match(report.value) is not None and not any(map(str.isdecimal, earlier)):
        return False
    new, old = values_of(report.value), values_of(earlier)
    if new.keys() & old.keys():
        return True
    return not (new.keys() | old.keys()) & _THINGS


def changed_by_reports(pairs: Iterable[tuple[str, str, str]], earlier: str) -> list[str]:
    """The keys of those turns that change an earlier statement as the answers to them report; `pairs`: the key of each,
    it, and its answer, the oldest first.

    >>> said = [("a", "set it to 3", "Set the wash to 3 h."), ("b", "no, 5 was fine", "Set the wash to 5 h again.")]
    >>> changed_by_reports(said, "a wash is 5 h"), changed_by_reports(said[1:], "a rinse is 5 h")
    (['a', 'b'], [])
    """
    changed: list[str] = []
    for key, turn, answer in pairs:
        if reports_another(turn, answer, earlier, is_changed=bool(changed)):
            changed.append(key)
    return changed
