"""Whether what a person says later overtakes what was said before, so that the older is no answer by itself.

"Bump retries to 5" states nothing that a question could be compared with, and is still why "max 3 retries" is stale.
Both are told then, with their dates, so a word of the older statement beside a turn in the later one is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engramforge.core.detection.endings.reversals import reversals_in
from engramforge.core.detection.endings.turned import turned_from
from engramforge.core.detection.traps import is_asserted
from engramforge.core.injection.gate import asks, verb_of
from engramforge.core.injection.inputs.echoes import stems_of
from engramforge.core.injection.inputs.matters import COMMON, distinctive
from engramforge.core.injection.inputs.slots import (
    AMOUNT,
    LINK,
    NUMBER,
    UNIT,
    amounts_in,
    gives_another,
    heads_of,
    is_of_the_noun,
    may_be_of,
    sets_it,
    stems_of_values,
    unit_of,
    values_of,
)
from engramforge.core.registries.changed.same_matter import means_for_now
from engramforge.core.registries.changed.standing import Standing
from engramforge.core.registries.named_stems import stems_in, stems_of_name
from engramforge.core.registries.such_names import moved_to
from engramforge.core.registries.wording.passed_on import without_source
from engramforge.core.text.late_pattern import late
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.words import is_stop_word, stem_of, stem_set, words_of
from engramforge.model.registries.detection import Detection

_LONGEST: Final = 240
_LONGEST_EARLIER: Final = 300
"""Characters of a turn that changes something, and of what it changes; longer ones mostly tell of other matters."""
_TURNS_KEPT: Final = 128
_SAID_KEPT: Final = 64
_WORDS_KEPT: Final = 512
"""Texts and words that are kept as they were read: each turn is compared with each statement that is about to be
told."""
_OF_ALL: Final = 3
"""The word that both have is a third of the older statement's, at least."""
_TURNS: Final = late(
    r"(?i)\b(?:instead|from (?:now|today|here) on|no longer|any ?more|any longer|after all|(?:go|going|went|gone|switch"
    r"|moved?|moving) back to|(?:up|down)graded?|(?:switch(?:ed|ing)?|moved?|migrated?) (?:[\w-]{1,30} ){0,3}to"
    r"|(?:rip|throw|kick|tear|take)(?:p?ing)? (?:[\w-]{1,30} ){1,3}out|(?:it|that|this) is (?:all )?[\w.-]{1,30} now"
    r"|(?:is|are) [\w.-]{1,30} (?:[\w.-]{1,30} )?now|(?:we|i) (?:now )?(?:[\w.-]{1,30} ){2,5}now"
    r"|now(?= #?\w{1,30}\W{0,5}\Z))\b|\bnow(?=\s{0,3}[,;.:]?\s{0,3}\Z)"
)
"""Says that something is otherwise than it was."""
_SINCE: Final = late(
    r"(?i)\b(?:up|down)graded [^.;!?]{2,60}|\b(?:switched|moved|migrated|changed) [^.;!?]{2,60} (?:today|yesterday)\b"
)
"""Tells since when something is otherwise: "upgraded to node 22 today"."""
_OF_NOW: Final = late(
    r"(?i)\b(?:right now|just now|at the moment|broken|broke|fail\w*|crash\w*|hangs?|works?|working|fixed|done|finished"
    r"|ready|error\w*|tests?)\b"
)
"""Tells of the moment, or how work goes, and not how something is."""
_JUDGES: Final = late(
    r"(?i)\b(?:too \w+|enough|plenty|make (?:it|that|them)|rather|better|kills?|drains?|overkill|instead|should be"
    r"|(?:go|up|down|back|raise it|lower it|bump it|change it|set it) to|will do)\b"
)
"""Finds an amount wrong, or another one right."""
_SETS: Final = stem_set("""
adjust bump change cap cut decrease double drop every extend half increase keep let limit lower make max maximum min
minimum only put raise reduce set shorten should stay switch take turn update
""")
_TURNING: Final = _SETS | stem_set("""
convert downgrade downgraded downgrading migrate migrated migrating migration moving port ported porting replace
replaced replacing ship start stop swap swapped swapping switched switches switching upgrade upgraded upgrades upgrading
""")
"""What somebody does who has something otherwise, whatever that is."""
_MOST_NAMES: Final = 16
_MOST_SHORT: Final = 8
_FEWEST_NAMES: Final = 2
_SHORTEST: Final = 4
_LONG: Final = 8
"""Letters of the short form of a noun, and of what has one."""
_FEWEST_PARTS: Final = 2
_PARTS: Final = late(r"[,;]\s+|\sand\s")
_BY_A_FIGURE: Final = late(
    rf"(?i)(?<![\w.#:/-])(?P<old>{NUMBER})(?:\s?{UNIT})?\s(?:is|are|was|were|looks?|looked"
    r"|feels?|felt|seems?|sounds?|gets?|makes?|leaves?|eats?|takes?|costs?|wastes?|do(?:es)?(?:n['\u2019]?t| not))"
    r"\s[^,;.:?!\d]{2,60}[,;.\u2014\u2013]\s*(?:(?:so|rather|better|make it|try|say|then)\s)?"
    rf"(?P<new>{NUMBER})(?:\s?(?P<unit>(?!(?:too|also|and|or|are|is)\b){UNIT}))?"
    r"(?:\s(?:then|please|pls|instead|now|rather|it is))?\W*\Z"
)
"""Says what is wrong with a figure, and another one alone at its end: "gallery 12 looks empty, 24"."""
_TOO_THEN: Final = late(
    rf"(?i)\btoo \w+\b[^,;.:?!]{{0,60}}[,;.\u2014\u2013]\s*(?P<new>{NUMBER})"
    rf"(?:\s?(?P<unit>{UNIT}))?\s(?:it is|then|instead|please|pls|rather|from now on)\W*\Z"
)
"""Says what is wrong with a thing, and another figure of it: "gain is too low, 140 it is"."""
_NO_MORE: Final = late(
    rf"(?i)\b(?:not|no longer|instead of|rather than)\s(?:(?:the|on|at|in|after|every)\s)?(?P<old>{NUMBER})"
    rf"(?:\s?(?P<unit>{UNIT}))?(?![\w/:-])"
)
_AMISS: Final = late(
    rf"(?i)(?<![\w.#:/-])(?P<old>{NUMBER})(?:\s?(?P<unit>(?!(?:is|was)\b){UNIT}))?\s(?:clash(?:es|ed)|collides"
    r"|conflicts|no longer|(?:is|was) (?:taken|used|in use|blocked|gone|dead|out|over|wrong|history|no more|too)\b)"
)
"""Says of an amount that it is no more: "not 14", "8085 clashes with ..."."""
_NAMES_ALONE: Final = 4
"""Digits of a number that names a matter by itself, as a port."""
_FEW_WORDS: Final = 12
_FILLERS: Final = stem_set(
    "actual actually better btw just rather ok okay then instead since hm hmm yes yeah no move"
)
_REFUSES: Final = late(
    r"(?i)\A\W*(?:(?:actually|ok(?:ay)?|hm+|and|so|oh)\W{1,3}){0,2}no (?P<left>[\w.+#-]{2,30})"
    r"(?: (?:pls|please|any ?more|at all|ever again))(?=\s?[,.;!]|\W*\Z)"
)
"""Wants something no more: "no kelp pls, it rots"."""
_COUNTS: Final = frozenset(("", "times", "x"))
_CLAUSE: Final = late(r"[,;!?()\u2014\u2013]\s|:\s|\.(?:\s|\Z)|\s-\s")


