"""The shapes of a memory's embeddings and of the calibrations in use. What must not enter: printing, one face alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engramforge.faces.views.memory import moment

if TYPE_CHECKING:
    from engramforge.model.embeddings.calibration_report import CalibrationReport
    from engramforge.model.embeddings.memory_embeddings import MemoryEmbeddings


@dataclass(frozen=True, slots=True)
class SpaceEmbeddingView:
    """One memory in one space: `abstains` says why it has no signal there, else norm and surprise (0..1) have numbers.

    `calibrations`: direction -> id; a space without them has raw similarities alone."""

    number: str
    space: str
    encoder: str | None
    rows: int
    size: int
    norm: float | None
    calibrations: dict[str, str]
    surprise: float | None
    abstains: str | None
    details: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EmbeddingsView:
    """A memory in all thirteen spaces; `around`: how many memories its surprise was measured against."""

    memory_id: str
    around: int
    spaces: list[SpaceEmbeddingView]


@dataclass(frozen=True, slots=True)
class CalibrationView:
    """The calibrations in use; `live`: space/direction -> pairs of the store's own; times are ISO 8601."""

    id: str
    number: int
    memories: int
    fitted_at: str | None
    fitted_memories: int
    pairs: int
    live: dict[str, int]
    seconds: float


def view_embeddings(found: MemoryEmbeddings) -> EmbeddingsView:
    """A memory's embeddings as a shape."""
    return EmbeddingsView(
        found.memory_id,
        found.around,
        [
            SpaceEmbeddingView(
                each.number,
                str(each.space),
                each.encoder,
                each.rows,
                each.size,
                each.norm,
                dict(each.calibrations),
                each.surprise,
                each.abstains,
                dict(each.details),
            )
            for each in found.spaces
        ],
    )


def view_calibration(report: CalibrationReport) -> CalibrationView:
    """The calibrations in use as a shape."""
    return CalibrationView(
        report.id,
        report.number,
        report.memories,
        moment(report.fitted_at),
        report.fitted_memories,
        report.pairs,
        dict(report.live),
        report.seconds,
    )
