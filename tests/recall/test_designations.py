"""What a name with a number names is found whatever is asked about it, and nothing else stands for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import engramforge

KINDS = ("Mapping", "Protocol", "Requirements", "Procedure", "Extension", "Replacement")
THINGS = ("harbour", "lantern", "ferry", "buoy", "anchor", "pilot", "tide", "chart")


@pytest.fixture(scope="module")
def forge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[engramforge.Forge]:
    """A store that is only asked."""
    with engramforge.open(tmp_path_factory.mktemp("home")) as opened:
        number = 1100
        for kind in KINDS:
            for thing in THINGS:
                number += 1
                opened.remember(
                    f"RFC{number}: {kind} of the {thing} RFC (STANDARD, 1990-03). Obsoleted by RFC{number + 300}."
                    f" Updates RFC{number + 500}, replaced in RFC {number - 400}."
                )
        opened.remember(
            "RFC2151: A Primer on Tools (INFORMATIONAL, 1997-05). Obsoletes RFC1739. Keywords: guide."
        )
        opened.remember("RFC0020: Format of Letters (STANDARD, 1969-10).")
        opened.remember("ZEP 12: Lamps at the Quay. Status: Final.")
        yield opened


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("which RFC replaced RFC1739", "RFC2151"),
        ("what replaced RFC 1739?", "RFC2151"),
        ("which rcf replaced RFC 1739", "RFC2151"),
        ("what did RCF 1739 become", "RFC2151"),  # a typing error
        ("what is RFC 20", "RFC0020"),
        ("what is RFC20 about?", "RFC0020"),
        ("what is ZEP-0012", "ZEP 12"),
    ],
)
def test_what_has_the_designation_answers(forge: engramforge.Forge, question: str, begin: str) -> None:
    found = forge.recall(question)
    assert found.hits[0].memory.content.startswith(begin)
    assert found.hits[0].relevant


@pytest.mark.parametrize(
    "question",
    ["what is RFC 9999", "what is rfc 9999", "which RFC replaced RFC9999", "what is the status of ZEP 8"],
)
def test_what_is_nowhere_is_not_answered_by_something_like_it(
    forge: engramforge.Forge, question: str
) -> None:
    assert not forge.recall(question).answered


def test_a_file_answers_to_its_number(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "032-lamps.md").write_text(
        "# Lamps\n\nThe lamps at the quay burn oil, says this ADR.\n"
    )
    with engramforge.open(tmp_path / "home") as forge:
        forge.import_path(tmp_path / "notes", project="quay")
        assert forge.recall("what does ADR 32 say about the lamps?").answered
        assert not forge.recall("what does ADR 33 say about the lamps?").answered
