"""The single changes that a detection makes: a new entry, a decision revised or ended, a thread changed.

Each is planned as a `VersionChange` at the time of its message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from engramforge.model.language_models.private import PRIVATE, is_private
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.detection import Detection, Voice
from engramforge.model.registries.entry import DecisionStatus, ThreadStatus
from engramforge.model.scope import Scope
from engramforge.model.time import just_after
from engramforge.registries.decisions import decision_view
from engramforge.registries.decisions.decision_revision import Revised, revised_draft, validated
from engramforge.registries.decisions.decision_view import REVISED_IN
from engramforge.registries.registered import mentioned_in, registration_of
from engramforge.registries.threads import thread_view
from engramforge.registries.threads.thread_view import BLOCKED_BY, PRIORITY, RESOLUTION, RESOLVED_IN
from engramforge.writing.changes import VersionChanges, next_draft
from engramforge.writing.preparing import Compose
from engramforge.writing.version_change import VersionChange

_TITLE: Final = 200
_FROM_ORIGIN: Final = (
    "project",
    "source",
    "level",
    "agent",
    "speaker",
    "valid_at",
    "recorded_at",
    "origin",
    "tags",
)
_LEAST_WORDS: Final = 2
"""Fewer words under a known name add nothing: "D001 again"."""


@dataclass(frozen=True, slots=True)
class DetectedChanges:
    """Plans changes for one batch of messages; `now` is the time of the write.

    `is_reviewed`: a person has accepted them, which validates what is new.
    """

    changes: VersionChanges
    scope: Scope
    now: datetime
    is_reviewed: bool = False

    def new(
        self, message: Memory, detection: Detection, origin: Draft, blocked_by: Sequence[str]
    ) -> VersionChange:
        """A new entry as the detection says; a decision begins active, whatever it has become since.

        Raises CallerError where it cannot be one.
        """
        fields: dict[str, Any] = {name: getattr(origin, name) for name in _FROM_ORIGIN}
        fields |= {"confidence": detection.confidence, "details": evidence_details(message, detection)}
        words = detection.text or detection.sentence
        if detection.kind is Kind.DECISION:
            draft = decision_view.decision_draft(
                words,
                rationale=detection.rationale,
                alternatives_rejected=detection.alternatives_rejected,
                conversation=message.session_id,
                local_id=detection.local_id,
                **fields,
            )
            return self._opened(draft, decision_view.composed)
        status = ThreadStatus(detection.status)
        draft = thread_view.thread_draft(
            words[:_TITLE],
            detection.content or (words if len(words) > _TITLE else ""),
            status=status,
            priority=detection.priority,
            blocked_by=blocked_by,
            resolution=detection.resolution or None,
            resolved_in=message.session_id,
            conversation=message.session_id,
            local_id=detection.local_id,
            **fields,
        )
        return self._opened(draft, thread_view.composed)

    def _opened(self, draft: Draft, compose: Compose) -> VersionChange:
        if self.is_reviewed and draft.registration is not None:
            accepted = validated(draft.registration, self.now, None)
            draft = replace(draft, registration=accepted)
        return self.changes.new_entries(self.scope, [draft], self.now, compose)[0]

    def new_flag(self, flag: Draft) -> VersionChange:
        """A detection that waits for review. Raises CallerError."""
        return self.changes.new_entries(self.scope, [flag], self.now)[0]

    def revised_decision(self, old: Memory, message: Memory, detection: Detection) -> VersionChange:
        """A decision's text changed. Raises CallerError."""
        details = evidence_details(message, detection)
        if message.session_id is not None:
            details[REVISED_IN] = message.session_id
        said = Revised(
            decision=detection.text,
            rationale=detection.rationale or None,
            alternatives_rejected=tuple(detection.alternatives_rejected) or None,
            details=details,
        )
        return self.changes.revised(
            self.scope,
            old,
            revised_draft(old, said, _said_at(message), message.session_id),
            self.now,
            compose=decision_view.composed,
            recorded_at=self._recorded(old, message),
        )

    def reinstated_decision(self, last: Memory, message: Memory) -> VersionChange:
        """A decision that had ended is active again from the message on. Raises CallerError."""
        again = self.changes.returned if last.is_superseded else self.changes.succeeded
        return again(
            self.scope,
            last,
            revised_draft(last, Revised(), _said_at(message), message.session_id),
            self.now,
            at=just_after(last.invalid_at or last.valid_at, message.valid_at),
            compose=decision_view.composed,
            recorded_at=self._recorded(last, message),
        )

    def ended_decision(
        self, old: Memory, message: Memory, detection: Detection, taking: Memory | None
    ) -> VersionChange:
        """A decision no longer holds from the message on. Raises CallerError."""
        registration = replace(self._mentioned(registration_of(old), message), status=detection.status)
        if DecisionStatus(detection.status) is DecisionStatus.REVISED:
            registration = replace(registration, status=str(DecisionStatus.INVALIDATED))
        return self.changes.closed(
            old,
            self.now,
            registration=registration,
            at=just_after(old.valid_at, message.valid_at),
            recorded_at=self._recorded(old, message),
            correction_id=None if taking is None else taking.id,
        )

    def changed_thread(
        self, old: Memory, message: Memory, detection: Detection, blocked_by: Sequence[str], *, in_words: bool
    ) -> VersionChange | None:
        """A thread's status, title or blockers changed; None if they have not. Raises CallerError.

        `in_words`: whether the title may be taken from the message; a resolution always is.
        """
        before = registration_of(old)
        status, stood = ThreadStatus(detection.status), thread_view.status_of(old)
        values: dict[str, Any] = {"content": thread_view.body_of(old)}
        details = dict(before.details)
        if in_words and _is_retold(old, detection):
            values |= {"name": detection.text, "content": detection.content or detection.text}
            details |= {PRIORITY: str(detection.priority), **evidence_details(message, detection)}
            # Mentioning a closed thread again under its name does not reopen it.
            status = stood
        waits = [each for each in blocked_by if each != old.logical_id]
        if status is ThreadStatus.OPEN and waits:
            details[BLOCKED_BY] = list(dict.fromkeys([*thread_view.blocking_of(old), *waits]))
        if status is not stood:
            _close(details, status, message, detection.resolution)
        stands_so = status is stood and details == dict(before.details) and len(values) == 1
        # Repeating "TODO: x" does not reopen a closed thread; "reopen T002" does.
        is_said_again = (
            status is ThreadStatus.OPEN and stood is not ThreadStatus.OPEN and bool(detection.text)
        )
        if stands_so or is_said_again:
            return None
        values["resolution_state"] = thread_view.resolution_state(status)
        world_changed = status is not stood or details.get(BLOCKED_BY) != before.details.get(BLOCKED_BY)
        if world_changed:
            details.setdefault(thread_view.OPENED_AT, thread_view.opened_at(old).isoformat())
        registration = replace(self._mentioned(before, message), status=str(status), details=details)
        draft = next_draft(old, values, registration)
        recorded = self._recorded(old, message)
        if world_changed:
            at = just_after(old.valid_at, message.valid_at)
            return self.changes.succeeded(
                self.scope, old, draft, self.now, at=at, compose=thread_view.composed, recorded_at=recorded
            )
        return self.changes.revised(
            self.scope, old, draft, self.now, compose=thread_view.composed, recorded_at=recorded
        )

    def _recorded(self, old: Memory, message: Memory) -> datetime | None:
        """When the change is recorded: with its message, and after the record that it changes; None for now."""
        at = just_after(old.created_at, message.created_at)
        return at if at <= self.now else None

    @staticmethod
    def _mentioned(before: Registration, message: Memory) -> Registration:
        return replace(before, conversations=mentioned_in(before, message.session_id))


