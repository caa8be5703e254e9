"""Records of a register that take each other's place: one says so, or both stand under the same title.

One says in a sentence that it replaces, rejects or drops what the other is called ("this rescinds RFC 42"). What a
record is called is its designation (core/ranking/designations): a short name with a number.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise
from typing import Final

from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.ranking.designations import Designation, designations
from engramforge.core.text.words import stem_of, words_of

STRENGTH: Final = 0.8
SAME_TITLE: Final = 0.4
_REPLACING: Final = frozenset(
    map(stem_of, ("replace", "supersede", "obsolete", "withdraw", "rescind", "reject", "deprecate", "remove",
     "removal", "drop", "abandon", "retire", "alternative", "undo", "reverse", "revert"))
)  # fmt: skip
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s")
_GOES_ON: Final = re.compile(r"(?i)\A(?:\w+,? ){0,2}(?:it|this|that|they|these) (?:is|are|will|was|were)\b")
_LONGEST: Final = 4_000


def names_in(text: str) -> tuple[Designation, ...]:
    """The designations in a text; a name in small letters is one of the language."""
    return designations(text[:_LONGEST], lambda _: True)


def replaced_by_name(told: str, called: Collection[Designation]) -> Disagreement | None:
    """Whether a text says of what is called so that it is replaced or dropped.

    `told`: everything that one says, its reasons too. `called`: what the other is called.

    >>> replaced_by_name("Logs go to files. This rescinds ADR 7 for good.", [("adr", "7")]).why
    'one says that it replaces or drops ADR 7'
    """
    if not called:
        return None
    sentences = _SENTENCE.split(told[:_LONGEST])
    for sentence, following in pairwise([*sentences, ""]):
        found = sorted(set(called) & set(names_in(sentence)))
        # "RFC 42 stays for a year. Then it is removed."
        words = [*words_of(sentence), *(words_of(following) if _GOES_ON.search(following) else ())]
        if found and _REPLACING & set(map(stem_of, words)):
            named = " ".join(found[0]).upper()
            return Disagreement(Signal.REJECTED, f"one says that it replaces or drops {named}", STRENGTH)
    return None


def same_title(
    title: str, called: Collection[Designation], other_title: str, other_called: Collection[Designation]
) -> Disagreement | None:
    """Whether two records of one kind settle the same matter by their titles; a text that is no record's title is none.

    >>> same_title("Format of logs", [("adr", "7")], "Format of logs", [("adr", "9")]).why
    'two records under the same title'
    """
    kinds = {name for name, _ in called} & {name for name, _ in other_called}
    if not kinds or set(called) & set(other_called) or title.casefold() != other_title.casefold():
        return None
    return Disagreement(Signal.CHOICE, "two records under the same title", SAME_TITLE)
