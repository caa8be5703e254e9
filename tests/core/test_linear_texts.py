"""Reading a text takes time by its length, whatever it says: twice the text, about twice the time."""

import time
from collections.abc import Callable
from functools import partial

import pytest

from engramforge.capture.reading.transcript_text import plain_text
from engramforge.core.archive_format.reader import read_archive
from engramforge.core.causes.causation import causations
from engramforge.core.decision_records.decision_record import read_record
from engramforge.core.text.chunking import chunk_markdown
from engramforge.core.text.wiki_text import read_wiki_text

WORDS = 30_000
"""Characters of the shorter text."""
ENOUGH_SECONDS = 0.05
"""Below this, nothing is slow, and the clock is coarse."""


def _record(text: str) -> None:
    read_record(
        f"# 1. Title\n\n## Status\n\nAccepted\n\n## Context\n\n{text}\n\n## Decision\n\nx {text}", "0001-a.md"
    )
    read_record(f"{text}\n\n## Decision\n\nx\n\n## Context\n\ny", "0001-a.md")


def _transcript(text: str) -> None:
    plain_text(text)
    plain_text(f"<command-name>/go</command-name>{text}")


READERS: dict[str, Callable[[str], object]] = {
    "Markdown": partial(chunk_markdown, file_path="a.md"),
    "wiki": read_wiki_text,
    "decision record": _record,
    "transcript": _transcript,
    "causes": causations,
}
PIECES = (
    *(
        "A. ",
        "a",
        "((",
        "http://",
        " \n",
        "- ",
        '"',
        "1",
        "2026-01-02 ",
        "\U0001f600",
        " ",
        "\t",
        "\n",
        "# a\n",
        "#",
    ),
    *(
        "<!--",
        "<!-- a",
        "[",
        "[](",
        "![](",
        "[[a",
        "`",
        "``` \n",
        "~~~\n",
        "*",
        "_",
        "|",
        "| a ",
        "> ",
        "a: b\n",
    ),
    *(
        "<a>",
        "<bash-input>",
        "<command-args>",
        "<command-name>",
        "<system-reminder>",
        "because ",
        "cause of ",
        "'a ",
    ),
    *(
        "status a\n",
        "status ",
        "chosen option ",
        "supersedes ",
        "ADR-",
        "%%",
        "\x1b[",
        "- [a] ",
        "- a [[",
        "\\",
    ),
)
BEGINNINGS = ("# a", "## a", "- a", "status a", "status", "chosen option", "cause of", "<user_shell_command>")


def _seconds(read: Callable[[str], object], text: str) -> float:
    begun = time.process_time()
    read(text)
    return time.process_time() - begun


@pytest.mark.parametrize("name", READERS)
def test_twice_the_text_takes_twice_the_time(name: str) -> None:
    read = READERS[name]
    shapes = [("", piece) for piece in PIECES]
    shapes += [(begin, blank) for begin in BEGINNINGS for blank in (" ", "\t", "a ", "#", "|")]
    for begin, piece in shapes:
        once, twice = (begin + piece * (size // len(piece)) + "\x01" for size in (WORDS, 2 * WORDS))
        if (short := _seconds(read, once)) < ENOUGH_SECONDS and _seconds(read, twice) < 4 * ENOUGH_SECONDS:
            continue
        # Measured again where it seems slow, since a busy machine is slow at times.
        ratio = min(_seconds(read, twice) / max(min(short, _seconds(read, once)), 1e-6) for _ in range(3))
        assert ratio < 3, f"{begin!r} and {piece!r} take {ratio:.1f} times as long"


@pytest.mark.parametrize("piece", ["a: b\n", "; rejected: a (tier "])
def test_an_archive_of_an_older_tool_is_read_in_time_by_its_length(piece: str) -> None:
    def seconds(size: int) -> float:
        text = "# Conversation archive\n\n## Decisions\n\nD001: We use oak\nD002: x\n\n## Threads\n\nT001: y "
        return min(_seconds(read_archive, text + piece * size) for _ in range(2))

    short, long = (seconds(size // len(piece)) for size in (50_000, 200_000))
    assert long < ENOUGH_SECONDS or long < 8 * short
