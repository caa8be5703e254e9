"""Export as Markdown: pages that people read, whole files, nothing outside the folder; and the way back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.upkeep.conftest import exported

import engramforge
from engramforge.core.text.page_marks import escaped, marked, regions_in, unescaped
from engramforge.errors import InvalidValue, NotFound
from engramforge.faces.cli.program import run
from engramforge.forge import Forge
from engramforge.upkeep.pages import safe_name

TRICKY = (
    "Use <!-- end --> & &lt;!-- in\n# texts\n<!-- decision dec_000000000000 version 1 0000000000000000 -->"
)


def fill(forge: Forge) -> dict[str, str]:
    """Some of everything; name -> id."""
    made = forge.decisions
    old = made.create("We sail at noon.", rationale="The tide.", project="har/bour", conversation="talk")
    new = made.supersede(old.id, "We sail at dawn.", rationale="Less wind.", conversation="talk")
    hasty = made.create(
        "Nets are blue.", project="har/bour", tier=0.4, alternatives_rejected=["red", "green"]
    )
    made.revise(hasty.id, "Nets are grey.")
    tricky = made.create(TRICKY, project="har/bour", tags=["a|b"])
    first = forge.threads.create("Who mends the nets?", project="har/bour", priority="high")
    second = forge.threads.create("When do we sail again?", project="har/bour", blocked_by=[first.id])
    forge.threads.update(first.id, status="resolved", resolution="Mira does.")
    forge.lineage.link("talk", "talk-2", project="har/bour", bridge_summary="All of it.")
    for number, text in enumerate(("Shall we sail?", "# Yes\n\nat noon", TRICKY)):
        forge.remember(
            text, project="har/bour", session_id="talk", sequence=number, kind="message", speaker="Ana"
        )
    forge.remember("A note.", project="../../etc", valid_at="2026-05-02")
    gone = forge.remember("Soon gone.", project="../../etc", session_id="gone talk")
    forge.create_project("empty")
    return {
        "old": old.id,
        "new": new.id,
        "hasty": hasty.id,
        "tricky": tricky.id,
        "open": second.id,
        "gone": gone.id,
    }


def page_of(folder: Path, project: str, *parts: str) -> Path:
    """A page of a project."""
    return folder.joinpath(safe_name(project), *parts)


def test_pages_that_people_read(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with engramforge.open(place) as forge:
        ids = fill(forge)
        report = forge.export_markdown(folder)
        again = forge.export_markdown(folder)
    assert report == again
    assert report.counts == {"decisions": 4, "threads": 2, "lineage": 1, "conversations": 2, "notes": 1}
    assert report.size_bytes == sum(
        path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and path.name != "engramforge-export.json"
    )
    decisions = page_of(folder, "har/bour", "decisions.md").read_text(encoding="utf-8")
    active, ended = decisions.split("\n## Ended\n")
    assert (
        "We sail at dawn." in active
        and "Nets are grey." in active
        and "We sail at dawn." not in ended.split("status")[0]
    )
    assert f"superseded by {ids['new']} (We sail at dawn.)" in ended
    assert "- before, version 1" in active and "Nets are blue." in active
    assert "- rejected: red; green" in active
    threads = page_of(folder, "har/bour", "threads.md").read_text(encoding="utf-8")
    assert threads.index("When do we sail again?") < threads.index("## Closed") < threads.index("Mira does.")
    assert "(Who mends the nets?, resolved)" in threads
    assert "talk to talk-2" in page_of(folder, "har/bour", "lineage.md").read_text(encoding="utf-8")
    talk = page_of(folder, "har/bour", "conversations", f"{safe_name('talk')}.md").read_text(encoding="utf-8")
    assert talk.index("Shall we sail?") < talk.index("at noon") < talk.index("Use &lt;!-- end")
    assert page_of(folder, "../../etc", "notes", "2026-05.md").exists()
    assert "har/bour" in (folder / "README.md").read_text(encoding="utf-8")
    outside = {path.name for path in tmp_path.iterdir()} - {"out", "place-1"}
    assert outside == set()
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.rglob("*"))
    assert not [path for path in folder.rglob("*") if path.name.startswith(".")]


def test_the_folder_comes_back_as_the_same_store(
    place: str, new_place: Callable[[], str], tmp_path: Path
) -> None:
    with engramforge.open(place) as forge:
        fill(forge)
        forge.export_markdown(tmp_path / "out")
    other = new_place()
    with engramforge.open(other) as forge:
        report = forge.import_path(tmp_path / "out")
        assert (report.format, report.faults) == ("engramforge_pages", ())
        assert forge.import_path(tmp_path / "out").written == 0
    assert exported(other) == exported(place)


def test_one_project_alone(place: str, new_place: Callable[[], str], tmp_path: Path) -> None:
    with engramforge.open(place) as forge:
        fill(forge)
        forge.export_markdown(tmp_path / "out", project="har/bour")
        with pytest.raises(NotFound):
            forge.export_markdown(tmp_path / "none", project="nowhere")
        whole = {memory.id for memory in forge.memories(project="har/bour", mode="full_history", limit=100)}
    assert not page_of(tmp_path / "out", "../../etc").exists()
    assert "Soon gone." not in (tmp_path / "out" / "memory.jsonl").read_text(encoding="utf-8")
    with engramforge.open(new_place()) as forge:
        assert forge.import_path(tmp_path / "out").faults == ()
        assert {memory.id for memory in forge.memories(mode="full_history", limit=100)} == whole
        assert [project.name for project in forge.projects()] == ["har/bour"]
        assert forge.decisions.search("when do we sail")[0].decision == "We sail at dawn."


def test_an_edited_decision_comes_back_as_a_revision(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with engramforge.open(place) as forge:
        ids = fill(forge)
        forge.export_markdown(folder)
        page = page_of(folder, "har/bour", "decisions.md")
        text = page.read_text(encoding="utf-8")
        text = text.replace("Nets are grey.\n<!-- end", "Nets are\ngreen.\n<!-- end").replace(
            "Less wind.", "No wind."
        )
        text = text.replace("We sail at noon.\n<!-- end", "We sail never.\n<!-- end").replace("\n", "\r\n")
        page.write_text(text, encoding="utf-8", newline="")
        report = forge.import_path(folder)
        counts = report.details["files"]["out"]
        assert counts["revised"] == 2
        assert forge.decisions.get(ids["hasty"]).decision == "Nets are\ngreen."
        assert forge.decisions.get(ids["hasty"]).version == 3
        assert forge.decisions.get(ids["new"]).rationale == "No wind."
        assert forge.decisions.get(ids["tricky"]).decision == TRICKY
        # What ended is told and left.
        assert [fault.reason.split(":")[0] for fault in report.faults] == [f"{ids['old']} is superseded"]
        assert forge.decisions.get(ids["old"]).decision == "We sail at noon."
        again = forge.import_path(folder)
        assert "revised" not in again.details["files"]["out"]
        forge.decisions.revise(ids["hasty"], "Nets are white.")
        told = [fault.reason for fault in forge.import_path(folder).faults]
        assert any(
            f"{ids['hasty']} was changed since the export, from version 2 to 4" in said for said in told
        )
        assert forge.decisions.get(ids["hasty"]).decision == "Nets are white."
        assert forge.check() == []


def test_what_was_forgotten_leaves_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with engramforge.open(tmp_path / "home") as forge:
        ids = fill(forge)
        forge.export_markdown(folder)
        (folder / "mine.txt").write_text("Not of an export.")
        kept = page_of(folder, "../../etc", "conversations")
        assert kept.exists()
        forge.forget(ids["gone"])
        forge.export_markdown(folder)
    assert not kept.exists()
    assert not any(b"Soon gone." in path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert (folder / "mine.txt").read_text() == "Not of an export."


def test_an_export_that_was_broken_off_is_cleared_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from engramforge.upkeep import markdown_export

    folder = tmp_path / "out"
    with engramforge.open(tmp_path / "home") as forge:
        ids = fill(forge)
        with monkeypatch.context() as patched:
            patched.setattr(markdown_export, "_readme", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                forge.export_markdown(folder)
        forge.forget(ids["gone"])
        forge.export_markdown(folder)
    assert not any(b"Soon gone." in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_folders_that_are_somebody_else_s_are_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    with engramforge.open(tmp_path / "home") as forge:
        fill(forge)
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "thesis.md").write_text("Mine.")
        with pytest.raises(InvalidValue, match="holds other files"):
            forge.export_markdown(tmp_path / "full")
        linked = tmp_path / "linked"
        forge.export_markdown(linked)
        project = page_of(linked, "har/bour")
        for path in sorted(project.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
        project.rmdir()
        project.symlink_to(outside)
        with pytest.raises(InvalidValue, match="leads out"):
            forge.export_markdown(linked)
        (linked / "engramforge-export.json").write_text(json.dumps({"files": ["../outside/x.md"]}))
        project.unlink()
        with pytest.raises(InvalidValue, match="leads out"):
            forge.export_markdown(linked)
        (linked / "engramforge-export.json").write_text("[]")
        with pytest.raises(InvalidValue, match="no export's"):
            forge.export_markdown(linked)
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["", "plain", TRICKY, "&lt;!-- &amp; <!--", "a  \nb\n\n", "\n<!-- end -->\n"]
)
def test_marks_hold_any_text(text: str) -> None:
    assert unescaped(escaped(text)) == text
    assert "<!--" not in escaped(text)
    page = f"x\n{marked('decision', 'dec_0123456789ab', 7, text)}y\n"
    (region,) = regions_in(page)
    assert (region.entry_id, region.version, region.is_edited, region.line) == (
        "dec_0123456789ab",
        7,
        False,
        2,
    )
    (edited,) = regions_in(page.replace(" -->\n", " -->\nmore\n", 1))
    assert edited.is_edited


@pytest.mark.parametrize("name", ["..", "", "a/b", "CON", "ä" * 300, "x\0y", ".git", "a\nb"])
def test_names_are_safe(name: str) -> None:
    safe = safe_name(name)
    assert safe.replace("-", "").isalnum() and len(safe) < 80
    assert safe != safe_name(name + "2")


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ENGRAMFORGE_HOME", str(tmp_path / "home"))
    with engramforge.open(tmp_path / "home") as forge:
        fill(forge)
    out = str(tmp_path / "out")
    assert run(["export", "--format", "markdown", "--to", out, "--project", "har/bour", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["decisions"] == 4
    assert run(["export", "--to", str(tmp_path / "all.jsonl")]) == 0
    assert (tmp_path / "all.jsonl").read_bytes() == exported(tmp_path / "home")
    assert run(["export", "--format", "markdown"]) == 2
    assert run(["export", "--format", "novel", out]) == 2
    assert run(["export", out, "--to", out]) == 2
    assert run(["export", out, "--project", "p"]) == 2
