"""What was injected is recognised and taken out again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.text.injection_marks import strip_injected
from engramforge.model.fence import CONTEXT_BEGIN, CONTEXT_END

PLAIN = st.text(alphabet=st.characters(blacklist_characters="<>", blacklist_categories=["Cs"]), max_size=200)


@given(PLAIN, PLAIN, PLAIN)
def test_a_marked_text_is_removed_whatever_it_holds(before: str, inside: str, after: str) -> None:
    marked = f'<engramforge-context origin="recall">\n{inside}\n</ENGRAMFORGE-context >'
    assert strip_injected(before + marked + after) == (before + after, 1)


def test_an_unclosed_block_runs_to_the_end() -> None:
    assert strip_injected('said <engramforge-context origin="recall">\nold thing, cut off') == ("said ", 1)


def test_text_without_a_block_stays() -> None:
    assert strip_injected("the engramforge-context block is described") == (
        "the engramforge-context block is described",
        0,
    )


@pytest.mark.parametrize(
    "said",
    [
        "Please use the <engramforge-context> tag in layout.py. We decided to use Redis for the quagga cache.",
        "The mark <engramforge-context> begins there.\nI then rewrote the rest.",
        "Why does `<engramforge-context>` stand in the prompt? Fix it.",
        "- grep for <ENGRAMFORGE-CONTEXT> in src\n- run the tests",
        "Rename <engramforge-context > to <memory-context>, then commit.",
        "It ends with <engramforge-context>",
        "What is <engramforge-context> for? Recorded data is mentioned in the docs.",
    ],
)
def test_a_mark_that_is_mentioned_takes_nothing_with_it(said: str) -> None:
    assert strip_injected(said) == (said, 0)


@pytest.mark.parametrize("before", ["", "said ", "We use beans.\n", "We use beans.\n  "])
@pytest.mark.parametrize("length", [len(CONTEXT_BEGIN) + 30, len(CONTEXT_BEGIN), 60, 40, 30])
def test_an_injection_of_ours_that_was_cut_is_taken_out_wherever_it_begins(before: str, length: int) -> None:
    cut = (CONTEXT_BEGIN + "1. We decided to use Redis for the quagga cache.\n")[:length]
    assert strip_injected(before + cut) == (before, 1)
    in_one_line = " ".join(cut.split())
    assert strip_injected(before + in_one_line) == (before, 1)


def test_a_mention_before_an_injection_stays() -> None:
    mention = "Use the <engramforge-context> tag here.\n"
    whole = f"{CONTEXT_BEGIN}1. Redis is used.\n{CONTEXT_END}"
    assert strip_injected(mention + whole + "Do it.") == (mention + "\nDo it.", 1)
    assert strip_injected(mention + whole[:-30]) == (mention, 1)


def test_very_many_mentions_take_time_in_proportion() -> None:
    said = "use the <engramforge-context> tag " * 30_000
    assert strip_injected(said) == (said, 0)
    assert strip_injected(said + "</engramforge-context>")[1] == 1
