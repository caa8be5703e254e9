"""Which of two things that a question names a statement is for ("tugs or barges?")."""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.conflicts.signals import Signal
from engramforge.core.lenses.rejections import suggested_in
from engramforge.core.text.words import is_stop_word, stem_of, words_of

_OR: Final = re.compile(
    r"(?i)(?<![\w-])(?P<one>[\w.+#-]{2,30}),? or (?:(?:on|over|by|via|with|in|to|from) )?(?:the |an? )?"
    r"(?P<other>[\w.+#-]{2,30})(?=\s{0,3}[?,.;!]|\s{0,3}\Z)"
)
"""Two names at the end of a question or of a clause of it."""
_OF_EACH: Final = re.compile(
    r"(?i)\W{0,4}(?:how (?:much|many|long|often|far|old|big)|when|who|where|what (?:does|do) \w+ cost)\b"
)
"""What is asked of each of the two, and chooses none: "what does it cost, a tug or a barge?"."""
_CLAUSE: Final = re.compile(r"[,;:]\s")
_CHOSEN: Final = frozenset(
    {"to", "with", "by", "over", "on", "in", "via", "use", "uses", "using", "chose", "choose", "adopt", "prefer"}
)  # fmt: skip
"""Words right behind which what is chosen stands, where a statement names both: "moves to tugs, barges are slow"."""


def take_different_ones(query: str, text: str, other: str) -> tuple[str, str] | None:
    """By which signal two statements are for different ones of two things that a question names, and why; else None.

    >>> take_different_ones("Do we tow by tugs or barges?", "Barges tow.", "Towing moves to tugs, barges are slow.")[1]
    'one is for barges, the other for tugs'
    >>> take_different_ones("Do we tow by tugs or barges?", "Barges tow.", "Barges are painted.") is None
    True
    """
    named = _OR.search(query)
    if (
        named is None
        or _OF_EACH.match(query)
        or any(map(is_stop_word, (named["one"].lower(), named["other"].lower())))
    ):
        return None
    names = named["one"], named["other"].rstrip(".")
    taken = _taken(text, names), _taken(other, names)
    if None in taken or taken[0] == taken[1]:
        return None
    return str(Signal.CHOICE), f"one is for {taken[0]}, the other for {taken[1]}"


def _taken(text: str, names: tuple[str, str]) -> str | None:
    clauses = _CLAUSE.split(text)
    found = [each for each in names if any(suggested_in(clause, each) for clause in clauses)]
    if len(found) < 2:
        return found[0] if found else None
    words = [stem_of(word) for word in words_of(text)]
    chosen = [
        each
        for each in found
        if any(
            before in _CHOSEN and word == stem_of(each.lower())
            for before, word in zip(words_of(text), words[1:], strict=False)
        )
    ]
    return chosen[0] if len(chosen) == 1 else None
