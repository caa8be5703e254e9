"""Where the prompts of a history belong, and which were imported from transcripts before prompts had further origins.

A prompt in both a transcript and a history is recognised by its further origins (reading/sessions). Transcripts
imported before these were kept have none, so their prompts are compared by the stored texts, counting repetitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import PurePosixPath
from typing import Final

from engramforge.capture.formats.prompt_history import FOLDER, TIMES, folders_of
from engramforge.capture.reading.format import Context
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.repositories import repository_around
from engramforge.capture.reading.sessions import repository_of, text_digest
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.values import visible
from engramforge.capture.writers.import_stages import ImportStages, Screen
from engramforge.core.checks.identities import path_holds_secret
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import DEFAULT_PROJECT, Kind
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode
from engramforge.store.door import Door

_PROMPTS_READ: Final = 10_000
"""The most prompts of a session that are compared."""
_SESSIONS_KEPT: Final = 1_000


def unseen(stages: ImportStages, scope: Scope, source: ImportSource, context: Context) -> Screen:
    """A filter that leaves out prompts known from a transcript, and assigns the others to where they were typed."""
    redactor = stages.changes.preparation.redactor
    names = {} if context.asked_project else name_folders(stages.door, scope, folders_of(source))
    # Asked for once as long as few sessions are looked at.
    brought_in = lru_cache(_SESSIONS_KEPT)(partial(_brought, stages.door, scope))

    def left(item: Item) -> Item:
        if not item.drafts:
            return item
        draft = item.drafts[0]
        by_transcript, its_project = brought_in(draft.session_id) if draft.session_id else ({}, None)
        if by_transcript:
            # As it is in the store, without secrets.
            digest = text_digest(redactor.redact(draft.content).text)
            if by_transcript.get(digest, 0) >= draft.metadata[TIMES]:
                return replace(item, drafts=(), skipped="a transcript has it")
        named = names.get(str(draft.metadata.get(FOLDER, "")))
        project = context.asked_project or named or its_project or DEFAULT_PROJECT
        return replace(item, drafts=(replace(draft, project=project),))

    return left


def _brought(door: Door, scope: Scope, session: str) -> tuple[Mapping[bytes, int], str | None]:
    """The stored prompts of a session: digest of a text -> how often transcripts have it; and the project of any."""
    by_transcript: Counter[bytes] = Counter()
    project: str | None = None
    # Ended or changed prompts count too, by their first record.
    selection = Selection(kinds=(Kind.PROMPT,), session_id=session, mode=TemporalMode.FULL_HISTORY)
    read = door.asking(scope).browse(selection, _PROMPTS_READ)
    newest_first = sorted(read, key=lambda memory: -memory.version)
    for memory in {memory.logical_id: memory for memory in newest_first}.values():
        project = project or memory.project
        if not isinstance(memory.metadata.get(TIMES), int):
            by_transcript[text_digest(memory.content)] += 1
    return by_transcript, project


_FOLDERS_MARK: Final = "import:folders"


def name_folders(door: Door, scope: Scope, folders: set[str]) -> dict[str, str]:
    """The project of each working folder, that of its repository where it lies in one; names once given are kept in
    the store, those of folders from before repositories were looked for, too."""
    kept = {str(key): str(value) for key, value in (door.asking(scope).mark(_FOLDERS_MARK) or {}).items()}
    places = {each: each if each in kept else repository_around(repository_of(each)) for each in folders}
    named = project_names(kept, places.values())
    # A folder named with a secret names no project either: the memories that name it are refused.
    sound = {folder: name for folder, name in named.items() if not path_holds_secret(folder)}
    if sound != kept:
        door.write(scope, lambda writes: writes.save_mark(_FOLDERS_MARK, sound))
    return {folder: named[place] for folder, place in places.items()}


def project_names(folders: Mapping[str, str], wanted: Iterable[str]) -> dict[str, str]:
    """A name for each working folder: its last part, with as many preceding parts as it takes to be unique.

    `folders`: names given by earlier imports, which stay. `wanted`: folders to name now; the order does not matter.
    """
    named = dict(folders)
    taken = set(named.values())
    for folder in sorted(set(wanted) - set(named)):
        shown = visible(folder, "-")
        parts = [part for part in PurePosixPath(shown).parts if part not in ("/", "..", ".")] or ["root"]
        choices = ["/".join(parts[-count:])[-NAME_CHARACTERS:].strip() for count in range(1, len(parts) + 1)]
        name = next(
            (choice for choice in choices if choice and choice not in taken), shown[-NAME_CHARACTERS:]
        )
        named[folder] = name
        taken.add(name)
    return named