class _Turn(NamedTuple):
    """A later turn: its stems, how these begin, those of a matter, its numbers and clauses, whether it tells how work
    goes, and sets what it does not name, and what it has moved to what else."""

    read: str
    stems: frozenset[str]
    heads: frozenset[str]
    distinct: frozenset[str]
    numbers: frozenset[str]
    clauses: tuple[str, ...]
    is_of_now: bool
    sets_it: bool
    moved: tuple[frozenset[str], str] | None


class _Said(NamedTuple):
    """The stems of what was said before, those of a matter, its amounts, and its other values by their kinds."""

    stems: frozenset[str]
    distinct: frozenset[str]
    amounts: tuple[tuple[str, str], ...]
    values: dict[str, frozenset[str]]


def overtakes(later: str, earlier: str) -> bool:
    """Whether what a person says later changes what was said before, or says how it is since.

    >>> overtakes("bump retries to 5", "max 3 retries on the webhook"), overtakes("bump the heap to 5", "max 3 retries")
    (True, False)
    >>> overtakes("15 is too short, make it 20 min", "a hold is 15 min"), overtakes("15 of 20 fail", "a hold is 15 min")
    (True, False)
    >>> said = "loki was too expensive, we write plain files now", "the loki test fails now", "is it loki now?"
    >>> [overtakes(each, "logs go to loki") for each in said]
    [True, False, False]
    """
    turn = _turn_of(later) if len(earlier) <= _LONGEST_EARLIER else None
    if turn is None or not _shares(turn, said := _said_of(earlier)):
        return False
    read = turn.read
    shared = frozenset(each for each in turn.distinct if is_of_the_noun(each, said.distinct))
    if _sets_another_amount(read, earlier, shared) or _denies_its_amount(read, earlier, shared):
        return True
    if not turn.is_of_now and any(_says_another(each, earlier) for each in turn.clauses):
        return True
    if turn.moved is not None and _is_moved(turn.moved, earlier):
        return True
    # That both turn to something does not make them one matter.
    matter = shared - _TURNING
    is_of_it = len(matter) * _OF_ALL >= len(said.distinct - _TURNING) > 0
    if is_of_it and not turn.is_of_now and _TURNS.search(read):
        return True
    if turn.sets_it:
        # What it is of is told by the talk around it, not by any amount.
        return False
    if (refused := _REFUSES.match(read)) is not None and _is_left(refused["left"], earlier):
        return True
    return any(
        _is_left(each.text, earlier) or turned_from(each, [Standing(earlier)])[1]
        for each in _reversals_in(read)
    )


