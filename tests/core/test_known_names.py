"""Which known names a question means, however it writes them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.entities.known_names import MOST_FOUND, KnownNames
from engramforge.core.entities.spellings import Slips, squeezed


def meant(names: list[str], question: str) -> list[str]:
    known = KnownNames()
    known.add(names)
    return [each.name for each in known.meant(question)]


FILES = ["web/cart/total.py", "web/cart/index.ts", "shop/index.ts", "notes.md"]
PACKAGES = ["@tessel/core", "@orbit/core", "thin-ice", "grommet"]
PEOPLE = [
    "odette marsh",
    "ivo brandt",
    "ivo lindqvist",
    "will harrow",
    "june ashby",
    "saoirse o'malley",
    "anne-marie roux",
]
NUMBERS = ["rfc 8123", "adr-0017", "cve-2031-4410", "kiln 1.2", "kiln 12"]
CODE = ["splitLines", "join_lines", "maxwidth"]


@pytest.mark.parametrize(
    ("names", "question", "expected"),
    [
        (FILES, "Why is total.py slow?", ["web/cart/total.py"]),
        (FILES, "Total.py's loop", ["web/cart/total.py"]),
        (FILES, "see (total.py:40) and `NOTES.md`", ["web/cart/total.py", "notes.md"]),
        (FILES, "which index.ts is it", ["web/cart/index.ts", "shop/index.ts"]),
        (FILES, "what does cart/index.ts do", ["web/cart/index.ts"]),
        (FILES, "in ./shop/index.ts please", ["shop/index.ts"]),
        (FILES, "docs/notes.md", ["notes.md"]),
        (FILES, "other/index.ts", []),
        (FILES, "the total is wrong", []),
        (PACKAGES, "bump @tessel/core", ["@tessel/core"]),
        (PACKAGES, "bump tessel/core", ["@tessel/core"]),
        (PACKAGES, "the core of it", []),
        (PACKAGES, "is thin ice or thinice or @winter/thin-ice meant", ["thin-ice"]),
        (PEOPLE, "What did Odette say?", ["odette marsh"]),
        (PEOPLE, "odette marsh's list", ["odette marsh"]),
        (PEOPLE, "ODETTE!", ["odette marsh"]),
        (PEOPLE, "What did Ivo say?", []),
        (PEOPLE, "What did Ivo Brandt say?", ["ivo brandt"]),
        (PEOPLE, "Will it rain in June?", []),
        (PEOPLE, "Did Will Harrow come with June Ashby?", ["will harrow", "june ashby"]),
        (PEOPLE, "ask Saoirse", ["saoirse o'malley"]),
        (PEOPLE, "ask Saoirse O\u2019Malley", ["saoirse o'malley"]),
        (PEOPLE, "and Anne-Marie?", ["anne-marie roux"]),
        (NUMBERS, "RFC8123, rfc-8123", ["rfc 8123"]),
        (NUMBERS, "RFC 8124 or RFC 812", []),
        (NUMBERS, "ADR 17 and CVE 2031-4410", ["adr-0017", "cve-2031-4410"]),
        (NUMBERS, "Kiln 1.2", ["kiln 1.2"]),
        (NUMBERS, "Kiln 12", ["kiln 12"]),
        (CODE, "split_lines() and joinLines and MAX-WIDTH", ["splitLines", "join_lines", "maxwidth"]),
        (CODE, "where it says split lines", ["splitLines"]),
        (["test", "will", "the", "go", "c++", "c#"], "will the test go on?", []),
        (["test"], "what does `test` do?", ["test"]),
        (["c++", "c#"], "Is it C++ or C#?", ["c++", "c#"]),
        (["caf\u00e9 brume"], "Cafe Brume", ["caf\u00e9 brume"]),
        (["\u0623\u0645\u0644"], "\u0623\u0645\u0644", ["\u0623\u0645\u0644"]),
        (["\u4eac\u90fd"], "\u4ed6\u53bb\u4eac\u90fd\u5417", ["\u4eac\u90fd"]),
        (["\u0915\u0947\u0930\u0932"], "\u0915\u093f\u0930\u0932", []),
        (["\u0915\u0947\u0930\u0932"], "\u0915\u0947\u0930\u0932 \u0915\u093e", ["\u0915\u0947\u0930\u0932"]),
        (["\U0001f40c", "\U0001f40c club"], "the \U0001f40c club", ["\U0001f40c club"]),
        (["x" * 80], "x" * 90, ["x" * 80]),
        (["the way round to the sea wall"], "The Way Round to the Sea Wall", ["the way round to the sea wall"]),
        ([], "Anything?", []),
        (FILES, "", []),
    ],
)  # fmt: skip
def test_what_a_question_means(names: list[str], question: str, expected: list[str]) -> None:
    assert meant(names, question) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Grommte", ["grommet"]),
        ("Gromet", ["grommet"]),
        ("Grommmet", ["grommet"]),
        ("Grimmet", ["grommet"]),
        ("Rgommet", ["grommet"]),
        ("Grmoemt", []),
        ("Odtete", ["odette marsh"]),
        ("Ivoo", []),
        ("RFC 8132", []),
        ("Grommet2", []),
    ],
)
def test_one_slip(said: str, expected: list[str]) -> None:
    assert meant([*PACKAGES, *PEOPLE, *NUMBERS], f"We asked {said} then") == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Odette Marhs", ["odette marsh"]),
        ("Brannock Mairne", ["brannock marine"]),
        ("Brannock Marine", ["brannock marine"]),
        ("Brannock Mairen", ["brannock"]),
        ("Brannock", ["brannock"]),
    ],
)
def test_a_slip_in_one_part_of_a_full_name(said: str, expected: list[str]) -> None:
    assert meant(["brannock", "brannock marine", "odette marsh"], f"When did {said} open?") == expected


def test_a_slip_that_two_names_have_is_nobodys() -> None:
    assert meant(["carlow", "barlow"], "Did Harlow work?") == []


def test_a_slip_in_other_letters() -> None:
    assert meant(
        ["\u043e\u0440\u0451\u043b\u043e\u0432"],
        "\u0421\u043f\u0440\u043e\u0441\u0438 \u041e\u0440\u0451\u043b\u0432",
    ) == ["\u043e\u0440\u0451\u043b\u043e\u0432"]
    known = Slips()
    known.add(["\u043e\u0440\u043b\u043e\u0432\u0430"])
    assert known.near("\u043e\u0440\u043b\u0432\u043e\u0430") == {"\u043e\u0440\u043b\u043e\u0432\u0430"}


@given(st.text("abcd", min_size=5, max_size=9), st.data())
@settings(deadline=None)
def test_every_single_slip_is_found(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 2))
    ways = [
        word[:at] + word[at + 1 :],
        word[:at] + "z" + word[at:],
        word[:at] + "z" + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word + "z",
    ]
    known = Slips()
    known.add([word, "unrelated", "quartz"])
    assert all(known.near(way) == {word} for way in ways if way != word)


def test_more_names_at_any_time() -> None:
    known = KnownNames()
    known.add(["odette marsh"])
    assert [each.name for each in known.meant("Odette")] == ["odette marsh"]
    known.add(["odette marsh", "odette vane"])
    assert known.meant("Odette") == []
    assert [each.name for each in known.meant("Odette Vane")] == ["odette vane"]


def test_no_more_than_some_names() -> None:
    names = [f"zephyr{number}" for number in range(40)]
    assert len(meant(names, " ".join(names))) == MOST_FOUND


@given(st.lists(st.text(min_size=1, max_size=20), max_size=8), st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_names_and_any_question(names: list[str], question: str) -> None:
    assert set(meant(names, question)) <= set(names)


def test_many_names_and_a_long_question() -> None:
    names = [f"{_word(n)} {_word(n * 7 + 3)}" if n % 2 else f"lib/{_word(n)}_{n}.py" for n in range(30_000)]
    known = KnownNames()
    started = time.process_time()
    known.add(names)
    assert time.process_time() - started < 1.5
    asked = [
        f"Did {_word(n).title()} {_word(n + 9).title()} break {_word(n)}_{n}.py, {_word(n)[:-1].title()}?"
        for n in range(40)
    ]
    started = time.process_time()
    for question in asked:
        known.meant(question)
    assert (time.process_time() - started) / len(asked) < 0.02
    started = time.process_time()
    known.meant(" ".join(asked) * 20)
    assert time.process_time() - started < 0.5


def _word(number: int) -> str:
    pieces = ("ka", "ro", "mi", "ten", "lu", "vos", "bri", "dan", "eck", "ful", "gor", "hin", "jas")
    return "".join(pieces[number * step // 11 % len(pieces)] for step in (1, 3, 7, 13))


def test_what_is_left_out_of_a_name() -> None:
    assert squeezed("ADR-0017") == squeezed("adr 17") != squeezed("adr 170")
    assert squeezed("host01") != squeezed("host1")
    assert squeezed("Zo\u00eb") == squeezed("zoe")
    assert squeezed("\u0915\u093f") != squeezed("\u0915\u0940")
