"""Succession: of documents that say which one replaces which, and of records of one thing's changes, the newest first.

Only where a question asks how things stand; else the older one may be what is meant. Pure functions over words.

>>> old = "rfc6962 certificate transparency".split()
>>> new = "rfc9162 certificate transparency version 2 obsoletes rfc6962".split()
>>> succession_gains(np.array([6.0, 4.0], np.float32), [old, new], np.array([2013, 2021]), np.array([False, False]))
array([0.   , 2.001], dtype=float32)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.text.words import is_identifier

Floats = NDArray[np.float32]
Words = Sequence[str]

_REPLACES: Final = frozenset({"replaces", "obsoletes", "supersedes"})
_REPLACED: Final = frozenset({"replaced", "obsoleted", "superseded"})
_SAYS_MORE: Final = _REPLACES | _REPLACED | {"updates", "updated"}
"""Where the names of one of them end."""
_REACH: Final = 12
"""How many words after one of these may be names of what is replaced or replaces."""
_GAP: Final = 8.0
"""How far below an older one its successor may stand, in log-odds: it says itself what it is about."""
_AS_GOOD: Final = 1.0
"""How far below the best one, in log-odds, a document about the same matter stands."""
_STEP: Final = 1e-3


def name_of(words: Words) -> tuple[str, ...]:
    """What a document is called at its beginning; empty where it has no such name.

    >>> name_of(["pep", "333", "python"]), name_of(["rfc6962", "certificate"]), name_of(["use", "redis"])
    (('pep', '333'), ('rfc6962',), ())
    """
    if words and is_identifier(words[0]):
        return (words[0],)
    has_number = len(words) > 1 and any(map(str.isdigit, words[1]))
    return tuple(words[:2]) if has_number else ()


def takes_the_place_of(newer: Words, older: Words) -> bool:
    """Whether of two documents, by their words, one says that the first replaces the second.

    >>> takes_the_place_of("rfc8 keys obsoletes rfc7".split(), "rfc7 keys".split())
    True
    >>> takes_the_place_of("rfc8 keys".split(), "rfc7 keys superseded by rfc8".split())
    True
    >>> takes_the_place_of("rfc7 keys superseded by rfc8".split(), "rfc8 keys".split())
    False
    """
    name, other = name_of(newer), name_of(older)
    return name != other and (
        _stands_in(other, _named_after(newer, _REPLACES, ""))
        or _stands_in(name, _named_after(older, _REPLACED, "by"))
    )


def succession_gains(
    total: Floats, words: Sequence[Words], moment: NDArray[np.int64], is_record: NDArray[np.bool_]
) -> Floats:
    """The gains that lift a document just above the one that it replaces; log-odds, shape (n,).

    Parameters
    ----------
    total : float32, shape (n,): log-odds.
    words : the words of each document.
    moment : int64, shape (n,): valid time.
    is_record : bool, shape (n,): records of changes; of those of one thing the newest tells how it stands.
    """
    names = [name_of(each) for each in words]
    replaced = [_named_after(each, _REPLACES, "") for each in words]
    replacing = [_named_after(each, _REPLACED, "by") for each in words]
    level = total.astype(np.float64)
    for older in np.lexsort((np.arange(len(total)), moment)).tolist():
        if not names[older]:
            continue
        for newer in range(len(words)):
            follows = _stands_in(names[older], replaced[newer]) or _stands_in(names[newer], replacing[older])
            if names[newer] == names[older]:
                follows = bool(is_record[older] and is_record[newer] and moment[older] < moment[newer])
            if follows and 0 <= level[older] - level[newer] <= _GAP:
                level[newer] = level[older] + _STEP
    return (level - total).astype(np.float32)


def newest_gains(total: Floats, moment: NDArray[np.int64]) -> Floats:
    """The gains that put documents as good as the best one in the order of their times, the newest first.

    For a question that asks for the newest. `total`, `moment`: as of `succession_gains`.

    >>> newest_gains(np.array([6.0, 5.5, 2.0], np.float32), np.array([2000, 2009, 2020]))
    array([0.   , 0.501, 0.   ], dtype=float32)
    """
    best = float(total.max())
    near = np.flatnonzero(total >= best - _AS_GOOD)
    level = total.astype(np.float64)
    for rank, each in enumerate(near[np.lexsort((total[near], moment[near]))].tolist()):
        level[each] = best + _STEP * (rank + 1)
    level[near] -= _STEP
    return (level - total).astype(np.float32)


def _named_after(words: Words, verbs: frozenset[str], then: str) -> Words:
    """The words that may name what one of the verbs speaks of."""
    for place, word in enumerate(words):
        if word in verbs and (not then or words[place + 1 : place + 2] == [then]):
            named = words[place + 1 : place + 1 + _REACH]
            ends = (end for end, other in enumerate(named) if other in _SAYS_MORE)
            return named[: next(ends, len(named))]
    return ()


def _stands_in(name: Words, words: Words) -> bool:
    """Whether the words of a name stand there one after the other."""
    size = len(name)
    return size > 0 and any(tuple(words[start : start + size]) == name for start in range(len(words)))
