"""A question's words as the texts write them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engramforge.core.text.spelling import as_written, with_apostrophes

TEXTS = {
    "rfc7540": 1,
    "rfc": 9,
    "rfc0020": 1,
    "pep": 9,
    "8": 4,
    "689": 2,
    "assignment": 3,
    "alignment": 30,
    "mbps": 1,
    "mibs": 5,
    "harbour": 2,
}


def frequencies(words: Sequence[str]) -> list[int]:
    return [TEXTS.get(word, 0) for word in words]


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("rfc 7540", "rfc7540"),
        ("rfc7540", "rfc7540"),
        ("rfc 20", "rfc0020"),  # the texts fill numbers with zeros
        ("rfc20", "rfc0020"),
        ("rcf 7540 harbour", "rfc7540 harbour"),
        ("pep8", "pep 8"),
        ("pep 0689", "pep 689"),
        ("asignment", "assignment"),  # a letter typed once is likelier than another letter
        ("mpbs", "mbps"),
        ("harbuor harbor", "harbour harbour"),
        ("wich harbour", "harbour"),  # an error in a word that carries no subject
        ("hwo", ""),
        ("lighthouse", "lighthouse"),
        ("plumber", "plumber"),
        ("x9y8", "x9y8"),
        ("h\u00e4rbour", "h\u00e4rbour"),
    ],
)
def test_words_that_no_text_has(asked: str, meant: str) -> None:
    assert as_written(asked.split(), frequencies, {"plumber"}.__contains__) == meant.split()


def test_a_word_of_its_own_is_no_error() -> None:
    assert as_written(["mugs"], lambda words: [int(word == "bugs") for word in words], str.isdigit) == [
        "mugs"
    ]
    assert as_written(["harbors"], lambda words: [int(word == "harbor") for word in words], str.isdigit) == [
        "harbor"
    ]
    assert as_written(
        ["harbors"], lambda words: [int(word == "harbor") for word in words], {"harbors"}.__contains__
    ) == ["harbors"]


def test_texts_have_errors_too() -> None:
    texts = {"comit": 3, "commit": 60, "tower": 2, "town": 90, "tour": 80}

    def asked(word: str, **counts: int) -> list[str]:
        there = {**texts, **counts}
        return as_written([word], lambda words: [there.get(each, 0) for each in words], str.isdigit)

    assert asked("comit") == ["comit", "commit"]
    assert asked("comit", commit=59) == ["comit"]
    assert asked("comit", comit=4, commit=1_000) == ["comit"]
    # A letter that is missing before one that is another.
    assert asked("towr") == ["tower", "town"]


def test_a_long_question_costs_no_more_than_its_unknown_words() -> None:
    asked: list[int] = []

    def count(words: Sequence[str]) -> list[int]:
        asked.append(len(words))
        return frequencies(words)

    as_written(["harbour"] * 100, count, {"harbour"}.__contains__)
    assert sum(asked) == 100


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("whats the misting schedule?", "what's the misting schedule?"),
        ("Whos on call, and wheres the key?", "Who's on call, and where's the key?"),
        ("hows it done, whens it due", "how's it done, when's it due"),
        ("why dont they, or doesnt it", "why don't they, or doesn't it"),
        ("didnt we? isnt it? cant you? wont he?", "didn't we? isn't it? can't you? won't he?"),
        ("im sure ive said thats it, theres more, lets go", "i'm sure i've said that's it, there's more, let's go"),
        ("WHATS THE PORT?", "WHAT'S THE PORT?"),
        ("theyre wasnt couldve yall", "they're wasn't could've y'all"),
    ],
)  # fmt: skip
def test_words_typed_without_their_apostrophe_get_it(typed: str, meant: str) -> None:
    assert with_apostrophes(typed) == meant
    assert with_apostrophes(meant) == meant


@pytest.mark.parametrize(
    "text",
    [
        "is its id well or ill, were we, shed or hell",
        "what is WHATS and who sends by IM?",
        "where is whats-new, dont_care, lets.go and im/port?",
        "what does `dont` mean, and @thats?",
        "wants contents hosts whatsapp imitate",
    ],
)
def test_other_words_stay_as_they_are(text: str) -> None:
    assert with_apostrophes(text) == text
