"""Files that are empty, blank, binary, packed or of another encoding: what an import says of them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from .conftest import Cli

ASCII = "The wheel turns.\n"


@pytest.mark.parametrize(
    ("name", "written", "told"),
    [
        ("empty.md", b"", "empty.md: empty: skipped"),
        (
            "blank.md",
            b"\n" * 3_000_000,
            "blank.md: 3,000,000 bytes of nothing but blanks and line ends: skipped",
        ),
        ("front.md", b"---\ntitle: Mill\n---\n", "front.md: no text besides its front matter"),
        ("blank.jsonl", b" \n" * 2_000_000, "nothing but blanks and line ends in its first 1,048,576 bytes"),
        ("wide.md", ASCII.encode("utf-16"), "wide.md:1: UTF-16, not UTF-8: save it as UTF-8"),
        ("bare.txt", (ASCII * 9).encode("utf-16-be"), "bare.txt:1: UTF-16, not UTF-8: save it as UTF-8"),
        ("wide.jsonl", '{"content": "x"}'.encode("utf-16"), "UTF-16, not UTF-8. Save it as UTF-8"),
        ("nul.md", b"One line.\nA \0 here.\n", "nul.md:2: a NUL, which no text has: leave the file out if"),
    ],
)
def test_a_file_without_text_is_called_by_its_name(
    cli: Cli, tmp_path: Path, name: str, written: bytes, told: str
) -> None:
    (tmp_path / name).write_bytes(written)
    answer = cli("import", str(tmp_path / name), "--project", "mill")
    assert told in answer.out + answer.err
    assert cli("list", "--json").json["memories"] == []


def test_an_empty_file_beside_others_is_noted_once(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "empty.md").touch()
    (folder / "mill.md").write_text(ASCII)
    told = cli("import", str(folder))
    assert (told.code, "With a note: 1 record\n" in told.out) == (0, True)
    again = cli("import", str(folder)).out
    assert "Nothing is new" in again and "have not changed since: 1 fault or note" in again


def test_where_more_faults_are_listed_is_true(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"content": "x"}\n' + '{"content": ""}\n' * 22)
    first = cli("import", str(tmp_path / "a.jsonl")).out
    assert "... and 2 more (--json lists all, at the first import of a file)" in first
    assert "have not changed since: 22 faults and notes" in cli("import", str(tmp_path / "a.jsonl")).out


def test_line_ends_of_windows_are_read_as_others(cli: Cli, tmp_path: Path) -> None:
    # A carriage return falls on the end of a piece of a megabyte, too.
    long = b"x" * ((1 << 20) - 1) + b"\r\n"
    (tmp_path / "mill.md").write_bytes(b"# Mill\r\n\r\nThe wheel turns.\r\nIt is wet.\r\n")
    (tmp_path / "long.md").write_bytes(long + b"The end.\r\n")
    for name in ("mill.md", "long.md"):
        cli("import", str(tmp_path / name), "--project", name)
    contents = [each["content"] for each in cli("list", "--limit", "100", "--json").json["memories"]]
    assert "# Mill\n\nThe wheel turns.\nIt is wet." in contents
    assert not any("\r" in content for content in contents)
    assert any(content.endswith("\nThe end.") for content in contents)


def test_a_gz_of_several_members_is_read_whole(cli: Cli, tmp_path: Path) -> None:
    packed = b"".join(gzip.compress(f'{{"content": "Note {at}."}}\n'.encode()) for at in range(3))
    (tmp_path / "many.jsonl.gz").write_bytes(packed)
    assert "remembered      3" in cli("import", str(tmp_path / "many.jsonl.gz")).out
    (tmp_path / "cut.jsonl.gz").write_bytes(packed[:-9])
    told = cli("import", str(tmp_path / "cut.jsonl.gz"))
    assert "is damaged or truncated" in told.out + told.err
    bomb = gzip.compress(b'{"content": "Bomb."}\n') + gzip.compress(b" " * 20_000_000)
    (tmp_path / "bomb.jsonl.gz").write_bytes(bomb)
    told = cli("import", str(tmp_path / "bomb.jsonl.gz"))
    assert "a bomb" in told.out + told.err


def test_a_map_is_tried_on_the_first_record(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(
        '{"body": "We ship on Thursdays", "key": 7, "at": "2026-01-02", "who": "Ann", "room": 5}\n'
    )
    told = cli("import", str(path), "--dry-run", "--map", "content=body,id=key,time=at,speaker=who").out
    assert "The first record would be read as:\n" in told
    for line in (
        "  content   We ship on Thursdays\n",
        "  speaker   Ann\n",
        "  valid_at  2026-01-02T00:00:00+00:00\n",
        "  origin    7\n",
        "  metadata  {'room': 5}\n",
    ):
        assert line in told
    told = cli("import", str(path), "--dry-run", "--map", "content=body,time=who").out
    assert "fault  The time 'Ann' cannot be read. Write ISO 8601" in told
    first = cli("import", str(path), "--dry-run", "--map", "content=body", "--json").json["first"]
    assert first["content"] == "We ship on Thursdays"
    assert cli("list", "--json").json["memories"] == []
