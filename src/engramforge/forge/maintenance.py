"""Verbs of the whole store: what it holds, whether it is sound, its calibrations and encoders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engramforge.core.checks.validation import check_claim
from engramforge.errors import InvalidValue
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.embeddings.encoder_spec import ENCODER_SETTINGS, check_spec, parse_spec
from engramforge.model.embeddings.reembedding import (
    CalibrationReport,
    EncoderStatus,
    ReembedEstimate,
    ReembedReport,
    Unfilled,
)
from engramforge.model.language_models.reports import ModelReach, ModelReading, ModelState
from engramforge.model.limits import RECALL_HITS
from engramforge.model.scope import Captured, Project, Scope
from engramforge.model.spaces import Space
from engramforge.model.storing.effect import Step
from engramforge.model.storing.record import AuditEntry, Event, StoreCounts, StoreIdentity
from engramforge.model.timeline import LastChange
from engramforge.model.validation_report import KeptReport, SweepReport
from engramforge.recall.request import whole

if TYPE_CHECKING:
    from engramforge.model.embeddings.encoder_spec import EncoderSpec
    from engramforge.upkeep.backfilling import Progress


_COMPARED_AT_ONCE: Final = 2_000
_READ_AT_ONCE: Final = 200
"""Messages that one upkeep has a model read."""
_MOST_READ: Final = 10_000


class MaintenanceVerbs(ScopedVerbs):
    """The store and its contents as a whole."""

    @property
    def identity(self) -> StoreIdentity:
        """Which store this is."""
        return self._stages.door.identity

    @property
    def encoder_id(self) -> str:
        """Id of the encoders in use; loads the model. Raises ModelUnavailable."""
        return self._stages.encoder.id

    def language_model(self) -> ModelState | None:
        """The language model of the settings, and what it cost this month; None without one. Loads and asks nothing.

        Raises ModelUnavailable: the count of what it cost is damaged.
        """
        model = self._stages.language_model
        return None if model is None else model.state

    def reach_language_model(self) -> ModelReach | None:
        """Whether the language model answers and takes its key, by a request that costs nothing; None without one."""
        model = self._stages.language_model
        return None if model is None else model.reach()

    def projects(self) -> list[Project]:
        """The projects with their counts of current memories."""
        return self._stages.door.asking(self._scope).projects()

    def conversations(
        self, *, project: Ids | None = None, limit: int = 100, offset: int = 0
    ) -> list[Captured]:
        """The conversations with current memories, the one that went on last first: id, project, title, count, times.

        `project`: only of one, or of several. `limit`, `offset`: up to 1,000, from the newest on.
        """
        most, first = whole(limit, "limit", 1, RECALL_HITS), whole(offset, "offset", 0, 2**62)
        return self._stages.door.asking(self._within(project)).conversations(most, first)

    def stats(self) -> StoreCounts:
        """How much the store holds."""
        return self._stages.door.tending(self._scope).count()

    def embedding_bytes(self) -> int:
        """The size in bytes of the embeddings of all versions: vectors, words, parts, mentions and entities.

        Counts the values only, not the engine's overhead for rows and indexes.
        """
        return self._stages.door.tending(self._scope).embedding_bytes()

    def audit_log(self, limit: int = 50, *, every_agent: bool = False) -> list[AuditEntry]:
        """What was written, changed and forgotten, newest first; never content.

        `limit`: how many lines at most. `every_agent`: the lines of all agents, for administrators; else the agent's
        own, and those of others about memories that the agent sees.
        """
        whole(limit, "limit", 1, 2**62)
        return self._stages.door.asking(self._of_agents(every_agent)).audit_log(limit)

    def last_change(self) -> LastChange | None:
        """The change that `undo` would take back: what it was, when and of which projects; None where there is none.

        Raises Conflict where that was a forget.
        """
        return self._stages.undo.last(self._scope)

    def events(self, after: int | None = None, limit: int = 100, *, every_agent: bool = False) -> list[Event]:
        """The event log: the same lines in the order in which they were written, each with its position.

        A line is written in the transaction of what it tells, so it is there whenever that is; nothing changes it but a
        forget, which takes words out of its reason.

        `after`: a position: what came behind it; None for the newest. `limit`: 1 to 1,000. `every_agent`: as of
        `audit_log`.
        """
        asked = None if after is None else whole(after, "after", 0, 2**62)
        most = whole(limit, "limit", 1, RECALL_HITS)
        return self._stages.door.asking(self._of_agents(every_agent)).events(asked, most)

    def check(self) -> list[str]:
        """Faults of the store, each with its mend; empty when it is sound."""
        return self._stages.door.check()

    def sweep(
        self,
        *,
        every_agent: bool = False,
        limit: int = 1_000,
        keep: bool = True,
        progress: Callable[[int, int], None] | None = None,
    ) -> SweepReport:
        """Look at every record of memories and links in scope, in portions; find degraded ones and their repairs.

        `every_agent`: include the personal memories of all agents, for administrators. `limit`: how many degraded
        records to list at most; they are all counted. `keep`: add the report's counts to the history (one per day and
        agent, the newest hundred). `progress`: called with the number of memory records seen so far and in all.
        """
        most = whole(limit, "limit", 1, 1_000_000)
        return self._stages.sweeping.sweep(self._of_agents(every_agent), most, keep, progress)

    def validation_history(self) -> list[KeptReport]:
        """The history of sweep reports, oldest first, without ids: the agent's and those over all agents."""
        return self._stages.sweeping.kept(self._scope)

    def _of_agents(self, every: bool) -> Scope:
        return replace(self._scope, every_agent=True) if every else self._scope

    def calibrate(self) -> CalibrationReport:
        """Fit the calibrations of every space to the store's own memories, in about a second.

        Writes and imports do this by themselves whenever the store has doubled. Running calls keep the calibrations
        that they began with. A store of fewer than 100 memories keeps the shipped ones.
        """
        return self._stages.calibrating.fit(self._scope)

    def calibration(self) -> CalibrationReport:
        """The calibrations in use now; nothing is fitted."""
        return self._stages.calibrating.in_use(self._scope)

    def calibration_is_due(self) -> bool:
        """Whether the store has doubled since its calibrations were fitted."""
        return self._stages.calibrating.is_due(self._scope)

    def due(self) -> tuple[str, ...]:
        """Which of the work that takes long is due: `calibrations`, `relations`, each where the store has doubled, and
        `entanglement` and `conflicts`, where one was asked for and a tenth was written since; `extraction`, where a
        language model is to read what came in; `scratch`, where entries have expired; `topics`, where memories came;
        `dreams`, where a dream may start or go on."""
        reading = self._stages.reading_by_model
        due = {
            "calibrations": self.calibration_is_due(),
            "relations": self._stages.relations.is_due(self._scope),
            "entanglement": self._stages.entangling.is_due(self._scope),
            "conflicts": self._stages.conflict_detection.is_due(self._scope),
            "extraction": reading is not None and reading.is_due(self._scope),
            "scratch": self._stages.scratchpad.is_due(self._scope),
            "topics": self._stages.topic_upkeep.is_due(self._scope),
            "dreams": self._stages.dreaming.is_due(self._scope),
        }
        return tuple(name for name, is_due in due.items() if is_due)

    def upkeep(self) -> tuple[str, ...]:
        """Do the work that is due, and say which it was. A daemon has a process of its own do it when nobody asks."""
        due = self.due()
        if "calibrations" in due:
            self.calibrate()
        if "relations" in due:
            self._stages.relations.refresh(self._scope)
        if "entanglement" in due:
            self._stages.entangling.go_on(self._scope)
        if "conflicts" in due:
            self._stages.conflict_detection.detect(self._scope, most=_COMPARED_AT_ONCE, step=Step.UPKEEP)
        if "extraction" in due and (reading := self._stages.reading_by_model) is not None:
            reading.begin(self._scope)
            reading.run(self._scope, _READ_AT_ONCE, step=Step.UPKEEP)
        if "scratch" in due:
            self._stages.scratchpad.prune(self._scope)
        if "topics" in due:
            self._stages.topic_upkeep.update(self._scope)
            self._stages.dreaming.look(self._scope)
        if "dreams" in due:
            self._stages.dreaming.dream_when_due(self._scope)
        return due

    def extract(
        self, limit: int = 100, *, anew: bool = False, progress: Callable[[int], None] | None = None
    ) -> ModelReading:
        """Have the language model read messages that it has not read, for decisions, threads and names.

        `limit`: the most messages, 1 to 10,000; each is a call. `anew`: from the first message on. `progress`: called
        with how many were read. Every span that it gives back is checked against the message; what it is not sure of
        waits for review. Memories that are marked private are not sent. Where it cannot be asked any further, `stopped`
        says why.

        Raises InvalidValue: no model is configured.
        """
        most = whole(limit, "limit", 1, _MOST_READ)
        if (reading := self._stages.reading_by_model) is None:
            raise InvalidValue(
                "Messages are to be read by a model, and none is configured",
                "Set model_reasoning, such as openai:MODEL or local:MODEL",
            )
        return reading.run(self._scope, most, anew=anew, progress=progress)

    def names_by_model(self, text: str) -> tuple[str, ...] | None:
        """The names that the language model reads in a text, as they are compared; None without a model. It is a call;
        nothing is stored.

        Raises InvalidContent: it is no text of 1 to 10,000 characters; ModelUnavailable, ModelMisanswered.
        """
        said, reading = check_claim(text), self._stages.reading_by_model
        return None if reading is None else reading.names(said)

    def encoders(self) -> list[EncoderStatus]:
        """What the settings name and what the store compares by, for every space whose encoder may be chosen.

        Loads no model and calls no endpoint.
        """
        return self._stages.reembedding.status(self._stages.choices)

    def unfilled(self) -> Unfilled | None:
        """What memories written before some spaces had an encoder lack; None if nothing.

        `reembed` of all spaces fills it in. Loads no model.
        """
        return self._stages.reembedding.filling.unfilled()

    def estimate_reembed(self, space: str | None = None, to: str | None = None) -> list[ReembedEstimate]:
        """How many memories a `reembed` would embed, and about how many tokens and how much money that takes.

        `space`, `to`: as `reembed`'s. Only spaces that would be moved or filled have an estimate.
        """
        each = [self._stages.reembedding.estimate(each, spec) for each, spec in self._wanted(space, to)]
        found = [estimate for estimate in each if estimate is not None]
        filling = self._stages.reembedding.filling.estimate() if space in (None, "all") else []
        # A space moved to another encoder is complete by then, and is not filled.
        moved = {estimate.space for estimate in found if estimate.source != estimate.target}
        return [*found, *(estimate for estimate in filling if estimate.space not in moved)]

    def reembed(
        self, space: str | None = None, to: str | None = None, *, progress: Progress | None = None
    ) -> list[ReembedReport]:
        """Move the store to other encoders while it is in use; an interrupted run continues.

        Questions compare by the old encoder until every memory has an embedding by the new one, then by the new one:
        never by both. For all spaces, it also fills in what memories older than a space lack (`unfilled`).

        `space`: name of a space; None or "all" for every one whose encoder may be chosen. `to`: the encoder, as in the
        settings; None: what the settings name. `progress`: called after each batch with the space, the number embedded,
        and the number to embed. Returns reports on the spaces that were moved or filled.

        Raises InvalidValue: the space does not exist, or cannot have that encoder. Raises ModelUnavailable,
        SpendingCapReached: the encoder cannot be made or does not answer; what was embedded stays.
        """
        done = [self._stages.reembedding.run(each, spec, progress) for each, spec in self._wanted(space, to)]
        filled = self._stages.reembedding.filling.run(progress) if space in (None, "all") else []
        return [*(report for report in done if report is not None), *filled]

    def _wanted(self, space: str | None, to: str | None) -> list[tuple[Space, EncoderSpec]]:
        if space in (None, "all"):
            if to is not None:
                raise InvalidValue("An encoder is named, but no space", "Name the space that it is for")
            spaces = list(self._stages.choices)
        else:
            if space not in set(ENCODER_SETTINGS):
                raise InvalidValue(
                    f"The space is {space!r}, which has no encoder to choose"[:200],
                    f"Name one of {', '.join(ENCODER_SETTINGS)}, or all",
                )
            spaces = [Space(space)]
        if to is not None:
            spec = check_spec(spaces[0], parse_spec(to, "to"), "to")
            return [(spaces[0], spec)]
        return [(space, self._stages.choices[space].spec) for space in spaces]
