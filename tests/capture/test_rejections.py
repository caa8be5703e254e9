"""A rejection holds: it is found and shown as one; and a file that only points elsewhere decides nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import engramforge
from engramforge.model.registries.entry import DecisionStatus, standing_of

RECORD = (
    "# {number}. {title}\n\nDate: 2026-03-{number:02}\n\n## Status\n\n{status}\n\n## Decision\n\n{decision}\n"
)
RECORDS = (
    (3, "Queue jobs in Redis", "Accepted", "We queue the jobs of all workers in Redis."),
    (
        4,
        "Queue jobs in Kafka",
        "\u274c Rejected",
        "We have rejected queueing the jobs of all workers in Kafka.",
    ),
    (5, "Paint the hulls", "Rejected (see 0003)", "We will paint every hull twice."),
    (6, "Rent barges", "Rejected", "We decided against barges, since rent is too high."),
)
SIGN_POST = (
    "# 7. Scanning of hulls\n\nDate: 2026-03-07\n\n**Link to this ADR: https://docs.example.org/d/1s8/edit**\n\n"
    "(Such records are stored privately. This sign-post\nmakes it findable.)\n"
)
SHORT = "# 8. Varnish\n\nDate: 2026-03-08\n\nWe varnish the decks in May.\n"


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[engramforge.Forge]:
    folder = tmp_path / "port" / "adr"
    folder.mkdir(parents=True)
    for number, title, status, decision in RECORDS:
        text = RECORD.format(number=number, title=title, status=status, decision=decision)
        (folder / f"{number:04}-record.md").write_text(text, encoding="utf-8")
    (folder / "0007-scanning.md").write_text(SIGN_POST, encoding="utf-8")
    (folder / "0008-varnish.md").write_text(SHORT, encoding="utf-8")
    with engramforge.open(tmp_path / "home") as opened:
        opened.import_path(folder, project="port")
        yield opened


def test_a_rejection_is_found_and_called_so(forge: engramforge.Forge) -> None:
    asked = forge.recall("why do we not use Kafka for jobs?", project="port")
    first = asked.hits[0].memory
    assert asked.hits[0].relevant and first.name == "Queue jobs in Kafka"
    assert first.registration is not None
    assert standing_of(first.registration.status, first.tags) == "rejected"
    (found, *_) = forge.decisions.search("rent barges", project="port")
    assert found.local_id == "ADR-0006" and "rejected" in found.tags
    assert "rejected" in forge.context_load("why do we not use Kafka for jobs?", project="port").text


def test_what_was_accepted_stands_above_it(forge: engramforge.Forge) -> None:
    for question in ("where do we queue the jobs of workers?", "queue jobs"):
        assert forge.recall(question, project="port").hits[0].memory.name == "Queue jobs in Redis"


def test_it_is_not_listed_among_the_active(forge: engramforge.Forge) -> None:
    def listed(**asked: object) -> set[str | None]:
        return {each.local_id for each in forge.decisions.browse(project="port", **asked)}  # type: ignore[arg-type]

    assert listed(status=DecisionStatus.ACTIVE) == {"ADR-0003", "ADR-0008"}
    assert listed(status=DecisionStatus.ACTIVE, tags=["rejected"]) == {"ADR-0004", "ADR-0006"}
    # A proposal that came to nothing, and says only what it proposed, has ended.
    assert listed(status=DecisionStatus.INVALIDATED) == {"ADR-0005"}
    assert listed() == {f"ADR-{number:04}" for number in (3, 4, 5, 6, 8)}
