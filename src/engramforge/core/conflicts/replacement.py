"""Records of a register that take each other's place: one says so, or both stand under the same title.

One says in a sentence that it replaces, rejects or drops what the other is called ("this rescinds RFC 42"). What a
record is called is its designation (core/ranking/designations): a short name with a number.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise
from typing import Final

from engramforge.core.conflicts.alignment import Likeness, align
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import read_statement
from engramforge.core.ranking.designations import Designation, designations
from engramforge.core.text.words import root_of, words_of

STRENGTH: Final = 0.8
SAME_TITLE: Final = 0.4
_REPLACING: Final = frozenset(
    map(root_of, ("replace", "supersede", "obsolete", "withdraw", "rescind", "reject", "deprecate", "remove",
     "removal", "drop", "abandon", "retire", "alternative", "undo", "reverse", "revert", "successor"))
)  # fmt: skip
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s")
_GOES_ON: Final = re.compile(r"(?i)\A(?:\w+,? ){0,2}(?:it|this|that|they|these) (?:is|are|will|was|were)\b")
_BY: Final = re.compile(r"(?i)\b([a-z]{4,14}ed) by (?:[a-z]{2,10}[ -]?\d{1,6}[, ]{1,2}(?:and )?){0,12}\Z")
_IS_DONE: Final = re.compile(r"(?i) (?:is|are|was|were|be|being|gets|will be|should be|has been) ")
_BEGINS: Final = re.compile(r"(?is)(?:.{0,300}[:,;.]\s+)?(?:[A-Za-z]{2,10}[ -]?\d{1,6}(?: and |, ))?")
"""Before a name that is the subject of its sentence."""
_TITLE_WORDS: Final = 4
_TITLES_ALIKE: Final = 0.72
"""How close the words of two titles are, at least (harmonic mean of both ways)."""
_FAVOURED: Final = re.compile(r"(?i)\b(?:in favou?r of|by|see|use) [^.;]{0,80}\Z")
"""Behind a word of replacing: what takes the place, as in "deprecated in favour of the login of RFC 42"."""
_DONE_TO: Final = re.compile(
    r"(?i)\b(?:is|are|was|were|been|being|now|thus)\b(?: \w{1,14}){0,3}? (\w{4,14})\b"
)
_TAKES: Final = "one says that {} takes its place"
_DROPS: Final = "one says that it replaces or drops {}"
_LONGEST: Final = 4_000


def names_in(text: str) -> tuple[Designation, ...]:
    """The designations in a text; a name in small letters is one of the language."""
    return designations(text[:_LONGEST], lambda _: True)


def replaced_by_name(told: str, called: Collection[Designation]) -> Disagreement | None:
    """Whether a text says of what is called so that it is replaced or dropped, is an alternative, or replaces the text.

    `told`: everything that one says, its reasons too. `called`: what the other is called. What the other itself did
    ("RFC 42 deprecated the old keys") says nothing of it.

    >>> replaced_by_name("Logs go to files. This rescinds ADR 7 for good.", [("adr", "7")]).why
    'one says that it replaces or drops ADR 7'
    >>> replaced_by_name("Logs go to files. Superseded by ADR 7.", [("adr", "7")]).why
    'one says that ADR 7 takes its place'
    >>> replaced_by_name("This is obsolete in favour of the login that ADR 7 describes.", [("adr", "7")]).why
    'one says that ADR 7 takes its place'
    """
    if not called:
        return None
    sentences = _SENTENCE.split(told[:_LONGEST])
    for sentence, following in pairwise([*sentences, ""]):
        names = names_in(sentence)
        for name in sorted(set(called) & set(names)):
            # "RFC 42 stays for a year. Then it is removed."
            more = following if _GOES_ON.search(following) else ""
            if (said := _said_of(name, sentence, more, len(names))) is not None:
                # An alternative stands beside the other one: which of them holds is not said.
                is_beside = _words_of_replacing(f"{sentence} {more}") <= {root_of("alternative")}
                signal = Signal.REJECTED if is_beside else Signal.REPLACED
                return Disagreement(signal, said.format(" ".join(name).upper()), STRENGTH)
    return None


def _said_of(name: Designation, sentence: str, following: str, names: int) -> str | None:
    """What a sentence says of a name; None where nothing of its replacement. `names`: how many it names."""
    written = re.search(rf"(?i)\b{re.escape(name[0])}[ -]?0{{0,6}}{name[1]}\b", sentence)
    if written is None:
        return None
    before, behind = sentence[: written.start()], sentence[written.end() :]
    if (by := _BY.search(before)) is not None and root_of(by[1].lower()) in _REPLACING:
        return _TAKES
    if is_replacing(following) or (_IS_DONE.match(behind) and is_replacing(behind)):
        return _DROPS
    if _is_favoured(before):
        return _TAKES
    is_doer = _BEGINS.fullmatch(before) is not None
    if is_doer:
        return "one calls {} an alternative" if names == 1 and "alternative" in words_of(behind) else None
    if is_replacing(before):
        return _DROPS
    # "It keeps the words of RFC 42, but replaces its format"; "with RFC 42, it replaces RFC 7" is about the other.
    return _DROPS if names == 1 and is_replacing(behind) else None


def _is_favoured(before: str) -> bool:
    """Whether what stands before a name says that something gave way to what follows."""
    favoured = _FAVOURED.search(before)
    if favoured is None:
        return False
    gone = before[: favoured.start()]
    is_by_favour = favoured[0].lower().startswith("in fav") and is_replacing(gone)
    done = [match[1].lower() for match in _DONE_TO.finditer(gone)]
    return is_by_favour or any(root_of(each) in _REPLACING for each in done[-1:])


def is_replacing(text: str) -> bool:
    """Whether a text has a word of replacing or dropping."""
    return bool(_words_of_replacing(text))


def _words_of_replacing(text: str) -> frozenset[str]:
    return _REPLACING.intersection(map(root_of, words_of(text)))


def same_title(
    title: str,
    called: Collection[Designation],
    other_title: str,
    other_called: Collection[Designation],
    like: Likeness | None = None,
) -> Disagreement | None:
    """Whether two records of one kind settle the same matter by their titles; a text that is no record's title is none.

    Titles of some length may say it in other words; those that differ in a number are of one series.

    >>> same_title("Format of logs", [("adr", "7")], "Format of logs", [("adr", "9")]).why
    'two records under the same title'
    """
    kinds = {name for name, _ in called} & {name for name, _ in other_called}
    if not kinds or set(called) & set(other_called):
        return None
    one, other = read_statement(title), read_statement(other_title)
    if title.casefold() == other_title.casefold() and len(one.words) > 1:
        return Disagreement(Signal.CHOICE, "two records under the same title", SAME_TITLE)
    numbers = [{word.word for word in each.words if word.word[0].isdigit()} for each in (one, other)]
    if min(len(one.words), len(other.words)) < _TITLE_WORDS or numbers[0] != numbers[1]:
        return None
    closeness = align(one, other, like).closeness
    met = float(closeness.max(1).mean()), float(closeness.max(0).mean())
    if 2 * met[0] * met[1] <= _TITLES_ALIKE * sum(met):
        return None
    return Disagreement(Signal.CHOICE, "two records under nearly the same title", SAME_TITLE)
