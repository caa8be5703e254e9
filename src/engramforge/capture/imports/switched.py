"""What Claude Code keeps of what was said while capture was switched off: an import leaves it out, as hooks do.

It stays out for good, whatever is on when the import runs: the prompts of that time, the answers to them and the uses
of tools, and later summaries of a session that tell of them, in the session's own transcript and in those of sessions
that were forked from it. While a session or project is off, all of it is left out, what was said before, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Final

from engramforge.capture.formats import claude_code, prompt_history
from engramforge.capture.reading.records import Item, read_json_lines
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.values import text_of, time_of
from engramforge.capture.writers.import_stages import ImportStages, Screen
from engramforge.capture.writers.prompts_seen import name_folders
from engramforge.capture.writers.switches import State, is_on, paused, switched_off, switches_of, was_on
from engramforge.model.memory import Draft, Kind
from engramforge.model.scope import Scope
from engramforge.model.storing.live import SWITCHED_OFF, Switch

OF_SESSIONS: Final = frozenset({claude_code.FORMAT.name, prompt_history.FORMAT.name})
"""The formats whose records hooks tell too."""


def leave_out(
    stages: ImportStages, scope: Scope, source: ImportSource, screen: Screen | None
) -> Screen | None:
    """A filter behind `screen` that leaves out what was said while capture was off, or where it is off now.

    A project counts by the name that hooks give it too, whatever project the caller asks for.
    """
    state = switches_of(stages.door, scope)
    is_off = any(off.what is Switch.CAPTURE for off in switched_off(state))
    if source.format not in OF_SESSIONS or not (is_off or any(paused(state))):
        return screen
    is_transcript = source.format == claude_code.FORMAT.name
    runs_in = claude_code.FORMAT.working_folder(source) if is_transcript else None
    pauses = _Pauses(state, source.path if is_transcript else None)

    @lru_cache(maxsize=200)
    def hooks_name(folder: str) -> str:
        return name_folders(stages.door, scope, {folder})[folder]

    def left(item: Item) -> Item:
        item = screen(item) if screen else item
        if not item.drafts:
            return item
        draft = item.drafts[0]
        folder = draft.metadata.get(prompt_history.FOLDER) or runs_in
        projects = {draft.project, hooks_name(str(folder)) if folder else draft.project}
        if pauses.holds(draft, projects):
            return replace(item, drafts=(), skipped=SWITCHED_OFF)
        return item

    return left


class _Pauses:
    """Whether the records of a source, one after the other, were said while capture was off. `path`: a transcript."""

    def __init__(self, state: State, path: Path | None) -> None:
        self._state = state
        self._path = path
        self._sessions = paused(state)[0]
        self._told_in: Callable[[str], frozenset[datetime]] = lru_cache(maxsize=20)(self._times_of)
        self._turns: set[tuple[str | None, str]] = set()
        self._summaries: set[str | None] = set()

    def holds(self, draft: Draft, projects: Collection[str | None]) -> bool:
        """Whether a record is of a pause, as the answer to a prompt of one is, and a summary behind one."""
        session = draft.session_id
        turn = session, str(draft.metadata.get("agent_id") or "")
        is_out = self._is_off(draft, projects)
        if draft.kind is Kind.PROMPT:
            (self._turns.add if is_out else self._turns.discard)(turn)
        elif draft.kind is Kind.SESSION_SUMMARY:
            return is_out or session in self._sessions or session in self._summaries
        else:
            is_out = is_out or turn in self._turns
        if is_out:
            self._summaries.add(session)
        return is_out

    def _is_off(self, draft: Draft, projects: Collection[str | None]) -> bool:
        session, at = draft.session_id, draft.valid_at
        if not all(is_on(self._state, Switch.CAPTURE, project, session) for project in projects):
            return True
        if at is None:
            return False
        if not all(was_on(self._state, project, session, at) for project in projects):
            return True
        origin = draft.metadata.get(claude_code.FORKED_FROM)
        others = (each for each in self._sessions if not was_on(self._state, None, each, at))
        return any(each == origin or at in self._told_in(each) for each in others if each != session)

    def _times_of(self, session: str) -> frozenset[datetime]:
        """When something was said in another session whose transcript lies beside this one: a fork repeats it, and
        its time."""
        if self._path is None or "/" in session or "\\" in session or "\0" in session:
            return frozenset()
        beside = self._path.parent / f"{session}.jsonl"
        if beside == self._path or not beside.is_file():
            return frozenset()
        records = (line.value for line in read_json_lines(beside))
        times = (time_of(text_of(each.get("timestamp"))) for each in records if isinstance(each, dict))
        return frozenset(time for time in times if time is not None)
