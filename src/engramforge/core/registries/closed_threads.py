"""Which open thread a person means who says in plain words that something is over. A wrong end is worse than none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from engramforge.core.registries.told_verbs import doing, told_of
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import is_stop_word, stem_of, words_of


class Over(StrEnum):
    """In which words somebody says that something is over, which says what has to be the same.

    NAMED: the matter by its name; LISTED: by a part of its name that says it is one ("the labels todo"); ACTED:
    what was to be done as done, the verb first; COME: that what was to be got is there; MENDED: a thing, or its
    fault, that was faulty; WORKS: a thing that was to be made; TOLD: what happened, beside words that
    say that this was it; ANSWERED: a statement that is said to settle a question.
    """

    NAMED = "closed in plain words"
    LISTED = "closed as one of a list"
    ACTED = "told as done"
    COME = "told to have come"
    MENDED = "told to work again"
    WORKS = "told to work"
    TOLD = "told, and done with it"
    ANSWERED = "answered and settled"


_EMPTY_WORDS: Final = """
todo task thread question issue matter point topic item problem open still need have must should write add do make fix
finish build decide settle find look check figure use take set get keep which what who where when whether how next step
first later now done want happen try sort today tomorrow soon list over just finally out idea
"""
_EMPTY: Final = frozenset(map(stem_of, _EMPTY_WORDS.split()))
"""What threads say beside their matter: what is to be done, and that it is open."""
_GETTING_WORDS: Final = "order reorder buy purchase get fetch request procure acquire wait pick apply"
_GETTING: Final = frozenset(map(stem_of, _GETTING_WORDS.split()))
_ASK: Final = stem_of("ask")
_FAULT_WORDS: Final = """
crash crashes hang hangs freeze freezes fail fails failure break breaks broken leak leaks jam jams drift drifts stall
stalls stuck bug bugs error errors wrong flaky fault faults faulty glitch glitches flicker flickers timeout timeouts
deadlock overflow overflows corrupt corrupted corrupts corruption lose loses lost dead down drip drips squeak squeaks
rattle rattles stutter stutters lag lags loop loops burn burns smoke smokes noise noisy slow race mess messes garbled
segfault segfaults panic panics throws regression defect outage wobble wobbles slip slips stop stops stopped overheat
overheats duplicate duplicates blank unreadable unreachable missing shift shifts warning warnings lock locks locked
"""
_FAULTS: Final = frozenset(map(stem_of, _FAULT_WORDS.split()))
_DENIED: Final = late(
    r"(?i)\b(?:does|do|did|is|are|can|could|will|wo)(?:n['\u2019]?t| not)\b|\bcannot\b|\bkeeps?\b"
)
"""Tells a fault whatever the word: "the pump doesn't start"."""
_ASKS: Final = late(
    r"(?i)\?\W*\Z|\A\W*(?:(?:open |the )?question:?\s+)?(?:what|which|who|whom|whose|when|where|why|how|whether"
    r"|(?:do|does|should|shall|can|could|will|would|is|are) (?:we|i|the|it|a|an|our|there)\b)"
)
_FOR: Final = late(r"(?i)\s(?:for|in|of|on|with|from|about|at|into)\s")
_ASKS_WITHIN: Final = late(r"(?i)\b(?:decide|clarify|settle|agree on|discuss|figure out|find out|know)\b")
_FEWEST: Final = 2
_BEHIND: Final = late(
    r"(?i)\s(?:for|in|of|on|with|from|about|at|into|before|after|until|till|by|so that|because|since|when|once|as"
    r"|and)\s"
)
"""Begins what a title says beside its matter."""
_DOES: Final = late(
    r"(?i)(?:\A\W*|\b(?:to|gotta|must|should|still|lets|let['\u2019]?s)\s)(?P<verb>"
    r"(?!(?:the|this|that|these|those|all|our|some|any|each|every|both|many|more|most|other|which|what|who|why|how|when"
    r"|there|they|his|her|their|your|its|not|one|two)\b)[a-z-]{3,20}) (?:(?:the|all|our|my"
    r"|those|these|every|both|an?|old|new)\b|[a-z-]{2,20}s\b)"
)
"""What a title says to do to something."""
_MAKING_WORDS: Final = """
add automate build code create debug draft finish fix get implement install make mend port program redo repair rewrite
script set test try wire write
"""
_MAKING: Final = frozenset(map(stem_of, _MAKING_WORDS.split()))


def meant_thread(what: str, titles: Sequence[str], over: Over = Over.NAMED) -> int | None:
    """The place of the only title whose matter is what somebody says to be over; None for none, or for several.

    >>> titles = ("write the privacy page", "which font do we use?", "who owns the domain?", "move the domain")
    >>> [meant_thread(each, titles) for each in ("the privacy page", "the font question", "the domain", "the map")]
    [0, 1, None, None]
    >>> meant_thread("moved the domain", titles, Over.ACTED)
    3
    >>> meant_thread("dedupe", ("dedupe all customer names before the import", "import the new names"))
    0
    """
    alike = [place for place, title in enumerate(titles) if _FITS[over](what, title)]
    if not alike and over in _SHORTLY:
        alike = [place for place, title in enumerate(titles) if _is_named_shortly(what, title)]
    return alike[0] if len({titles[place] for place in alike}) == 1 else None


def asks(title: str) -> bool:
    """Whether a thread is a question: then what is "off the table" answers it."""
    return _ASKS.search(title) is not None


def is_of_another(what: str, title: str) -> bool:
    """Whether what is over and a thread each have a word of their own: "the leak in the upload worker" is not the one
    "in the thumbnail worker"."""
    said, matter = _matter(what), _matter(title)
    return bool(said - matter) and bool(matter - said)


def _is_named(what: str, title: str) -> bool:
    """Whether words name a matter: half of it at least and nothing else, or all of it beside others."""
    said, matter = _matter(what), _matter(title)
    if not said or not matter:
        return False
    # What a title is about is before its "for": done with the parser are no "tests for the parser".
    head = _matter(_FOR.split(title, maxsplit=1)[0])
    if head and head.isdisjoint(said):
        return False
    return _is_most(said, matter) or (matter <= said and len(matter) > 1)


def _is_named_shortly(what: str, title: str) -> bool:
    """Whether words name the head of what is to be done, or the doing itself: "dedupe" is "dedupe all names before
    the import". A question is not closed so: nobody says then what the answer is."""
    said = _matter(what)
    if not said or asks(title) or _ASKS_WITHIN.search(title):
        return False
    head = _matter(_BEHIND.split(title, maxsplit=1)[0])
    does = _DOES.search(title)
    if does is None:
        return False
    return said == _matter(does["verb"]) or (said <= head and 2 * len(said) >= len(head))