def _said_at(message: Memory) -> datetime:
    """When a message was said, which for an imported one is before it was recorded."""
    return min(message.valid_at, message.created_at)


def _is_retold(old: Memory, detection: Detection) -> bool:
    """Whether an open thread's name comes with words that it does not have yet."""
    if (
        not detection.text
        or not (detection.local_id or detection.entry)
        or detection.status != ThreadStatus.OPEN
    ):
        return False
    return not says_already(f"{thread_view.title_of(old)} {thread_view.body_of(old)}", detection.text)


def _close(details: dict[str, Any], status: ThreadStatus, message: Memory, resolution: str) -> None:
    """Set in details how and where a thread was closed, or remove that if it is open again."""
    details.pop(RESOLUTION, None)
    details.pop(RESOLVED_IN, None)
    if status is ThreadStatus.OPEN:
        return
    details |= {RESOLUTION: resolution} if resolution else {}
    details |= {RESOLVED_IN: message.session_id} if message.session_id is not None else {}


def evidence_details(message: Memory, detection: Detection) -> dict[str, Any]:
    """Where a detection was read, as details keep it."""
    evidence = {"sentence": detection.sentence, "message_id": message.logical_id, "rule": detection.rule}
    return {"evidence": evidence, "detected_confidence": detection.confidence}


def says_already(there: str, said: str) -> bool:
    """Whether a text adds nothing to another: its words are contained in it."""
    held, new = (" ".join(_words(text)) for text in (there, said))
    return not new or f" {new} " in f" {held} " or len(_words(said)) < _LEAST_WORDS


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split()


def entry_draft(message: Memory, detection: Detection, *, is_named: bool = False) -> Draft:
    """The draft of an entry, known by its words in a project; with `is_named` also by its name in the conversation."""
    origin = f"detected {detection.kind}"
    if is_named:
        origin = _in_conversation(origin, message, detection)
    return _draft(message, detection.kind, detection.text or detection.sentence, origin)


def flag_draft(message: Memory, detection: Detection, *, is_change: bool) -> Draft:
    """The draft of a detection that waits, known by its sentence: in a project; where it is a change, in the
    conversation whose entry it changes, since "D001" names another one elsewhere.
    """
    origin = f"detection {detection.kind}"
    if detection.voice is not Voice.OWN:
        # What a page says never keeps a person's own words from being read, not even where it was rejected.
        origin = f"{detection.voice} {origin}"
    if is_change:
        origin = _in_conversation(origin, message, detection)
    return _draft(message, Kind.FLAG, detection.sentence, origin)


def all_drafts(message: Memory, detection: Detection) -> list[Draft]:
    """Every draft that a detection may become, whatever it turns out to change."""
    is_named = detection.local_id is not None
    drafts = [entry_draft(message, detection), flag_draft(message, detection, is_change=False)]
    if is_named:
        drafts.append(entry_draft(message, detection, is_named=True))
    if is_named or detection.is_update:
        drafts.append(flag_draft(message, detection, is_change=True))
    return drafts


def _in_conversation(origin: str, message: Memory, detection: Detection) -> str:
    return f"{origin}\n{message.session_id}\n{detection.entry or detection.local_id}"


def _draft(message: Memory, kind: Kind, words: str, origin: str) -> Draft:
    return Draft(
        content=words,
        kind=kind,
        source=message.source,
        project=message.project,
        level=message.level,
        agent=message.agent,
        valid_at=message.valid_at,
        recorded_at=message.created_at,
        origin=f"{origin}\n{_normalised(words)}",
        tags=(PRIVATE,) if is_private(message) else (),
    )


def _normalised(words: str) -> str:
    """The text by which two entries count as the same: ignoring case, runs of blanks and marks at the ends."""
    return " ".join(words.casefold().split()).strip(" .,;:!\"'")
