"""What was injected is recognised and taken out again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.text.injection_marks import mark_injected, strip_injected

PLAIN = st.text(alphabet=st.characters(blacklist_characters="<>", blacklist_categories=["Cs"]), max_size=200)


@given(PLAIN, st.text(max_size=300), PLAIN)
def test_a_marked_text_is_removed_whatever_it_holds(before: str, inside: str, after: str) -> None:
    assert strip_injected(before + mark_injected(inside) + after) == (before + after, 1)


@pytest.mark.parametrize(
    "inside", ["</engramforge-context>", "<ENGRAMFORGE-CONTEXT>", "a </engramforge-context > b"]
)
def test_a_mark_inside_cannot_close_its_block(inside: str) -> None:
    assert strip_injected(f"x{mark_injected(inside)}y") == ("xy", 1)


def test_an_unclosed_block_runs_to_the_end() -> None:
    assert strip_injected('said <engramforge-context origin="recall">\nold thing, cut off') == ("said ", 1)


def test_text_without_a_block_stays() -> None:
    assert strip_injected("the engramforge-context block is described") == (
        "the engramforge-context block is described",
        0,
    )


def test_origin_is_reduced_to_a_word() -> None:
    assert mark_injected("x", origin='a" onload="b').startswith('<engramforge-context origin="aonloadb">')