def _is_working(what: str, title: str) -> bool:
    """Whether a title says to make, or to mend, what is told to work."""
    does = _DOES.search(title)
    is_made = does is not None and stem_of(does["verb"].lower()) in _MAKING
    if asks(title) or not (is_made or _fault_in(title) is not None):
        return False
    return _is_named(what, title) or _is_named_shortly(what, title)


def _is_listed(what: str, title: str) -> bool:
    said = _matter(what)
    return bool(said) and said <= _matter(title)


def _is_acted(what: str, title: str) -> bool:
    """Whether a title says to do what is told as done, to the same thing."""
    words = words_of(what.lower())
    verb, thing = words[0] if words else "", words[1:]
    to_do = frozenset(words_of(title.lower()))
    acts = [base for base in told_of(verb) if not to_do.isdisjoint(doing(base))]
    if not acts or stem_of(acts[0]) in _FAULTS:
        return False
    said, matter = _matter(" ".join(thing)), _matter(title)
    act = frozenset(stem for base in acts for form in doing(base) if (stem := stem_of(form)) in matter)
    if _ASK in act and said and said == _matter(" ".join(_asked(title)[: len(thing)])):
        return True
    return bool(said) and _is_most(said | act, matter)


def _asked(title: str) -> list[str]:
    """The words of a title from whom it says to ask."""
    words = words_of(title.lower())
    at = next((at for at, word in enumerate(words) if stem_of(word) == _ASK), len(words))
    return words[at + 1 :]


def _is_come(what: str, title: str) -> bool:
    """Whether a title says to get what is told to be there."""
    named = frozenset(stem_of(word) for word in words_of(title.lower()))
    said, matter = _matter(what), _matter(title) - _GETTING
    return not named.isdisjoint(_GETTING) and bool(said and matter) and _is_most(said, matter)


def _is_mended(what: str, title: str) -> bool:
    """Whether a title tells that a thing is faulty which is told to work again, or the fault itself."""
    said, at = _matter(what), _fault_in(title)
    if at is None or not said <= _matter(title):
        return _is_named(what, title)
    before = _matter(title[:at])
    return _is_named(what, title) or (bool(before) and before <= said)


def _is_told(what: str, title: str) -> bool:
    said, matter = _matter(what), _matter(title)
    same = said & matter
    is_near = 2 * len(same) >= len(matter) and 2 * len(same) >= len(said)
    return _is_named(what, title) or (len(same) >= _FEWEST and is_near)


def _is_answered(what: str, title: str) -> bool:
    matter = _matter(title)
    is_question = asks(title) or _ASKS_WITHIN.search(title) is not None
    return is_question and len(matter) >= _FEWEST and matter <= _matter(what)


_FITS: Final[dict[Over, Callable[[str, str], bool]]] = {
    Over.NAMED: _is_named,
    Over.LISTED: _is_listed,
    Over.ACTED: _is_acted,
    Over.COME: _is_come,
    Over.MENDED: _is_mended,
    Over.WORKS: _is_working,
    Over.TOLD: _is_told,
    Over.ANSWERED: _is_answered,
}

_SHORTLY: Final = frozenset((Over.NAMED, Over.MENDED))


def _is_most(said: frozenset[str], matter: frozenset[str]) -> bool:
    return said <= matter and 2 * len(said) >= len(matter)


def _fault_in(title: str) -> int | None:
    """Where a title tells of a fault; None where it tells of none."""
    denied = _DENIED.search(title)
    places = [] if denied is None else [denied.start()]
    for hit in _WORDS.finditer(title):
        if stem_of(hit[0].lower()) in _FAULTS:
            places.append(hit.start())
            break
    return min(places, default=None)


_WORDS: Final = late(r"[^\W\d_]{2,40}")


def _matter(text: str) -> frozenset[str]:
    return frozenset(
        stem
        for word in words_of(text.lower())
        if not is_stop_word(word) and (stem := stem_of(word)) not in _EMPTY
    )
