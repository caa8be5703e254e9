"""What the title of a thread is about: its matter, the fault that it tells, and whether it asks."""

from __future__ import annotations

from typing import Final

from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import is_stop_word, stem_of, stem_set, words_of

_EMPTY: Final = stem_set("""
todo task thread question issue matter point topic item problem open still need have must should write add do make fix
finish build decide settle find look check figure use take set get keep which what who where when whether how next step
first later now done want happen try sort today tomorrow soon list over just finally out idea
""")
"""What threads say beside their matter: what is to be done, and that it is open."""
FAULTS: Final = stem_set("""
crash crashes hang hangs freeze freezes fail fails failure break breaks broken leak leaks jam jams drift drifts stall
stalls stuck bug bugs error errors wrong flaky fault faults faulty glitch glitches flicker flickers timeout timeouts
deadlock overflow overflows corrupt corrupted corrupts corruption lose loses lost dead down drip drips squeak squeaks
rattle rattles stutter stutters lag lags loop loops burn burns smoke smokes noise noisy slow race mess messes garbled
segfault segfaults panic panics throws regression defect outage wobble wobbles slip slips stop stops stopped overheat
overheats duplicate duplicates blank unreadable unreachable missing shift shifts warning warnings lock locks locked
nonsense garbage rubbish gibberish smear smears
""")
_DENIED: Final = late(
    r"(?i)\b(?:does|do|did|is|are|can|could|will|wo)(?:n['\u2019]?t| not)\b|\bcannot\b|\bkeeps?\b"
)
"""Tells a fault whatever the word: "the pump doesn't start"."""
_ASKS: Final = late(
    r"(?i)\?\W*\Z|\A\W*(?:(?:still )?(?:an? |the )?(?:open )?question:?\s+)?(?:what|which|who|whom|whose|when"
    r"|where|why|how|whether|(?:do|does|should|shall|can|could|will|would|is|are) (?:we|i|the|it|a|an|our|there)\b)"
)
BESIDE_IT: Final = late(r"(?i)\s(?:for|in|of|on|with|from|about|at|into)\s")
ASKS_WITHIN: Final = late(r"(?i)\b(?:decide|clarify|settle|agree on|discuss|figure out|find out|know)\b")
ASKS_WHOM: Final = late(
    r"(?i)\b(?:ask|asking|call|phone|ring|mail|e-?mail|write(?: to)?|text|contact|message|check with|talk to|talk with"
    r"|speak (?:to|with)|hear (?:back )?from|(?:answer|reply|word|response) (?:of|from)|clarify with|clear with"
    r"|find out from|waiting (?:for|on)|wait for)\s(?P<who>[^\s,;:.?!]{2,30}\.?(?:\s[^\s,;:.?!]{2,30}){0,3})"
)
"""Says whom somebody is to ask."""


def asks(title: str) -> bool:
    """Whether a thread is a question: then what is "off the table" answers it."""
    return _ASKS.search(title) is not None


def fault_in(title: str) -> int | None:
    """Where a title tells of a fault; None where it tells of none."""
    denied = _DENIED.search(title)
    places = [] if denied is None else [denied.start()]
    for hit in _WORDS.finditer(title):
        if stem_of(hit[0].lower()) in FAULTS:
            places.append(hit.start())
            break
    return min(places, default=None)


_WORDS: Final = late(r"[^\W\d_]{2,40}")


def matter_of(text: str) -> frozenset[str]:
    """The stems of what a text is about."""
    return frozenset(
        stem
        for word in words_of(text.lower())
        if not is_stop_word(word) and (stem := stem_of(word)) not in _EMPTY
    )


_BESIDE: Final = stem_set("""
somebody someone anybody everybody everyone nobody clue thing things stuff there theres theyre please asap
""")
"""What names no matter, beside what threads say of any."""


def core_of(text: str) -> frozenset[str]:
    """The same without words that name no matter anywhere."""
    return matter_of(text) - _BESIDE


def is_most(said: frozenset[str], matter: frozenset[str]) -> bool:
    """Whether what is said is half of a matter at least, and nothing else."""
    return said <= matter and 2 * len(said) >= len(matter)
