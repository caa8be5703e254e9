"""Verbs of the registry of lineage, as `forge.lineage`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engramforge.core.checks.validation import check_name, check_word
from engramforge.forge.registries.argument_checks import conversations_of, several
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.limits import RECALL_HITS
from engramforge.model.memory import DEFAULT_PROJECT, Kind
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.registries.lineage import Bridge, Direction, LineageEdge
from engramforge.model.scope import Level
from engramforge.recall.request import Moment, moment, selection_of, whole

_TRACED = 100_000


class LineageVerbs(ScopedVerbs, relating=("link",)):
    """The edges between conversations, each a compression and its continuation."""

    def link(
        self,
        source: str,
        target: str | None = None,
        *,
        tag: str = "",
        mode: str = "lossless",
        turn_range: Sequence[int] | None = None,
        decisions_carried: Ids = (),
        decisions_dropped: Ids = (),
        threads_carried: Ids = (),
        threads_resolved: Ids = (),
        for_revalidation: Ids = (),
        local_ids: Mapping[str, str] | None = None,
        bridge_summary: str = "",
        project: str = DEFAULT_PROJECT,
        compressed_at: Moment = None,
        recorded_at: Moment = None,
        level: Level | str = Level.PERSONAL,
    ) -> LineageEdge:
        """Record that a conversation was compressed, and which conversation continues it.

        Carried decisions count another hop, and as validated now unless listed for revalidation. Repeating the same
        edge records nothing.

        Parameters
        ----------
        source, target : conversations; the target is None until one continues. tag, mode : of the compression.
        turn_range : first and last compressed turn, counted from 1; None for all.
        decisions_carried, decisions_dropped, threads_carried, threads_resolved : ids of entries. for_revalidation :
            carried decisions that have to be reviewed. local_ids : what the archive calls each.
        level : personal, or collective or ecosystem for what all agents see.
        bridge_summary : what changed. compressed_at, recorded_at : when that was, and became known; default now.

        Raises InvalidContent, InvalidTime, InvalidValue: it is invalid, or a conversation would continue itself,
        directly or through others; NotFound: a carried entry does not exist; Conflict: a different edge between the two
        has this tag already.
        """
        from engramforge.registries.lineage.lineage_changes import NewEdge

        asked = NewEdge(
            source=source,
            target=target,
            tag=tag,
            mode=mode,
            turn_range=turn_range,
            decisions_carried=several(decisions_carried, "carried decision"),
            decisions_dropped=several(decisions_dropped, "dropped decision"),
            threads_carried=several(threads_carried, "carried thread"),
            threads_resolved=several(threads_resolved, "resolved thread"),
            for_revalidation=several(for_revalidation, "decision for revalidation"),
            bridge_summary=bridge_summary,
            project=project,
            local_ids=local_ids or {},
            compressed_at=moment(compressed_at, "compressed_at"),
            recorded_at=moment(recorded_at, "recorded_at"),
            level=check_word(Level, level, "level"),
        )
        return self._stages.lineage.link(self._scope, asked)

    def trace(self, conversation: str, direction: str = "both", limit: int = 1_000) -> list[LineageEdge]:
        """The edges that lead to a conversation and on from it, the oldest ancestor's first.

        `direction`: ancestors, descendants or both. `limit`: the most edges in each direction, up to 100,000; the
        nearest are kept.
        """
        return self._stages.lineage_reading.trace(
            self._scope,
            self._conversation(conversation),
            check_word(Direction, direction, "direction"),
            whole(limit, "limit", 1, _TRACED),
        )

    def bridge(self, source: str, target: str) -> Bridge:
        """What changed from a conversation to one that continues it: decisions and threads, and a summary in words.

        Raises NotFound if no lineage leads from one to the other.
        """
        from engramforge.registries.lineage.bridging import bridge

        ends = (check_name(source, "source conversation"), check_name(target, "target conversation"))
        return bridge(self._stages.door, self._stages.lineage_reading, self._scope, *ends)

    def get(self, edge_id: str) -> LineageEdge:
        """An edge by its id (lin_...) or that of its memory.

        Raises InvalidValue if it is not an id, NotFound, and Conflict if it is the id of another memory.
        """
        return self._stages.lineage_reading.get(self._scope, edge_id)

    def search(
        self,
        query: str,
        *,
        project: Ids | None = None,
        conversation: str | None = None,
        since: Moment = None,
        until: Moment = None,
        limit: int = 10,
    ) -> list[LineageEdge]:
        """Edges that answer a query by words or meaning of tag, summary and conversations, best first, with scores.

        `conversation`: only those that begin there. `limit`: up to 1,000.
        """
        within = self._within(project)
        chosen = replace(
            selection_of(None, None, (), since, until, now=self._stages.clock()),
            conversations=conversations_of(conversation),
        )
        most = whole(limit, "limit", 1, RECALL_HITS)
        return self._stages.lineage_reading.matching(self._scope, within, query, chosen, most)

    def browse(
        self,
        *,
        project: Ids | None = None,
        source: str | None = None,
        target: str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> list[LineageEdge]:
        """Edges, the newest first.

        `source`, `target`: only those that begin or continue there. `limit`, `offset`: the most to return, up to 1,000,
        and how many of the newest to skip.
        """
        query = EntryQuery(
            kind=Kind.LINEAGE,
            conversations=conversations_of(source),
            continuations=conversations_of(target),
            limit=whole(limit, "limit", 1, RECALL_HITS),
            offset=whole(offset, "offset", 0, 2**62),
        )
        return self._stages.lineage_reading.browse(self._within(project), query)
