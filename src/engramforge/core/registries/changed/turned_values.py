"""A day or an amount that somebody finds wrong, beside the one that comes in its place.

"Thursdays don't work for the van, we deliver on Tuesdays", "30 days for the dumps is better, 14 was too short", and an
amount alone, of which a decision may have several: "brush down to 30 rpm", "make the fade in 120 ms".
Which of the decisions that stand is meant, and what it says with the new value; what it says beside that stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from engramforge.core.registries.named_stems import stems_in
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, word_set, words_of

_DAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTH: Final = r"(?:january|february|march|april|june|july|august|september|october|november|december)"
_STOP: Final = r"(?=\W*\Z|\s*[,;:!(\u2014\u2013]|\.(?:\s|\Z))"
_DENIES: Final = r"(?:do|does|did)(?:n['\u2019]?t| not)"
_NO_GOOD: Final = (
    rf"(?:{_DENIES} (?:work|fit|suit|do)(?: out)?|(?:is|are|was|were) (?:no good|a bad \w+|too (?:early|late|busy|soon"
    r"|full)|impossible|not (?:good|working|possible)))"
)
_OF_ONE: Final = r"(?! (?:for|with) (?:me|him|her|you)\b)"
"""What does not suit one person is a matter of their calendar."""
_BAD_DAY: Final = tuple(
    late(
        rf"(?i)(?:\A|[,;:.!\u2014\u2013]\s*|\b(?:because|since|as|but|so) )(?:(?:ok(?:ay)?|so|the|well)\b\W{{0,2}})*"
        rf"(?P<subject>(?:[\w'-]{{2,20}} ){{0,3}}?)(?:on |in )?(?P<old>{each}) {_NO_GOOD}\b{_OF_ONE}[^,;:.!?]{{0,60}}"
    )
    for each in (_DAY, _MONTH)
)
_NEW_DAY: Final = tuple(
    late(
        rf"(?i)(?:\b(?:we|i|let['\u2019]?s)\b(?P<matter>[^,;:.!?]{{0,40}}?) (?:only )?(?:on|in|to) (?P<new>{each})"
        rf"|(?:\A|[,;:.!\u2014\u2013]\s*)(?:(?:so|make it|rather|better|then|only|on|in)\s){{0,3}}(?P<named>{each})"
        r"(?: (?:from (?:now|here) on|instead|it is|then|now|please))?)"
        rf"(?: (?:from (?:now|here) on|instead|then|now|only|please))*{_STOP}"
    )
    for each in (_DAY, _MONTH)
)
ONLY_NOW: Final = late(
    r"(?i)\b(?:today|tonight|tomorrow|yesterday|(?:this|next|last) (?:week|time|month|once|one|morning|evening)"
    r"|just once|for now|until|meet|meeting|appointment|call|if|maybe|perhaps|would|could|should|might|why)\b|\?"
)
"""Beside these a value is one of the moment, or only thought of."""
_NUMBER: Final = r"\d[\d.]{0,8}"
_UNIT: Final = (
    r"(?!(?:it|is|was|are|were|for|in|on|at|and|but|or|of|to|too|then|now|please|instead|from)\b)[a-z%]{1,12}"
)
_AMOUNT: Final = re.compile(rf"(?i)(?<![\w.])(?P<number>{_NUMBER}) ?(?P<unit>{_UNIT})(?![\w-])")
WORD: Final = r"(?>[\w'+#/-]{1,30})"
WHAT: Final = (
    r"(?:the |our |all )?(?P<what>(?!(?:it|this|that|they|we|i|you|he|she|there|is|was|go|went|move|turn|make|set)\b)"
    rf"{WORD}(?:\s(?!(?:is|are|was|were|has|have|had|went|goes)\b){WORD}){{0,2}}?)"
)
LED: Final = (
    r"(?i)\A\W*(?>(?:(?:ok(?:ay)?|so|and|actually|hm+|well|no|yes|please|pls|now|then|but)\b\W{0,3}){0,4})"
)
ONWARDS: Final = r" from (?:now|today) on"
ENDS: Final = rf"(?:{_STOP}|(?=\s(?:because|since|and|but|from|please|then|instead)\b))"
_ANOTHER: Final = rf"(?P<new>{_NUMBER}) ?(?P<unit>{_UNIT})"
_TOO: Final = (
    r"(?:is|was|are|were|feels?|felt|seems?|looks?) (?:\w+ ){0,2}?(?:(?:too|far too|way too) \w+|sluggish|slow|short"
    r"|small|tight|tiny|low|jumpy|hectic|overkill|excessive)"
)
_LOOKS: Final = (
    r"(?:looks?|looked|feels?|felt|seems?|sounds?|is|was|leaves|eats|takes|wastes|does(?:n['\u2019]?t| not))"
)
_RATHER: Final = r"(?:(?:so|rather|better|make it|try|we take)\s)"
_BETTER: Final = r"(?:is|are|would be|will be|works?) (?:much |far |way )?(?:better|enough|plenty|fine|right)"
_AMOUNTS: Final = tuple(
    late(f"{LED}{frame}")
    for frame in (
        rf"{_ANOTHER} for {WHAT} {_BETTER}\b[^;.?!]{{0,40}}?[,;.]\s*(?:because |since )?"
        rf"(?P<old>{_NUMBER})(?: ?(?P<own>{_UNIT}))? {_TOO}\b",
        rf"(?P<old>{_NUMBER}) ?(?P<unit>{_UNIT})(?: for)? {WHAT} {_TOO}\b[^;?!]{{0,80}}?[,;.]\s*(?:so )?"
        rf"(?:(?:we (?:take|use|go (?:for|with|to))|make (?:it|that)|rather|better)\s)?"
        rf"(?P<new>{_NUMBER})(?: ?(?P<own>{_UNIT}))?"
        rf"(?: (?:it is|please|then|instead|{_BETTER}))?{_STOP}",
        rf"{WHAT} (?P<old>{_NUMBER}) {_LOOKS} [^;,.?!\d]{{2,60}}[,;.]\s*{_RATHER}?(?P<new>{_NUMBER})"
        rf"(?: ?(?P<own>(?!(?:too|also|as)\b){_UNIT}))?(?: (?:it is|please|then|instead|now|{_BETTER}))?(?=\W*\Z)",
        rf"(?:make|set|put) {WHAT} (?:to )?{_ANOTHER}(?: (?:please|then|instead|from now on))?{_STOP}",
        rf"{WHAT} (?:down|up) to {_ANOTHER}{ENDS}",
        rf"{WHAT} (?:(?:is|are|stays?) )?(?:at )?{_ANOTHER}{ONWARDS}",
    )
)
_DIRECTION: Final = word_set("in out up down left right on off before after min max open close top bottom")
"""Words that tell two amounts of the same thing apart."""
_PART_END: Final = late(r"[,;:]\s|\s(?:and|but|then)\s")
_REACHES: Final = 5
"""Characters that a doing and its noun have in common at least: "deliver" and "deliveries"."""


class _Turned(NamedTuple):
    """A matter by its stems, with the value that it has now and the one that it had, "" where nobody says; `unit`: of
    an amount; `directions`: words that tell which of several amounts."""

    matter: frozenset[str]
    new: str
    old: str
    unit: str = ""
    directions: frozenset[str] = frozenset()


def may_be_turned(sentence: str) -> bool:
    """Whether a sentence puts another day or amount in the place of one, of whatever it is.

    >>> said = ("thursdays don't work, we deliver on tuesdays", "make the fade in 120 ms", "thursdays don't work")
    >>> [may_be_turned(each) for each in said]
    [True, True, False]
    """
    return _turned_in(sentence) is not None


def leaves_value(sentence: str) -> bool:
    """Whether a sentence says which day or amount it finds wrong, so that it ends no decision without that.

    >>> leaves_value("30 days for the dumps is better, 14 was too short"), leaves_value("make the fade in 120 ms")
    (True, False)
    """
    turned = _turned_in(sentence)
    return turned is not None and turned.old != ""


def with_value_turned(decisions: Sequence[str], sentence: str) -> tuple[int, str] | None:
    """The place of the only decision with the value that a sentence finds wrong, and the decision with the new one.

    >>> decided = ("deliveries only on thursdays", "fades take 300 ms in, 200 ms out")
    >>> with_value_turned(decided, "thursdays don't work for the van, we deliver on tuesdays")
    (0, 'deliveries only on tuesdays')
    >>> with_value_turned(decided, "make the fade out 120 ms")
    (1, 'fades take 300 ms in, 120 ms out')
    >>> with_value_turned(decided, "thursdays don't work for the choir, we sing on tuesdays") is None
    True
    """
    turned = _turned_in(sentence)
    if turned is None:
        return None
    change = _with_amount if turned.unit or turned.old[:1].isdigit() else _with_day
    found = [(at, new) for at, each in enumerate(decisions) if (new := change(each, turned))]
    return found[0] if len(found) == 1 else None


def _turned_in(sentence: str) -> _Turned | None:
    if ONLY_NOW.search(sentence):
        return None
    for bad, new in zip(_BAD_DAY, _NEW_DAY, strict=True):
        if (wrong := bad.search(sentence)) is not None:
            said = f"{sentence[: wrong.start()]}{' ' * len(wrong[0])}{sentence[wrong.end() :]}".strip()
            hits = list(new.finditer(said))
            if len(hits) != 1:
                return None
            day = hits[0]["new"] or hits[0]["named"]
            old = wrong["old"]
            if stem_of(day.lower()) == stem_of(old.lower()):
                return None
            return _Turned(stems_in(f"{wrong['subject']} {hits[0]['matter'] or ''}"), day, old)
    hit = next((hit for each in _AMOUNTS if (hit := each.match(sentence)) is not None), None)
    if hit is None:
        return None
    said_of = hit.groupdict()
    its = said_of.get("unit") or ""
    unit = said_of.get("own") or its
    if its and stem_of(unit.lower()) != stem_of(its.lower()):
        return None
    words = frozenset(hit["what"].lower().split())
    matter = stems_in(" ".join(words - _DIRECTION))
    old = said_of.get("old") or ""
    return _Turned(matter, hit["new"], old, unit, words & _DIRECTION) if matter else None


def _with_day(decision: str, turned: _Turned) -> str:
    """A decision with the new day where it has the old one, and no other value of its kind there; "" for others."""
    its = stems_in(decision)
    if not all(any(_is_alike(one, other) for other in its) for one in turned.matter):
        return ""
    root = re.escape(stem_of(turned.old.lower()))
    hits = list(re.finditer(rf"(?i)\b{root}s?\b", decision))
    if len(hits) != 1:
        return ""
    (hit,) = hits
    new = turned.new[:-1] if turned.new.lower().endswith("days") else turned.new
    new = f"{new}s" if hit[0].lower().endswith("s") else new
    new = new.capitalize() if hit[0][0].isupper() else new
    return f"{decision[: hit.start()]}{new}{decision[hit.end() :]}"


def _is_alike(one: str, other: str) -> bool:
    """Whether two stems are of one word, or of a doing and its noun."""
    return one == other or (
        len(one) >= _REACHES and len(other) >= _REACHES and one[:_REACHES] == other[:_REACHES]
    )


def _with_amount(decision: str, turned: _Turned) -> str:
    """A decision of the matter with another amount; "" where it has none of that unit, or several that may be meant."""
    if not turned.matter <= stems_in(decision):
        return ""
    unit = stem_of(turned.unit.lower())
    hits = [hit for hit in _AMOUNT.finditer(decision) if unit in ("", stem_of(hit["unit"].lower()))]
    # "Fade in 200 ms, out 150": the second amount has no unit of its own and is none that could be told.
    if turned.old:
        hits = [hit for hit in hits if hit["number"] == turned.old]
    if turned.directions and (_DIRECTION & set(words_of(decision.lower()))):
        hits = [hit for hit in hits if turned.directions & set(words_of(_part_of(decision, hit).lower()))]
    if len(hits) > 1:
        hits = [hit for hit in hits if turned.matter <= stems_in(_part_of(decision, hit))]
    if len(hits) != 1 or hits[0]["number"] == turned.new:
        return ""
    begin, end = hits[0].span("number")
    return f"{decision[:begin]}{turned.new}{decision[end:]}"


def _part_of(decision: str, hit: re.Match[str]) -> str:
    """The part of an enumeration in which an amount stands."""
    cuts = [0, *(cut.end() for cut in _PART_END.finditer(decision)), len(decision)]
    begin = max(cut for cut in cuts if cut <= hit.start())
    return decision[begin : min(cut for cut in cuts if cut >= hit.end())]
