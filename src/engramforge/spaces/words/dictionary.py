"""The words of English, as pyspellchecker lists them: what is no typing error although no memory has it.

Some 160,000 words that films' subtitles use, with names of places. They are read at the first question with a word that
nobody wrote, in a tenth of a second, and kept as one text: a set of them would take 40 MB.
"""

from __future__ import annotations

from functools import cache


def is_real(word: str) -> bool:
    """Whether a lower-cased word is one of English, or the plural of one.

    >>> is_real("nanny"), is_real("tyres"), is_real("harbuor")
    (True, True, False)
    """
    return f"\n{word}\n" in _words() or (word.endswith("s") and f"\n{word[:-1]}\n" in _words())


@cache
def _words() -> str:
    from spellchecker import SpellChecker

    return "\n" + "\n".join(SpellChecker(language="en", distance=1).word_frequency.keys()) + "\n"
