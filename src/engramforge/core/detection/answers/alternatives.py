"""Two ways that a turn puts beside each other in statements: "I'd use slate, or we take tin. Which one?", "I'd count
the days. I could also count the weeks. Shall I take the first?".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engramforge.core.detection.answers.lists import asks_which
from engramforge.core.detection.answers.momentary import are_of_the_moment, is_task
from engramforge.core.detection.answers.proposals import proposed
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, words_of

_APOSTROPHE: Final = r"['\u2019]"
_MAY: Final = rf"(?:i|we|you)(?:{_APOSTROPHE}d| would| could| can| might)(?: also| rather)?"
OFFERS: Final = late(rf"(?i)\b(?:{_MAY}|i (?:suggest|propose|recommend))\s(?=[a-z])")
"""Begins what a turn would do."""
_ENOUGH: Final = late(
    r"(?i)\A(?P<one>.{8,200}?)[;.] (?P<other>[\w@][\w.+#/@-]{0,30}(?: [\w.+#/@-]{1,30}){0,2}?)"
    r" (?:would|will|could|can|might) (?:also )?(?:work|do|be enough|be ok(?:ay)?|be fine|suffice|serve)\b[^?]{0,60}\Z"
)
"""Puts a thing beside what was proposed: "; SQLite would work too"."""
_BESIDE: Final = late(
    rf"(?i)\A\W*(?:or|alternatively,?|otherwise,?)\s(?:(?:{_MAY}|i|we|you|just)\s)?(?P<or>[a-z]{{2,15}}\s\S.*)\Z"
    rf"|\A\W*(?:{_MAY})(?<=also)\s(?P<also>\S.*)\Z"
)
_LETS: Final = late(r"(?i)\A(?:have|let)\s")
_WHICH_ONE: Final = late(
    r"(?i)\A\W*(?:(?:so|and|now)\W+)*which(?: (?:one|way))?(?: of (?:these|those|them|the two))?"
    r"(?: (?:should|shall|do|would|is) [^?]{1,50})?\?\W*\Z"
)
_TAKE_PLACE: Final = late(
    r"(?i)\A\W*(?:so |then )?(?:shall|should|do you want|want|may)"
    r" (?:i|we|me to|us to)? ?(?:take|use|do|go with"
    r"|go for|build|implement|pick|start with)\s(?:the )?(?P<place>first|second|former|latter|last)"
    r"(?: (?:one|way|option))?\?\W*\Z"
)
_PREFERS: Final = late(
    rf"(?i)\A\W*i(?:{_APOSTROPHE}d| would)(?: rather| probably)?\s(?P<what>[^?,;]{{2,60}})\Z"
)
_FOR: Final = late(
    r"(?i)\A\W*(?:[^:,]{0,40}: ?)?(?:(?:and|so|then|also),? )?"
    r"(?P<matter>(?:for|in|on|as for|when|to) [^,.;:?]{2,50}?),? (?:i|we|you)\b"
)
"""Leads in what a turn would do with what it is for: "for the tooth chart I'd use"."""
_LISTED: Final = late(r"(?i)\buse [^\s,]{1,30}(?: [^\s,]{1,30})?, [^\s,]{1,30}(?: [^\s,]{1,30})?\Z")
_LONGEST: Final = 400
_SECONDS: Final = ("second", "latter", "last")


class Ways(NamedTuple):
    """Two ways, the one that the turn itself would take, "" for none, whether it asks for that one, what they are for
    and the sentences that tell them."""

    options: tuple[str, str]
    taken: str
    is_asked: bool
    about: str
    why: str


def alternatives(last: Sequence[str]) -> Ways | None:
    """The two ways that the last sentences of a turn put beside each other; None where they ask for neither.

    >>> alternatives(["For the roof I'd use slate, or we take tin.", "Which one?"]).options
    ('slate', 'tin')
    >>> alternatives(["I'd count the days back.", "I could also count weeks.", "Shall I take the first?"]).taken
    'count the days back'
    """
    if len(last) < 2 or (is_task(last[-1]) and not _TAKE_PLACE.match(last[-1])):
        return None
    for at in reversed(range(len(last) - 1)):
        found = _in_one(last[at]) or (_in_two(last[at], last[at + 1]) if at + 2 < len(last) else None)
        if found is None:
            continue
        if found[0].casefold() == found[1].casefold() or are_of_the_moment(found, is_of_a_thing=True):
            return None
        is_asked = _TAKE_PLACE.match(last[-1]) is not None
        taken = _taken(last[-1], found)
        if not taken and not (_WHICH_ONE.match(last[-1]) or asks_which(last[-1])):
            return None
        return Ways(found, taken, is_asked, matter_in(last[at]), " ".join(last[at:-1]))
    return None


def matter_in(sentence: str) -> str:
    """What a sentence leads in as what its proposal is for: "for the tooth chart"; "" where it does not."""
    hit = _FOR.match(sentence)
    return "" if hit is None else f"{hit['matter'][0].lower()}{hit['matter'][1:]}"


def way_of(said: str) -> str:
    """What somebody would do by words without their subject: "put it in a box", "have them write it down"."""
    words = f"I'd {said}"
    what = proposed(words)
    if what is not None:
        return what.thing.rstrip(" ,;")
    # Whom something is left to is no matter, but what they are to do.
    return said.strip(" .!") if _LETS.match(said) and len(said.split()) > 4 else ""


def _in_one(sentence: str) -> tuple[str, str] | None:
    if len(sentence) > _LONGEST or OFFERS.search(sentence) is None:
        return None
    plain = sentence.rstrip(" .!")
    if (hit := _ENOUGH.match(plain)) is not None:
        first = _first(hit["one"])
        return (first, hit["other"]) if first else None
    one, _, other = plain.rpartition(" or ")
    first, other = _first(one), way_of(_without_subject(other))
    # "Slate, tin or thatch" are three, which a list tells.
    return (first, other) if first and other and not _LISTED.search(one.rstrip(" ,")) else None


def _in_two(sentence: str, after: str) -> tuple[str, str] | None:
    hit = _BESIDE.match(after.rstrip(" .!"))
    if hit is None or OFFERS.search(sentence) is None or after.endswith("?"):
        return None
    first, other = _first(sentence), way_of(hit["or"] or hit["also"])
    return (first, other) if first and other else None


def _first(sentence: str) -> str:
    begin = OFFERS.search(sentence)
    if begin is None:
        return ""
    what = proposed(sentence)
    return what.thing.rstrip(" ,;") if what is not None else way_of(sentence[begin.end() :].rstrip(" .,;"))


def _without_subject(said: str) -> str:
    hit = OFFERS.match(said)
    if hit is not None:
        return said[hit.end() :]
    first, _, rest = said.partition(" ")
    return rest if first.lower() in ("i", "we", "you") else said


def _taken(last: str, ways: tuple[str, str]) -> str:
    """The way that a turn's last sentence would take, or asks for."""
    if (hit := _TAKE_PLACE.match(last)) is not None:
        return ways[hit["place"].lower() in _SECONDS]
    if (hit := _PREFERS.match(last.rstrip(" .!"))) is None:
        return ""
    said = frozenset(map(stem_of, words_of(hit["what"].lower()))) - {"the"}
    fits = [way for way in ways if said <= frozenset(map(stem_of, words_of(way.lower())))]
    return fits[0] if len(fits) == 1 else ""
