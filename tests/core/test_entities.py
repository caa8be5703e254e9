"""Who and what a text mentions, by rules; and that no text is too odd."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.entities.naming import MOST_ENTITIES, entities_in, name_key, names_in
from engramforge.model.entity import EntityType as T


def typed(text: str) -> dict[str, T]:
    return {entity.name: entity.type for entity in entities_in(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Then Dr. Okafor called.", {"Okafor": T.PERSON}),
        ("We met Lena Fischer there.", {"Lena Fischer": T.PERSON}),
        ("She works at Brightwater now.", {"Brightwater": T.ORGANISATION}),
        ("It was sold to Kestrel Labs.", {"Kestrel Labs": T.ORGANISATION}),
        ("They live in Tromsø.", {"Tromsø": T.PLACE}),
        ("We walked along Willow Street.", {"Willow Street": T.PLACE}),
        ("The cache uses MariaDB underneath.", {"MariaDB": T.PRODUCT}),
        ("Look at src/app/main.py and notes.md today", {"src/app/main.py": T.FILE, "notes.md": T.FILE}),
        (
            "call parse_line() or readFrame, see MAX_SIZE",
            {"parse_line": T.IDENTIFIER, "readFrame": T.IDENTIFIER, "MAX_SIZE": T.IDENTIFIER},
        ),
        ("see https://docs.example.org/a/b?c=d for it", {"docs.example.org": T.HOST}),
        ("ask @harriet about #512 and OPS-88", {"@harriet": T.HANDLE, "#512": T.TICKET, "OPS-88": T.TICKET}),
        ("since v2.1 or 3.14.1", {"v2.1": T.VERSION, "3.14.1": T.VERSION}),
        ('I read "The Silent Orchard" twice', {"The Silent Orchard": T.TITLE}),
        ("the `retry_limit` option", {"retry_limit": T.IDENTIFIER}),
        ("see ``merge_rows()`` and ``a.b``", {"merge_rows()": T.IDENTIFIER, "a.b": T.IDENTIFIER}),
        (
            "as RFC 8123 and ISO 8601 want, and ADR-0017",
            dict.fromkeys(("RFC 8123", "ISO 8601", "ADR-0017"), T.TICKET),
        ),
        ("we are hit by CVE-2031-4410", {"CVE-2031-4410": T.TICKET}),
        ("bump @tessel/core today", {"@tessel/core": T.PRODUCT}),
        ("so we pip install grommet and npm i thin-ice", {"grommet": T.PRODUCT, "thin-ice": T.PRODUCT}),
        ("we installed grommet, then left", {"grommet": T.PRODUCT}),
        (
            "from kiln.fire import glaze, bake",
            {"kiln.fire": T.IDENTIFIER, "glaze": T.IDENTIFIER, "bake": T.IDENTIFIER},
        ),
        ("def warm_up(x): pass", {"warm_up": T.IDENTIFIER}),
        ("import numlib as nl", {"numlib": T.PRODUCT}),
        ("the glazing module is slow", {"glazing": T.PRODUCT}),
        ("it calls kiln.fire.Oven and maxTemp", {"kiln.fire.Oven": T.IDENTIFIER, "maxTemp": T.IDENTIFIER}),
        ("on wiki.kiln.org and kiln.org/start", {"wiki.kiln.org": T.HOST, "kiln.org": T.HOST}),
        ("the kiln-log-reader ran on live-0", {"kiln-log-reader": T.IDENTIFIER, "live-0": T.IDENTIFIER}),
        ("the kiln-sync hook", {"kiln-sync": T.IDENTIFIER}),
        ("run it with --no-glaze and /warm", {"--no-glaze": T.IDENTIFIER, "/warm": T.IDENTIFIER}),
        ("we asked Ada Brown & Bo Green", {"Ada Brown": T.PERSON, "Bo Green": T.PERSON}),
        ("update KILN.md for it", {"KILN.md": T.FILE}),
        ("over IMAP/POP it is slow", {"IMAP": T.ORGANISATION, "POP": T.ORGANISATION}),
    ],
)
def test_types(text: str, expected: dict[str, T]) -> None:
    assert typed(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "However, the weather was nice. Maybe tomorrow. Thanks!",
        "The dog slept. Dogs do. Running is fun.",
        "I think I'm late on Monday in January",
        "This and/or that, 24/7 or 3/4.",
        "STOP DOING THAT",
        'He said "come in and sit down" to us',
        "This ADR says so, and each PEP does.",
        "It was done.Then we went, e.g. home",
        "a state-of-the-art, well-known and self-hosted thing, 10ms, 3pm, top-10",
        "Calculate the sum. Returns: a number. Dinner's ready.",
        "We import the data and install dependencies.",
        "IN 2020, AT 5, USD 300",
        "self.size and self.oven.size",
        "",
        "\U0001f600\U0001f680",
        "你好,世界。",
        "สวัสดีชาวโลก",
    ],
)
def test_nobody_is_mentioned(text: str) -> None:
    assert entities_in(text) == []


def test_a_name_that_begins_a_sentence() -> None:
    assert names_in("Priya lives here. Yesterday Priya left.") == ("priya",)
    assert names_in("Marcus, the plumber, came.") == ("marcus",)
    assert names_in("Nadia's brother called.") == ("nadia",)
    assert names_in("Nadia: hello there") == ("nadia",)
    assert names_in("Nadia's teapot leaked.") == ("nadia",)
    assert names_in("It was late. Dr. Okafor left the house.") == ("okafor",)


def test_roles_of_restructured_text() -> None:
    assert names_in("as :pep:`8123` and :func:`~kiln.fire`, :py:class:`Oven`") == (
        "pep 8123",
        "kiln.fire",
        "oven",
    )


def test_names_in_a_plain_quotation_count() -> None:
    assert names_in('He said "we saw Ingrid there, by the gate" and left') == ("ingrid",)


def test_a_speaker_is_a_person() -> None:
    (item,) = entities_in("so I told Wren everything", speaker="Wren")
    assert item.type is T.PERSON


def test_one_key_for_the_ways_to_write_a_name() -> None:
    keys = {
        name_key(name) for name in ("The Kestrel  Labs", "kestrel labs", "Kestrel Labs's", "KESTREL LABS.")
    }
    assert keys == {"kestrel labs"}
    assert name_key("\uff21nna") == "anna"


def test_where_it_stands() -> None:
    text = "yesterday we asked Nadia's neighbour and Kestrel Labs"
    assert [text[entity.start : entity.end] for entity in entities_in(text)] == ["Nadia", "Kestrel Labs"]


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_gives_sound_entities(text: str) -> None:
    found = entities_in(text)
    assert len({item.key for item in found}) == len(found)
    for item in found:
        assert item.key
        assert item.key == item.key.strip()
        assert 0 <= item.start < item.end <= len(text)


@pytest.mark.parametrize(
    "piece",
    ["word ", "Word ", "Word", "你好", "สวัสดี", "\U0001f600", "a/", "a.", "_a", "aA", "A-", "@", "`", '"', "A of ",
     "\ud800 X", "http://", "Aa/Bb ", "'s ", "(", "1.1.", "Anna works at Bo. ",
     "a-b-", "aB.", "--a", ":a:`", "import a as b, ", "RFC 1 ", "A&B ", "def a(", "a1"],
)  # fmt: skip
def test_a_megabyte_of_anything_is_read_in_time(piece: str) -> None:
    started = time.process_time()
    found = entities_in(piece * (1_000_000 // len(piece)))
    assert time.process_time() - started < 1
    assert len(found) <= MOST_ENTITIES
