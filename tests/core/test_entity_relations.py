"""What a text says of two entities."""

from __future__ import annotations

import time

import pytest

from engramforge.core.entities.entity_relations import triples_in
from engramforge.model.entity import Triple


def said(text: str, speaker: str | None = None) -> list[tuple[str, str, str]]:
    return [(triple.head, triple.relation, triple.tail) for triple in triples_in(text, speaker)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Priya works at Brightwater.", ("priya", "WORKS_AT", "brightwater")),
        ("Lena Fischer is the CEO of Kestrel Labs.", ("lena fischer", "CEO_OF", "kestrel labs")),
        ("The Gateway depends on MariaDB.", ("gateway", "DEPENDS_ON", "mariadb")),
        ("ParserCore uses the TokenStream.", ("parsercore", "USES", "tokenstream")),
        ("Marcus lives in Tromsø.", ("marcus", "LIVES_IN", "tromsø")),
        ("Priya is a carpenter", ("priya", "IS_A", "carpenter")),
        ("Nadia's brother Milo came.", ("milo", "BROTHER_OF", "nadia")),
        ("Maria, the director of the Harbour Museum, left.", ("maria", "DIRECTOR_OF", "harbour museum")),
        ("billing relies on redis", ("billing", "DEPENDS_ON", "redis")),
        ("`parse_line()` calls `split_words()`", ("parse_line", "CALLS", "split_words")),
    ],
)
def test_rules(text: str, expected: tuple[str, str, str]) -> None:
    assert said(text) == [expected]


def test_the_head_goes_on_after_and() -> None:
    assert said("Priya works at Brightwater and lives in Tromsø.") == [
        ("priya", "WORKS_AT", "brightwater"),
        ("priya", "LIVES_IN", "tromsø"),
    ]


def test_i_is_the_speaker() -> None:
    text = "I work at Brightwater. I'm from Tromsø."
    assert said(text, "Ola") == [("ola", "WORKS_AT", "brightwater"), ("ola", "COMES_FROM", "tromsø")]
    assert said(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Priya met nobody. Marcus works hard.",
        "We saw Priya. In Tromsø it rains.",
        "it uses that",
        "",
        "\U0001f600",
        "你好世界",
    ],
)
def test_nothing_is_said(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    "piece", ["word ", "I am X ", "a uses b ", "Anna works at Bo. ", "Anna is a man of ", "你好"]
)
def test_a_megabyte_is_read_in_time(piece: str) -> None:
    started = time.process_time()
    found = triples_in(piece * (1_000_000 // len(piece)), "Sam")
    assert time.process_time() - started < 1
    assert all(isinstance(item, Triple) for item in found)
