"""Reading a text takes time by its length, whatever it says."""

import time
from collections.abc import Callable
from functools import partial

import pytest
from tests.timing import assert_in_proportion, repeated

from engramforge.capture.reading.transcript_text import plain_text
from engramforge.core.archive_format.reader import read_archive
from engramforge.core.causes.causation import causations
from engramforge.core.decision_records.decision_record import read_record
from engramforge.core.detection.whose.own_words import parted
from engramforge.core.text.chunking import chunk_markdown
from engramforge.core.text.wiki_text import read_wiki_text
from engramforge.writing.redact import Redactor

CHARACTERS = 20_000


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
    "a person's own words": partial(parted, is_person=True),
}
PIECES = (
    'A. ¦a¦((¦{¦http://¦ \n¦- ¦"¦1¦2026-01-02 ¦\U0001f600¦ ¦\t¦\n¦# a\n¦#¦<!--¦<!-- a¦[¦[](¦![](¦[[a¦`¦'
    "``` \n¦~~~\n¦*¦_¦|¦| a ¦> ¦a: b\n¦<a>¦<bash-input>¦<command-args>¦<command-name>¦"
    "<system-reminder>¦because ¦cause of ¦'a ¦status a\n¦status ¦chosen option ¦supersedes ¦ADR-¦%%¦"
    "\x1b[¦- [a] ¦- a [[¦\\"
)
BEGINNINGS = ("# a", "## a", "- a", "status a", "status", "chosen option", "cause of", "<user_shell_command>")


@pytest.mark.parametrize("name", READERS)
def test_a_text_takes_time_by_its_length(name: str) -> None:
    shapes = [("", piece) for piece in PIECES.split("¦")]
    shapes += [(begin, blank) for begin in BEGINNINGS for blank in (" ", "\t", "a ", "#", "|")]
    for begin, piece in shapes:
        assert_in_proportion(READERS[name], repeated(piece, begin), CHARACTERS)


@pytest.mark.parametrize("piece", ["a: b\n", "; rejected: a (tier "])
def test_an_archive_of_an_older_tool_is_read_in_time_by_its_length(piece: str) -> None:
    before = "# Conversation archive\n\n## Decisions\n\nD001: We use oak\nD002: x\n\n## Threads\n\nT001: y "
    assert_in_proportion(read_archive, repeated(piece, before), 50_000)


def test_many_secrets_are_found_in_time_by_the_length_of_their_text() -> None:
    redact = Redactor().redact

    def settings(length: int) -> str:
        return "\n".join(f'password{n} = "kq{n}Wv{n}ZrTn{n}"' for n in range(1_000, 1_000 + length // 34))

    assert "kq1005" not in redact(settings(1_000)).text
    assert_in_proportion(redact, settings, 400_000)


def test_a_mark_calls_no_line_below_it_a_secret() -> None:
    """Else each redaction goes one line further."""
    lines = [f"Qk3{n}zTb9WnFqLrsMdYhGvXjKp{n}RcEaUoIw" for n in range(100, 160)]
    text = "The token:\n" + "\n".join(lines)
    redacted = Redactor().redact(text).text
    assert lines[0] not in redacted and lines[1] in redacted
    listed = Redactor().redact(text.replace("token:", "tokens:")).text
    assert lines[0] not in listed and lines[9] not in listed and lines[-1] in listed
    assert Redactor().redact(redacted).text == redacted


@pytest.mark.parametrize("piece", ["token=", "token:", "password= ", "api_key=\n"])
def test_a_name_of_secrets_that_is_repeated_is_looked_at_once(piece: str) -> None:
    redactor = Redactor()
    redactor.redact(piece)
    began = time.process_time()
    redactor.redact(piece * (300_000 // len(piece)))
    assert time.process_time() - began < 4, "it took many times as long"
    secret = "kq9Wv2ZrTn4x"
    assert secret not in redactor.redact(piece * 1_000 + f'password = "{secret}"\n' + piece * 1_000).text
