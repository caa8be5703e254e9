"""Whether a title says to do, to get or to mend what is told as done: "the belts came" of "order spare belts"."""

from __future__ import annotations

from typing import Final

from engramforge.core.registries.closed.matters import (
    ASKS_WHOM,
    BESIDE_IT,
    FAULTS,
    asks,
    core_of,
    fault_in,
    is_most,
    matter_of,
)
from engramforge.core.registries.told_verbs import doing, told_of
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, stem_set, words_of

_GETTING: Final = stem_set("order reorder buy purchase get fetch request procure acquire wait pick apply")
_ASK: Final = stem_of("ask")
_ASKS_WHO: Final = late(r"(?i)\bwho\s(?P<does>[^,;?.]{4,80})")
_FROM: Final = late(r"(?i)\sfrom\s")
_LOOKS_AT: Final = late(
    r"(?i)\b(?:(?:look|looking) (?:at|into|after)|check|inspect|examine|see to)\s(?:the |our |that |this )?"
    r"(?P<what>[^,;:.?!]{2,60}?)(?=\W*\Z|[,;:.?!]|\s(?:some ?time|soon|again|later|when|because|since|as|which|that|it"
    r"|for|in|on|before|after|once|and|tomorrow|today|next|one day)\b)"
)
"""Names what somebody is to look at."""


def is_acted(what: str, title: str) -> bool:
    """Whether a title says to do what is told as done, the verb first, to the same thing."""
    words = words_of(what.lower())
    verb, thing = words[0] if words else "", words[1:]
    to_do = frozenset(words_of(title.lower()))
    acts = [base for base in told_of(verb) if not to_do.isdisjoint(doing(base))]
    if (who := _ASKS_WHO.search(title)) is not None:
        does = frozenset(map(stem_of, words_of(who["does"].lower())))
        acts = acts or [base for base in sorted(told_of(verb)) if stem_of(base) in does]
    if not acts or stem_of(acts[0]) in FAULTS:
        return False
    said, matter = matter_of(" ".join(thing)), matter_of(title)
    act = frozenset(stem for base in acts for form in doing(base) if (stem := stem_of(form)) in matter)
    if _ASK in act and said and said == matter_of(" ".join(_asked(title)[: len(thing)])):
        return True
    return bool(said) and is_most(said | act, matter)


def is_done_by(what: str, title: str) -> bool:
    """Whether a title says to do, or asks who does, what somebody else is told to have done.

    >>> is_done_by("Petra: booked the crane", "who books the crane for the mast?")
    True
    >>> is_done_by("the members: mailed the fee", "mail the members about the fee")
    False
    """
    who, _, deed = what.partition(": ")
    return core_of(who).isdisjoint(core_of(title)) and is_acted(deed, title)


def _asked(title: str) -> list[str]:
    """The words of a title from whom it says to ask."""
    words = words_of(title.lower())
    at = next((at for at, word in enumerate(words) if stem_of(word) == _ASK), len(words))
    return words[at + 1 :]


_NEEDS: Final = late(
    r"(?i)(?:\A\W*|\b(?:whether|if|question:?)\s)(?:(?:do|does|will|would) )?(?:we|i|they|one|the \w{2,20}) "
    r"(?:still |really |even |have to )?(?:need|require|get)s? (?P<what>[^,;:.?!]{2,80})"
)
"""Asks whether a thing is needed."""


def is_come(what: str, title: str) -> bool:
    """Whether a title says to get what is told to be there, or to ask somebody for it.

    >>> is_come("the mooring key from the office", "ask the office for the mooring key")
    True
    >>> is_come("the mooring key from the shop", "ask the office for the mooring key")
    False
    """
    named = frozenset(stem_of(word) for word in words_of(title.lower()))
    said, matter = matter_of(what), matter_of(title) - _GETTING
    if _is_given_as_asked(what, title) or _is_what_is_needed(what, title):
        return True
    if named.isdisjoint(_GETTING) or not said or not matter:
        return False
    head = matter_of(BESIDE_IT.split(title, maxsplit=1)[0]) - _GETTING
    return is_most(said, matter) or (bool(head) and is_most(said, head) and _last_in(what, head))


def _is_what_is_needed(what: str, title: str) -> bool:
    """Whether a title only asks if one needs what came: "do we need a slip for the mooring?" is over with the slip."""
    hit = _NEEDS.search(title)
    needed = frozenset[str]() if hit is None else core_of(BESIDE_IT.split(hit["what"], maxsplit=1)[0])
    return bool(needed) and core_of(what) == needed


def _is_given_as_asked(what: str, title: str) -> bool:
    """Whether what came, and from whom where that is told, is what a title says to ask somebody for."""
    hit = ASKS_WHOM.search(title)
    who, is_for, wanted = ("", "", "") if hit is None else title[hit.start("who") :].partition(" for ")
    thing, *giver = _FROM.split(what, maxsplit=1)
    said, asked = core_of(thing), core_of(BESIDE_IT.split(wanted, maxsplit=1)[0])
    if not (is_for and said) or not is_most(said, asked) or not _last_in(thing, asked):
        return False
    return not giver or (bool(core_of(giver[0])) and core_of(giver[0]) <= core_of(who))


def _last_in(what: str, head: frozenset[str]) -> bool:
    """Whether the last word of what is told names the matter: "the belts" of "order spare belts"."""
    words = words_of(what.lower())
    return bool(words) and stem_of(words[-1]) in head


def is_replaced(what: str, title: str) -> bool:
    """Whether a title tells that a thing is faulty, or says to look at it, in whose place there is another now.

    >>> said = "the bilge pump"
    >>> [is_replaced(said, x) for x in ("check the bilge pump, starts late", "paint the bilge pump")]
    [True, False]
    """
    said = core_of(what)
    if not said or not said <= matter_of(title) or asks(title):
        return False
    if (looked := _LOOKS_AT.search(title)) is not None:
        thing = core_of(looked["what"])
        return bool(thing) and (thing <= said or (is_most(said, thing) and _last_in(looked["what"], said)))
    at = fault_in(title)
    before = frozenset() if at is None else core_of(title[:at])
    return bool(before) and is_most(said, before)
