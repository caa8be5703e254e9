"""The words of English against the library that lists them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from spellchecker import SpellChecker

from engramforge.spaces.words.dictionary import is_real

WORDS = sorted(SpellChecker(language="en", distance=1).word_frequency.keys())


def test_every_listed_word_is_real() -> None:
    assert len(WORDS) > 100_000
    assert all(map(is_real, [WORDS[0], *WORDS[::50], WORDS[-1]]))


def test_plurals_are_real_too() -> None:
    assert is_real("tyres")


@pytest.mark.parametrize("word", ["", "harbuor", "aaaaaaa", "zzzzzzz", "{", "}", '"', 'a":', "\n", "50"])
def test_nothing_else_is_real(word: str) -> None:
    assert not is_real(word)


def test_a_letter_more_or_less_is_told() -> None:
    listed = set(WORDS)
    for word in WORDS[::200]:
        for near in (word[:-1], f"{word}q", f"q{word}"):
            is_known = near in listed or (near.endswith("s") and near[:-1] in listed)
            assert is_real(near) == is_known


def test_the_list_is_read_without_its_library() -> None:
    code = (
        "import sys\n"
        "from engramforge.spaces.words.dictionary import is_real\n"
        "print(is_real('nanny'), 'spellchecker' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["True", "False"]
