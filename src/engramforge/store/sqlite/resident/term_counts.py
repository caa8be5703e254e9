"""In how many memories of a scope each term occurs, and how long these are.

Taken from resident shards if there are any, else counted from the file in portions, so that statistics alone (upkeep,
at the end of an import) do not load a whole store into memory. Both give the same result.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.core.arrays.ragged import distinct
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Corpus
from engramforge.store.reading.predicates import CURRENT, admitted, together
from engramforge.store.schema import embedding_words, encoder, memory
from engramforge.store.sqlite.resident.postings import summed_counts

_ROWS: Final = 100
_TERMS: Final = 250_000
"""How many terms are held at once, uncounted: those of some 4,000 messages, or of a few long texts; 1 MB."""


def count_terms(connection: Connection, scope: Scope, encoder_id: str) -> Corpus:
    """Count a scope's current memories, by the words of one encoder; the memory it takes is that of all terms once."""
    words = embedding_words
    whose = sa.select(encoder.c.seq).where(encoder.c.tenant == scope.tenant, encoder.c.id == encoder_id)
    its_words = sa.and_(
        together(words.c.memory_seq, memory.c.seq), words.c.encoder_seq == whose.scalar_subquery()
    )
    every = (
        sa.select(words.c.terms, words.c.counts)
        .select_from(memory.outerjoin(words, its_words))
        .where(admitted(scope), *CURRENT)
    )
    total = length = waiting = 0
    keys, counts = np.empty(0, np.uint32), np.empty(0, np.int64)
    blobs: list[tuple[bytes, bytes]] = []
    rows = connection.execute(every)
    while True:
        portion = rows.fetchmany(_ROWS)
        total += len(portion)
        for terms, occurrences in portion:
            if terms:
                blobs.append((terms, occurrences))
                waiting += len(occurrences)
        if not portion or waiting >= _TERMS:
            # A memory has each of its terms once, so a term's occurrences equal its number of memories.
            found = distinct(np.frombuffer(b"".join(each for each, _ in blobs), np.uint32))
            keys, counts = summed_counts([keys, found.values], [counts, found.counts])
            occurred = np.frombuffer(b"".join(each for _, each in blobs), np.uint8)
            length += int(occurred.sum(dtype=np.int64))
            blobs.clear()
            waiting = 0
        if not portion:
            return Corpus(total, length, keys, counts)
