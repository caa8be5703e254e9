"""Sync, `--since`, rules for conversations, and what is said before an import begins; on either engine."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.upkeep.conftest import new_place, place

import engramforge
from engramforge.errors import Conflict, InvalidSource, InvalidTime, InvalidValue, NotFound
from engramforge.faces.cli.program import run
from engramforge.forge import Forge
from engramforge.model.storing.import_survey import ImportSurvey

__all__ = ["new_place", "place"]


@pytest.fixture
def forge(place: str) -> Iterator[Forge]:
    """An empty store."""
    with engramforge.open(place) as opened:
        yield opened


def chats(folder: Path, *named: tuple[str, str], name: str = "conversations.json") -> Path:
    """A chat export with conversations of these titles and first texts."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    made = [
        {
            "uuid": f"00000000-0000-4000-8000-{number:012}",
            "name": title,
            "created_at": "2026-01-05T10:00:00Z",
            "updated_at": "2026-01-05T10:00:00Z",
            "chat_messages": [
                {
                    "uuid": f"10000000-0000-4000-8000-{number:012}",
                    "sender": "human",
                    "text": text,
                    "created_at": "2026-01-05T10:00:00Z",
                }
            ],
        }
        for number, (title, text) in enumerate(named)
    ]
    file.write_text(json.dumps(made), encoding="utf-8")
    return file


def lines(file: Path, *contents: tuple[str, str]) -> Path:
    """JSON lines with times."""
    said = [json.dumps({"content": text, "valid_at": at, "id": text}) for text, at in contents]
    file.write_text("\n".join(said), encoding="utf-8")
    return file


def projects(forge: Forge) -> dict[str, str]:
    """Content -> project, of all that is there."""
    return {memory.content: memory.project for memory in forge.memories(limit=100)}


def test_only_what_is_since_then(forge: Forge, tmp_path: Path) -> None:
    file = lines(
        tmp_path / "a.jsonl", ("Old.", "2020-01-01"), ("New.", "2026-01-01"), ("Newer.", "2026-02-01")
    )
    report = forge.import_path(file, since="2026-01-01")
    assert set(projects(forge)) == {"New.", "Newer."}
    counts = report.details["files"]["a.jsonl"]
    assert counts["skipped"] == {"before the time asked": 1}
    assert counts["found"] == counts["remembered"] + counts["nothing"] == 3
    assert forge.import_path(file, since="2026-01-01").written == 0
    # Asked without the time, the file is read again.
    assert forge.import_path(file).written == 1


