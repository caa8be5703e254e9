"""Links that records say: written once both ends are there, by rule inheriting from their source, never twice."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.capture.conftest import Workbench

from engramforge.capture.formats import table as formats
from engramforge.capture.reading.format import Context, Format
from engramforge.capture.reading.records import Item, ItemLink
from engramforge.capture.reading.sources import ImportSource
from engramforge.model.link import Link
from engramforge.model.memory import Draft
from engramforge.model.storing.record import ImportReport
from engramforge.writing.linkage import Linkage, Resolving
from engramforge.writing.redact import Redactor


def _read(source: ImportSource, context: Context) -> Iterator[Item]:
    """Lines of `name > name,name since year`: a memory each, linked to those named, whether they came or will come."""
    for number, line in enumerate(source.path.read_text().splitlines(), 1):
        name, _, rest = line.partition(" > ")
        targets, _, since = rest.partition(" since ")
        at = datetime(int(since), 1, 1, tzinfo=UTC) if since else None
        relation = "not a relation" if "!" in name else "LEADS_TO"
        links = tuple(
            ItemLink(
                source=name,
                target=target,
                relation=relation,
                valid_at=at,
                fields={"goal": "ship"} if at else {},
            )
            for target in filter(None, targets.split(","))
        )
        draft = Draft(
            content=f"Station {name}", origin=name, project=context.project or "rail", energy=0.7, goal="ride"
        )
        yield Item(source.place, number, "station", True, (draft,), links=links)


@pytest.fixture
def stations(monkeypatch: pytest.MonkeyPatch) -> None:
    format_ = Format(
        name="stations", title="stations", read=_read, recognises=lambda path: path.suffix == ".rail"
    )
    monkeypatch.setitem(formats.FORMATS, "stations", format_)  # type: ignore[arg-type]


def run(bench: Workbench, tmp_path: Path, *lines: str) -> ImportReport:
    path = tmp_path / "a.rail"
    path.write_text("\n".join(lines))
    return bench.importing.import_path(bench.scope, path)


def links(bench: Workbench) -> dict[tuple[str, str], Link]:
    names = {memory.logical_id: memory.content.removeprefix("Station ") for memory in bench.every()}
    found = bench.door.asking(bench.scope).links(list(names))
    assert len({record.id for record in found}) == len(found)
    return {(names[link.source_id], names[link.target_id]): link for link in found}


@pytest.mark.usefixtures("stations")
def test_links_forward_and_back(bench: Workbench, tmp_path: Path) -> None:
    report = run(bench, tmp_path, "a > b,c", "b > a", "c > nowhere,c since 2020", "bad! > a")
    (counts,) = report.details["files"].values()
    assert (counts["links"], counts["links_unresolved"]) == (3, 1)
    assert [fault.line for fault in report.faults] == [4, 3] and "relation" in report.faults[0].reason
    assert "nowhere" in report.faults[1].reason
    found = links(bench)
    assert set(found) == {("a", "b"), ("a", "c"), ("b", "a")}
    link = found["a", "b"]
    assert (link.relation, link.energy, link.goal, link.mindstate, link.confidence) == (
        "LEADS_TO",
        0.7,
        "ride",
        "captured",
        1.0,
    )
    again = run(bench, tmp_path, "a > b,c", "b > a", "c > b since 2021", "d > a")
    (counts,) = again.details["files"].values()
    assert (counts["links"], counts["links_there"]) == (2, 3) and len(links(bench)) == 5
    dated = links(bench)["c", "b"]
    assert dated.valid_at.year == 2021 and dated.goal == "ship"
    # Another time is another link of the same ends.
    assert run(bench, tmp_path, "c > b since 2022").details["files"]["a.rail"]["links"] == 1


@pytest.mark.usefixtures("stations")
def test_a_link_that_somebody_ended_is_not_brought_back(bench: Workbench, tmp_path: Path) -> None:
    run(bench, tmp_path, "a > b", "b > a")
    linkage = Linkage(bench.door, Redactor(), bench.clock, Resolving(bench.changes))
    linkage.unlink(bench.scope, links(bench)["a", "b"].id, "wrong")
    run(bench, tmp_path, "a > b", "b > a", "c > a")
    assert set(links(bench)) == {("b", "a"), ("c", "a")}


@pytest.mark.usefixtures("stations")
def test_many_links_over_many_batches(bench: Workbench, tmp_path: Path) -> None:
    lines = [f"s{n} > s{(n + 700) % 1_200}" for n in range(1_200)]
    report = run(bench, tmp_path, *lines)
    assert report.details["files"]["a.rail"]["links"] == 1_200 == len(links(bench))
    (tmp_path / "b.rail").write_text("\n".join(lines))
    again = bench.importing.import_path(bench.scope, tmp_path / "b.rail")
    assert again.written == 0 and again.details["files"]["b.rail"]["links_there"] == 1_200
