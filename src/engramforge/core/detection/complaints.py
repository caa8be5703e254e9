"""Complaints about what was chosen, beside a choice of something else: "Jest is slow, let's go with Vitest".

Whoever complains of something and takes another thing in the same breath leaves the first. A complaint by itself
leaves nothing, nor does one beside a remedy ("Postgres is slow, let's use an index").
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engramforge.core.text.late_pattern import late

_APOSTROPHE: Final = r"['\u2019]"
_NO_NAME: Final = (
    r"(?!(?:if|when|once|while|until|unless|whether|whenever|where|that|which|who|what|because|since|as|and|but|or|so"
    rf"|it|its|it{_APOSTROPHE}s|this|these|those|they|we|i|you|he|she|there|here|everything|nothing|something|one|my"
    r"|is|are|was|were|in|on|at|for|with|of|to|by)\b)"
)
_PART: Final = rf"{_NO_NAME}(?>[\w+#/&'\u2019-]{{1,30}}(?:\.[\w+#-]{{1,20}}){{0,3}})"
_FULLY: Final = (
    r"(?>(?:(?:just|really|way|far|simply|still|pretty|quite|very|clearly|obviously|always|constantly"
    r"|a bit)\s){0,3})"
)
_FLAW: Final = (
    rf"(?:is|are|was|were|feels?|proved|got|gets|has become|turned out(?: to be)?)\s{_FULLY}(?:too\s(?!bad\b)\w"
    r"|(?:terribly |awfully |painfully )?slow\b|overkill\b|wrong\b|broken\b|buggy\b|flaky\b|unstable\b|unmaintained\b"
    r"|deprecated\b|bloated\b|clunky\b|unusable\b|expensive\b|unreliable\b|annoying\b|painful\b|a (?:mistake|pain|mess"
    r"|nightmare|disaster|dead end|bad (?:choice|idea|fit|call))\b|the wrong (?:choice|tool|call|fit)\b"
    r"|not (?:working out|worth it|(?:fast|stable|good|small|cheap|big|strong) enough)\b)"
    rf"|{_FULLY}(?:(?:keeps? |kept )(?:crashing|failing|breaking|hanging|leaking|freezing|falling over)\b"
    r"|(?:segfault|leak|hang|choke|suck|fail|crashe|freeze|break)s?\b|(?:crashed|broke|failed|leaked)\b"
    r"|(?:wants?|asks for|needs?) (?:a|an|our|my|your|too much) \w|costs? (?:too much|a fortune)\b"
    r"|(?:takes?|took) (?:too long|too much|forever)\b"
    rf"|(?:does|do|did)(?:n{_APOSTROPHE}?t| not) (?:work|scale|fit|build|run|cut it|last)\b"
    rf"|(?:can{_APOSTROPHE}?t|cannot) (?:cope|handle|keep up|do)\b)"
)
_COMPLAINT: Final = late(
    r"(?i)(?:\A|(?<=[,;:.!\u2014\u2013])|(?<=\s-)|\b(?:because|since|as|so|but)\b)\W{0,6}(?>(?:(?:ok(?:ay)?|well|hm+"
    r"|so|ugh|sorry|honestly|actually|the|our)\b\W{1,6}){0,4})"
    rf"(?P<left>{_PART}(?:\s{_PART}){{0,3}}?)\s(?:{_FLAW})"
    r"(?>(?:(?![,;:!?()\u2014\u2013]|\.(?:\s|\Z)|\s-\s|\s(?:so|and|but|then|hence|therefore)\b).){0,100})"
)
"""Says that something is no good."""
_REMEDY: Final = (
    rf"(?!(?:an?|the|it|its|it{_APOSTROPHE}s|this|that|them|these|those|one|some|more|less|fewer|bigger|smaller|another"
    r"|option|plan|phase|step|part|page|chapter|number|topic|work|bed|home|sleep|\w{2,20}ing)\b)"
)
"""Begins no name of something else to choose."""
_WE: Final = (
    rf"\b(?:let{_APOSTROPHE}?s|let us|(?:we|i)(?:{_APOSTROPHE}(?:ll|re|ve|m))?)"
    r"(?>(?:\s(?:will|are|am|have|now|just|all|simply|decided to|rather|then|finally|going to)\b)*)\s"
)
_OTHER: Final = rf"(?P<taken>{_REMEDY}\w[^,;:!?()]{{0,60}})"
_CHOICE: Final = (
    late(rf"(?i){_WE}(?:go|going|went|settle|settling) (?:with|for) {_OTHER}"),
    late(
        rf"(?i){_WE}(?:go|going|mov(?:e|ing)|switch(?:ing)?|chang(?:e|ing)|migrat(?:e|ing)) (?:over |back )?to {_OTHER}"
    ),
    late(rf"(?i){_WE}(?:replac|swap)(?:e|p?ing)? (?:it|them)(?: out)? (?:with|by|for) {_OTHER}"),
    late(
        rf"(?i)(?:\A|[,;:.!\u2014\u2013-]\s|{_WE}|\b(?:so|then|and)\s)(?:(?:go|going|switch|move) )?back to {_OTHER}"
    ),
    late(rf"(?i){_WE}(?:use|take|pick|try) (?P<taken>{_REMEDY}\w[^,;:!?()]{{0,60}}?) instead\b"),
    late(
        r"(?i)(?:\A|[,;:.!\u2014\u2013-]\s|\b(?:so|then)\s)"
        r"(?P<taken>(?:[\w.+#-]{1,30}\s){1,3})it is(?=\W*\Z|\s*[,;:.!])"
    ),
)
"""Says what is taken."""
_AMOUNT: Final = (
    r"\b(?P<amount>\d[\d.]{0,8}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty"
    r"|fifty|sixty|ninety) (?P<unit>[a-z]{2,20})\b"
)
_AMOUNTS: Final = late(rf"(?i){_AMOUNT}")
_KEEPS: Final = late(rf"(?i){_WE}(?:\w+ ){{1,8}}?(?P<taken>{_AMOUNT})")
_ASIDE: Final = late(
    r"(?i)\b(?:any ?ways?|also|as well|too(?=\W*\Z)|besides|meanwhile|by the way|btw|unrelated|in addition|on top"
    r"|next to|alongside|in parallel|not)\b"
)
"""Turns to something else, or takes it beside what is there."""


class Complaint(NamedTuple):
    """What is complained of, and where in the sentence the complaint stands."""

    left: str
    begin: int
    end: int


def complaint_in(plain: str) -> Complaint | None:
    """The first complaint of a sentence about something named.

    >>> complaint_in("Jest is slow, let's go with Vitest")
    Complaint(left='Jest', begin=0, end=12)
    """
    hit = _COMPLAINT.search(plain)
    return None if hit is None else Complaint(hit["left"], *hit.span())


def is_aside(sentence: str) -> bool:
    """Whether a sentence turns to something else, or takes it beside what is there: "let's use tabs, too"."""
    return _ASIDE.search(sentence) is not None


def without_complaints(sentence: str) -> str:
    """A sentence, its complaints blanked."""
    return _COMPLAINT.sub(lambda hit: " " * len(hit[0]), sentence)


def chooses_else(rest: str, left: str) -> bool:
    """Whether the words beside a complaint take something else in the place of what it is about.

    >>> chooses_else("let's go with Vitest", "Jest")
    True
    >>> chooses_else("let's go with a newer Jest", "Jest")
    False
    """
    if is_aside(rest):
        return False
    taken = next((hit["taken"] for each in _CHOICE if (hit := each.search(rest)) is not None), "")
    gone = {word.strip(".") for word in left.casefold().split()}
    return bool(taken.strip()) and not gone & {word.strip(".") for word in taken.casefold().split()}


def changes_amount(rest: str, left: str) -> bool:
    """Whether the words beside a complaint about an amount state another of the same.

    >>> changes_amount("we keep logs for 90 days", "30 days")
    True
    """
    old = _AMOUNTS.fullmatch(left.strip())
    new = _KEEPS.search(rest)
    if old is None or new is None or is_aside(rest):
        return False
    one, other = ((hit["amount"].casefold(), hit["unit"].casefold().rstrip("s")) for hit in (old, new))
    return one[0] != other[0] and one[1] == other[1]
