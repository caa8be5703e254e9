"""Which memories may name a thing: those that have all words of its name. By the words' postings alone, for a tool
waits: what a recall would add, meaning and neighbours, names nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.text.excerpts import passage_within
from engramforge.core.text.words import content_words, term_of, words_of
from engramforge.indexing.encode import idf
from engramforge.model.memory import Kind, Memory
from engramforge.model.search.candidates import Having
from engramforge.model.search.selection import Selection
from engramforge.store.door import View

Terms = NDArray[np.uint32]
Places = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Positions, and when what is there became true."""

_DECISION: Final = list(Kind).index(Kind.DECISION)
_NOTHING: Final = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Asked:
    """Names that are looked for. `most`: how many memories; `rarest_first`: before the newest those that have more of
    the names, and rarer ones."""

    names: Sequence[str]
    most: int
    rarest_first: bool = False


def with_names(view: View, selection: Selection, *asked: Asked) -> tuple[list[Memory], list[Memory]]:
    """Of each that is asked, the memories of a selection that have all words of one of its names: decisions first, of
    decisions and of the others the newest first. With the entries that were read from them.

    One look and one reading for all: a tool waits for both.
    """
    positions, _ = places_with_names(view, selection, *asked)
    if not len(positions):
        return [], []
    fetched, entries = view.fetch_with_entries(positions)
    return [fetched[place] for place in positions.tolist() if place in fetched], entries


def places_with_names(view: View, selection: Selection, *asked: Asked) -> Places:
    """The same by their positions, and when each became true, in microseconds since 1970."""
    found, rows = _looked_up(view, selection, asked)
    every = list(dict.fromkeys(chain.from_iterable(rows)))
    return (found.position[every], found.valid_at[every]) if found else (_NOTHING, _NOTHING)


def places_of_each(view: View, selection: Selection, *asked: Asked) -> list[Places]:
    """The same of each that is asked."""
    found, rows = _looked_up(view, selection, asked)
    return [(found.position[its], found.valid_at[its]) if found else (_NOTHING, _NOTHING) for its in rows]


def _looked_up(
    view: View, selection: Selection, asked: Sequence[Asked]
) -> tuple[Having | None, list[list[int]]]:
    """What has these names, and the rows in it of each that is asked; one look for all."""
    groups = [[terms for name in each.names if len(terms := _terms_of_name(name))] for each in asked]
    if not any(groups):
        return None, [[] for _ in asked]
    found = view.having(selection, [terms for group in groups for terms in group])
    ends = accumulate(map(len, groups))
    return found, [
        _rows_of(found, found.has[end - len(group) : end], group, each, view)
        for each, group, end in zip(asked, groups, ends, strict=True)
    ]


def _rows_of(
    found: Having, has: NDArray[np.bool_], groups: Sequence[Terms], asked: Asked, view: View
) -> list[int]:
    """The rows that have one of these groups whole, the first of them."""
    rows = np.flatnonzero(has.any(axis=0))
    worth = np.zeros(len(rows))
    if asked.rarest_first and len(rows):
        corpus = view.ground().corpus
        rarity = [idf(corpus.total, corpus.frequencies(terms)).sum() for terms in groups]
        worth = np.array(rarity) @ has[:, rows]
    elif len(rows) > asked.most:
        # Of the thousands that have a common word only those are put in order that may come first.
        since = found.valid_at[rows]
        oldest = np.partition(since, -asked.most)[-asked.most]
        rows = rows[(since >= oldest) | (found.kind[rows] == _DECISION)]
        worth = worth[: len(rows)]
    first = np.lexsort((-found.valid_at[rows], -worth, found.kind[rows] != _DECISION))[: asked.most]
    chosen: list[int] = rows[first].tolist()
    return chosen


def passage_naming(text: str, names: Sequence[str], room: int) -> str:
    """The passage of a text, of so many characters at most, that has words of the names."""
    asked = np.unique(np.concatenate([_terms_of(name) for name in names]))

    def cover(pieces: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([np.isin(asked, _terms_of(piece)) for piece in pieces], axis=1).astype(np.float32)

    return passage_within(text, room, np.ones(len(asked), np.float32), cover)


def _terms_of(text: str) -> Terms:
    """The distinct terms of a text, ascending. In lower case, so that an identifier is asked for whole."""
    words = content_words(words_of(text.casefold()))
    # In a quarter of the time of np.unique: a name has few words, and a question asks for many names.
    return np.array(sorted({term_of(word) for word in words}), np.uint32)


_terms_of_name = lru_cache(maxsize=512)(_terms_of)
