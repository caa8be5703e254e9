"""Bad input through the command line: a typed error that names fault and mend, and nothing changed."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

import engramforge
from engramforge.faces.cli import program
from engramforge.model.limits import CONTENT_BYTES

from .conftest import Cli

REMEMBER = ("remember", "Something.", "--json")
WRONG = [
    (("remember", "", "--json"), 2, "InvalidContent"),
    (("remember", " \n\t ", "--json"), 2, "InvalidContent"),
    (("remember", "NUL \x00 inside", "--json"), 2, "InvalidContent"),
    (("remember", "surrogate \ud800 inside", "--json"), 2, "InvalidContent"),
    (("remember", "bytes \udcff inside", "--json"), 2, "InvalidContent"),
    (("recall", "bytes \udcff inside", "--json"), 2, "InvalidContent"),
    ((*REMEMBER, "--valid-at", "2026-05-01T09:00:00"), 2, "InvalidTime"),
    ((*REMEMBER, "--valid-at", "soon"), 2, "InvalidTime"),
    ((*REMEMBER, "--valid-at", "2026-05-02", "--invalid-at", "2026-05-01"), 2, "InvalidTime"),
    ((*REMEMBER, "--recorded-at", "2999-01-01"), 2, "InvalidTime"),
    ((*REMEMBER, "--kind", "rumour"), 2, "InvalidValue"),
    ((*REMEMBER, "--level", "galactic"), 2, "InvalidValue"),
    ((*REMEMBER, "--energy", "1.5"), 2, "InvalidValue"),
    ((*REMEMBER, "--energy", "nan"), 2, "InvalidValue"),
    ((*REMEMBER, "--confidence", "inf"), 2, "InvalidValue"),
    ((*REMEMBER, "--epistemic-tier", "-0.1"), 2, "InvalidValue"),
    ((*REMEMBER, "--energy", "much"), 2, "InvalidValue"),
    ((*REMEMBER, "--emotion", "joy"), 2, "InvalidValue"),
    ((*REMEMBER, "--emotion", "joy=much"), 2, "InvalidValue"),
    ((*REMEMBER, "--emotion", "joy=7"), 2, "InvalidValue"),
    ((*REMEMBER, "--metadata", "{"), 2, "InvalidValue"),
    ((*REMEMBER, "--metadata", "[1]"), 2, "InvalidValue"),
    ((*REMEMBER, "--metadata", '{"n": NaN}'), 2, "InvalidValue"),
    ((*REMEMBER, "--project", ""), 2, "InvalidValue"),
    ((*REMEMBER, "--project", "x" * 201), 2, "InvalidValue"),
    ((*REMEMBER, "--unknown"), 2, "InvalidValue"),
    (("recall", "", "--json"), 2, "InvalidValue"),
    (("recall", "x" * 10_001, "--json"), 2, "InvalidValue"),
    (("recall", "q", "--kind", "rumour", "--json"), 2, "InvalidValue"),
    (("recall", "q", "--since", "2026-05-02", "--until", "2026-05-01", "--json"), 2, "InvalidTime"),
    (("recall", "q", "--as-of", "2026-05-01T09:00", "--json"), 2, "InvalidTime"),
    (("recall", "q", "--as-of", "2026-05-01", "--as-of-valid", "2026-05-01", "--json"), 2, "InvalidTime"),
    (("recall", "q", "--min-score", "1.5", "--json"), 2, "InvalidValue"),
    (("recall", "q", "--min-score", "nan", "--json"), 2, "InvalidValue"),
    (("recall", "q", "--limit", "0", "--json"), 2, "InvalidValue"),
    (("recall", "q", "--limit", "1001", "--json"), 2, "InvalidValue"),
    (("recall", "q", "--budget", "-1", "--json"), 2, "InvalidValue"),
    (("recall", "--json"), 2, "InvalidValue"),
    (("show", "no-such-id", "--json"), 3, "NotFound"),
    (("show", "", "--json"), 2, "InvalidValue"),
    (("history", "no-such-id", "--json"), 3, "NotFound"),
    (("revise", "no-such-id", "text", "--json"), 3, "NotFound"),
    (("supersede", "no-such-id", "text", "--json"), 3, "NotFound"),
    (("forget", "no-such-id", "--yes", "--json"), 3, "NotFound"),
    (("list", "--project", "nowhere", "--json"), 3, "NotFound"),
    (("decisions", "--project", "nowhere", "--json"), 3, "NotFound"),
    (("threads", "--project", "nowhere", "--json"), 3, "NotFound"),
    (("list", "--kind", "rumour", "--json"), 2, "InvalidValue"),
    (("list", "--limit", "-1", "--json"), 2, "InvalidValue"),
    (("list", "--offset", "-1", "--json"), 2, "InvalidValue"),
    (("import", "/no/such/path", "--json"), 3, "NotFound"),
    (("projects", "--create", " ", "--json"), 2, "InvalidValue"),
    (("mcp", "--deadline", "0", "--json"), 2, "InvalidValue"),
    (("mcp", "--deadline", "nan", "--json"), 2, "InvalidValue"),
    (("bench", "nothing", "--json"), 2, "InvalidValue"),
    (("bench", "locomo", "--data", "/no/such/file", "--json"), 2, "InvalidSource"),
    (("dance", "--json"), 2, "InvalidValue"),
]


@pytest.mark.parametrize(("arguments", "code", "kind"), WRONG, ids=lambda value: repr(value)[:60])
def test_wrong_calls_are_told_and_change_nothing(
    cli: Cli, arguments: tuple[str, ...], code: int, kind: str
) -> None:
    kept = cli("remember", "The one that was there before.", "--json").json["memory"]["id"]
    answer = cli(*arguments)
    assert answer.error["error"] == kind, answer.error
    assert answer.code == code
    listed = cli("list", "--json").json["memories"]
    assert [memory["id"] for memory in listed] == [kept]
    assert [each["name"] for each in cli("projects", "--json").json["projects"]] == ["default"]


def test_faults_in_words(cli: Cli) -> None:
    answer = cli("remember", "Something.", "--energy", "1.5")
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("error: ")
    assert "1.5" in answer.err
    assert "Traceback" not in answer.err


def test_what_is_missing_or_misplaced_is_named(cli: Cli) -> None:
    assert "--useful or --not-useful" in cli("feedback", "abcd1234").err
    for given in (("decisions", "invalidate", "dec_0", "too old"), ("invalidate", "abcd1234", "too old")):
        assert "--reason" in cli(*given).err
    assert "--reason" not in cli("show", "abcd1234", "too old").err


def test_a_fault_is_the_one_that_it_is(cli: Cli, tmp_path: Path) -> None:
    assert "from 1 to 1,000." in cli("recall", "q", "--limit", str(10**30)).err
    assert "from 1 to 1,000." in cli("recall", "q", "--limit", str(10**400)).err
    assert "day is out of range" in cli("recall", "q", "--as-of", "2026-02-30").err
    assert "hour must be" in cli("recall", "q", "--as-of", "2026-05-01T25:00Z").err
    assert "not an ISO 8601 time" in cli("recall", "q", "--as-of", "2026-2-30").err
    assert "`review` lists" in cli("review", "accept").err
    long = b'{"content": "c", "n": ' + b"9" * 5_000 + b"}\n"
    cut = b'[{"uuid": "u", "name": "n", "chat_messages": [{"uuid": "m", "sender": "human", "text": "Kept."}, {"te'
    files = {
        "empty.json": (b" \n", "nothing but blanks and line ends in its first 2 bytes. Leave it out"),
        "empty.jsonl": (b"", "the file is empty"),
        "cut.json": (b'{"foo": ', "the JSON breaks off or is damaged within its first object"),
        "none.json": (b"hello {", "damaged before its first object"),
        "first.jsonl": (b'{"content": "a"\n', "line 1: not JSON"),
        "latin.jsonl": (b'{"content": "caf\xe9"}\n', "save it as UTF-8. Save it whole"),
        "latin.md": (b"caf\xe9", "not UTF-8: save it as UTF-8"),
        "other.json": (b'{"foo": 3}', "Known are"),
        "tab.jsonl": (b'{"content": "ok"}\n{"content": "\t"}\n', "control character at character 13"),
        "long.jsonl": (b'{"content": "ok"}\n' + long, "cannot be read (Exceeds the limit (4300 digits)"),
        "part.json": (cut, "damaged within its first object"),
    }
    for name, (written, told) in files.items():
        (tmp_path / name).write_bytes(written)
        answer = cli("import", str(tmp_path / name))
        assert told in answer.out + answer.err


def test_a_wrong_change_changes_nothing(cli: Cli) -> None:
    id_ = cli("remember", "Stays as it is.", "--valid-at", "2026-01-01", "--json").json["memory"]["id"]
    for arguments in (
        ("revise", id_, ""),
        ("revise", id_, "x", "--energy", "2"),
        ("revise", id_, "x", "--kind", "rumour"),
        ("supersede", id_, "x", "--at", "2025-01-01"),
        ("supersede", id_, "x", "--at", "2026-02-01T00:00"),
    ):
        answer = cli(*arguments, "--json")
        assert answer.code == 2, arguments
        assert answer.error
    assert len(cli("history", id_, "--json").json["versions"]) == 1


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (b"", "empty"),
        (b"\xff\xfe not utf-8", "not UTF-8"),
        (b"half \xc3", "not UTF-8"),
        (b"a" * (CONTENT_BYTES + 1), "larger"),
    ],
)
def test_wrong_standard_input(cli: Cli, raw: bytes, fault: str) -> None:
    answer = cli("remember", "-", "--json", stdin=raw)
    assert answer.code == 2
    assert answer.error["error"] == "InvalidContent"
    assert fault in answer.error["fault"]


def test_the_largest_content_fits(cli: Cli) -> None:
    text = ("word " * (CONTENT_BYTES // 5)).encode()
    assert cli("remember", "-", "--json", stdin=text).code == 0


def _location(cli: Cli) -> Path:
    assert cli("remember", "There before.", "--json").code == 0
    return Path(cli("stats", "--json").json["location"])


def test_a_file_that_is_no_database(cli: Cli) -> None:
    location = _location(cli)
    location.write_bytes(b"certainly not a database " * 100)
    for beside in location.parent.glob(location.name + "-*"):
        beside.unlink()
    for command in (("remember", "x", "--json"), ("recall", "x", "--json"), ("stats", "--json")):
        answer = cli(*command)
        assert answer.code == 5
        assert answer.error["error"] == "StoreCorrupt"
    assert location.read_bytes().startswith(b"certainly not")


def test_a_store_of_a_later_version(cli: Cli) -> None:
    location = _location(cli)
    with sqlite3.connect(location) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'ffff_from_the_future'")
    connection.close()
    answer = cli("recall", "x", "--json")
    assert answer.code == 5
    assert answer.error["error"] == "StoreTooNew"


def test_a_store_that_is_locked(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    location = _location(cli)
    monkeypatch.setenv("ENGRAMFORGE_BUSY_TIMEOUT_MS", "50")
    holder = sqlite3.connect(location, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        answer = cli("remember", "Cannot get in.", "--json")
        assert answer.code == 5
        assert answer.error["error"] == "StoreLocked"
        assert cli("recall", "there before", "--json").json["hits"]
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    assert cli("stats", "--json").json["memories"] == 1


def test_a_home_that_is_a_file(cli: Cli, home: Path) -> None:
    home.write_text("in the way")
    answer = cli("remember", "x", "--json")
    assert answer.code == 5
    assert answer.error["error"] == "StoreUnavailable"


def test_an_unknown_setting(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAMFORGE_HALF_LIVE_DAYS", "3")
    answer = cli("stats", "--json")
    assert answer.code == 2
    assert "half_life_days" in answer.error["mend"]


@pytest.mark.parametrize(
    ("raised", "code", "kind"),
    [
        (KeyboardInterrupt(), 130, "Interrupted"),
        (PermissionError(13, "Permission denied"), 5, "StoreUnavailable"),
        (RuntimeError("a defect"), 70, "InternalError"),
    ],
)
def test_nothing_escapes_as_a_traceback(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: int, kind: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(engramforge, "open", fail)
    answer = cli("stats", "--json")
    assert answer.code == code
    assert answer.error["error"] == kind


def test_a_fault_while_cleaning_up_after_an_interrupt(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("rolled back too late")

    monkeypatch.setattr(engramforge, "open", fail)
    answer = cli("stats", "--json")
    assert answer.code == 130
    assert answer.error["error"] == "Interrupted"


def test_a_defect_shows_its_trace_on_request(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engramforge, "open", lambda *_, **__: 1 / 0)
    answer = cli("--trace", "stats")
    assert answer.code == 70
    assert "ZeroDivisionError" in answer.err
    assert "Traceback" in answer.err


def test_an_interrupted_import_says_what_is_kept(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engramforge.faces.cli.commands import import_

    path = tmp_path / "many.jsonl"
    path.write_text("".join(json.dumps({"content": f"Record {number}."}) + "\n" for number in range(2_500)))

    def stop_after_the_first(bar: import_.Bar, progress: object) -> None:
        show(bar, progress)
        if bar.kept:
            raise KeyboardInterrupt

    show = import_.Bar.show
    monkeypatch.setattr(import_.Bar, "show", stop_after_the_first)
    answer = cli("import", str(path), "--project", "p")
    assert answer.code == 130
    assert "Written, and kept:" in answer.err
    monkeypatch.setattr(import_.Bar, "show", show)
    kept = cli("stats", "--json").json["memories"]
    assert str(kept) in answer.err
    assert 0 < kept < 2_500
    assert cli("import", str(path), "--project", "p", "--json").json["written"] == 2_500 - kept
    assert cli("stats", "--json").json["memories"] == 2_500


def test_undecodable_arguments_name_their_place() -> None:
    with pytest.raises(engramforge.InvalidContent, match="Argument 2"):
        program.refuse_undecodable(["recall", "x\udcff"])


def test_places_that_lead_nowhere(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links that go round in a circle, and the folder of a user that there is not."""
    loop, notes = tmp_path / "loop", tmp_path / "notes"
    loop.symlink_to("loop")
    notes.mkdir()
    (notes / "loop.png").symlink_to("loop.png")
    (notes / "note.md").write_text("# Ferries\n\nThe ferry is late. ![ferry](loop.png)\n")
    assert cli("remember", "The ferry is late.", "--session", "talk").code == 0
    wrong = [
        (("export", str(loop)), 5, "StoreUnavailable"),
        (("export", "--format", "markdown", "--to", str(loop)), 5, "StoreUnavailable"),
        (("compress", "talk", "--to", str(loop)), 5, "StoreUnavailable"),
        (("import", str(loop)), 3, "NotFound"),
        (("import", str(notes), "--assign", "@~nobody-of-that-name/rules"), 2, "InvalidSource"),
    ]
    for words, code, error in wrong:
        answer = cli(*words, "--json")
        assert (answer.code, answer.error["error"]) == (code, error), words
    assert cli("import", str(notes), "--json").code == 0
    monkeypatch.setenv("ENGRAMFORGE_MODEL_EMBEDDING", "local:~nobody-of-that-name/model")
    monkeypatch.setenv("ENGRAMFORGE_HOME", str(tmp_path / "another"))
    assert cli("remember", "The ferry is late.", "--json").error["error"] == "ModelUnavailable"


