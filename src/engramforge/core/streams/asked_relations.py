"""Which relation a question asks for, by the words that it shares with a relation's name, and in which direction.

It decides what is followed and told first, never how relevant that is: how a relation is named says nothing of how
strong a link is. Rules over text, for questions in English; of any other no direction is known.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Final, NamedTuple

from engramforge.core.text.words import STOP_WORDS, root_of, stem_of, word_set, words_of

Asked = Callable[[str], int]
"""Relation -> how many words the question shares with it."""
Said = Callable[[str], float]
"""Relation -> the share of its words that the question says, 0..1."""
_SAME: Final = {
    root_of(word): root_of(meant)
    for meant, words in {
        "resolved": "solve fix repair mend settle remedy cure",
        "supersede": "replace",
        "depend": "need require rely",
    }.items()
    for word in words.split()
}
"""Words that say a relation which is named otherwise."""
Ways = Callable[[str, str], "Direction"]
"""Relation and what a question names -> in which direction that is asked for."""
OTHER_WAY: Final = 0.5
"""How much less a link counts that is asked for in the other direction."""
_OTHER_WAY_OF_BOTH: Final = 0.9
"""The same of a relation that is the same either way, such as an alliance with somebody."""
_MUTUAL: Final = frozenset({"with", "and", "between", "alike", "like", "similar"})
_PREPOSITIONS: Final = word_set("against at by for from in into of on onto over to under upon via with")
_DOES: Final = frozenset({"do", "does", "did"})
_IS: Final = frozenset({"is", "are", "was", "were", "been", "being", "be", "get", "got", "gets"})
_ASKING: Final = word_set("what which who whom whose why how when where")
_PARTICIPLE: Final = re.compile(r"\w{2,}ed")


def asked_relations(question: str) -> Asked:
    """How much of each relation a question says.

    >>> asked = asked_relations("With whom did the Dutch form military alliances, and what do they depend on?")
    >>> [asked(each) for each in ("MILITARY_ALLIANCE_WITH", "MILITARY_ACTION", "DEPENDS_ON", "TREATY_WITH", "ON")]
    [2, 1, 1, 0, 0]
    >>> asked("MILITARYALLIANCE"), asked_relations("who fixed the pump?")("RESOLVED_BY")
    (1, 1)
    """
    said = _said_in(question)

    def shared(relation: str) -> int:
        return len(said & _roots_of(relation))

    return shared


def said_of_relations(question: str) -> Said:
    """Which share of each relation a question says; small words are no part of either.

    >>> said = said_of_relations("With whom did the Dutch form military alliances?")
    >>> [said(each) for each in ("MILITARY_ALLIANCE_WITH", "MILITARY_ACTION", "TRADES_WITH", "WITH")]
    [1.0, 0.5, 0.0, 0.0]
    """
    said = _said_in(question)

    def share(relation: str) -> float:
        own = _roots_of(relation)
        return len(said & own) / len(own) if own else 0.0

    return share


class Direction(NamedTuple):
    """Which end of a link what a question names is to be. `forward`: the source rather than the target; None: either,
    or the words do not say. `other`: how much a link counts in the other direction."""

    forward: bool | None
    other: float = OTHER_WAY

    def share_of(self, forward: bool | None) -> float:
        """How much a link counts that leads on from what is named, or `forward` False: to it."""
        return self.other if None not in (forward, self.forward) and forward is not self.forward else 1.0


def asked_way(question: str, relation: str, name: str = "") -> Direction:
    """In which direction a question asks for a relation. `name`: what it names; empty for whatever it is about.

    >>> asked = ["whom does Egypt accuse?", "who accuses Egypt?", "who is accused by Egypt?", "who allies with Egypt?"]
    >>> [asked_way(each, "ACCUSES", "egypt").forward for each in asked]
    [True, False, True, None]
    >>> asked_way("with whom is Avalon allied?", "ALLIED_WITH", "avalon").share_of(False)
    0.9
    >>> asked_way("what resolved the stuck dome?", "RESOLVED_BY").forward
    True
    >>> asked_way("what is bacterium the location of?", "LOCATION_OF", "bacterium").forward
    True
    """
    words, own = words_of(question), _roots_of(relation)
    parts = words_of(relation.replace("_", " "))
    other = OTHER_WAY if _MUTUAL.isdisjoint(parts) else _OTHER_WAY_OF_BOTH
    joined = [one + other for one, other in itertools.pairwise([*words, ""])]
    says = [
        at
        for at, (word, both) in enumerate(zip(words, joined, strict=True))
        if word not in STOP_WORDS and not own.isdisjoint((_meant(word), root_of(both)))
    ]
    matter = _matter(words, set(says), words_of(name))
    if not says or matter is None:
        return Direction(None)
    return Direction(_is_source(words, says, matter, parts), other)


def _is_source(words: list[str], says: list[int], matter: int, parts: list[str]) -> bool | None:
    """Whether what stands at `matter` is the source of a relation that is said at some places."""
    before = [word for word in words[:matter] if word != "the"]
    link_word = before[-1] if before else ""
    verb = words[says[0]]
    is_passive = not _IS.isdisjoint(words[: says[0]]) and _is_participle(verb)
    names_patient = "by" in parts or (_is_participle(parts[0]) and parts[1:2] and parts[1] in _PREPOSITIONS)
    if link_word in _PREPOSITIONS - {"by", "of"} and link_word not in _MUTUAL:
        # To whom it is done, or from whom it comes: as the relation itself says it, or the other way round.
        return None if parts[-1] not in _PREPOSITIONS else link_word != parts[-1]
    if link_word in _DOES:
        is_agent = True
    elif is_passive:
        is_agent = link_word == "by"
    else:
        is_agent = matter < says[0]
    if names_patient and "by" not in parts and is_agent and not is_passive:
        return None
    return is_agent is not bool(names_patient)


def _is_participle(word: str) -> bool:
    return bool(_PARTICIPLE.fullmatch(word)) or root_of(word) != stem_of(word)


def _matter(words: list[str], says: set[int], name: list[str]) -> int | None:
    """Where what a question names begins in it; None where it stands on either side of what is said."""
    named = (at for at in range(len(words)) if name and words[at : at + len(name)] == name)
    if (at := next(named, None)) is not None:
        return at
    others = [
        at
        for at, word in enumerate(words)
        if at not in says and word not in STOP_WORDS and word not in _ASKING
    ]
    if not others or not says or others[0] < min(says) < others[-1]:
        return others[0] if others and others[0] > 0 and words[others[0] - 1] in _DOES else None
    return others[0]


def _said_in(question: str) -> frozenset[str]:
    words = words_of(question)
    said = _roots([*words, *(one + other for one, other in itertools.pairwise(words))])
    return said | {_SAME[each] for each in said if each in _SAME}


def _meant(word: str) -> str:
    root = root_of(word)
    return _SAME.get(root, root)


@lru_cache(maxsize=4_096)
def _roots_of(relation: str) -> frozenset[str]:
    return _roots(words_of(relation.replace("_", " ")))


def _roots(words: Iterable[str]) -> frozenset[str]:
    return frozenset(root_of(word) for word in words if word not in STOP_WORDS)


def matter_beside(question: str, relation: str) -> frozenset[str]:
    """The roots of the words of a question that say nothing of a relation: what it asks that of.

    >>> sorted(matter_beside("who fixed the dome that stuck?", "RESOLVED_BY"))
    ['dome', 'stick']
    """
    own, words = _roots_of(relation), words_of(question)
    joined = [one + other for one, other in itertools.pairwise(["", *words, ""])]
    says = {at for at, each in enumerate(joined) if root_of(each) in own}
    return frozenset(
        root_of(word)
        for at, word in enumerate(words)
        if word not in STOP_WORDS and _meant(word) not in own and not {at, at + 1} & says
    )


def ways_asked(question: str) -> Ways:
    """In which direction a question asks for each relation."""
    return lru_cache(partial(asked_way, question))


def nothing_asked(_: str) -> int:
    """Where no question says what it asks for."""
    return 0


def nothing_said(_: str) -> float:
    """Where no question says anything of a relation."""
    return 0.0


def either_way(_: str, __: str) -> Direction:
    """Where no question says in which direction it asks."""
    return Direction(None)
