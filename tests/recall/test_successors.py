"""How things stand: what says that it replaces another stands above it, and only where that is asked."""

from __future__ import annotations

from pathlib import Path

import engramforge


def test_a_document_that_replaces_another_answers_how_things_stand(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        forge.remember("RFC9801: Harbour Signals (STANDARD, 2011-03). Keywords: flags, harbour signals.")
        forge.remember("RFC9877: Signals at Sea, second edition (STANDARD, 2020-03). Obsoletes RFC9801.")
        forge.remember("RFC9830: Harbour Lights (STANDARD, 2014-03). Keywords: lamps.")
        first = {
            question: forge.recall(question).hits[0].memory.content[:7]
            for question in ("what is RFC9801?", "is RFC 9801 still valid?", "what replaced RFC9801?")
        }
        assert first == {
            "what is RFC9801?": "RFC9801",
            "is RFC 9801 still valid?": "RFC9877",
            "what replaced RFC9801?": "RFC9877",
        }


def test_of_the_changes_of_one_thing_the_newest_tells_how_it_stands(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        for day, status in (("2020-01-05", "Draft"), ("2021-01-05", "Accepted"), ("2022-01-05", "Deferred")):
            forge.remember(
                f"Proposal 77 (tide tables): status set to {status}",
                kind="action",
                valid_at=f"{day}T00:00:00Z",
            )
        assert "Deferred" in forge.recall("tide tables proposal, any progress?").hits[0].excerpt


def test_names_of_what_is_replaced_end_where_something_else_is_said(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        for content, year in (
            ("RFC1766: Tags for the identification of languages. Obsoleted by RFC3066.", 1995),
            (
                "RFC3066: Tags for the identification of languages. Obsoletes RFC1766. Obsoleted by RFC4646.",
                2001,
            ),
            ("RFC4646: Tags for identifying languages. Obsoletes RFC3066. Obsoleted by RFC5646.", 2006),
            ("RFC5646: Tags for identifying languages. Obsoletes RFC4646.", 2009),
        ):
            forge.remember(content, project="rfcs", valid_at=f"{year}-01-01T00:00:00Z")
        assert forge.recall("newest rfc about language tags").hits[0].memory.content.startswith("RFC5646")


def test_a_document_that_is_asked_by_its_name_stands_above_those_that_name_it(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        forge.remember(
            "RFC2151: A primer on internet tools and utilities. Obsoletes RFC1739.", project="rfcs"
        )
        forge.remember("RFC1739: A primer on internet tools, with finger, ping and whois.", project="rfcs")
        for number in range(40):
            forge.remember(
                f"RFC{4000 + number}: A protocol that replaces part {number} of RFC mail headers.",
                project="rfcs",
            )
        assert forge.recall("RFC1739").hits[0].memory.content.startswith("RFC1739")
        assert forge.recall("which RFC replaced RFC 1739").hits[0].memory.content.startswith("RFC2151")
