"""When to say nothing: prompts that ask for nothing, and memories that are not worth their place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engramforge.core.text.words import content_words, is_identifier, is_stop_word, words_of

_STEERING_WORDS: Final = """
again ahead alright another apply approve approved begin better check clear close commit compact continue cool correct
deploy done dont exactly exit fine finish fix go good great help interrupted keep let like lgtm look looks make makes
maybe merge need next nice nope now perfect please proceed push quit request retry right run save see ship show simply
sorry start still stop sure test tests thank thanks thing think try undo update use user wait want wonderful work works
wow wrong yep
"""
_STEERING: Final = frozenset(_STEERING_WORDS.split())
"""Words that steer a session and name no matter."""
_FEWEST: Final = 2
_COMMAND: Final = re.compile(r"\s*(?:/[a-z][\w:-]*|![^\n]*|#[^\n]*)\s*\Z")
_LONGEST: Final = 2_000
_ENDS: Final = 500
_WARNING: Final = re.compile(
    r"(?i)\b(?:never|do(?:es)? not|don'?t|doesn'?t|must(?: not)?|mustn'?t|avoid|careful|beware|warning|caution|caveat|"
    r"gotcha|pitfall|breaks?|broke|broken|fail(?:s|ed|ure)?|deprecated|instead of|rather than|only ever|always|"
    r"make sure|known (?:bug|issue)|regression|workaround|decided|decision)\b"
)


@dataclass(frozen=True, slots=True)
class Gate:
    """What a hit has to be, to go in.

    `agreement`, `families`: the least topic weight and the fewest families of spaces in which it is similar;
    `elsewhere` and `families_elsewhere`: the same for another project.
    """

    agreement: float = 1.0
    families: int = 1
    elsewhere: float = 2.5
    families_elsewhere: int = 2

    def admits(self, relevant: bool, agreement: float, families: int, *, is_own: bool) -> bool:
        """Whether a hit goes in: `relevant` by the rule of recalls over its scope's size, and similar in enough spaces.

        >>> gate = Gate(agreement=1.0, families=1, elsewhere=2.5, families_elsewhere=2)
        >>> gate.admits(True, 1.0, 1, is_own=True), gate.admits(False, 5.0, 4, is_own=True)
        (True, False)
        >>> gate.admits(True, 2.0, 2, is_own=False), gate.admits(True, 3.0, 2, is_own=False)
        (False, True)
        """
        least = self.agreement if is_own else self.elsewhere
        fewest = self.families if is_own else self.families_elsewhere
        return relevant and agreement >= least and families >= fewest


def asked_by(prompt: str) -> str:
    """What of a prompt is asked for: nothing where it is a command of the host or only steers; of a long one both ends.

    >>> [asked_by(each) for each in ("ok", "continue", "yes, go ahead please", "/clear", "fix the tests")]
    ['', '', '', '', '']
    >>> asked_by("Why does the lock time out?")
    'Why does the lock time out?'
    """
    text = prompt.strip()
    if not text or _COMMAND.fullmatch(text):
        return ""
    words = [
        word
        for word in content_words(words_of(text[: 2 * _LONGEST]))
        if word not in _STEERING and not is_stop_word(word)
    ]
    if len(set(words)) < _FEWEST and not any(map(is_identifier, words)):
        return ""
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - _ENDS]}\n{text[-_ENDS:]}"


def is_warning(text: str) -> bool:
    """Whether a text warns, forbids or says what was decided.

    >>> is_warning("Never edit schema.sql by hand."), is_warning("We read schema.sql together.")
    (True, False)
    """
    return _WARNING.search(text) is not None
