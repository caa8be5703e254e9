"""Verbs of the review, as `forge.review`: detections that wait, accepted, edited or rejected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engramforge.core.checks.validation import check_text, check_word
from engramforge.errors import InvalidValue
from engramforge.forge.registries.argument_checks import (
    alternatives_of,
    conversation_of,
    local_id_of,
    rationale_of,
)
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.limits import BATCH_MEMORIES, CONTENT_BYTES, RECALL_HITS
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.detection import PendingDetection
from engramforge.model.registries.entry import DecisionStatus, Priority, ThreadStatus
from engramforge.model.registries.thread import Thread
from engramforge.recall.request import whole

_REVIEWED = (Kind.DECISION, Kind.THREAD)


class ReviewVerbs(ScopedVerbs, relating=("accept", "edit", "reject")):
    """Detections that wait for review. Ids are global (flg_...), or those of a flag's memory."""

    def pending(
        self,
        project: Ids | None = None,
        kind: str | None = None,
        limit: int = 100,
        *,
        conversation: str | None = None,
        offset: int = 0,
    ) -> list[PendingDetection]:
        """Waiting detections: what persons said before what stands in texts, most confident first.

        `kind`: decision or thread; default both. `limit`, `offset`: up to 1,000, of the newest 10,000.

        Raises InvalidValue, NotFound.
        """
        return self._stages.review.pending(
            self._within(project),
            None if kind is None else _kind(kind),
            conversation_of(conversation),
            whole(limit, "limit", 1, RECALL_HITS),
            whole(offset, "offset", 0, 10_000),
        )

    def accept(self, *ids: str) -> list[Decision | Thread]:
        """Let detections become entries of their registries; all of them, or none.

        If an entry already says the same, that entry is returned.

        Raises InvalidValue, NotFound: none is named, a detection does not exist, or its message was forgotten;
        Conflict: a detection was reviewed already; InvalidContent: a detection is not a valid entry.
        """
        return self._shown(self._stages.review.accept(self._scope, _several(ids)))

    def edit(
        self,
        id: str,  # noqa: A002 - the word a user expects
        *,
        text: str | None = None,
        kind: str | None = None,
        rationale: str | None = None,
        alternatives_rejected: Ids | None = None,
        content: str | None = None,
        priority: str | None = None,
        status: str | None = None,
        resolution: str | None = None,
        local_id: str | None = None,
    ) -> Decision | Thread:
        """Correct a detection and accept it.

        `text`: the decision, or the thread's title. `kind`: decision or thread. `rationale`, `alternatives_rejected`:
        of a decision. `content`, `priority`, `resolution`: of a thread. `status`: of the entry, one of its registry's.

        Raises as `accept`; InvalidValue also if nothing is corrected.
        """
        changes = _checked(
            text=text,
            kind=kind,
            rationale=rationale,
            alternatives_rejected=alternatives_rejected,
            content=content,
            priority=priority,
            resolution=resolution,
        )
        if text is not None and status is None:
            self._check_takes_text(id)
        if status is not None or local_id is not None:
            waiting = self._stages.review.find(self._scope, id)
            its_kind = changes.get("kind", waiting.kind)
            if local_id is not None:
                changes["local_id"] = local_id_of(local_id, its_kind, waiting.conversation_id)
            if status is not None:
                words = DecisionStatus if its_kind is Kind.DECISION else ThreadStatus
                changes["status"] = str(check_word(words, status, "status"))
        if not changes:
            raise InvalidValue("The edit changes nothing", "Give a field to correct, or accept the detection")
        return self._shown(self._stages.review.accept(self._scope, _several((id,)), changes))[0]

    def _check_takes_text(self, id_: str) -> None:
        """Raises InvalidValue: it ends a decision, in whose place a text would not come."""
        waiting = self._stages.review.find(self._scope, id_)
        ends = (DecisionStatus.SUPERSEDED, DecisionStatus.INVALIDATED)
        if waiting.kind is not Kind.DECISION or waiting.entry_status not in ends:
            return
        ended = waiting.proposal.entry or "ID"
        raise InvalidValue(
            "It ends a decision: a text has no place in it",
            f"Reject it, and say what holds instead: engramforge decisions supersede {ended} TEXT",
        )

    def reject(self, *ids: str) -> list[PendingDetection]:
        """Close detections; the same sentence of the project does not wait again. Raises as `accept`."""
        return self._stages.review.reject(self._scope, _several(ids))

    def _shown(self, memories: list[Memory]) -> list[Decision | Thread]:
        """The entries as their registries show them, in order."""
        standing = self._stages.door.asking(self._scope).fetch([memory.logical_id for memory in memories])
        shown: list[Decision | Thread] = []
        for memory in memories:
            each = replace(standing.get(memory.logical_id, memory), redacted=memory.redacted)
            if each.kind is Kind.DECISION:
                shown += self._stages.decision_reading.shown(self._scope, [each])
            else:
                shown += self._stages.thread_reading.shown(self._scope, [each])
        return shown


def _checked(**given: Any) -> dict[str, Any]:
    """The fields of a detection that a person corrected, checked. Raises InvalidValue."""
    said = {name: value for name, value in given.items() if value is not None}
    checks: dict[str, Callable[[Any], Any]] = {
        "text": lambda value: _text(value, "text"),
        "kind": _kind,
        "rationale": rationale_of,
        "alternatives_rejected": alternatives_of,
        "content": lambda value: _text(value, "content") if value else "",
        "priority": lambda value: check_word(Priority, value, "priority"),
        "resolution": lambda value: _text(value, "resolution"),
    }
    return {name: checks[name](value) for name, value in said.items()}


def _text(value: object, what: str) -> str:
    return check_text(value, what, CONTENT_BYTES) or ""


def _kind(kind: object) -> Kind:
    word = check_word(Kind, kind, "kind")
    if word not in _REVIEWED:
        raise InvalidValue(f"The kind is {str(word)!r}", "Give decision or thread")
    return word


def _several(ids: tuple[object, ...]) -> list[object]:
    if not ids:
        raise InvalidValue(
            "No detection is named", "Name at least one: `review` lists what waits, review.pending in Python"
        )
    if len(ids) > BATCH_MEMORIES:
        raise InvalidValue(f"{len(ids):,} detections are named", f"Name at most {BATCH_MEMORIES:,} at once")
    return list(ids)
