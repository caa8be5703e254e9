"""Markdown folders: chunks go in, and a second import touches only what changed."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.capture.conftest import Workbench

from engramforge.capture.formats.markdown import read_markdown
from engramforge.capture.reading import records
from engramforge.capture.writers.chunk_changes import compare_chunks
from engramforge.errors import InvalidSource, NotFound
from engramforge.model.memory import Kind, Source
from engramforge.model.storing.record import Extent, ImportReport, StoredChunk, content_digest
from engramforge.model.time import InvalidationReason, TemporalMode
from engramforge.writing.redact import Redactor

OLD = datetime(2026, 3, 1, tzinfo=UTC)
NEWER = datetime(2026, 4, 1, tzinfo=UTC)
NEWEST = datetime(2026, 5, 1, tzinfo=UTC)


def paragraph(number: int, words: int = 60) -> str:
    return f"Paragraph {number} " + " ".join(f"word{number}x{place}" for place in range(words)) + "."


def page(*numbers: int) -> str:
    return "# Guide\n\n" + "\n\n".join(paragraph(number) for number in numbers)


def write(path: Path, text: str | bytes, at: datetime = OLD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "my vault"
    write(root / "guide.md", page(*range(20)))
    write(
        root / "notes" / "one.markdown",
        "---\ntitle: One\ntags: [a, '#b']\ncreated: 2026-01-05\n---\nA short page.",
    )
    return root


def run(bench: Workbench, path: Path, **options: str) -> ImportReport:
    return bench.importing.import_path(bench.scope, path, options.get("project"), options.get("format"))


def test_chunks_carry_place_heading_time_and_front_matter(bench: Workbench, vault: Path) -> None:
    report = run(bench, vault)
    assert (report.format, report.files, report.project, report.faults) == ("markdown", 2, "my vault", ())
    assert report.written == report.found == len(bench.every())
    chunks = [memory for memory in bench.every() if memory.name == "Guide"]
    assert [
        chunk.chunk.chunk_index for chunk in sorted(chunks, key=lambda chunk: chunk.chunk.word_offset)
    ] == list(  # type: ignore[union-attr]
        range(len(chunks))
    )
    assert all(chunk.kind is Kind.CHUNK and chunk.source is Source.MD_FILE_CHUNK for chunk in chunks)
    assert all(chunk.valid_at == OLD and chunk.created_at > OLD for chunk in chunks)
    (short,) = [memory for memory in bench.every() if memory.content == "A short page."]
    assert (short.name, short.tags, short.metadata) == (
        "One",
        ("a", "b"),
        {
            "title": "One",
            "created": "2026-01-05",
            "place": {"file": "notes/one.markdown", "day": "2026-01-05"},
        },
    )
    assert short.valid_at == datetime(2026, 1, 5, tzinfo=UTC)


def test_a_second_import_changes_nothing(bench: Workbench, vault: Path) -> None:
    first = run(bench, vault)
    before = bench.every(TemporalMode.FULL_HISTORY)
    os.utime(vault / "guide.md")
    again = run(bench, vault)
    assert (again.written, again.superseded, again.invalidated) == (0, 0, 0)
    assert (again.found, again.duplicates) == (first.found, first.written)
    assert bench.every(TemporalMode.FULL_HISTORY) == before


def test_only_changed_chunks_are_superseded(bench: Workbench, vault: Path) -> None:
    run(bench, vault)
    before = {memory.id for memory in bench.every()}
    write(vault / "guide.md", page(*range(10), 99, *range(11, 20)), NEWER)
    report = run(bench, vault)
    now = bench.every()
    assert 1 <= report.superseded <= 3 and report.written == report.invalidated == 0
    assert len(before - {memory.id for memory in now}) == report.superseded
    changed = [memory for memory in now if memory.version == 2]
    assert all(memory.valid_at == NEWER for memory in changed)
    history = bench.door.asking(bench.scope).versions(changed[0].logical_id)
    assert [record.version for record in history] == [1, 1, 2]
    assert history[1].invalid_at == NEWER
    assert history[1].invalidation_reason is InvalidationReason.REALITY_CHANGED


def test_growing_and_shrinking_insert_and_end(bench: Workbench, vault: Path) -> None:
    run(bench, vault)
    count = len(bench.every())
    write(vault / "guide.md", page(*range(26)), NEWER)
    assert run(bench, vault).written > 0
    write(vault / "guide.md", page(*range(20)), datetime(2026, 5, 1, tzinfo=UTC))
    report = run(bench, vault)
    assert report.invalidated > 0 and len(bench.every()) == count


def test_there_and_back_again(bench: Workbench, vault: Path) -> None:
    run(bench, vault)
    contents = sorted(memory.content for memory in bench.every())
    write(vault / "guide.md", "something else entirely", NEWER)
    run(bench, vault)
    write(vault / "guide.md", page(*range(20)), datetime(2026, 5, 1, tzinfo=UTC))
    run(bench, vault)
    assert sorted(memory.content for memory in bench.every()) == contents


def test_a_deleted_file_ends_its_chunks_and_may_come_back(bench: Workbench, vault: Path) -> None:
    run(bench, vault)
    text = (vault / "guide.md").read_bytes()
    (vault / "guide.md").unlink()
    report = run(bench, vault)
    assert report.invalidated > 0
    assert [memory.content for memory in bench.every()] == ["A short page."]
    ended = [memory for memory in bench.every(TemporalMode.FULL_HISTORY) if memory.invalid_at is not None]
    assert {memory.invalidation_reason for memory in ended} == {InvalidationReason.REALITY_CHANGED}
    assert run(bench, vault).invalidated == 0
    write(vault / "guide.md", text)
    assert run(bench, vault).written == report.invalidated


def test_what_was_forgotten_stays_away(bench: Workbench, vault: Path) -> None:
    run(bench, vault)
    (short,) = [memory for memory in bench.every() if memory.content == "A short page."]
    with bench.door.transaction(bench.scope) as writes:
        writes.forget(Extent([short.logical_id]), bench.clock())
    write(vault / "notes" / "one.markdown", "A short page.", NEWER)
    report = run(bench, vault)
    assert (report.written, report.skipped) == (0, 1)
    write(vault / "notes" / "one.markdown", "Another page.", NEWER)
    assert run(bench, vault).written == 1
    write(vault / "notes" / "one.markdown", "A short page.", datetime(2026, 5, 1, tzinfo=UTC))
    report = run(bench, vault)
    assert (report.written, report.superseded, report.invalidated) == (0, 0, 1)


def test_a_chunk_that_somebody_revised_is_compared_as_it_stands(bench: Workbench, vault: Path) -> None:
    run(bench, vault)
    (short,) = [memory for memory in bench.every() if memory.content == "A short page."]
    bench.revision.revise(bench.scope, short.logical_id, "A mended page.")
    write(vault / "notes" / "one.markdown", "A mended page.", NEWER)
    assert run(bench, vault).superseded == 0


def test_broken_files_are_faults_with_their_line(bench: Workbench, vault: Path) -> None:
    write(vault / "a.md", b"fine\nnot \xff fine")
    write(vault / "b.md", b"one\ntwo\nthree \0")
    write(vault / "empty.md", "  \n")
    report = run(bench, vault)
    broken = {(Path(fault.path).name, fault.line) for fault in report.faults if not fault.is_note}
    assert broken == {("a.md", 2), ("b.md", 3)}
    (note,) = [fault for fault in report.faults if fault.is_note]
    assert (Path(note.path).name, note.reason) == (
        "empty.md",
        "3 bytes of nothing but blanks and line ends: skipped",
    )
    assert report.details["files"]["a.md"]["faulty"] == 1
    assert len(bench.every()) == report.written > 0


def test_a_file_that_breaks_keeps_what_is_known_of_it(bench: Workbench, vault: Path) -> None:
    run(bench, vault)
    count = len(bench.every())
    write(vault / "guide.md", b"\xff", NEWER)
    assert run(bench, vault).invalidated == 0
    assert len(bench.every()) == count


def test_hidden_foreign_and_linked_files_are_left_out(bench: Workbench, vault: Path, tmp_path: Path) -> None:
    write(tmp_path / "outside" / "secret.md", "outside the root")
    for place in (".git", ".obsidian", "node_modules/x", "venv", "deep/.venv"):
        write(vault / place / "x.md", f"in {place}")
    write(vault / "env" / "pyvenv.cfg", "")
    write(vault / "env" / "x.md", "in an environment")
    (vault / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    (vault / "folder").symlink_to(tmp_path / "outside")
    (vault / "up").symlink_to("..")
    (vault / "dangling.md").symlink_to("nowhere")
    run(bench, vault)
    assert not [memory for memory in bench.every() if memory.content.startswith(("in ", "outside"))]


def test_private_and_secret_parts_stay_out(bench: Workbench, vault: Path) -> None:
    write(vault / "p.md", "<private>" + "hidden " * 30 + "</private>")
    write(vault / "s.md", 'the line\npassword = "hunter2"\n')
    report = run(bench, vault)
    assert report.redacted == 1
    assert not [
        memory for memory in bench.every() if "hunter2" in memory.content or "hidden" in memory.content
    ]
    os.utime(vault / "s.md")
    assert run(bench, vault).superseded == 0


def test_globs_choose_what_counts(bench: Workbench, vault: Path) -> None:
    write(vault / "docs" / "x.txt", "a text file")
    bench.importing.globs = ("docs/*.txt",)
    assert run(bench, vault).files == 1


def test_one_file_and_a_given_project(bench: Workbench, vault: Path) -> None:
    report = run(bench, vault / "notes" / "one.markdown", project="mine")
    assert (report.files, report.written, report.project) == (1, 1, "mine")
    assert run(bench, vault / "notes" / "one.markdown").project == "notes"


def test_excluded_projects_give_nothing(bench: Workbench, vault: Path) -> None:
    bench.exclude("my vault")
    assert run(bench, vault).written == 0 and bench.every() == []


def test_paths_that_are_not_there(bench: Workbench, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        run(bench, tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidSource, match="can be imported"):
        run(bench, tmp_path / "empty")


def run_told(bench: Workbench, path: Path) -> tuple[ImportReport, list[int]]:
    """The report of an import, and how many bytes it told as done, in order."""
    told: list[int] = []
    report = bench.importing.import_path(
        bench.scope, path, progress=lambda seen: told.append(seen.bytes_done)
    )
    assert told == sorted(told)
    return report, told


def test_a_file_of_many_chunks_is_written_in_parts(bench: Workbench, tmp_path: Path) -> None:
    book = write(tmp_path / "book.md", "".join(f"w{number} {'to ' * 148}say.\n\n" for number in range(520)))
    report, told = run_told(bench, book)
    assert report.written == report.found == len(bench.every()) > 500
    # Of reading, of comparing and of writing.
    assert len({done for done in told if 0 < done < book.stat().st_size}) >= 3
    report, told = run_told(bench, write(book, book.read_text().replace("w7 ", "w07 "), NEWER))
    assert report.superseded > 0 and len({done for done in told if 0 < done < book.stat().st_size}) >= 2
    report = run(bench, write(book, "w1 is all.", NEWEST))
    assert report.invalidated + report.superseded > 500 and len(bench.every()) == 1


def test_nothing_secret_is_cut_where_a_long_file_is(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "Ab3x9Zq" * 9
    key = f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\n\n{line}\n{line}\n-----END RSA PRIVATE KEY-----"
    monkeypatch.setattr(records, "_PIECE_BYTES", 10_000)
    # The file is read in pieces: one ends within what is secret, behind a blank line.
    for secret in (key, f"<private>our\n\n{line}</private>"):
        filler = "\n" * (10_000 - len(secret) + 40)
        write(tmp_path / f"{len(secret)}.md", f"{filler}{secret}\n\nend")
    run(bench, tmp_path)
    assert sorted(memory.content for memory in bench.every()) == ["[REDACTED:private-key]\n\nend", "end"]


def test_a_secret_of_a_long_file_goes_from_all_of_it(tmp_path: Path) -> None:
    again, filler = "We typed x7Tr0ub4dor and then slept.", f"\n\n{('so' * 99 + ' ') * 5_500}\n\n"
    path = write(tmp_path / "long.md", f"{again}{filler}password: x7Tr0ub4dor{filler}{again}")
    redactor = Redactor()

    def clean(text: str, known: Mapping[str, str] = {}, /) -> str:
        return redactor.redact(text, known).text

    item = read_markdown(path, "p", NEWER, NEWER, tmp_path, clean, redactor.find)
    texts = " ".join(draft.content for draft in item.drafts)
    assert "x7Tr0ub4dor" not in texts and texts.count("and then slept") == 2
    assert texts.count("[REDACTED:secret-keyword]") == 3


def stored(contents: list[str]) -> list[StoredChunk]:
    return [
        StoredChunk(str(place), str(place), content_digest(content), OLD)
        for place, content in enumerate(contents)
    ]


LETTERS = st.lists(st.sampled_from("abcdef"), max_size=8)


@given(LETTERS, LETTERS)
def test_comparing_accounts_for_every_chunk_once(old: list[str], new: list[str]) -> None:
    changes = compare_chunks(stored(old), [content_digest(text) for text in new])
    assert changes.unchanged + len(changes.changed) + len(changes.vanished) == len(old)
    assert changes.unchanged + len(changes.changed) + len(changes.inserted) == len(new)
    places = [place for _, place in changes.changed] + list(changes.inserted)
    assert len(places) == len(set(places))
    left = [chunk.digest for chunk, _ in changes.changed] + [chunk.digest for chunk in changes.vanished]
    come = [content_digest(new[place]) for place in places]
    assert not set(left) & set(come)


def test_a_gap_of_megabytes_loses_no_word(bench: Workbench, tmp_path: Path) -> None:
    text = "# One\n\nFirst words." + "\n" * 1_100_000 + "# Two\n\nLast words.\n"
    report = run(bench, write(tmp_path / "gap.md", text))
    assert (report.faults, report.written) == ((), 1)
    assert bench.every()[0].content == "# One\n\nFirst words.\n\n# Two\n\nLast words."
