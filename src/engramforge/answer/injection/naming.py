"""Which memories may name a thing: those that have all words of its name. By the words' postings alone, for a tool
waits: what a recall would add, meaning and neighbours, names nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.text.excerpts import passage_within
from engramforge.core.text.words import content_words, term_of, words_of
from engramforge.indexing.encode import idf
from engramforge.model.memory import Kind, Memory
from engramforge.model.search.candidates import Candidates, Corpus, Probe
from engramforge.model.search.selection import Selection
from engramforge.store.door import View

Terms = NDArray[np.uint32]

_FOUND: Final = 300
_DECISION: Final = list(Kind).index(Kind.DECISION)


@dataclass(frozen=True, slots=True)
class Asked:
    """Names that are looked for. `most`: how many memories; `rarest_first`: before the newest those that have more of
    the names, and rarer ones. `is_whole`: whether the words without a subject of their own have to be there, too."""

    names: Sequence[str]
    most: int
    rarest_first: bool = False
    is_whole: bool = False


def with_names(view: View, selection: Selection, *asked: Asked) -> tuple[list[Memory], list[Memory]]:
    """Of each that is asked, the memories of a selection that have all words of one of its names: decisions first, of
    decisions and of the others the newest first. With the entries that were read from them.

    One look and one reading for all: a tool waits for both.
    """
    corpus = view.ground().corpus
    known = [(each, terms) for each in asked if (terms := _known_terms(each, corpus))]
    if not known:
        return [], []
    every = np.unique(np.concatenate([term for _, terms in known for term in terms]))
    found = view.candidates(selection, _probe(every, corpus, _FOUND * len(known)))
    has = _presence(found, every)
    rows = list(
        dict.fromkeys(chain.from_iterable(_rows_of(found, has, every, *each, corpus) for each in known))
    )
    if not rows:
        return [], []
    positions = found.position[rows]
    fetched, entries = view.fetch_with_entries(positions)
    return [fetched[place] for place in positions.tolist() if place in fetched], entries


def _known_terms(asked: Asked, corpus: Corpus) -> list[Terms]:
    """The terms of each name of which something has every one."""
    every = [terms for name in asked.names if len(terms := _terms_of(name, asked.is_whole))]
    return [terms for terms in every if (corpus.frequencies(terms) > 0).all()]


def _rows_of(
    found: Candidates,
    present: NDArray[np.bool_],
    every: Terms,
    asked: Asked,
    names: Sequence[Terms],
    corpus: Corpus,
) -> list[int]:
    """The rows that have one of these names whole, the first of them."""
    has = np.array([present[np.searchsorted(every, terms)].all(axis=0) for terms in names])
    rows = np.flatnonzero(has.any(axis=0))
    worth = np.zeros(len(rows))
    if asked.rarest_first:
        worth = (
            np.array([idf(corpus.total, corpus.frequencies(terms)).sum() for terms in names]) @ has[:, rows]
        )
    first = np.lexsort((-found.valid_at[rows], -worth, found.kind[rows] != _DECISION))[: asked.most]
    chosen: list[int] = rows[first].tolist()
    return chosen


def passage_naming(text: str, names: Sequence[str], room: int) -> str:
    """The passage of a text, of so many characters at most, that has words of the names."""
    asked = np.unique(np.concatenate([_terms_of(name) for name in names]))

    def cover(pieces: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([np.isin(asked, _terms_of(piece)) for piece in pieces], axis=1).astype(np.float32)

    return passage_within(text, room, np.ones(len(asked), np.float32), cover)


def _terms_of(text: str, is_whole: bool = False) -> Terms:
    """The distinct terms of a text, ascending. In lower case, so that an identifier is asked for whole."""
    words = words_of(text.casefold())
    words = words if is_whole else content_words(words)
    return np.unique(np.array([term_of(word) for word in words], np.uint32))


def _probe(terms: Terms, corpus: Corpus, most: int) -> Probe:
    """Asks for terms, each by how rare it is."""
    rarity = idf(corpus.total, corpus.frequencies(terms))
    places = np.arange(len(terms), dtype=np.int32)
    return Probe(
        None, terms, np.ones(len(terms), np.float32), places, rarity / rarity.sum(), window=0, most=most
    )


def _presence(found: Candidates, terms: Terms) -> NDArray[np.bool_]:
    """Which of some terms, ascending, each candidate has: one row for each term."""
    size = len(found.position)
    rows = np.repeat(np.arange(size), np.diff(found.term_ends, prepend=0))
    at = np.minimum(np.searchsorted(terms, found.terms), len(terms) - 1)
    hits = terms[at] == found.terms
    present = np.zeros((len(terms), size), np.bool_)
    present[at[hits], rows[hits]] = True
    return present