def test_a_kind_of_any_length_that_there_is_not_is_told_shortly(cli: Cli) -> None:
    thread = cli("threads", "create", "Who moors it?", "--json").json["id"]
    memory = cli("remember", "The ferry is late.", "--json").json["memory"]["id"]
    for named in (thread, memory):
        for verb in ("supersede", "revise"):
            error = cli(verb, named, "Out.", "--kind", "9" * 5_000, "--json").error
            assert error["fault"].startswith("There is no kind '999")
            assert len(error["fault"] + error["mend"]) < 500


@pytest.mark.parametrize("asks", [("recall",), ("context", "--text"), ("context",)])
def test_a_question_to_a_project_that_is_not_there(cli: Cli, asks: tuple[str, ...]) -> None:
    for project in ("harbour", "harbour-north", "Mill"):
        cli("remember", f"The wheel of {project} turns.", "--project", project)
    asked = cli(*asks, "Where does the wheel turn?", "--project", "harbor")
    assert (asked.code, asked.out) == (3, "")
    assert asked.err == "error: There is no project 'harbor'. Did you mean 'harbour' or 'harbour-north'?\n"
    assert "Did you mean 'Mill'?" in cli(*asks, "wheel", "--project", "MILL").err
    assert "Did you mean 'harbour' or 'harbour-north'?" in cli(*asks, "wheel", "--project", "har").err
    answer = cli(*asks, "wheel", "--project", "barn", "--json")
    told = json.loads(answer.err)["fault"] if asks == ("context",) else json.loads(answer.out)["note"]
    assert answer.code == 3 and "There is no project 'barn'" in told
    assert cli(*asks, "Where does the wheel turn?", "--project", "harbour").code == 0
