"""The questions of the door on any engine; see `store.door.View` and `store.door.Upkeep` for the contract of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from engramforge.model.embeddings.encoder_spec import ActiveEncoder, Meanings, Signals
from engramforge.model.memory import Kind
from engramforge.model.scope import Level, Scope
from engramforge.model.search.candidates import MOST_HAVING, Candidates, Corpus, Ground, Having, Probe
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.storing.record import StoreCounts
from engramforge.store.reading import (
    changes,
    conversations,
    counts,
    embeddings,
    encoders,
    entities,
    entries,
    links,
    memories,
    records,
    shortened,
)
from engramforge.store.reading.gathered import topics
from engramforge.store.reading.sections import Sections
from engramforge.store.reading.shortened import is_shortened
from engramforge.store.reading.source import Moment, Source, told_by
from engramforge.store.reading.streams import felt, stamps, walks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class View(Moment):
    """Questions of one scope."""

    def __init__(self, source: Source, scope: Scope) -> None:
        super().__init__(source, scope)
        self._search = source.search(scope)

    def ground(self) -> Ground:
        """What has to be known before a question is asked; see the door."""
        return self._search.ground()

    def candidates(self, selection: Selection, probe: Probe) -> Candidates:
        """The candidates of a probe."""
        return self.ask(self._search.candidates, selection, probe)

    def having(
        self, selection: Selection, groups: Sequence[NDArray[np.uint32]], most: int = MOST_HAVING
    ) -> Having:
        """Memories of a selection that have every term of one of these groups; see the door."""
        return self.ask(self._search.having, selection, groups, most)

    def near_of_levels(self, selection: Selection, probe: Probe) -> Mapping[Level, NDArray[np.int64]]:
        """Of each level positions that stand for what is nearest to a probe's vector; see the door."""
        return self.ask(self._search.near_of_levels, selection, probe)

    def nearest(self, selection: Selection, probe: Probe) -> dict[int, float]:
        """The memories nearest to a probe's vector."""
        return self.ask(self._search.nearest, selection, probe)

    def signals(self, positions: NDArray[np.int64], named: Sequence[str] | None = None) -> Signals:
        """Everything the active encoders made of the memories at these positions."""
        return self.ask(embeddings.signals, self.scope, self._source.values, positions, named)

    def meanings(self, kinds: Sequence[Kind]) -> Meanings:
        """The vectors in E1 of all current memories of these kinds."""
        return self.ask(embeddings.meanings, self.scope, self._source.values, kinds)

    def encoders(self) -> Mapping[Space, ActiveEncoder]:
        """The active encoders that somebody chose."""
        return self.ask(encoders.active_encoders, self.scope.tenant)

    def whole_id(self, asked: str, of_link: bool = False) -> str:
        """The id that begins so; what cannot be a beginning takes no statement."""
        return self.ask(shortened.whole_id, self.scope, asked, of_link) if is_shortened(asked) else asked

    # Those whose module has the same name come last: a class's names hide the modules'.
    names_count = told_by(entities.names_count)
    names_after = told_by(entities.names_after)
    names_seen = told_by(entities.names_seen)
    named_at = told_by(entities.named_at)
    goals = told_by(felt.goals)
    goals_by_words = told_by(felt.goals_by_words)
    by_energy = told_by(felt.by_energy)
    moods = told_by(felt.moods)
    holding = told_by(felt.holding)
    stamp = told_by(stamps.stamp)
    steps = told_by(walks.steps)
    steps_by = told_by(walks.steps_by)
    relations_at = told_by(walks.relations_at)
    held = told_by(walks.held)
    mentioning = told_by(walks.mentioning)
    links_named = told_by(walks.links_named)
    links_between = told_by(walks.links_between)
    fetch = told_by(memories.fetch)
    fetch_at = told_by(memories.fetch_at)
    fetch_with_entries = told_by(memories.fetch_with_entries)
    places_of = told_by(memories.places_of)
    positions = told_by(memories.positions)
    went_on = told_by(memories.went_on)
    known_files = told_by(memories.files)
    browse = told_by(memories.browse)
    versions = told_by(memories.versions)
    lineage = told_by(entries.lineage)
    entries = told_by(entries.entries)
    changes = told_by(changes.changes)
    neighbours = told_by(links.neighbours)
    topic_members = told_by(topics.topic_members)
    topics_at = told_by(topics.topics_at)
    clusters_at = told_by(topics.clusters_at)
    topic_sizes = told_by(topics.topic_sizes)
    topics = told_by(topics.topics)
    contradictions = told_by(links.contradictions)
    tensions = told_by(links.tensions)
    links = told_by(links.links)
    known_origins = told_by(records.known_origins)
    whole_conversation = told_by(conversations.whole_conversation)
    conversations = told_by(conversations.conversations)
    projects = told_by(records.projects)
    project_names = told_by(records.project_names)
    audit_log = told_by(records.audit_log)
    events = told_by(records.events)
    forgotten = told_by(records.forgotten)
    injections = told_by(records.injections)
    mark = told_by(records.mark)
    marks = told_by(records.marks)


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
    gathered = told_by(topics.gathered)
    counts = _of_sections(Sections.counts)
    writes = _of_sections(Sections.writes)
    ordered = _of_sections(Sections.ordered)
    at = _of_sections(Sections.at)
    writes_of = _of_sections(Sections.writes_of)
    portion = _of_sections(Sections.portion)
