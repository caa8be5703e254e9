"""Whether somebody only says again what was decided, in whatever words: "800 ppm it is, as the upper bound".

What an assistant adds to such an echo (how it sets about it, what it is good for) is no decision of its own, unless it
takes something more: "Postgres it is, and we use Redis for the cache".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from engramforge.core.registries.named_stems import in_short
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import is_stop_word, stem_of, words_of

_APOSTROPHE: Final = r"['\u2019]"
_ACKNOWLEDGES: Final = (
    r"(?:good(?: (?:choice|call|idea|plan|point))?|great(?: choice)?|ok(?:ay)?|agreed|noted|understood|got it|perfect"
    r"|right|sure|sounds good|makes sense|fine|alright|all right|done|nice|excellent|will do|yes|settled|decided|so"
    r"|clear|thanks|then|confirmed|recorded)"
)
_LEAD: Final = rf"\A\W*(?P<acknowledged>(?>(?:{_ACKNOWLEDGES}\b[\s,.:;!\u2014\u2013-]*)*))"
_WORD: Final = r"(?>[^\s,;:!?()]{1,30})"
_CORE: Final = rf"(?P<core>{_WORD}(?:\s{_WORD}){{0,5}}?)"
_CORE_END: Final = (
    r"(?=\W*\Z|\s*[,;:.!?(\u2014\u2013]|\s-\s|\s(?:for|as|from|in|on|at|to|because|since|so|then|with|and|now|here"
    r"|throughout"
    r"|everywhere|instead|between|across|over|rather|when|where|which|that|is|are|only|per|until|unless)\b)"
)
_IT_IS: Final = late(rf"(?i){_LEAD}{_CORE} it (?:is|stays|remains)\b")
_THEN: Final = late(rf"(?i){_LEAD}(?P<core>{_WORD}(?:\s{_WORD}){{0,6}}?) then(?=\W*\Z|\s*[,;:.!])")
"""Takes up what was chosen by its words alone: "HTML through the printer then."."""
_TAKES: Final = late(
    rf"(?i){_LEAD}(?:(?:we|i)(?:{_APOSTROPHE}(?:ll|d|re|ve))?\s(?:(?:will|would|are|am|have|now|then|just"
    rf"|also)\s){{0,2}}"
    rf"|let{_APOSTROPHE}?s\s|(?=go|us|keep|stick))(?:us(?:e|ing)|go(?:ing)? (?:with|for)|tak(?:e|ing)|keep(?:ing)?"
    rf"|stick(?:ing)? (?:with|to)|settl(?:e|ed) on|stay(?:ing)? with|decided (?:on|to use|to keep|to go with)"
    rf"|log(?:ging)? to|chose|picked)\s(?:with |the |an? |our )?{_CORE}{_CORE_END}"
)
_MORE: Final = late(
    r"(?i)\b(?:and|plus|but|also|then)\b[^.;]{0,40}?\b(?:we|i|let['\u2019]?s)\b[^.;]{0,12}?\b(?:use|go with|take|keep"
    r"|store|put|never|always|do not|don['\u2019]?t)\b"
    r"|\b(?:and|plus)\s(?:an?\s|the\s)?[\w.+#/-]{2,30}(?:\s[\w.+#/-]{2,30})?\s(?:for|as)\b|\binstead of\b"
    r"|\brather than\b"
)
"""Takes something more, or against something."""
_DENIES: Final = late(
    r"(?i)\b(?:not|never|no|without|against)\b|(?<=\w)n['\u2019]t\b|\b(?:do|does|did|is|are|was|wo|ca|should)nt\b"
)
_UNITS: Final = late(r"(?i)(?<=\d)(?=[a-z])")
_CLAUSE_END: Final = late(r"[,;:!?(\u2014\u2013]|\.(?=\s|\Z)")
_EMPTY: Final = frozenset(
    map(
        stem_of,
        ["use", "go", "with", "keep", "it", "decide", "settle", "agree", "take", "choose", "pick", "stick"],
    )
)


def denies(text: str) -> bool:
    """Whether words say that something is not so, or not to be."""
    return _DENIES.search(text) is not None


def may_say_again(said: str) -> bool:
    """Whether words choose something in the way of those who only say it again."""
    return _chosen(said)[0] is not None


def says_again(said: str, decision: str) -> bool:
    """Whether words only say again what a decision chose.

    >>> says_again("800 ppm it is, as the upper bound for the fruiting stage.", "we keep co2 under 800ppm")
    True
    >>> says_again("Svelte it is, and we use Redis for the cache.", "we go with svelte")
    False
    >>> says_again("We use Postgres for the sessions", "We use Postgres")
    False
    """
    hit, is_confirmed = _chosen(said)
    if hit is None:
        return False
    core, there = _stems(hit["core"]), _stems(decision)
    head = said[: hit.end("core")]
    if not core or not core <= there or denies(head) != denies(_clause_with(core, decision)):
        return False
    rest = said[hit.end("core") :]
    if is_confirmed or hit["acknowledged"].strip():
        return _MORE.search(rest) is None
    return not _stems(_CLAUSE_END.split(rest, maxsplit=1)[0]) - there


@lru_cache(maxsize=512)
def _chosen(said: str) -> tuple[re.Match[str] | None, bool]:
    """Where words choose something, and whether they only confirm it."""
    hit = _IT_IS.match(said) or _THEN.match(said)
    return (hit, True) if hit is not None else (_TAKES.match(said), False)


def _clause_with(core: frozenset[str], decision: str) -> str:
    """The clause of a decision that says all of it: "plain rsync over SSH, no queue" refuses the queue alone."""
    clauses = _CLAUSE_END.split(decision)
    return next((each for each in clauses if core <= _stems(each)), decision)


@lru_cache(maxsize=512)
def _stems(text: str) -> frozenset[str]:
    words = words_of(in_short(_UNITS.sub(" ", text).lower()))
    return frozenset(
        stem for word in words if not is_stop_word(word) and (stem := stem_of(word)) not in _EMPTY
    )
