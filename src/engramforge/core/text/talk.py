"""Whether texts that came together are the turns of one talk, or notes of a list.

Turns speak to somebody and follow one another. Measured on real talk, forum comments, requests to a bank, articles,
proposals and code in windows of 6, 20 and 200 texts: nine windows of talk in ten reach both shares, and no others do
(docs/measurements/ranking.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

SPEAKING: Final = 2 / 3
"""The least share of texts that ask, or speak of `you` or `I`."""
SPOKEN_TO: Final = 0.3
"""The least share of those that speak of `you`: requests and comments speak of their writer alone."""
LABELLED: Final = 0.8
LABELLED_SPEAKING: Final = 0.2
"""The least share of texts that begin with who speaks, and of those among them that ask or speak so: a question mark is
one in every language, and labels as "fix:" begin notes too."""
CONTINUITY: Final = 1.0
"""By how many standard errors neighbours are to be more alike than texts further apart."""
_ENOUGH: Final = 12
"""From how many texts on their order can be judged."""
READ: Final = 1_000
"""How many characters of a text are read."""
_YOU: Final = re.compile(r"(?i)\b(?:you|your|yours)\b")
_SPEAKS: Final = re.compile(r"\?|\b(?:I|[Mm]y|me|[Ww]e|[Oo]ur)\b")
_LABEL: Final = re.compile(r"(?!https?:)([^\W\d_][\w.'-]{0,30}(?: [\w.'-]{1,30})?): ")


def is_talk(texts: Sequence[str]) -> bool:
    """Whether texts, in order, read as what some people said to each other."""
    read = [text[:READ] for text in texts]
    to_somebody = [_YOU.search(text) is not None for text in read]
    speaking = sum(
        one or _SPEAKS.search(text) is not None for one, text in zip(to_somebody, read, strict=True)
    )
    if sum(to_somebody) >= SPOKEN_TO * len(read) and speaking >= SPEAKING * len(read):
        return True
    labels = [found[1] for found in map(_LABEL.match, read) if found]
    names_all = len(labels) >= LABELLED * len(read) and 2 <= len(set(labels)) <= max(2, len(read) // 4)
    return names_all and speaking >= LABELLED_SPEAKING * len(read)


def goes_on(vectors: Sequence[NDArray[np.int8] | None]) -> bool:
    """Whether texts follow from each other: neighbours are more alike than others; True for few, which cannot tell.

    `vectors`: of the texts in order, shape (d,) each; None where one has no meaning.
    """
    rows = np.array([each for each in vectors if each is not None], np.float32)
    if len(rows) < _ENOUGH:
        return True
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    beside = (rows[1:] * rows[:-1]).sum(axis=1)
    apart = (rows @ rows.T)[np.triu_indices(len(rows), 2)]
    return bool(beside.mean() - apart.mean() >= CONTINUITY * apart.std() / np.sqrt(len(beside)))
