"""Verbs of links between memories, and of relations learned from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from engramforge.core.checks.link_validation import check_relation
from engramforge.errors import InvalidValue
from engramforge.forge.scoped import ScopedVerbs
from engramforge.model.entity import PredictedLink, RelationsReport
from engramforge.model.limits import BATCH_MEMORIES, WALK_DEPTH, WALK_FAN_OUT
from engramforge.model.link import METADATA_FIELDS, Link, Linked, Unlinked
from engramforge.model.search.selection import Selection
from engramforge.recall.request import AskedTimes, Moment, in_time, whole

if TYPE_CHECKING:
    from engramforge.writing.linkage import LinkRequest

MOST_PREDICTED = 10_000
USUAL_FAN_OUT = 20
# What check_link checks, which tells of every fault at once.
Share = float | None
Said = str | None
Emotions = Mapping[str, float] | None
Senses = str | Mapping[str, str] | None
_TIMES = ("valid_at", "invalid_at", "recorded_at")


class LinkVerbs(ScopedVerbs, relating=("link_many", "unlink")):
    """The edges of the graph."""

    def link(
        self,
        /,
        source_id: str,
        target_id: str,
        relation: str,
        *,
        energy: Share = None,
        confidence: Share = None,
        emotion_vector: Emotions = None,
        goal: Said = None,
        mindstate: Said = None,
        energy_transfer_coefficient: Share = None,
        resolution_state: Said = None,
        formation_trigger: Said = None,
        felt_quality: Said = None,
        emotion_description: Said = None,
        body_sensation: Said = None,
        spatial_context: Said = None,
        sensory_details: Senses = None,
        valid_at: Moment = None,
        invalid_at: Moment = None,
        recorded_at: Moment = None,
        **extra: Any,
    ) -> Linked:
        """Connect two memories; the link is durable when this returns.

        Parameters
        ----------
        source_id, target_id : two memories, by version id or logical id.
        relation : upper-case words, such as CAUSES or DEPENDS_ON; the vocabulary is open.
        energy, confidence, emotion_vector, goal, mindstate : REQUIRED. Shares are in 0..1; {} when nothing was felt.
        energy_transfer_coefficient, resolution_state : REQUIRED, 0.5 and in_progress when left out.
        formation_trigger, felt_quality, emotion_description : IMPORTANT: a warning when left out.
        body_sensation, spatial_context, sensory_details : CONDITIONAL; the last is a text, or a text for each sense.
        valid_at, invalid_at : when it holds, [valid_at, invalid_at); default from `recorded_at` on.
        recorded_at : when it became known; default now, never in the future.
        extra : any other field; kept as it is, as JSON of up to 65,536 bytes.

        Returns the link, its warnings, and whether it was written: an equal link is not written again but returned.

        Raises InvalidValue, InvalidTime, InvalidContent, NotFound: every fault at once; nothing was changed. Raises
        Conflict: the two already have such a link at the same time, with other metadata.
        """
        given = dict(locals())
        from engramforge.writing.linkage import LinkRequest

        fields = {name: given[name] for name in (*METADATA_FIELDS, *_TIMES)} | extra
        linked = self._stages.linkage.link(self._scope, LinkRequest(source_id, target_id, relation, fields))
        if linked.written:
            self._place()
        return linked

    def link_many(self, links: Iterable[Mapping[str, Any]]) -> list[Linked]:
        """Write many links, in transactions of up to 1,000; each is a mapping of the arguments of `link`.

        All links of a transaction are checked before any is written: with a faulty one, none of its thousand is.
        Returns an answer for each, in order, and raises as `link`.
        """
        requests = map(_request, links)
        done: list[Linked] = []
        while batch := list(islice(requests, BATCH_MEMORIES)):
            done += self._stages.linkage.link_many(self._scope, batch)
        return done

    def unlink(self, link_id: str, reason: str = "") -> Unlinked:
        """A link was wrong: it leaves the record now, and stays in history.

        `reason`: kept in the audit log, so it must not contain content; up to 200 characters.

        Raises NotFound: the link is not on record.
        """
        return self._stages.linkage.unlink(self._scope, link_id, reason)

    def links(
        self,
        memory_id: str,
        *,
        relation: str | None = None,
        depth: int = 1,
        fan_out: int | None = None,
        mode: str | None = None,
        as_of: Moment = None,
        as_of_valid: Moment = None,
        as_of_recorded: Moment = None,
        recorded_since: Moment = None,
        recorded_until: Moment = None,
    ) -> list[Link]:
        """Links that begin or end at a memory, oldest first; by default those that hold now.

        With a `depth` of 2 to 4 or a `fan_out`, a walk: `WalkedLink`s of what the memory is connected to within so many
        steps, in either direction, by depth, the strongest first. It follows at most `fan_out` links at each memory, 1
        to 100 (20), the strongest of them, and returns at most 1,000.

        `relation`: only this relation. `mode`: current, point_in_time (needs an as_of), evolution (on record at some
        time in [recorded_since, recorded_until), either end open) or full_history (all, unlinked ones too). `as_of`:
        what was on record then as holding then; or the two axes separately as `as_of_valid` and `as_of_recorded`.

        Raises NotFound: there is no such memory; InvalidTime, InvalidValue: the question is invalid.
        """
        steps = whole(depth, "depth", 1, WALK_DEPTH)
        most = USUAL_FAN_OUT if fan_out is None else whole(fan_out, "fan_out", 1, WALK_FAN_OUT)
        asked = AskedTimes(mode, as_of, as_of_valid, as_of_recorded, recorded_since, recorded_until)
        selection = in_time(Selection(), asked, self._stages.clock())
        start = [self._memory(memory_id).logical_id]
        view = self._stages.door.asking(self._scope)
        if steps > 1 or fan_out is not None:
            followed = None if relation is None else check_relation(relation)
            return [*view.neighbours(start, steps, most, selection, followed)]
        found = view.links(start, selection)
        if relation is None:
            return found
        wanted = check_relation(relation)
        return [link for link in found if link.relation == wanted]

    def refresh_relations(self, *, anew: bool = False) -> RelationsReport:
        """Learn vectors of memories and entities from all links and mentions (E8 and E11).

        `anew`: train E11 from seeds instead of continuing from what it had learned.
        """
        return self._stages.relations.refresh(self._scope, anew)

    def predict_links(
        self,
        relation: str,
        *,
        head: str | None = None,
        tail: str | None = None,
        limit: int = 10,
        known: bool = False,
    ) -> list[PredictedLink]:
        """Which links a memory is likely to have, as last learned; best first. Where the store has doubled since, it is
        learned first, in about a second for a thousand memories.

        `head`, `tail`: exactly one, a memory by version id or logical id; `head` asks what it links to, `tail` what
        links to it. `limit`: 1 to 10,000. `known`: include existing links; else only new ones.

        Raises InvalidValue: both or neither end is given, nothing tells of relations, or no link had this one;
        NotFound: there is no such memory.
        """
        whole(limit, "limit", 1, MOST_PREDICTED)
        if (head is None) == (tail is None):
            raise InvalidValue("A link is predicted from one of its ends", "Give head or tail, not both")
        ends = [None if end is None else self._memory(end).logical_id for end in (head, tail)]
        return self._stages.relations.predict(
            self._scope, ends[0], check_relation(relation), ends[1], limit, known
        )


def _request(link: Mapping[str, Any]) -> LinkRequest:
    """A link to be written, from a mapping of the arguments of `link`."""
    from engramforge.writing.linkage import LinkRequest

    fields = dict(link)
    source, target, relation = (fields.pop(name, None) for name in ("source_id", "target_id", "relation"))
    return LinkRequest(source, target, relation, fields)  # its check says what is missing
