"""What an import tells: what it read, what it made of it, and since when that holds."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Cli

SAID = ("We decided to use slate for the roof.", "The mason comes on Monday.", "TODO: order the nails.")


def talk(folder: Path, *said: str) -> Path:
    """A conversation of a day in 2023, as lines of JSON."""
    folder.mkdir(exist_ok=True)
    path = folder / "talk.jsonl"
    lines = [
        {
            "content": text,
            "kind": "message",
            "speaker": "Ann",
            "session_id": "roof-1",
            "sequence": place,
            "valid_at": f"2023-05-04T10:{place:02}:00Z",
        }
        for place, text in enumerate(said)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_a_decision_of_an_old_talk_counts_as_validated_when_it_was_said(cli: Cli, tmp_path: Path) -> None:
    assert cli("import", str(talk(tmp_path / "talks", *SAID)), "--project", "roof").code == 0
    (decision,) = cli("decisions", "--json").json["decisions"]
    assert decision["last_validated"] == decision["valid_at"] == "2023-05-04T10:00:00+00:00"
    told = cli("decisions", "show", decision["id"]).out
    assert "not yet; made or revised 2023-05-04T10:00:00, 0 hops since" in told


def test_an_import_says_what_it_registered_and_the_next_that_all_is_there(cli: Cli, tmp_path: Path) -> None:
    said = (*SAID, "Maybe we could go with copper gutters, I am not sure.")
    path = str(talk(tmp_path / "talks", *said))
    told = cli("import", path, "--project", "old roof").out
    assert "Registered 1 decision (engramforge decisions --project 'old roof'):\n  dec_" in told
    assert "We decided to use slate for the roof" in told
    assert "Registered 1 thread (engramforge threads --project 'old roof'):\n  thr_" in told
    assert "remembered      4" in told and "Nothing is new" not in told
    for again in (cli("import", path, "--project", "old roof").out, _touched(cli, path)):
        assert "remembered" not in again and "Registered" not in again
        assert "there already   4" in again and "memories written  0" in again
        assert "Nothing is new: all of it was imported before." in again
    report = cli("import", path, "--project", "new roof", "--json").json
    made = report["details"]["registered"]
    assert (made["decisions"], made["threads"], made["changed"]) == (1, 1, 0)
    assert [each["kind"] for each in made["first"]] == ["decision", "thread"]


def _touched(cli: Cli, path: str) -> str:
    """What the import of a file says that was written again with the same words."""
    Path(path).write_bytes(Path(path).read_bytes())
    return cli("import", path, "--project", "old roof").out


def test_what_waits_for_review_is_counted(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    texts = [f"We decided to use {what} for the shed." for what in ("oak", "pine")]
    lines = [{"content": text, "kind": "note"} for text in texts]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    told = cli("import", str(path), "--project", "shed").out
    waiting = len(cli("review", "--project", "shed", "--json").json["pending"])
    assert waiting == 2 and f"{waiting} statements wait for review: engramforge review --project shed" in told


def test_unchanged_notes_are_there_already(cli: Cli, tmp_path: Path) -> None:
    note = tmp_path / "notes" / "roof.md"
    note.parent.mkdir()
    note.write_text("# Roof\n\nSlate lasts for a century.\n", encoding="utf-8")
    assert "remembered      1" in cli("import", str(note.parent)).out
    note.touch()
    again = cli("import", str(note.parent)).out
    assert "there already   1" in again and "Nothing is new" in again and "remembered" not in again


def test_a_folder_of_records_is_a_folder(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "adr"
    folder.mkdir()
    for number, title in enumerate(("Use slate", "Use copper"), start=1):
        head = f"# {number}. {title}\n\nDate: 2026-01-0{number}\n\n## Status\n\nAccepted\n\n"
        text = f"{head}## Context\n\nIt rains.\n\n## Decision\n\nWe will {title.lower()}.\n"
        (folder / f"000{number}-record.md").write_text(text, encoding="utf-8")
    surveyed = cli("import", str(folder), "--dry-run").out
    assert "decision records (ADR) (adr): 1 folder" in surveyed
    done = cli("import", str(folder), "--project", "roof")
    assert "found decision records (ADR) (adr): 1 folder" in done.err
    assert "read              1 folder\nrecords found     2\n" in done.out
    assert "Registered 2 decisions (engramforge decisions --project roof):\n  ADR-0001  Use slate" in done.out


def test_times_of_a_survey_are_told_as_estimates(cli: Cli, tmp_path: Path) -> None:
    surveyed = cli("import", str(talk(tmp_path / "talks", *SAID)), "--dry-run").out
    assert "JSONL with a `content` (jsonl): 1 file" in surveyed
    assert "times from about 2023-05-04 to about 2023-05-04" in surveyed
