"""Two statements choose differently where only one thing can be chosen.

Three shapes: the same sentence but for one place; the same role of something filled by different things ("Kafka as the
event bus", "the event bus is RabbitMQ"), or the same place of it ("sessions in PostgreSQL", "sessions in Redis"); and a
named thing that is one kind of thing here and another there. English word order alone, no list of things.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engramforge.core.conflicts.alignment import Alignment
from engramforge.core.conflicts.matters.alternatives import kinds_of
from engramforge.core.conflicts.matters.matter import CONTRASTS
from engramforge.core.conflicts.numbers import is_day, is_digest
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import CHOOSING, COUNTS, KEPT, STATING, Statement, read_statement
from engramforge.core.text.words import STOP_WORDS, is_stop_word, root_of, words_of

SAME_SENTENCE: Final = 0.7
FILLED: Final = 0.7
OTHER_KIND: Final = 0.45
_PREPOSITIONS: Final = frozenset(
    {"in", "on", "at", "by", "for", "of", "with", "as", "to", "from", "into", "over", "under", "after", "before",
     "when", "whenever", "if", "unless", "because", "since"}
)  # fmt: skip
_TAIL: Final = frozenset({"for", "of", "when", "whenever", "if", "unless", "because", "since"})
"""What follows these words says what the choice is for, not what was chosen."""
_ROLES: Final = frozenset({"as", "for"})
_PLACES: Final = frozenset({"in", "on", "at", "by", "from", "through", "via", "into"})
_IS_AT: Final = re.compile(r"(?i)\b(?:is|are|was|were|be|takes? place|will be) (?:in|on|at)\b")
"""Where something is: "at the town hall" and "in the harbour" are both a place."""
_MEANS: Final = frozenset({"with", "using"})
_LIKE: Final = {"using": "with", "through": "via", "into": "in"}
"""Prepositions that make the same slot as another."""
_GENERAL: Final = frozenset(
    map(root_of, ("use", "choose", "pick", "adopt", "take", "select", "prefer", "go", "need", "want", "switch", "move",
     "migrate", "stay"))
)  # fmt: skip
"""Verbs that choose and leave open in which sense: whatever slot the preposition makes."""
_SENSES: Final = {
    root_of(verb): sense
    for sense, verbs in (("hold", ("store", "save", "put", "hold", "keep", "retain", "live")),
                         ("host", ("host", "deploy", "locate", "place")))
    for verb in verbs
}  # fmt: skip
"""Verbs that make the same slot -> its sense; every other verb makes one of its own."""
_COPULAS: Final = frozenset({"is", "are", "was", "were", "be", "becomes", "remains", "stays"})
_JOINTS: Final = _ROLES | _PLACES | _MEANS | _COPULAS
_DEFINITE: Final = frozenset({"our", "the", "my", "your", "their"})
"""A role that one alone fills: "X is our queue", not "X is a queue"."""
_LANGUAGES: Final = frozenset(
    {"english", "german", "french", "dutch", "danish", "spanish", "italian", "portuguese", "polish", "swedish",
     "norwegian", "finnish", "turkish", "arabic", "russian", "ukrainian", "greek", "czech", "chinese", "japanese",
     "korean", "hindi"}
)  # fmt: skip
_MOST_SPECIAL: Final = 2
_EACH: Final = frozenset({"every", "each"})
_LEAST_SHARED: Final = 2
_MOST_DIFFERENT: Final = 3
_MOST_FILLING: Final = 6
_FAR: Final = 0.35


def choices(text: str, other: str) -> frozenset[str]:
    """The words in which two texts differ that are the same sentence except in a single place, which is the choice and
    not its purpose; empty where they are not.

    >>> sorted(choices("The office opens at 8.", "The office opens at 9.")), choices("It opens at 8.", "Buy bread.")
    (['8', '9'], frozenset())
    """
    mine, theirs = _frame(text), _frame(other)
    least = min(len(mine), len(theirs))
    before = next((place for place in range(least) if mine[place] != theirs[place]), least)
    after = next(
        (place for place in range(least - before) if mine[-1 - place] != theirs[-1 - place]), least - before
    )
    here, there = mine[before : len(mine) - after], theirs[before : len(theirs) - after]
    alike = [word for word in mine[:before] + mine[len(mine) - after :] if word not in _PREPOSITIONS]
    if not before or not here or not there or max(len(here), len(there)) > _MOST_DIFFERENT:
        return frozenset()
    if any(map(is_digest, (*here, *there))):  # which build or commit is meant, nobody chose
        return frozenset()
    if all(map(is_day, here)) is not all(map(is_day, there)):  # a day, and a place on a day
        return frozenset()
    if len(alike) < _LEAST_SHARED or set(here) & set(there) or _TAIL & {here[0], there[0]}:
        return frozenset()
    if _stand_elsewhere(here, there) and not all(_IS_AT.search(each) for each in (text, other)):
        return frozenset()
    are_numbers = all(word[0].isdigit() for word in (*here, *there))
    # "Use it as a queue" says what it is used for; "ship it as a binary" what was chosen.
    is_role = "as" in mine[:before] and bool(CHOOSING & set(mine[:before]))
    is_choice = are_numbers or not (is_role or _TAIL & set(mine[:before]))
    return frozenset((*here, *there)) if is_choice else frozenset()


def _stand_elsewhere(here: tuple[str, ...], there: tuple[str, ...]) -> bool:
    """Whether what differs stands behind other prepositions, which make other slots ("by Ruth", "in Ghent"); of times
    they do not ("on 3 May", "at the end of May")."""
    sides = [{_LIKE.get(word, word) for word in each if word in _PREPOSITIONS} for each in (here, there)]
    is_time = any(is_day(word) or word[0].isdigit() for word in (*here, *there))
    return all(sides) and sides[0].isdisjoint(sides[1]) and not is_time


@lru_cache(maxsize=KEPT)
def _frame(text: str) -> tuple[str, ...]:
    """The words in their order, with the prepositions that hold them together."""
    words = words_of(text)
    return tuple(root_of(word) for word in words if word not in STOP_WORDS or word in _PREPOSITIONS)


def other_sentence(text: str, other: str, is_one_matter: bool = True) -> Disagreement | None:
    """The same sentence with another choice in it, where neither negates anything nor speaks of somebody unknown.

    `is_one_matter`: they are known to speak of the same; else one does not exclude the other where a verb that chooses
    nothing does this to one thing and to another ("add a queue", "add a cache").
    """
    sides = read_statement(text), read_statement(other)
    differing = choices(text, other)
    if not differing:
        return None
    numbers = {word for word in differing if word[0].isdigit() or word in COUNTS}
    # Two numbers are the matter of the rule that knows what they count.
    are_both = all(numbers & set(map(root_of, words_of(each))) for each in (text, other))
    if (numbers and are_both) or any(each.negations or each.is_indefinite for each in sides):
        return None
    if not is_one_matter and not all(_is_chosen(each, differing) for each in sides):
        return None
    words = [tuple(dict.fromkeys(x.word for x in side.words if x.stem in differing)) for side in sides]
    if _are_other_kinds(*map(kinds_of, words)):
        return None
    told = [" ".join(each) for each in words]
    why = f"the same sentence with another choice: {told[0]} against {told[1]}"
    return Disagreement(Signal.CHOICE, why, SAME_SENTENCE)


def _is_chosen(statement: Statement, differing: frozenset[str]) -> bool:
    """Whether what differs stands where something is chosen: behind a preposition, a copula, a number or a verb that
    chooses."""
    for words in statement.clauses:
        for place, word in enumerate(words):
            if root_of(word) in differing:
                before = [
                    x
                    for x in words[:place]
                    if x in _PREPOSITIONS or x in _COPULAS or not (is_stop_word(x) or x in _EACH)
                ]
                last = before[-1] if before else ""
                is_unit = last in COUNTS or last[:1].isdigit()
                return is_unit or last in _PREPOSITIONS or last in _COPULAS or root_of(last) in CHOOSING
    return False


class Slot(NamedTuple):
    """What a place is filled as: what a shop runs on is not where it is hosted.

    `behind`: the root of the word before the preposition. `sense`: of the verb; None where that leaves it open.
    `kinds`: of which the filling names an alternative.
    """

    behind: str
    preposition: str
    sense: str | None
    kinds: frozenset[str]


class Filled(NamedTuple):
    """A role or place and what fills it. `what`: stems that name it; `filling`: the words that fill it.

    `slot`: of a place; None of a role.
    """

    is_place: bool
    what: frozenset[str]
    filling: tuple[str, ...]
    slot: Slot | None = None


@lru_cache(maxsize=KEPT)
def filled(statement: Statement) -> tuple[Filled, ...]:
    """The roles and places that a statement fills, those that it negates left out.

    >>> from engramforge.core.conflicts.statements import read_statement
    >>> [(sorted(each.what), each.filling) for each in filled(read_statement("Kafka as the event bus"))]
    [(['bus', 'event'], ('kafka',))]
    """
    return tuple(_filled(statement))


def _filled(statement: Statement) -> Iterator[Filled]:
    negated = {(word.clause, word.word) for word in statement.words if word.negated}
    for clause, words in enumerate(statement.clauses):
        plain = [word for word in words if not is_stop_word(word)]
        if any((clause, word) in negated for word in plain):
            continue
        chooses = any(root_of(word) in CHOOSING for word in plain)
        for place, word in enumerate(words):
            if word not in _JOINTS:
                continue
            left, right = _behind(words[:place][::-1])[::-1], _behind(words[place + 1 :])
            if not left or not right:
                continue
            named = statement.names.intersection
            if word in _ROLES and (
                word == "as" or ((chooses or set(left) <= statement.names) and named(left))
            ):
                yield Filled(False, _stems(right), _chosen(left))
            elif word in _COPULAS and _is_done(words[place + 1 :], right) and not named(right):
                continue
            elif word in _COPULAS and not statement.names & set(left):
                # The owner of the harbour is not the harbour.
                yield Filled(False, _stems(left) | _stems(_whose(words[:place])), right)
            elif word in _COPULAS and words[place + 1] in _DEFINITE and not named(right):
                yield Filled(False, _stems(right), left)
            elif word in _MEANS or word in _PLACES:
                told = [each for each in words[:place] if not is_stop_word(each)][-_MOST_FILLING:]
                what = frozenset(map(root_of, told)) - CHOOSING - STATING
                filling = tuple(each for each in right if root_of(each) not in what)
                is_time = all(map(is_day, filling))
                if what and filling and not is_time and (word in _MEANS or named(filling)):
                    yield Filled(True, what, filling, _slot(words, place, right))


def _slot(words: tuple[str, ...], place: int, filling: tuple[str, ...]) -> Slot:
    """The slot that a preposition makes with the verb before it."""
    before = words[:place]
    verbs = [root_of(word) for word in before if root_of(word) in CHOOSING | STATING]
    last = root_of(before[-1])
    if last not in verbs and before[-1] not in _COPULAS and not _COPULAS.isdisjoint(before):
        verbs.append(last)  # "is maintained by"
    verb = verbs[-1] if verbs else None
    sense = None if verb in _GENERAL else _SENSES.get(verb or "", verb)
    return Slot(last, _LIKE.get(words[place], words[place]), sense, kinds_of(filling))


def _whose(words: tuple[str, ...]) -> tuple[str, ...]:
    """What stands before "of" in a subject: "the owner of the harbour"."""
    return _behind(words[: words.index("of")][::-1])[:_MOST_SPECIAL] if "of" in words else ()


def _is_done(words: tuple[str, ...], behind: tuple[str, ...]) -> bool:
    """Whether what follows a copula says what is done with something, and where: "is kept in", "is read from"."""
    following = words[len(behind) :][:1] if behind == words[: len(behind)] else ()
    return len(behind) == 1 and bool(set(following) & _PREPOSITIONS)


def _behind(words: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """The words with a meaning up to the next preposition or copula."""
    found: list[str] = []
    for word in words:
        if word in _PREPOSITIONS or word in _PLACES or word in _COPULAS:
            break
        if not is_stop_word(word):
            found.append(word)
    return tuple(found[:_MOST_FILLING])


def _chosen(words: tuple[str, ...]) -> tuple[str, ...]:
    """What is chosen: the words behind the verb that chooses it."""
    places = [place for place, word in enumerate(words) if root_of(word) in CHOOSING]
    return words[places[-1] + 1 :] if places else words


def _stems(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(root_of, words))


def other_choice(one: Statement, other: Statement, alignment: Alignment) -> Disagreement | None:
    """The same role or place filled differently, or a named thing of another kind.

    >>> from engramforge.core.conflicts.alignment import align
    >>> from engramforge.core.conflicts.statements import read_statement
    >>> told = read_statement("Use Kafka as the event bus"), read_statement("The event bus is RabbitMQ")
    >>> other_choice(*told, align(*told)).why
    'kafka against rabbitmq for event bus'
    """
    said, replied = _stems_of(one), _stems_of(other)
    for mine in filled(one):
        for against in filled(other):
            if mine.is_place is not against.is_place or not _is_one(mine, against):
                continue
            # Who writes it and in which language are two questions.
            if _is_language(mine.filling) is not _is_language(against.filling):
                continue
            # What the other statement says somewhere else is not chosen against it.
            if _stems(mine.filling) & replied or _stems(against.filling) & said:
                continue
            if one.names & set(mine.filling) or other.names & set(against.filling):
                of = [word.word for word in one.words if word.stem in mine.what & against.what]
                told = f"{_told(mine.filling)} against {_told(against.filling)} for {_told(of)}"
                return Disagreement(Signal.CHOICE, told, FILLED)
    return _other_kind(one, other, alignment)


def _is_language(filling: tuple[str, ...]) -> bool:
    return not _LANGUAGES.isdisjoint(filling)


def _told(words: Sequence[str]) -> str:
    """Words as a person reads them: an identifier without the parts that stand behind it."""
    kept: list[str] = []
    for word in words:
        if not any(word in each and word != each for each in kept):
            kept.append(word)
    return " ".join(kept)


@lru_cache(maxsize=KEPT)
def _stems_of(statement: Statement) -> frozenset[str]:
    return frozenset(word.stem for word in statement.words)


def _is_one(mine: Filled, against: Filled) -> bool:
    """Whether two roles or places are the same: the one's words are among the other's, which nothing sets apart."""
    smaller, larger = sorted((mine.what, against.what), key=len)
    is_apart = bool((larger - smaller) & CONTRASTS) or _are_other_slots(mine.slot, against.slot)
    return smaller <= larger and len(larger) <= max(2, _MOST_SPECIAL * len(smaller)) and not is_apart


def _are_other_slots(mine: Slot | None, against: Slot | None) -> bool:
    """Whether two places are different slots of one thing: by preposition, by verb, or by what kind of thing fills
    them."""
    if mine is None or against is None:
        return False
    is_other_verb = None not in (mine.sense, against.sense) and mine.sense != against.sense
    joints = {mine.preposition, against.preposition}
    is_origin = (
        joints == {"in", "from"} and mine.behind == against.behind
    )  # "originating from", "originated in"
    is_elsewhere = len(joints) > 1 and not is_origin
    return is_elsewhere or is_other_verb or _are_other_kinds(mine.kinds, against.kinds)


def _are_other_kinds(kinds: frozenset[str], others: frozenset[str]) -> bool:
    """Whether alternatives are told of which none is of a kind with another: a database, and a cloud."""
    return bool(kinds and others) and kinds.isdisjoint(others)


def _other_kind(one: Statement, other: Statement, alignment: Alignment) -> Disagreement | None:
    """A named thing that is a kind of thing in one statement, and nothing like it in the longer other."""
    if one.negations or other.negations or not any(_kinds(one)) or not any(_kinds(other)):
        return None
    is_turned = len(one.words) > len(other.words)
    if is_turned:
        one, other, alignment = other, one, alignment.turned()
    met = {word.word: float(value) for word, value in zip(one.words, alignment.closeness.max(1), strict=True)}
    theirs = [kind for kind in _kinds(other) if kind.words]
    for kind in _kinds(one):
        if not other.names & kind.subject or not kind.words:
            continue
        named = [word for word in kind.words if word in one.names and met.get(word, 0.0) < 1]
        against = [word for each in theirs for word in each.words if word in other.names]
        if max(met.get(word, 0.0) for word in kind.words) < _FAR or (named and against):
            here, there = _told(named or kind.words), _told(against or theirs[0].words)
            here, there = (there, here) if is_turned else (here, there)
            of_what = _told(sorted(other.names & kind.subject))
            return Disagreement(Signal.CHOICE, f"{of_what} is {here} against {there}", OTHER_KIND)
    return None


class _Kind(NamedTuple):
    """What a named thing is. `subject`: its names."""

    subject: frozenset[str]
    words: tuple[str, ...]


@lru_cache(maxsize=KEPT)
def _kinds(statement: Statement) -> tuple[_Kind, ...]:
    return tuple(_named_kinds(statement))


def _named_kinds(statement: Statement) -> Iterator[_Kind]:
    for words in statement.clauses:
        for place, word in enumerate(words):
            if word in _COPULAS and words[place + 1 : place + 2] in {("a",), ("an",), ("the",)}:
                subject = statement.names & set(words[:place])
                if subject:
                    yield _Kind(frozenset(subject), _behind(words[place + 1 :]))
