"""The fields of a memory that verbs take by name, for type checkers: a mistyped name or a wrong type is found there.

What is passed at run time is checked against `Draft` itself, which refuses an unknown name with the nearest one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

from engramforge.model.memory import Attachment, Chunk, Kind, ResolutionState, Source
from engramforge.model.scope import Level


class ChangedFields(TypedDict, total=False):
    """What a new version may change beside its content."""

    kind: Kind | str | None
    name: str | None
    source: Source | str | None
    session_id: str | None
    sequence: int | None
    speaker: str | None
    tags: str | Sequence[str] | None
    chunk: Chunk | Mapping[str, Any] | None
    attachments: Sequence[Attachment | Mapping[str, Any]] | None
    metadata: Mapping[str, Any] | None
    valid_at: datetime | str | None
    invalid_at: datetime | str | None
    energy: float | None
    confidence: float | None
    epistemic_tier: float | None
    emotion_vector: Mapping[str, float] | None
    felt_quality: str | None
    body_sensation: str | None
    goal: str | None
    mindstate: str | None
    resolution_state: ResolutionState | str | None


class DraftFields(ChangedFields, total=False):
    """What `remember` takes beside its own arguments."""

    level: Level | str | None
    agent: str | None
    recorded_at: datetime | str | None
    origin: str | None


class DraftMapping(DraftFields, total=False):
    """A memory of `remember_many` as a dictionary; where it has images, `content` may be left out."""

    content: str | None
    project: str | None
    images: Sequence[str | os.PathLike[str] | bytes] | None
    captions: Sequence[str] | None
