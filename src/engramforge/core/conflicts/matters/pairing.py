"""Which of many statements may exclude each other, found by what they are about and not by how near they are.

Whether a pair is found depends on the two alone: they name alternatives of one kind for something that both name,
amounts of one family of it, one thing and several, who holds one thing, what becomes of it, versions of one, or one has
every word that the other forbids. Nothing is compared with everything: statements meet in cells of these, and a cell of
very many says nothing and is left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final

from engramforge.core.conflicts.matters.ages import aged
from engramforge.core.conflicts.matters.alternative_kinds import WHOLE
from engramforge.core.conflicts.matters.alternatives import chosen, counted, of_everything
from engramforge.core.conflicts.matters.amounts import amounts
from engramforge.core.conflicts.matters.contraries import said_of
from engramforge.core.conflicts.matters.leaving import moved
from engramforge.core.conflicts.matters.matter import Matter, read_matter
from engramforge.core.conflicts.matters.owners import held
from engramforge.core.conflicts.matters.prohibitions import forbidden
from engramforge.core.conflicts.matters.returns import fate_of
from engramforge.core.conflicts.matters.schedules import measured, timed
from engramforge.core.conflicts.matters.version_ranges import versions

_MOST_IN_CELL: Final = 48
_MOST_BESIDE: Final = 400
"""So many statements that do one forbidden thing are compared with its prohibition, at most."""
Cell = tuple[str, str, str]


def pairs_of_one_matter(
    statements: Mapping[str, Iterable[str]], fresh: Collection[str]
) -> set[tuple[str, str]]:
    """Pairs of names whose statements may exclude each other, of which one at least is fresh.

    `statements`: what each says, sentence by sentence.

    >>> told = {"a": ["Keep sessions in Redis."], "b": ["Sessions are in MySQL."], "c": ["Lunch is at noon."]}
    >>> pairs_of_one_matter(told, {"a"})
    {('a', 'b')}
    """
    matters = {name: [read_matter(each) for each in said] for name, said in statements.items()}
    cells: dict[Cell, dict[str, None]] = defaultdict(dict)
    for name, every in matters.items():
        for matter in every:
            for cell in _cells(matter):
                cells[cell][name] = None
    found = {
        pair
        for names in cells.values()
        if 1 < len(names) <= _MOST_IN_CELL
        for pair in combinations(sorted(names), 2)
    }
    found.update(_forbidding(matters))
    return {pair for pair in found if pair[0] in fresh or pair[1] in fresh}


def _cells(matter: Matter) -> Iterator[Cell]:
    """Where a statement meets others: a kind with a word that it is about."""
    yield from _cells_of_text(matter.text)
    if matter.negated:
        return
    about = matter.about()
    for kind in dict.fromkeys(each.kind for each in chosen(matter)):
        if kind in WHOLE or of_everything(matter):
            yield "whole", kind, ""
        yield from (("kind", kind, stem) for stem in about)
    for family in dict.fromkeys(each.family for each in amounts(matter)):
        yield from (("amount", family, stem) for stem in about)
    if (found := versions(matter.text)) is not None:
        yield "versions", found.name, ""
    if (fate := fate_of(matter.text)) is not None:
        yield "fate", "", " ".join(sorted(fate.thing))
    if (holding := held(matter.text)) is not None:
        yield "held", holding.way, " ".join(sorted(holding.thing))
    yield from (
        ("counted", thing, "") for several in (False, True) for thing in counted(matter, is_several=several)
    )


def _cells_of_text(text: str) -> Iterator[Cell]:
    """Where a statement meets others by the shape of its sentence, whether it negates anything or not."""
    for name, found in (("timed", timed(text)), ("measured", measured(text))):
        if found is not None:
            yield name, "", _key(found.deed)
    if (said := said_of(text)) is not None:
        yield "said", said.way, _key(said.thing)
    if (moving := moved(text)) is not None:
        yield "moved", "", _key(moving.what)
    if (of_age := aged(text)) is not None:
        yield from (("aged", "", root) for root in of_age.says)


def _key(roots: Collection[str]) -> str:
    return " ".join(sorted(roots))


def _forbidding(matters: Mapping[str, list[Matter]]) -> Iterator[tuple[str, str]]:
    """Prohibitions with what has all of their words."""
    rules = [
        (name, wanted) for name, every in matters.items() for each in every if (wanted := forbidden(each))
    ]
    if not rules:
        return
    words = frozenset(stem for _, wanted in rules for stem in wanted)
    having: dict[str, dict[str, None]] = defaultdict(dict)
    for name, every in matters.items():
        for matter in every:
            for stem in words.intersection(matter.stems):
                having[stem][name] = None
    often = Counter({stem: len(names) for stem, names in having.items()})
    for name, wanted in rules:
        rarest = min(sorted(wanted), key=lambda stem: often[stem])
        others = [x for x in having[rarest] if x != name and all(x in having[stem] for stem in wanted)]
        yield from ((min(name, x), max(name, x)) for x in others[:_MOST_BESIDE])
