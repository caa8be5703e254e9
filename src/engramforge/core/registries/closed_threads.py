"""Which open thread a person means who says in plain words that something is over. A wrong end is worse than none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.text.words import is_stop_word, stem_of, words_of

_EMPTY_WORDS: Final = """
todo task thread question issue matter point topic item problem open still need have must should write add do make fix
finish build decide settle find look check figure use take set get keep which what who where when whether how next step
first later now done
"""
_EMPTY: Final = frozenset(map(stem_of, _EMPTY_WORDS.split()))
"""What threads say beside their matter: what is to be done, and that it is open."""


def meant_thread(what: str, titles: Sequence[str]) -> int | None:
    """The place of the only title whose matter is what somebody says to be over; None for none, or for several.

    >>> titles = ("write the privacy page", "which font do we use?", "who owns the domain?", "move the domain")
    >>> [meant_thread(each, titles) for each in ("the privacy page", "the font question", "the domain", "the map")]
    [0, 1, None, None]
    """
    said = _matter(what)
    alike = [place for place, title in enumerate(titles) if _is_of(said, _matter(title))]
    return alike[0] if len({titles[place] for place in alike}) == 1 else None


def _is_of(said: frozenset[str], matter: frozenset[str]) -> bool:
    """Whether words name a matter: half of it at least and nothing else, or all of it beside others."""
    if not said or not matter:
        return False
    return (said <= matter and 2 * len(said) >= len(matter)) or (matter <= said and len(matter) > 1)


def _matter(text: str) -> frozenset[str]:
    return frozenset(
        stem for word in words_of(text) if not is_stop_word(word) and (stem := stem_of(word)) not in _EMPTY
    )
