"""What is like a prompt and no answer to it: the same asked before, and work that an assistant announces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engramforge.core.injection.gate import asks, only_asks
from engramforge.core.injection.warning_words import CHANGES, RUNS
from engramforge.core.text.late_pattern import late
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import content_words, is_stop_word, stem_of, words_of

_SAME: Final = 0.8
"""The share of their words that two prompts for the same have in common."""
_ANNOUNCES: Final = late(
    r"(?i)\W*(?:(?:ok(?:ay)?|fine|sure|good|great|right|noted|understood|done|agreed|yes|then|so|next|now)\b\W*){0,3}"
    r"(?:i['\u2019]ll|i will|i['\u2019]m going to|i am going to|let me|i can)\b"
)
_LOOKS_FOR_A_RULE: Final = late(
    r"(?i)\b(?:must|may|should|can|could|do)(?:n['\u2019]?t| ?not| never)\b"
    r"|\b(?:never|forbidden|off[- ]limits|taboo|hands off)\b"
    r"|\b(?:not|n['\u2019]t) (?:allowed|permitted|supposed|to touch|to be)\b"
    r"|\b(?:are|am|is|was|were) (?:we|i|it|that|this) (?:ok(?:ay)?|allowed|safe|fine|permitted)\b"
    r"|\A\W*(?:may|can|should) (?:i|we|one)\b"
)
_LONGEST: Final = 200
_NO_THINGS: Final = frozenset(
    ("something", "anything", "thing", "things", "file", "files", "rule", "allowed", "touch")
)


def is_echo(query: str, said: str) -> bool:
    """Whether an earlier prompt says what this one does: asked again it is no answer, but what states it is one.

    >>> is_echo("the old kiln, what was the plan with it", "The old kiln: what was the plan with it?")
    True
    >>> is_echo("turn 4 bar into psi", "turn 4 bar into psi please"), is_echo("turn 4 bar into psi", "4 bar is enough")
    (True, False)
    >>> is_echo("do we fire the kiln on fridays?", "we fire the kiln on fridays")
    False
    """
    if words_of(query.casefold()) == words_of(said.casefold()):
        return True
    asked, told = stems_of(words_of(query.casefold())), stems_of(words_of(said.casefold()))
    if not asked or len(asked & told) < _SAME * len(asked | told):
        return False
    return only_asks(said) or not asks(query)


def announces(response: str) -> bool:
    """Whether an assistant only says what it will do: what it was told is the answer, not that it heard it.

    >>> announces("I'll put that into the script as a guard."), announces("Fridays then. I'll add a guard.")
    (True, False)
    """
    said = sentences_of(response[: 2 * _LONGEST])
    return bool(said) and all(_ANNOUNCES.match(each) for each in said if each.strip())


def looks_for_a_rule(prompt: str) -> bool:
    """Whether a prompt asks for what must not be done.

    >>> [looks_for_a_rule(each) for each in ("is there a file we must not touch?", "may i edit it?", "why so slow?")]
    [True, True, False]
    """
    read = with_apostrophes(prompt)
    return len(read) <= _LONGEST and asks(prompt) and _LOOKS_FOR_A_RULE.search(read) is not None


def things_in(prompt: str) -> list[str]:
    """The words of a prompt that name a thing, without what is done to it.

    >>> things_in("may i touch the recipes, or change the file of the scale?")
    ['recipes', 'scale']
    """
    words = dict.fromkeys(content_words(words_of(prompt.casefold())))
    return [
        each
        for each in words
        if not (is_stop_word(each) or each in _NO_THINGS or CHANGES.search(each) or RUNS.search(each))
    ]


def stems_of(words: Iterable[str]) -> frozenset[str]:
    """The stems of words that name something."""
    return frozenset(stem_of(each) for each in content_words(words) if not is_stop_word(each))