@lru_cache(maxsize=_TURNS_KEPT)
def _reversals_in(read: str) -> tuple[Detection, ...]:
    return tuple(reversals_in(read, ()))


@lru_cache(maxsize=_TURNS_KEPT)
def _turn_of(later: str) -> _Turn | None:
    """A turn that may change something, as it is read; None for one that may not."""
    read = with_apostrophes(without_source(later))
    is_command = read.lstrip().startswith(("/", "!"))
    if is_command or not 0 < len(read) <= _LONGEST or asks(read) or not is_asserted(read):
        return None
    if means_for_now(_SINCE.sub(" ", read)):
        return None
    numbers = frozenset(number for number, _ in amounts_in(read))
    is_of_now = _OF_NOW.search(read) is not None
    clauses, stems = tuple(_CLAUSE.split(read)), stems_of(read)
    sets, moved = bool(sets_it(read)), moved_to(read)
    return _Turn(read, stems, heads_of(stems), distinctive(read), numbers, clauses, is_of_now, sets, moved)


@lru_cache(maxsize=_SAID_KEPT)
def _said_of(earlier: str) -> _Said:
    return _Said(stems_of(earlier), distinctive(earlier), tuple(amounts_in(earlier)), values_of(earlier))


def _shares(turn: _Turn, said: _Said) -> bool:
    """Whether a turn has any word or number of what was said, without which it is of something else."""
    if not said.stems.isdisjoint(turn.stems) or any(number in turn.numbers for number, _ in said.amounts):
        return True
    # Of many turns with many statements hardly any begin a word alike.
    if turn.heads.isdisjoint(heads_of(said.stems)):
        return False
    return any(is_of_the_noun(each, said.stems) for each in turn.stems)


