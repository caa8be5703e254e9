"""Reads messages that are there already once more, by a language model: for decisions, threads and names.

Never at the intake: what is remembered is acknowledged and read by the rules at once, and no hook waits for a model.
A message is read once; a mark says how far the reading has come. What is marked private is not sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import numpy as np

from engramforge.capture.detecting import READ_KINDS, Detecting
from engramforge.capture.replies import said_text
from engramforge.core.extraction.extracted import BY_MODEL, Extracted, detections_in, material, names_in_text
from engramforge.errors import ModelMisanswered, ModelUnavailable
from engramforge.llm.language_model import Answered, LanguageModel
from engramforge.llm.prompts import EXTRACT
from engramforge.model.language_models.private import is_private
from engramforge.model.language_models.reports import ModelReading
from engramforge.model.memory import SUMMARISES, Memory
from engramforge.model.registration import Act
from engramforge.model.registries.detection import Detection
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.storing.effect import Effect, Step, records_line
from engramforge.model.time import TemporalMode
from engramforge.store.door import Door, Transaction
from engramforge.writing.expected_state import hold_sources
from engramforge.writing.repeating import embedding_again

_NOBODY: Final = "nobody"
"""Id of an encoder that does not exist: every memory lacks an embedding by it, so all are found, by position."""
_PAGE: Final = 256
_LONGEST: Final = 12_000
"""Characters of a message that a model reads; a longer one is a text, and is left to the rules."""

Progress = Callable[[int], None]
"""Called with how many messages were read so far."""


class ModelExtractor:
    """A language model as an `Extractor`, for the texts of one message; each is sent once."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._told: dict[str, Answered[Extracted]] = {}

    def extract(self, text: str) -> Sequence[Detection]:
        """See `Extractor`. Raises ModelUnavailable, SpendingCapReached, Stopped."""
        if not text.strip():
            return ()
        answered = self._read(text)
        return detections_in(answered.said, text, f"{BY_MODEL}{answered.made_by}")

    def names(self, text: str) -> tuple[str, ...]:
        """The keys of the names in a text. Raises as `extract`."""
        return names_in_text(self._read(text).said, text) if text.strip() else ()

    def _read(self, text: str) -> Answered[Extracted]:
        if text not in self._told:
            self._told[text] = self._model.ask(EXTRACT, material(self._model.clean(text)), Extracted)
        return self._told[text]


@dataclass(slots=True)
class ReadingByModel:
    """The reading of one store. `detecting`: knows whose word a message is; `clock`: the time, timezone-aware."""

    door: Door
    model: LanguageModel
    detecting: Detecting
    clock: Callable[[], datetime]

    def names(self, text: str) -> tuple[str, ...]:
        """The keys of the names in a text that is stored nowhere. Raises as `ModelExtractor`."""
        return ModelExtractor(self.model).names(text)

    def is_due(self, scope: Scope) -> bool:
        """Whether the settings want it, and there is something that was not looked at yet."""
        return self.model.extracts and bool(self._page(scope, self._after(scope), 1))

    def begin(self, scope: Scope) -> None:
        """Where nothing was read yet: what is there counts as read, so that only what comes in is."""
        if self._mark(scope) is None:
            self._keep(scope, *self._last(scope))

    def run(
        self,
        scope: Scope,
        limit: int,
        *,
        anew: bool = False,
        progress: Progress | None = None,
        step: Step = Step.CHANGE,
    ) -> ModelReading:
        """Read up to `limit` messages that were not read yet, in the order in which they came in.

        `anew`: from the first one on. `step`: whether somebody asked for it. Where the model cannot be asked, what was
        read before stays, and `stopped` says why. A message that it only answers with nonsense or a refusal counts as
        read.
        """
        after = 0 if anew else self._after(scope)
        read = entries = waiting = names = 0
        while page := self._page(scope, after, _PAGE):
            for position, memory in page:
                if read == limit:
                    return ModelReading(read, entries, waiting, names, is_complete=False)
                if self._is_read(memory):
                    try:
                        made = self._read(scope, position, memory, step)
                    except ModelUnavailable as error:
                        return ModelReading(read, entries, waiting, names, False, str(error))
                    read, entries = read + 1, entries + made[0]
                    waiting, names = waiting + made[1], names + made[2]
                    if progress is not None:
                        progress(read)
                after = position
            self._keep(scope, *page[-1])
        return ModelReading(read, entries, waiting, names, is_complete=True)

    def _is_read(self, memory: Memory) -> bool:
        is_said = memory.kind in READ_KINDS and not memory.chunk and not memory.is_superseded
        is_own = memory.registration is None and SUMMARISES not in memory.metadata
        return is_said and is_own and not is_private(memory) and len(memory.content) <= _LONGEST

    @embedding_again
    def _read(self, scope: Scope, position: int, memory: Memory, step: Step) -> tuple[int, int, int]:
        """Entries, detections that wait, and names that come of one message; the mark is kept with them."""
        now, extractor = self.clock(), ModelExtractor(self.model)
        try:
            plans = self.detecting.plan_again(scope, memory, extractor, now)
            found = extractor.names(said_text(memory))
        except ModelMisanswered:
            plans, found = (), ()
        seen = self.door.asking(scope).signals(np.array([position], np.int64)).embeddings.get(position)
        before = () if seen is None else seen.entities
        names = [each for each in found if each not in before]

        def work(writes: Transaction) -> None:
            hold_sources(writes, (plan.source for plan in plans))
            for plan in plans:
                plan.write(writes)
            if names:
                writes.place_mentions(np.array([position], np.int64), [(*before, *names)])
            writes.save_mark(_key(scope), {"after": position, "id": memory.id})
            if plans:
                line = f"{records_line(writes.records)}: read by {self.model.name}"
                writes.audit("extract", memory.logical_id, line, now, Effect(step=step))

        self.door.write(scope, work)
        acts = [each.act for plan in plans for each in plan.consequences]
        return acts.count(Act.MADE), acts.count(Act.WAITS), len(names)

    def _page(self, scope: Scope, after: int, count: int) -> Sequence[tuple[int, Memory]]:
        return self.door.tending(scope).unencoded(Space.HYPERDIMENSIONAL, _NOBODY, count, after)

    def _last(self, scope: Scope) -> tuple[int, Memory | None]:
        newest = self.door.asking(scope).positions(Selection(mode=TemporalMode.FULL_HISTORY), 1).tolist()
        return (newest[0], self._there(scope, newest[0])) if newest else (0, None)

    def _there(self, scope: Scope, position: int) -> Memory | None:
        return self.door.asking(scope).fetch_at(np.array([position], np.int64)).get(position)

    def _mark(self, scope: Scope) -> Mapping[str, Any] | None:
        return self.door.asking(scope).mark(_key(scope))

    def _after(self, scope: Scope) -> int:
        """The position of the last message that was looked at; where another stands there, as after a move of the
        store, the last one that there is: reading all of it again would cost too much.
        """
        mark = self._mark(scope) or {}
        after = int(mark.get("after", 0))
        there = self._there(scope, after) if after else None
        return self._last(scope)[0] if there is not None and there.id != mark.get("id") else after

    def _keep(self, scope: Scope, position: int, memory: Memory | None) -> None:
        mark = {"after": position, "id": None if memory is None else memory.id}
        self.door.write(scope, lambda writes: writes.save_mark(_key(scope), mark))


def _key(scope: Scope) -> str:
    return f"read by model:{scope.agent}"
