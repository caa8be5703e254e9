"""A store as a whole on any engine: what is moved, exported, learnt from and counted; see `store.door.Upkeep`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Corpus
from engramforge.model.storing.record import StoreCounts
from engramforge.store.reading import counts, encoders, entities, links
from engramforge.store.reading.sections import Sections
from engramforge.store.reading.source import Moment, Source, told_by

P = ParamSpec("P")
R = TypeVar("R")


def _of_sections(verb: Callable[Concatenate[Sections, P], R]) -> Callable[Concatenate[Upkeep, P], R]:
    """A verb of the sections, at the moment of the upkeep."""

    @wraps(verb)
    def at_moment(upkeep: Upkeep, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with upkeep.sections() as sections:
            return verb(sections, *args, **kwargs)

    return at_moment


class Upkeep(Moment):
    """A store as a whole, as far as the scope admits it."""

    def __init__(self, source: Source, scope: Scope) -> None:
        super().__init__(source, scope)
        self._sections: Sections | None = None

    @contextmanager
    def sections(self) -> Iterator[Sections]:
        """The sections at the moment, with what was looked up of them before."""
        with self.connected() as connection:
            if self._sections is None or self._sections.connection is not connection:
                self._sections = Sections(connection, self.scope, self._source.values)
            yield self._sections

    def corpus(self) -> Corpus:
        """The terms of the scope's current memories."""
        return self.ask(self._source.corpus, self.scope)

    def count(self) -> StoreCounts:
        """How much is in scope."""
        return self.ask(counts.count, self.scope, self._source.values)

    def embedding_bytes(self) -> int:
        """What the embeddings of the tenant take."""
        return self.ask(counts.embedding_bytes, self.scope, self._source.values)

    unencoded = told_by(encoders.unencoded)
    graph = told_by(links.graph)
    mentions = told_by(entities.mentions)
    counts = _of_sections(Sections.counts)
    writes = _of_sections(Sections.writes)
    ordered = _of_sections(Sections.ordered)
    at = _of_sections(Sections.at)
    writes_of = _of_sections(Sections.writes_of)
    portion = _of_sections(Sections.portion)
