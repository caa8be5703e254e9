"""Two statements choose different alternatives of one kind for one matter, or one where the other wants several.

What an alternative is chosen for must be shared; only what a team chooses once (its repository layout, its CI system)
needs not be named. A statement that names the other's alternative too chooses both, and contradicts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from engramforge.core.conflicts.matters.alternative_kinds import KINDS as ALTERNATIVES
from engramforge.core.conflicts.matters.alternative_kinds import NAMES_ONLY, WHOLE
from engramforge.core.conflicts.matters.matter import CONTRASTS, Matter, is_content, is_same_matter
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import KEPT
from engramforge.core.text.words import root_of, words_of

STRENGTH: Final = 0.7
ONE_OR_SEVERAL: Final = 0.6
_ONE: Final = frozenset({"one", "single", "shared", "common", "central", "mono"})
_SEVERAL: Final = frozenset(
    {"multi", "multiple", "several", "own", "separate", "dedicated", "individual", "many"}
)
_HOW_MANY: Final = frozenset(map(root_of, _ONE | _SEVERAL))
_COUNTABLE_BESIDE: Final = frozenset(
    {"way", "thing", "time", "person", "day", "place", "approve", "review", "step"}
)
_EVERYTHING: Final = re.compile(
    r"(?i)\A(?:everything|all)(?: (?:that )?we (?:run|have|build|own|operate|host|make))?"
    r" (?:is|are|runs?|lives?|sits?)\b"
    r"|\Aall (?:of )?our (?:services|systems|servers|applications|apps|software|sites)\b"
    r"|\A(?:we|our team) (?:\w{1,12}s? )everything\b"
)
_HELD: Final = frozenset({"cloud", "store", "message broker"})
"""Kinds of which a whole team may choose one, and says so."""
_FOR_ALL: Final = frozenset(
    map(root_of, ("service", "application", "app", "code", "workload", "pipeline", "build", "deploy", "deployment",
     "container", "development", "branch", "repository", "repo", "infrastructure", "platform", "software", "product",
     "delivery", "continuous", "integration", "ci", "cd", "source", "control", "tool", "change", "user"))
)  # fmt: skip
"""What everything that a team chooses once is chosen for."""


class Chosen(NamedTuple):
    """An alternative that a statement names: of which kind, which of its alternatives, and where it stands."""

    kind: str
    which: int
    places: frozenset[int]
    said: str


@cache
def _by_first_word() -> dict[str, list[tuple[tuple[str, ...], str, int]]]:
    found: dict[str, list[tuple[tuple[str, ...], str, int]]] = {}
    for kind, alternatives in ALTERNATIVES.items():
        for which, names in enumerate(alternatives):
            for name in names.split("|"):
                words = tuple(name.split())
                found.setdefault(words[0], []).append((words, kind, which))
    for each in found.values():
        each.sort(key=lambda x: -len(x[0]))
    return found


def is_alternative(name: str) -> bool:
    """Whether a name begins with that of an alternative of any kind."""
    return bool(set(words_of(name)[:1]) & _by_first_word().keys())


def kinds_of(words: tuple[str, ...]) -> frozenset[str]:
    """The kinds of which some of these words name an alternative.

    >>> sorted(kinds_of(("postgresql", "16"))), sorted(kinds_of(("the", "harbour")))
    (['store'], [])
    """
    return frozenset(
        kind
        for place, word in enumerate(words)
        for name, kind, _ in _by_first_word().get(word, ())
        if words[place : place + len(name)] == name
    )


@lru_cache(maxsize=KEPT)
def chosen(matter: Matter) -> tuple[Chosen, ...]:
    """The alternatives that a statement names, of each kind the longest name at a place.

    >>> from engramforge.core.conflicts.matters.matter import read_matter
    >>> [(each.kind, each.said) for each in chosen(read_matter("Our public API is GraphQL only."))]
    [('API style', 'GraphQL')]
    """
    return tuple(_chosen(matter))


def _chosen(matter: Matter) -> Iterator[Chosen]:
    taken: set[tuple[str, int]] = set()
    for place, word in enumerate(matter.words):
        for name, kind, which in _by_first_word().get(word, ()):
            places = range(place, place + len(name))
            if matter.words[place : place + len(name)] != name or (kind, place) in taken:
                continue
            if word in NAMES_ONLY and word not in matter.named:
                continue
            taken.update((kind, at) for at in places)
            yield Chosen(kind, which, frozenset(places), _as_written(matter, name))


def _as_written(matter: Matter, name: tuple[str, ...]) -> str:
    """A name with the letters of the text."""
    written = {word: piece for piece in matter.text.replace("/", " ").split() for word in words_of(piece)[:1]}
    return " ".join(written.get(word, word).strip(".,;:!?()\"'") if len(name) == 1 else word for word in name)


def other_alternative(one: Matter, other: Matter) -> Disagreement | None:
    """Different alternatives of one kind for the same.

    >>> from engramforge.core.conflicts.matters.matter import read_matter
    >>> told = read_matter("All public APIs are REST with JSON"), read_matter("Our public API is GraphQL only")
    >>> other_alternative(*told).why
    'REST against GraphQL (API style) for apis, public'
    """
    mine, theirs = chosen(one), chosen(other)
    if not mine or not theirs or one.negated or other.negated:
        return None
    apart = [kind for kind in dict.fromkeys(each.kind for each in mine) if _are_apart(mine, theirs, kind)]
    if len(apart) > 1:
        return None  # tabs in Go and spaces in Python: each chooses for what the other does not speak of
    for kind in apart:
        here, there = ([x for x in side if x.kind == kind] for side in (mine, theirs))
        of = _matter_of(one, mine, kind), _matter_of(other, theirs, kind)
        if _is_one(kind, one, other, *of):
            shared = ", ".join(sorted(_words_for(one, of[0] & of[1])))
            told = f"{here[0].said} against {there[0].said} ({kind})" + (f" for {shared}" if shared else "")
            return Disagreement(Signal.CHOICE, told, STRENGTH)
    return None


def _are_apart(mine: tuple[Chosen, ...], theirs: tuple[Chosen, ...], kind: str) -> bool:
    """Whether both name alternatives of a kind, and none of them both."""
    here, there = ({each.which for each in side if each.kind == kind} for side in (mine, theirs))
    return bool(here and there) and not here & there


def _matter_of(matter: Matter, named: tuple[Chosen, ...], kind: str) -> frozenset[str]:
    """What an alternative of a kind is chosen for; alternatives of other kinds are details of the choice."""
    without = frozenset(at for each in named for at in each.places)
    return matter.about(without) - _kind_words(kind)


@cache
def _kind_words(kind: str) -> frozenset[str]:
    """Words that name a kind itself, and no matter."""
    return frozenset(map(root_of, words_of(kind))) if kind in WHOLE else frozenset()


def _words_for(matter: Matter, stems: frozenset[str]) -> list[str]:
    return [
        word for word, stem in dict(zip(matter.words, matter.stems, strict=True)).items() if stem in stems
    ]


def of_everything(matter: Matter) -> bool:
    """Whether a statement speaks of everything that a team runs, and not of one of its things.

    >>> from engramforge.core.conflicts.matters.matter import read_matter
    >>> of_everything(read_matter("All we run is at Hetzner.")), of_everything(read_matter("All mail is at Hetzner."))
    (True, False)
    """
    return _EVERYTHING.search(matter.text) is not None


def _is_one(kind: str, one: Matter, other: Matter, of: frozenset[str], of_other: frozenset[str]) -> bool:
    if (of_everything(one) is not of_everything(other)) and (kind in WHOLE or kind in _HELD):
        part = other if of_everything(one) else one
        # What everything is put in says which place, too ("in Falkenstein").
        return not (of_other if of_everything(one) else of) & CONTRASTS and not part.is_universal
    if kind in WHOLE:
        here, there = of - _FOR_ALL, of_other - _FOR_ALL
        if not here and not there:
            return True
        if not (of & of_other) and (one.is_universal or other.is_universal or not (here and there)):
            # Whoever says what everything uses speaks of the part, too.
            return (
                not (here | there) & CONTRASTS and min(len(here), len(there)) == 0 and len(here | there) <= 1
            )
    return is_same_matter(of, of_other, one.is_universal, other.is_universal)


def one_or_several(one: Matter, other: Matter) -> Disagreement | None:
    """One thing for all in one statement, and several of the kind in the other.

    >>> from engramforge.core.conflicts.matters.matter import read_matter
    >>> told = read_matter("One cluster for all environments"), read_matter("Each environment gets its own cluster")
    >>> one_or_several(*told).why
    'one cluster against several'
    """
    if one.negated or other.negated:
        return None
    for first, second in ((one, other), (other, one)):
        single, several = counted(first, is_several=False), counted(second, is_several=True)
        if set(counted(first, is_several=True)) & set(single):
            continue
        for thing in sorted(single.keys() & several.keys()):
            of, of_other = (each.about(generic=_HOW_MANY | {thing}) for each in (first, second))
            if of - of_other and of_other - of:
                continue
            return Disagreement(Signal.CHOICE, f"one {single[thing]} against several", ONE_OR_SEVERAL)
    return None


@lru_cache(maxsize=KEPT)
def counted(matter: Matter, is_several: bool) -> dict[str, str]:
    """Stems of things of which a statement wants one, or several -> the words."""
    found: dict[str, str] = {}
    words = matter.words
    for place, word in enumerate(words):
        counts = word in (_SEVERAL if is_several else _ONE)
        is_more = is_several and words[max(place - 2, 0) : place + 1] == ("more", "than", "one")
        if is_several and word == "per":
            before = _noun_phrase(words[max(place - 3, 0) : place])
            if before:
                found[root_of(before[-1])] = before[-1]
        elif counts or is_more:
            phrase = _noun_phrase(words[place + 1 : place + 4])
            behind = words[place + 1 + len(phrase) :][:1]
            if phrase and (is_several or behind != ("per",)):
                found[root_of(phrase[-1])] = phrase[-1]
    if is_several and "per" in words:
        # "Per business unit clusters": the last word of what follows.
        phrase = _noun_phrase(words[words.index("per") + 1 :])
        if len(phrase) > 1:
            found[root_of(phrase[-1])] = phrase[-1]
    return {stem: word for stem, word in found.items() if stem not in _COUNTABLE_BESIDE}


def _noun_phrase(words: tuple[str, ...]) -> list[str]:
    """The words up to the first one without a meaning of its own."""
    found: list[str] = []
    for word in words:
        if not is_content(word, root_of(word)) and root_of(word) not in _FOR_ALL:
            break
        found.append(word)
    return found