def repeats(answer: str, prompt: str) -> bool:
    """Whether an answer says what it was said to again, or what that asked for: a short one does, a long one with an
    amount of it.

    >>> repeats("Noted. HULL_MONTHS = 14.", "the hull is good for 14 months")
    True
    """
    if len(prompt) > _LONGEST_EARLIER:
        return False
    return len(answer) <= _LONGEST or not {*amounts_in(answer)}.isdisjoint(amounts_in(prompt))


def left_standing(later: Sequence[str], earlier: str) -> str:
    """The parts of a statement of several values that no later turn changes; "" where it is of one, or no turn says by
    itself which part it changes.

    >>> left_standing(["gain is too low, 140 it is"], "shutter 5 s, gain 100, binning 2x2")
    'shutter 5 s, binning 2x2'
    >>> left_standing(["140 it is"], "shutter 5 s, gain 100"), left_standing(["gain 140"], "gain 100")
    ('', '')
    """
    if len(earlier) > _LONGEST_EARLIER:
        return ""
    headed, head, said = earlier.rpartition(": ")
    parts = [part for part in _PARTS.split(said) if part.strip()]
    if len(parts) < _FEWEST_PARTS or not all(any(map(str.isdecimal, part)) for part in parts):
        return ""
    left = [
        part
        for part in parts
        if not any(distinctive(turn) & distinctive(part) and overtakes(turn, part) for turn in later)
    ]
    return f"{headed}{head}{', '.join(left)}" if 0 < len(left) < len(parts) else ""


def _is_moved(moved: tuple[frozenset[str], str], earlier: str) -> bool:
    """Whether what is moved to something else is what was spoken of before, and was elsewhere."""
    what, taken = moved
    return bool(what) and what <= stems_in(earlier) and taken.casefold() not in words_of(earlier.casefold())


def _is_left(left: str, earlier: str) -> bool:
    """Whether what somebody turns from is named by what was said before."""
    name = stems_of_name(left)
    return bool(name) and name <= stems_of_name(earlier)


def _sets_another_amount(later: str, earlier: str, shared: frozenset[str]) -> bool:
    """Whether words give what was said before another amount: they name the old one, or what it is of and nothing
    else."""
    before = _said_of(earlier).amounts
    if (by := _BY_A_FIGURE.search(later)) is not None:
        return _is_by_a_figure(by, later, earlier)
    if shared and (then := _TOO_THEN.search(later)) is not None:
        unit = unit_of(then["unit"])
        return any(its[0] != then["new"] and may_be_of(unit, its[1]) for its in before)
    for clause, number, unit in _amounts_by_clause(later) if before else ():
        others = [its for its in before if its[0] != number and may_be_of(unit, its[1])]
        verb = verb_of(clause)
        if not others or (verb and stem_of(verb) not in _SETS | shared):
            continue
        said = distinctive(AMOUNT.sub(" ", clause)) - _SETS
        if said and said <= shared:
            return True
        is_judged = _JUDGES.search(later) is not None
        if is_judged and any(_is_named(its, later) for its in others):
            return True
    return False


def _denies_its_amount(later: str, earlier: str, shared: frozenset[str]) -> bool:
    """Whether words name another amount of a matter, and say of the one that was said before that it is no more."""
    before = _said_of(earlier).amounts
    left = [*_NO_MORE.finditer(later), *_AMISS.finditer(later)] if before else []
    for hit in left:
        old, unit = hit["old"].replace(",", "."), unit_of(hit["unit"])
        is_it = any(its[0] == old and may_be_of(unit, its[1]) for its in before)
        is_other = any(number != old for number, _ in amounts_in(later))
        if is_it and is_other and (shared or len(old) >= _NAMES_ALONE):
            return True
    return False


