"""What Claude Code keeps of sessions in which capture is switched off: an import leaves it out, as hooks do."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from engramforge.capture.formats import claude_code, prompt_history
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.import_stages import ImportStages, Screen
from engramforge.capture.writers.prompts_seen import name_folders
from engramforge.capture.writers.switches import is_on, switched_off, switches_of
from engramforge.model.scope import Scope
from engramforge.model.storing.live import SWITCHED_OFF, Switch

OF_SESSIONS: Final = frozenset({claude_code.FORMAT.name, prompt_history.FORMAT.name})
"""The formats whose records hooks tell too."""


def leave_out(
    stages: ImportStages, scope: Scope, source: ImportSource, screen: Screen | None
) -> Screen | None:
    """A filter behind `screen` that leaves out what was said in sessions and projects that are switched off.

    A project counts by the name that hooks give it too, whatever project the caller asks for.
    """
    state = switches_of(stages.door, scope)
    if source.format not in OF_SESSIONS or all(off.what is not Switch.CAPTURE for off in switched_off(state)):
        return screen
    runs_in = claude_code.FORMAT.working_folder(source) if source.format == claude_code.FORMAT.name else None

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
        if all(is_on(state, Switch.CAPTURE, project, draft.session_id) for project in projects):
            return item
        return replace(item, drafts=(), skipped=SWITCHED_OFF)

    return left