def test_older_notes_stay_out_and_what_is_in_stays(forge: Forge, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, year in (("old", 2020), ("new", 2026)):
        (folder / f"{name}.md").write_text(f"The {name} one.\n")
        os.utime(folder / f"{name}.md", (year_seconds := (year - 1970) * 31_557_600, year_seconds))
    assert forge.import_path(folder, since="2025-01-01").written == 1
    assert forge.import_path(folder).written == 1
    assert forge.import_path(folder, since="2025-01-01").invalidated == 0
    assert len(projects(forge)) == 2


def test_conversations_are_assigned_by_rules_that_are_kept(forge: Forge, tmp_path: Path) -> None:
    file = chats(
        tmp_path / "export",
        ("Invoices in May", "How do I bill?"),
        ("Untitled", "The kubernetes pod dies"),
        ("Other", "Nothing special"),
    )
    rules = ["# comment", "title:invoice*may=billing", "text:/kube(rnetes|ctl)/=infra", "pod=late"]
    forge.import_path(file, assign=rules)
    assert projects(forge) == {
        "How do I bill?": "billing",
        "The kubernetes pod dies": "infra",
        "Nothing special": "claude.ai",
    }
    # A second import with other rules, or none, agrees: a conversation stays where it is.
    chats(
        tmp_path / "export",
        ("Invoices in May", "How do I bill?"),
        ("Untitled", "The kubernetes pod dies"),
        ("Other", "Nothing special"),
        ("New invoice, may be", "Bill what?"),
    )
    assert forge.import_path(file).written == 1
    assert projects(forge)["Bill what?"] == "billing"
    assert forge.import_path(file, assign="special=elsewhere").written == 0
    assert forge.import_path(file, assign=()).written == 0
    # What the caller names goes before all of it.
    assert forge.import_path(file, project="all").written == 4


def test_rules_of_a_file(forge: Forge, tmp_path: Path) -> None:
    file = chats(tmp_path / "export", ("Boats", "Which one floats?"))
    (tmp_path / "rules.txt").write_text("# mine\n\nBOATS = harbour\n", encoding="utf-8")
    forge.import_path(file, assign=f"@{tmp_path}/rules.txt")
    assert projects(forge) == {"Which one floats?": "harbour"}


@pytest.mark.parametrize(
    ("rule", "error", "said"),
    [
        ("no project", InvalidValue, "names no pattern and project"),
        ("=project", InvalidValue, "names no pattern"),
        ("word=", InvalidValue, "project is empty"),
        ("/(/=p", InvalidValue, "no sound regular expression"),
        ("@/no/such/file", InvalidSource, "cannot be read"),
        (7, InvalidValue, "assign is"),
        ([7], InvalidValue, "assign has 7 in it"),
    ],
)
def test_unsound_rules_change_nothing(tmp_path: Path, rule: str, error: type[Exception], said: str) -> None:
    file = lines(tmp_path / "a.jsonl", ("One.", "2026-01-01"))
    with engramforge.open(tmp_path / "home") as forge:
        with pytest.raises(error, match=said):
            forge.import_path(file, assign=rule)
        with pytest.raises(InvalidTime):
            forge.import_path(file, since="soon")
        assert forge.memories() == []


def test_what_is_there_is_told_before_it_is_read(forge: Forge, tmp_path: Path) -> None:
    folder = tmp_path / "both"
    chats(folder, ("A", "One"), ("B", "Two"))
    lines(folder / "turns.jsonl", ("First.", "2021-05-01"), ("Last.", "2022-06-01"))
    (folder / "odd.bin").write_bytes(b"\0\1")
    survey = forge.survey(folder)
    assert [found.format for found in survey.formats] == ["claude_ai", "jsonl"]
    chat, turns = survey.formats
    assert (turns.sources, turns.records) == (1, 2)
    assert turns.first_at is not None and turns.last_at is not None
    assert (turns.first_at.year, turns.last_at.year) == (2021, 2022)
    assert chat.first_at is not None and chat.first_at.year == 2026
    assert (survey.unrecognised, survey.size_bytes) == (1, chat.size_bytes + turns.size_bytes)
    assert forge.memories() == [] and forge.projects() == []
    told: list[ImportSurvey] = []

    def begun(found: ImportSurvey) -> None:
        told.append(found)
        assert forge.memories() == []

    forge.import_path(folder, begun=begun)
    assert told == [survey]


def test_sync_brings_in_what_is_new(forge: Forge, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    lines(folder / "a.jsonl", ("One.", "2026-01-01"))
    notes = tmp_path / "note.md"
    notes.write_text("A note.\n")
    assert forge.sync.run().sources == ()
    forge.sync.add(folder, project="logs")
    forge.sync.add(notes)
    first = forge.sync.run()
    assert first.happened and [source.report.written for source in first.sources if source.report] == [1, 1]
    again = forge.sync.run()
    assert not again.happened and again.exit_code == 0
    lines(folder / "b.jsonl", ("Two.", "2026-01-02"))
    third = forge.sync.run()
    assert [source.happened for source in third.sources] == [True, False]
    assert projects(forge) == {"One.": "logs", "Two.": "logs", "A note.": tmp_path.name}
    listed = forge.sync.sources()
    assert [source.path for source in listed] == sorted((str(folder), str(notes)))
    assert all(source.last_at is not None and not source.error for source in listed)
    forge.sync.remove(folder)
    assert [source.path for source in forge.sync.sources()] == [str(notes)]
    assert len(projects(forge)) == 3


def test_a_source_that_is_gone_does_not_stop_the_others(forge: Forge, tmp_path: Path) -> None:
    gone, there = tmp_path / "a-gone.md", lines(tmp_path / "b.jsonl", ("One.", "2026-01-01"))
    gone.write_text("Soon gone.\n")
    forge.sync.add(gone)
    forge.sync.add(there)
    gone.unlink()
    report = forge.sync.run()
    assert report.exit_code == NotFound.exit_code
    assert [bool(source.error) for source in report.sources] == [True, False]
    assert set(projects(forge)) == {"One."}
    assert [bool(source.error) for source in forge.sync.sources()] == [True, False]
    with pytest.raises(NotFound):
        forge.sync.add(tmp_path / "nowhere")
    with pytest.raises(NotFound):
        forge.sync.remove(tmp_path / "nowhere")
    with pytest.raises(InvalidValue):
        forge.sync.add(there, format="novel")


def test_one_sync_at_a_time_and_sources_of_ones_own(tmp_path: Path) -> None:
    file = lines(tmp_path / "a.jsonl", ("One.", "2026-01-01"))
    home = tmp_path / "home"
    with engramforge.open(home, agent="ada") as ada, engramforge.open(home, agent="bo") as bo:
        ada.sync.add(file)
        assert bo.sync.sources() == ()
        ada.sync.run()
        (lock,) = home.glob("sync-*.lock")
        with lock.open("wb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            with pytest.raises(Conflict, match="going on"):
                ada.sync.run()
            assert bo.sync.run().sources == ()
        assert ada.sync.run().exit_code == 0


def test_sync_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ENGRAMFORGE_HOME", str(tmp_path / "home"))
    file = lines(tmp_path / "a.jsonl", ("One.", "2026-01-01"))

    def said(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    assert said("sync")[:2] == (0, "")
    assert said("sync", "--add", str(file), "--project", "p")[:2] == (0, f"Added {file}.\n")
    code, out, _ = said("sync")
    assert code == 0 and "written" in out
    assert said("sync") == (0, "", "")
    assert str(file) in said("sync", "--list")[1]
    assert json.loads(said("sync", "--list", "--json")[1])["sources"][0]["project"] == "p"
    file.unlink()
    code, out, err = said("sync")
    assert (code, out) == (3, "") and str(file) in err
    code, out, _ = said("sync", "--json")
    assert code == 3 and json.loads(out)["sources"][0]["report"] is None
    assert said("sync", "--remove", str(file))[0] == 0
    assert said("sync", "--list")[1].startswith("No sources")
    assert said("sync", "--list", "--add", str(file))[0] == 2
    assert said("sync", "--project", "p")[0] == 2


def test_import_says_on_the_command_line_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ENGRAMFORGE_HOME", str(tmp_path / "home"))
    file = lines(tmp_path / "a.jsonl", ("One.", "2021-01-01"), ("Two.", "2026-01-01"))
    assert run(["import", str(file), "--dry-run"]) == 0
    out, _ = capsys.readouterr()
    assert (
        "about 2 records, times from about 2021-01-01 to about 2026-01-01" in out
        and "Nothing was imported" in out
    )
    assert run(["import", str(file), "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr()[0])["formats"][0]["records"] == 2
    assert run(["import", str(file), "--since", "2025-01-01", "--assign", "x=y"]) == 0
    out, err = capsys.readouterr()
    assert "found JSONL with a `content` (jsonl): 1 file" in err and "written" in out
    assert run(["import", str(file), "--assign", "x=y", "--no-assign"]) == 2
    assert run(["import", str(file), "--no-assign", "--json"]) == 0
