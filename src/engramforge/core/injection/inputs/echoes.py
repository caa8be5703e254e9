"""What is like a prompt and no answer to it: the same asked before, and work that an assistant announces."""

from __future__ import annotations

from typing import Final

from engramforge.core.injection.gate import asks, only_asks
from engramforge.core.injection.warning_words import CHANGES, RUNS
from engramforge.core.text.late_pattern import late
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import is_stop_word, stem_of, word_set, words_of

_SAME: Final = 0.8
"""The share of their words that two prompts for the same have in common."""
_ANNOUNCES: Final = late(
    r"(?i)\W*(?:(?:ok(?:ay)?|fine|sure|good|great|right|noted|understood|done|agreed|yes|then|so|next|now)\b\W*){0,3}"
    r"(?:i['\u2019]ll|i will|i['\u2019]m going to|i am going to|let me|i can)\b"
)
_LOOKS_FOR_A_RULE: Final = late(
    r"(?i)\b(?:must|may|should|can|could|do)(?:n['\u2019]?t| ?not| never)\b"
    r"|\b(?:never|forbidden|prohibited|banned|off[- ]limits|taboo|hands off|don['\u2019]?ts|no-?gos)\b"
    r"|\b(?:not|n['\u2019]t) (?:allowed|permitted|supposed|to touch|to be)\b"
    r"|\b(?:are|am|is|was|were) (?:we|i|it|that|this) (?:ok(?:ay)?|allowed|safe|fine|permitted)\b"
    r"|\A\W*(?:may|can|should) (?:i|we|one)\b"
)
_LONGEST: Final = 200
_NO_THINGS: Final = word_set("""
absolutely actually allowed anything anywhere banned codebase currently donts ever everything file files forbidden gos
here limits need never nobody now off okay permitted please pls prohibited project really remember repo repository right
rule rules safe something still supposed taboo thing things today touch ts watch whats yet
""")
_FOR_ALL: Final = late(
    r"(?i)\b(?:whats?|which|any (?:don['\u2019]?ts|no-?gos)"
    r"|anything|something|everything|things?|rules?|where|list|all)\b"
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
    asked, told = stems_of(query), stems_of(said)
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


def asks_for_all_rules(prompt: str) -> bool:
    """Whether a prompt that looks for a rule names no thing, and asks for whatever is forbidden.

    >>> [asks_for_all_rules(each) for each in ("what must i never do here?", "may i?", "may i touch the recipes?")]
    [True, False, False]
    """
    return _FOR_ALL.search(prompt) is not None and not things_in(prompt)


def things_in(prompt: str) -> list[str]:
    """The words of a prompt that name a thing, without what is done to it.

    >>> things_in("may i touch the recipes, or change the file of the scale?")
    ['recipes', 'scale']
    """
    return [
        each
        for each in dict.fromkeys(words_of(prompt.casefold()))
        if not (is_stop_word(each) or each in _NO_THINGS or CHANGES.search(each) or RUNS.search(each))
    ]


def stems_of(text: str) -> frozenset[str]:
    """The stems of the words of a text that name something."""
    return frozenset(stem_of(each) for each in words_of(text.casefold()) if not is_stop_word(each))
