"""Prompts that a transcript and a history both have: whichever brought one first, the other leaves it out; and what the
transcript of a compaction repeats of its session.

They are told by session and text, and where a text was typed several times in a session by the how-manieth it is. What
must not enter: reading files, writing.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engramforge.capture.import_projects import name_folders
from engramforge.capture.importers.prompt_history import FOLDER, TIMES, folders_of, prompt_digest
from engramforge.capture.importers.reading import Context
from engramforge.capture.importers.records import Item
from engramforge.capture.importers.sources import Source
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Kind
from engramforge.model.scope import Scope
from engramforge.model.selection import Selection
from engramforge.model.time import TemporalMode

_PROMPTS_READ: Final = 10_000
"""The most prompts of one session that are looked at."""
_SESSIONS_KEPT: Final = 1_000


@dataclass(slots=True)
class _Brought:
    """The prompts of one session in the store.

    Parameters
    ----------
    by_transcript : digest of a text -> how often transcripts have it.
    by_history : (digest, how-manieth) of those that a history brought.
    project : of any of them; None without one.
    """

    by_transcript: Counter[bytes] = field(default_factory=Counter)
    by_history: set[tuple[bytes, int]] = field(default_factory=set)
    project: str | None = None


class _Sessions:
    """What the store has of sessions, asked for once each as long as few are looked at."""

    def __init__(self, stages: Any, scope: Scope, kinds: tuple[Kind, ...] = (Kind.PROMPT,)) -> None:
        self._door = stages.door
        self._kinds = kinds
        self._redactor = stages.intake.redactor
        self._scope = scope
        self._kept: OrderedDict[str, _Brought] = OrderedDict()

    def of(self, session: str) -> _Brought:
        """The prompts of a session."""
        if session in self._kept:
            self._kept.move_to_end(session)
            return self._kept[session]
        brought = _Brought()
        # What ended or was changed since was brought all the same: each counts by its first record.
        selection = Selection(kinds=self._kinds, session_id=session, mode=TemporalMode.FULL_HISTORY)
        read = self._door.browse(self._scope, selection, _PROMPTS_READ)
        for memory in {one.logical_id: one for one in sorted(read, key=lambda one: -one.version)}.values():
            digest = prompt_digest(memory.content)
            brought.project = brought.project or memory.project
            if isinstance(times := memory.metadata.get(TIMES), int):
                brought.by_history.add((digest, times))
            else:
                brought.by_transcript[digest] += 1
        self._kept[session] = brought
        if len(self._kept) > _SESSIONS_KEPT:
            self._kept.popitem(last=False)
        return brought

    def digest(self, text: str) -> bytes:
        """The digest of a text as it is in the store, without secrets."""
        return prompt_digest(self._redactor.redact(text).text)


class HistoryPrompts:
    """What of a history is not in by a transcript, in the project of the folder where it was typed."""

    def __init__(self, stages: Any, scope: Scope, source: Source, context: Context) -> None:
        self._sessions = _Sessions(stages, scope)
        self._asked = context.asked_project
        self._names = {} if self._asked else name_folders(stages.door, scope, folders_of(source))

    def left_of(self, item: Item) -> Item:
        """The item without a prompt that a transcript of its session brought."""
        if not item.drafts:
            return item
        draft = item.drafts[0]
        brought = self._sessions.of(draft.session_id) if draft.session_id else _Brought()
        if (
            brought.by_transcript
            and brought.by_transcript[self._sessions.digest(draft.content)] >= draft.metadata[TIMES]
        ):
            return replace(item, drafts=(), skipped="a transcript has it")
        named = self._names.get(str(draft.metadata.get(FOLDER, "")))
        project = self._asked or named or brought.project or DEFAULT_PROJECT
        return replace(item, drafts=(replace(draft, project=project),))


class TranscriptPrompts:
    """What of a transcript is not in by a history."""

    def __init__(self, stages: Any, scope: Scope) -> None:
        self._sessions = _Sessions(stages, scope)
        self._times: Counter[tuple[str, bytes]] = Counter()

    def left_of(self, item: Item) -> Item:
        """The item without prompts that a history of their session brought."""
        if not any(draft.kind is Kind.PROMPT for draft in item.drafts):
            return item
        drafts = tuple(draft for draft in item.drafts if not self._is_brought(draft))
        if len(drafts) == len(item.drafts):
            return item
        return replace(item, drafts=drafts, skipped="" if drafts else "a history of prompts has it")

    def _is_brought(self, draft: Draft) -> bool:
        if draft.kind is not Kind.PROMPT or not draft.session_id:
            return False
        brought = self._sessions.of(draft.session_id)
        if not brought.by_history:
            return False
        digest = self._sessions.digest(draft.content)
        self._times[draft.session_id, digest] += 1
        return (digest, self._times[draft.session_id, digest]) in brought.by_history


class Repeated:
    """What of a compaction's transcript its session does not have: it begins with copies under ids of their own."""

    def __init__(self, stages: Any, scope: Scope) -> None:
        self._sessions = _Sessions(stages, scope, (Kind.PROMPT, Kind.RESPONSE))
        self._stages = stages
        self._scope = scope

    def left_of(self, item: Item) -> Item:
        """The item without prompts and responses that are in the session already."""
        drafts = tuple(draft for draft in item.drafts if not self._is_there(draft))
        if len(drafts) == len(item.drafts):
            return item
        return replace(item, drafts=drafts, skipped="" if drafts else "its session has it")

    def _is_there(self, draft: Draft) -> bool:
        if draft.kind not in (Kind.PROMPT, Kind.RESPONSE) or not draft.session_id:
            return False
        brought = self._sessions.of(draft.session_id)
        digest = self._sessions.digest(draft.content)
        is_there = digest in brought.by_transcript or any(digest == one for one, _ in brought.by_history)
        return is_there and not self._is_its_own(draft)

    def _is_its_own(self, draft: Draft) -> bool:
        """Whether it came in by this very record before; then it is a duplicate like any other."""
        key = self._stages.intake.origin_key(self._scope, draft)
        return key in self._stages.door.write(
            self._scope, lambda writes: writes.known_origins(draft.project, [key])
        )
