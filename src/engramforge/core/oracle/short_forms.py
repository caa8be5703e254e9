"""A question in the short forms of what was found: what it spells out by its initials, and the other way round."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Final

from engramforge.core.text.words import is_stop_word, words_of

_INITIALS: Final = re.compile(r"(?<![\w-])[A-Z]{2,6}(?![\w-])")
_NAMES: Final = re.compile(r"(?<![\w-])[A-Z][a-z]+(?: [A-Z][a-z]+){1,4}(?![\w-])")
_WORD: Final = re.compile(r"[A-Za-z][\w-]*")
_SHORT: Final = re.compile(r"[a-z]{2,4}")
_FULL: Final = 3
"""Letters of initials that nothing else is likely to have."""
_MOST_WORDS: Final = 100
"""Of a question that are looked at: a longer one spells out what it means."""


def in_other_forms(query: str, texts: Sequence[str]) -> str:
    """The question with what it spells out as the texts shorten it, and what it shortens as they spell it out; empty
    where it stays the same. Two words, or all but the last, are shortened only beside a word that stands there, too.

    >>> in_other_forms("Who runs the water cleaning unit of bh?", ["The WCU is idle.", "Barge Harbour is shut."])
    'Who runs the WCU of Barge Harbour?'
    >>> in_other_forms("Which water cleaning pump?", ["A WCU pump."])
    'Which WCU pump?'
    >>> in_other_forms("Which clean gate?", ["A WCU pump."])
    ''
    """
    told = _spelt_out(_shortened(query, texts), texts)
    return "" if told == query else told


def _shortened(query: str, texts: Sequence[str]) -> str:
    counts: Counter[str] = Counter(each for text in texts for each in _INITIALS.findall(text))
    known = [short for short, _ in counts.most_common()]
    words = list(islice(_WORD.finditer(query), _MOST_WORDS)) if known else []
    pairs: set[tuple[str, str]] | None = None
    for size in range(min(5, len(words)), 1, -1):
        for start in range(len(words) - size + 1):
            run = words[start : start + size]
            if any(is_stop_word(each[0].lower()) or each[0].isupper() for each in run):
                continue
            if any(query[one.end() : two.start()] != " " for one, two in pairwise(run)):
                continue
            initials = "".join(each[0][0] for each in run).upper()
            after = words[start + size][0].lower() if start + size < len(words) else ""
            for short in known:
                if short not in (initials, f"{initials}{short[-1]}"):
                    continue
                if pairs is None:
                    pairs = {pair for text in texts for pair in pairwise(words_of(text))}
                is_full = short == initials and len(short) >= _FULL
                if is_full or (after and (short.lower(), after) in pairs):
                    return query[: run[0].start()] + short + query[run[-1].end() :]
    return query


def _spelt_out(query: str, texts: Sequence[str]) -> str:
    known = Counter(each for text in texts for each in _NAMES.findall(text))
    names: dict[str, str] = {}
    for name, _ in known.most_common():
        names.setdefault("".join(word[0] for word in name.split()).lower(), name)

    def full(found: re.Match[str]) -> str:
        word = found[0]
        is_short = _SHORT.fullmatch(word) is not None and not is_stop_word(word)
        return names.get(word, word) if is_short else word

    return _WORD.sub(full, query)
