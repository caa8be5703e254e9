"""What an assistant's turn offers for a decision: a proposal ("I'd use Redis"), or things to choose from.

Looked at is the end of a turn alone, since an answer is to what was asked last. A proposal to do something ("I'd run
the tests first") offers no decision; one to use, keep or change something does. So it is with lists: which of several
ways is preferred decides something, which of several tasks comes first does not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engramforge.core.detection.passages import plain_words, sentences, without_code
from engramforge.core.text.late_pattern import late

_END: Final = 1_200
"""Characters at the end of a turn that are looked at."""
_LAST: Final = 4
"""Sentences at its end among which a proposal or a question stands."""
_LONGEST: Final = 120

_APOSTROPHE: Final = r"['\u2019]"
_TAKES: Final = (
    r"(?:use|go with|go for|pick|choose|opt for|adopt|take|stick with|stay with|stick to|keep|switch to|move to"
    r"|migrate to|settle on|default to|replace)"
)
_TAKING: Final = {
    **dict.fromkeys(("using", "going with", "going for", "picking", "choosing", "adopting", "taking"), ""),
    "keeping": "keep",
    "sticking with": "stick with",
    "staying with": "stay with",
    "sticking to": "stick to",
    "switching to": "switch to",
    "moving to": "move to",
    "migrating to": "migrate to",
    "replacing": "replace",
}
"""Gerunds of these, and the verb that is told with the thing; none where that says only that the thing is taken."""
_ONLY_TAKES: Final = frozenset(
    ("use", "go with", "go for", "pick", "choose", "opt for", "adopt", "take", "settle on")
)
"""Verbs that are not told, likewise."""
_I_WOULD: Final = rf"i(?:{_APOSTROPHE}d| would)(?: rather| probably| personally| definitely)?"
_ADVISE: Final = r"(?:recommend|suggest|propose|advise|favou?r|prefer|lean(?:ing)? towards?)"
_THING: Final = r"(?!(?:to|that|we|you|i|it|this|doing|a few|some|first|one of|either)\b)\S[^\n]*"
_PROPOSES: Final = tuple(
    late(rf"(?i)\b{frame}(?P<thing>{_THING})")
    for frame in (
        rf"(?:{_I_WOULD}|i) {_ADVISE}\s"
        rf"(?:(?:that )?(?:(?:we|you) )?(?:to )?(?P<verb>{_TAKES})\s|(?P<using>{'|'.join(_TAKING)})\s)?",
        rf"{_I_WOULD} (?P<verb>{_TAKES})\s",
        r"my (?:recommendation|suggestion|pick|choice|proposal|vote)(?: is| would be|:)\s"
        r"(?:to (?P<verb>use|go with|keep)\s)?",
        rf"(?:(?:shall|should|can|could|might) (?:i|we|you)|(?:we|you) (?:could|should|might|can)|let{_APOSTROPHE}?s)"
        rf" (?P<verb>{_TAKES})\s",
    )
)
_BREAKS: Final = late(
    r"(?i)[.;:?!\u2014\u2013](?:\s|\Z)|\s[\u2014\u2013-]\s|\s\(|,\s|[?!]\Z"
    r"|\s(?:because|since|as (?:it|they|that)|so that|which|instead of|rather than|over (?!\d)|if|unless|though|but"
    r"|and (?:then|i|we|you))\b"
)
"""Where what is proposed ends."""
_DOES: Final = late(r"(?i)\A[a-z]{2,}ing\b(?! (?:library|framework|service|tool|server|bot|table|mode)\b)")
"""Begins with something to do: "running the tests"."""
_YOU_WANT: Final = (
    r"(?:shall|should|may|can|could|do you want me to|want me to|would you like me to|ready for me to|happy for me to"
    r"|ok(?:ay)?(?: for me)? to)"
)
_DO_IT: Final = (
    r"(?:go ahead|proceed|do (?:it|that|so|this)|set (?:it|that|this) up|implement|apply|start|begin|continue|switch"
    r"|change|make (?:it|that|the|this)|add (?:it|that|this)|build|wire|use (?:it|that|this)|migrate|go with|draft"
    r"|write (?:it|that|this)|configure|scaffold)"
)
_GO_AHEAD: Final = late(
    rf"(?i)\A\W*(?:{_YOU_WANT} ?(?:i|we)?\s?(?:now |then )?{_DO_IT}\b[^?]{{0,60}}"
    r"|(?:does |do |is )?(?:that |this |it )?(?:ok(?:ay)?|fine|sounds? good|work for you|agreed|make sense)\b[^?]{0,40}"
    r"|(?:what do you think|agreed?|any objections?|thoughts)[^?]{0,30})\?\W*\Z"
)
"""Asks whether what was proposed shall be done."""
_WHICH: Final = late(
    r"(?i)\b(?:prefer|choose|pick|go with|option|approach|rather|which (?:one )?(?:do|would) you (?:want|like)"
    r"|which (?:one )?(?:should|shall) (?:we|i) (?:use|take|go))\b[^?]*\?\W*\Z"
)
"""Asks which way is preferred."""
_ITEM: Final = late(
    r"(?:^|(?<=[\s:(]))(?:option )?(?P<mark>[1-6]|[a-fA-F])[.):]\s+"
    r"(?P<said>\S.*?)(?=\s(?:option )?[1-6a-fA-F][.):]\s|\n|\Z)"
)
_HEAD: Final = late(r"\s[\u2014\u2013-]\s|[:;,.(](?:\s|\Z)|\s\(|\s(?:which|with|because|since|as)\s")
_SIDE: Final = r"[\w+#/@-](?:[\w.+#/@-]*[\w+#/@-])?"
_OR: Final = late(
    rf"(?i)(?P<one>{_SIDE}(?: {_SIDE}){{0,3}}),? or (?:(?:with|to|in|on|by|use|using|go with|the|an?) )?"
    rf"(?P<other>{_SIDE}(?: {_SIDE}){{0,3}}?)(?=[?.,;:!)]|\s(?:for|in|on|as|here|to)\b|\Z)"
)
_CHOOSES: Final = late(
    r"(?i)\b(?:us(?:e|ing)|go with|prefer|pick|choose|between|options?|choices?|alternatives?|would you rather|take)\b"
)
_BARE: Final = late(r"(?i)\A\W*(?:(?:so|and|ok(?:ay)?|then|hm+|no|yes|not yet)\b\W*)*\Z")
_LITTLE: Final = frozenset(
    ("the", "a", "an", "with", "to", "use", "using", "in", "on", "go", "we", "should", "shall", "i")
)


@dataclass(frozen=True, slots=True)
class Offered:
    """What a turn offers.

    `proposal`: what it proposes, "" for nothing; `why`: the sentence that does. `awaits`: whether a "yes" takes it.
    `options`: things to choose from, in their order; `is_listed`: whether they stand in a list, and so have a place.
    """

    proposal: str = ""
    why: str = ""
    awaits: bool = False
    options: tuple[str, ...] = ()
    is_listed: bool = False


def offered(turn: str) -> Offered:
    """What an assistant's turn offers at its end.

    >>> offered("I'd use Redis for the sessions, it expires keys. Shall I go ahead?").proposal
    'Redis for the sessions'
    >>> offered("Two ways:\\n1. Redis - expires keys\\n2. Postgres - a service less\\nWhich do you prefer?").options
    ('Redis', 'Postgres')
    >>> offered("I'd run the tests first. Shall I?").awaits
    False
    """
    end = without_code(turn)[-_END:].replace("**", "").replace("`", "")
    said = [
        each.strip() for line in end.splitlines() for each in sentences(plain_words(line)) if each.strip()
    ]
    last = said[-_LAST:]
    if not last:
        return Offered()
    if last[-1].endswith("?"):
        if _WHICH.search(last[-1]) and (options := _listed(end)):
            return Offered(options=options, is_listed=True)
        if options := _either(last):
            return Offered(options=options)
    found = [(at, thing) for at, each in enumerate(last) if (thing := _proposed(each))]
    if not found:
        return Offered()
    at, thing = found[-1]
    behind = last[at + 1 :]
    is_asked = not behind or (len(behind) < _LAST - 1 and _GO_AHEAD.match(behind[-1]) is not None)
    is_one = len({each.casefold() for _, each in found}) == 1
    return Offered(thing, last[at], is_asked and is_one)


def _proposed(sentence: str) -> str:
    """What a sentence proposes to use, keep or change; "" if nothing."""
    hit = next(filter(None, (each.search(sentence) for each in _PROPOSES)), None)
    if hit is None:
        return ""
    said = hit.groupdict()
    thing = said["thing"]
    thing = (thing[: end.start()] if (end := _BREAKS.search(thing)) else thing).strip(" .?!\"'")
    if not 0 < len(thing) <= _LONGEST or _DOES.match(thing) or re.search(r"\bor\b", thing):
        return ""
    verb = (said.get("verb") or "").lower()
    verb = "" if verb in _ONLY_TAKES else verb
    return f"{verb or _TAKING.get((said.get('using') or '').lower(), '')} {thing}".strip()


def _listed(end: str) -> tuple[str, ...]:
    """The heads of a list with numbers or letters, if its marks count from the first on."""
    found = [(hit["mark"].lower(), _head(hit["said"])) for hit in _ITEM.finditer(end)]
    for first in ("1", "a"):
        marked = [each for each in found if each[0].isdigit() == first.isdigit()]
        wanted = [chr(ord(first) + at) for at in range(len(marked))]
        if len(marked) > 1 and [mark for mark, _ in marked] == wanted and all(head for _, head in marked):
            return tuple(head for _, head in marked)
    return ()


def _head(said: str) -> str:
    head = said[: end.start()] if (end := _HEAD.search(said)) else said
    return head.strip(" .?!\"'") if len(head) <= _LONGEST else ""


def _either(last: list[str]) -> tuple[str, ...]:
    """The two sides of an "or" in the last sentences, as many words before it as behind it."""
    for each in reversed(last):
        hit = _OR.search(each) if " or " in each.lower() else None
        if hit is None:
            continue
        is_bare = _BARE.match(each[: hit.start()]) and _LITTLE.isdisjoint(hit["one"].lower().split())
        if not is_bare and _CHOOSES.search(each) is None:
            continue
        one, other = (
            [word for word in hit[name].split() if word.lower() not in _LITTLE] for name in ("one", "other")
        )
        if one and other:
            return " ".join(one[-max(len(other), 2) :]), " ".join(other)
    return ()