def _says_another(clause: str, earlier: str) -> bool:
    """Whether a clause gives what was said before another value of the same kind, and names nothing else."""
    its, before, values = (said := _said_of(earlier)).stems, said.amounts, said.values
    if not values and not (before and any(map(str.isdecimal, clause))):
        return False
    stems = _stems_in(clause)
    if not 0 < len(stems) <= _FEW_WORDS or not any(is_of_the_noun(each, its) for each in stems):
        return False
    verb = verb_of(clause)
    if verb and stem_of(verb) not in _SETS | its:
        return False
    named = stems_of(LINK.sub(" ", AMOUNT.sub(" ", clause))) - _SETS - COMMON - _FILLERS
    for number, unit in amounts_in(clause) if before else ():
        is_noun = (
            bool(unit) and stem_of(unit) in its and all(stem_of(unit) != stem_of(old) for _, old in before)
        )
        nouns = named | {stem_of(unit)} if is_noun else named
        is_such = any(old != number and _is_same_unit(unit, of, is_noun) for old, of in before)
        if is_such and nouns and all(is_of_the_noun(each, its) for each in nouns):
            return True
    kinds = gives_another(clause, earlier) if values else frozenset()
    nouns = named - stems_of_values(clause, kinds) if kinds else frozenset()
    return bool(nouns) and all(is_of_the_noun(each, its) for each in nouns)


@lru_cache(maxsize=_TURNS_KEPT)
def _stems_in(clause: str) -> tuple[str, ...]:
    """The stems of all words of a clause."""
    return tuple(map(stem_of, words_of(LINK.sub(" ", clause.casefold()))))


def _is_same_unit(unit: str, of: str, is_noun: bool) -> bool:
    return of in _COUNTS if is_noun else bool(unit) and bool(of) and may_be_of(unit, of)


def _is_by_a_figure(by: re.Match[str], later: str, earlier: str) -> bool:
    """Whether a figure that is found wrong is of what was said before, and the one behind it of the same."""
    both = stems_of(later) & stems_of(earlier)
    unit, old = unit_of(by["unit"]), by["old"].replace(",", ".")
    is_of_none = all(each.replace(".", "").isdigit() for each in both)
    if by["old"] == by["new"] or _OF_NOW.search(later) or is_of_none:
        return False
    return any(its[0] == old and may_be_of(unit, its[1]) for its in _said_of(earlier).amounts)


def _is_named(amount: tuple[str, str], later: str) -> bool:
    return any(number == amount[0] and may_be_of(unit, amount[1]) for number, unit in amounts_in(later))


def _amounts_by_clause(text: str) -> Iterator[tuple[str, str, str]]:
    for clause in _CLAUSE.split(text):
        for number, unit in amounts_in(clause):
            yield clause, number, unit


@lru_cache(maxsize=_WORDS_KEPT)
def is_of_a_matter(word: str) -> bool:
    """Whether a word tells of what matter something is; kept, for the same words come again and again."""
    return bool(distinctive(word))


@lru_cache(maxsize=_SAID_KEPT)
def looked_for(said: str) -> tuple[str, ...]:
    """The words of a statement by which a later one may name it: what it is of, in short too, and its amounts.

    >>> looked_for("the kiln cools for 20 minutes")
    ('20', '20minutes', '20m', '20min', 'kiln', 'cools')
    >>> looked_for("photographs are kept")
    ('photographs', 'kept', 'phot', 'photo', 'photog', 'photogr')
    """
    if len(said) > _LONGEST_EARLIER:
        return ()
    named = words_of(with_apostrophes(LINK.sub(" ", said).casefold()))
    words = [word for word in named if is_of_a_matter(word)]
    if len(words) < _FEWEST_NAMES:
        # "Default" tells of no matter, and is all that some statements have.
        words += [word for word in named if not (is_stop_word(word) or word.isdigit() or word in words)]
    short = [word[:end] for word in words if len(word) >= _LONG for end in range(_SHORTEST, _LONG)]
    amounts = [
        f"{number}{short}" for number, unit in amounts_in(said) for short in ("", unit, unit[:1], unit[:3])
    ]
    names, shorter = tuple(dict.fromkeys((*amounts, *words))), tuple(dict.fromkeys(short))
    return names[:_MOST_NAMES] + shorter[:_MOST_SHORT]
