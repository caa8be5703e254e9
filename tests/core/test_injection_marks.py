"""What was injected is recognised and taken out again."""

from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.text.injection_marks import strip_injected

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
