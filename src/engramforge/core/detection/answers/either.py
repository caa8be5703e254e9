"""The sides of an "or" in an assistant's question: "A, B or C for the front end?", "Is it A, or do you want B?"; and
things of which each is said something before it asks which: "A is the usual one, B is enough. Which do you prefer?".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engramforge.core.detection.answers.lists import asks_for_a_way, asks_which
from engramforge.core.detection.answers.momentary import are_of_the_moment, are_tasks, is_fact, is_task
from engramforge.core.detection.answers.proposals import SHAPING, unquoted
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import word_set

_MOST_WORDS: Final = 7
"""Words of a side."""
_LONGEST: Final = 400
_MOST_WEIGHED: Final = 4

_CHOOSES: Final = late(
    r"(?i)\b(?:us(?:e|ing)|go(?:ing)? with|go for|prefer|pick|choose|between|either|options?|choices?"
    r"|alternatives?|ways?"
    r"|approach(?:es)?|possibilities|candidates|would you rather|take|(?:do|would) (?:you|we) (?:want"
    r"|like)(?! (?:me|us) to\b))\b"
)
_OF_A_THING: Final = late(r"(?i)\b(?:should|shall) (?!(?:i|we|you)\b)[\w'-]+ ")
"""Asks how a thing of the project shall be."""
_LED: Final = late(
    r"(?i).*?\b(?:us(?:e|ing)|go(?:ing)? with|go for|prefer|pick|choose|between|take|options?|choices?|want|like"
    r"|rather|either)(?:\s+(?:have|to|use|the|an?|either))*\s+"
)
_BY_MANNER: Final = late(r"(?i).*?\s(?:with|as|over|via|through|by|in|on|from|to|be)\s+(?:the |an? )?")
_IN: Final = late(r"(?i).*?\s(?:in|as|at)\s+(?:the |an? )?")
_DOES: Final = late(
    r"(?i).*?\b(?:should|shall) (?!(?:i|we|you)\b)(?:(?:the|our|each|every|an?) )?[\w'-]+(?: [\w'-]+)?? (?:talk"
    r"|speak|use|run|send|support|show|return|get|read|write|print|have|serve|offer|prefer|be)\s+(?:the |an? )?"
)
"""What a thing shall do, before what it does that with: "should the tills talk grpc or rest?"."""
_BEGINS: Final = late(
    r"(?i)\W*(?:(?:so|and|ok(?:ay)?|then|hm+|no|yes|not yet|well|now|either|the|an?)\b\W*)*"
)
_VERBS: Final = r"(?:use|keep|switch to|move to|go with|take|stick with|stay with)"
_ASKS_ANEW: Final = late(
    r"(?i)\W*(?:(?:do|would) you (?:rather |really )?(?:want|prefer|like|have|favou?r)|would you rather(?: have"
    r"| use)?|rather|better|(?:we|i|you) (?:(?:could|should|can|might) )?{_VERBS}|should (?:it|they"
    r"|that) (?:rather )?(?:be|use|go (?:with|over|to))|shall it be)\s+(?:the |an? )?"
)
_JOINS: Final = late(
    r"(?i)\W*(?:rather |better |maybe |even )?"
    r"(?:(?P<manner>with|to|in|on|by|as|over|via|through|from|at)\s)?(?:use |using |go with |keep )?(?:the |an? )?"
)
_SUBJECT: Final = late(rf"(?i)\W*(?:(?:i|we|you) )?(?:(?:could|can|might|should) )?{_VERBS} (?:the |an? )?")
_OFFERS: Final = late(
    r"(?i)\A\W*(?:(?:so|then|well|here|for [\w -]{2,30}),? ){0,2}(?:(?:we|you|i) (?:could|can|might|may)"
    r"(?: also)? (?:us(?:e|ing)|go with|go for|take|pick|choose|keep)\b"
    r"|(?:the |your |our )?(?:usual |main )?"
    r"(?:options|candidates|choices|alternatives)(?: (?:for|here) ?[\w -]{0,30})?(?: are\b| would be\b|:))"
)
"""Names things to choose from, and asks nothing."""
_OPEN_ENDED: Final = late(r"(?i).*\b(?:be|want|like|prefer|use|take|choose|pick|go with|favou?r)\Z")
"""Asks for what stands behind a comma: "Which theme do you want, dark or light?"."""
_TAIL: Final = late(r"(?i)\s(?P<word>for|in|on|as|here|to|when|at|of|from)\b")
_IS_NO_SIDE: Final = word_set("""
i we you it they is are was not so them this that what both neither later something anything else similar whatever
should shall me do does whether if because since which there other another none nothing leave
""")
_JOINED: Final = late(r"(?i)\b(?:vs|versus|between)\b")
_VERSUS: Final = late(r"(?i)\s(?:vs\.?|versus)\s")
_BETWEEN: Final = late(r"(?i)(\bbetween [^?,]{1,60}?) and ")
_OF_THE_TALK: Final = late(
    r"(?i)\b(?:the|this|my|your|a) (?:branch|commit(?: message)?|pull request|pr|message|e-?mail|mail|reply|answer"
    r"|comment)\b"
    r"|\b(?:today|tomorrow|tonight|right now|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|this (?:morning|afternoon"
    r"|evening|week|weekend|time)|next (?:week|weekend|month|time))\b"
)
"""Asks for the moment, or of what is only said once."""
_BESIDE: Final = late(r"(?i),\swhich\s[^,;.?!]{1,80}(?=,|\s?[;.?!]|\Z)")
_WHICH_BEHIND: Final = late(
    r"(?i)(?P<sides>[^:?]{1,200} or [^:?]{1,60}?)(?::|,|\s[\u2013\u2014-])\s(?:so )?(?:which|what)(?: one| of"
    r" (?:them|the two))? (?:do|would|should|shall|is)\b[^?]{0,60}\?\Z"
)
_CLAUSE: Final = late(r"(?i)(?:[.;:!]|,(?: (?:but|and|while|whereas))?| (?:but|while|whereas))(?:\s+|\Z)")
_WEIGHED: Final = late(
    r"(?i)\A(?:(?:the|an?) )?(?P<name>[\w@][\w.+#/@-]*(?: [\w.+#/@-]+){0,2}?)"
    r" (?:is|are|would|will|has|have|can|might|may|does|do|costs?|needs?|gives?|looks?|works?|takes?|keeps?|runs?|fits?"
    r"|comes?|offers?|lets|lasts?|scales?|feels?|saves?)\b"
)
"""Says something of what it names."""
_LEADS_IN: Final = late(r"(?i)\A\W*(?:for|in|on|as|about|when|regarding|with)\b")


@dataclass(frozen=True, slots=True)
class Either:
    """The sides of an "or", what is said of all of them behind ("for the front end"), and the sentence, where it tells
    more of the matter."""

    options: tuple[str, ...]
    tail: str = ""
    about: str = ""


def either(last: list[str]) -> Either | None:
    """The sides of the "or" that the last of some sentences asks about; None where none is asked for.

    >>> either(["React, Svelte or Vue for the front end?"]).options
    ('React', 'Svelte', 'Vue')
    """
    asked, before = _with_or(last[-1]), last[-2] if len(last) > 1 else ""
    if not asked.endswith("?"):
        offers = (
            said for each in reversed(last[-2:]) if " or " in (said := _with_or(each)) and _OFFERS.match(said)
        )
        offer = next(offers, "").rstrip(" .!")
        found = _sides(offer, "") if 0 < len(offer) <= _LONGEST and not _OF_THE_TALK.search(offer) else None
        return found and Either(found.options, found.tail)
    if " or " not in asked.lower():
        if not asks_which(asked):
            return None
        if found := weighed(last[:-1]):
            return found
        asked = next((said for each in reversed(last[:-1]) if " or " in (said := _with_or(each)).lower()), "")
    if not asked or len(asked) > _LONGEST or is_task(asked) or is_fact(asked) or _OF_THE_TALK.search(asked):
        return None
    is_asked_before = before.endswith("?") and before != asked and asks_for_a_way(before)
    return _sides(asked, before if is_asked_before else "")


def weighed(said: Sequence[str]) -> Either | None:
    """The things of which the clauses of some sentences say something each; None unless there are some of them."""
    clauses = [clause for each in said if " or " not in each for clause in _CLAUSE.split(each)]
    names = [hit["name"] for clause in clauses if (hit := _WEIGHED.match(clause)) and _is_side(hit["name"])]
    options = tuple({name.casefold(): name for name in names}.values())
    if not 1 < len(options) <= _MOST_WEIGHED or are_tasks(options) or are_of_the_moment(options):
        return None
    return Either(options)


_KINDS: Final = (
    r"(?:(?:[\w-]+ )?(?:framework|library|lib|language|database|db|port|runner|test runner|bundler|engine|tool|stack"
    r"|orm|driver"
    r"|protocol|broker|template|licen[cs]e|format|font|theme|provider|compiler|linter|formatter|parser|host|editor"
    r"|unit|time ?zone"
    r"|encoding|palette|package manager|cms|chart library|router|adapter|sensor|chip|board|transistor))"
)
"""What a project has one of."""
_WORKS_WITH: Final = late(
    rf"(?i)(?P<kind>\b(?:which|what) {_KINDS}) (?:shall|should|do|can|would|may) (?P<who>i|we|you)"
    r" (?:start|begin|work|go on|build|write|set (?:it|this|that) up|scaffold)(?: (?:it|this|that))? (?:with|in"
    r"|on)(?=,|\s?[:?])"
)
"""Asks which one the work is begun with, which is the one that is used."""
_DOES_WITH: Final = late(
    r"(?i)(?P<who>\b(?:should|shall|do you want me to|want me to|would you like me to|can|could)(?: (?:i|we))?)"
    r" (?:write|build|do|make|implement|create|add|set up|draw|generate|render|package|run|test|solve|style)"
    r" (?:it|them|one|this|that|these|those|(?:the|an?|your|our) [\w-]{2,20}(?: [\w-]{2,20})?) (?:with|using|via)"
    r" (?=[^?]{1,60} or )"
)
"""Asks by which of two things something is made."""
_OF_A_KIND: Final = late(
    rf"(?i)\A\W*(?:(?:so|and|ok(?:ay)?)\W+)?(?P<kind>(?:which|what) {_KINDS}(?: (?:for|of|on) [^,?]{{2,40}})?)(?=[,:]"
    rf" [^?]+ or )"
)


_IS_KIND: Final = late(rf"(?i)\b(?:which|what) {_KINDS} do you want\b")


def _with_or(said: str) -> str:
    """A sentence in which the sides of a "vs" and of a "between" are joined by an "or", without what is told of each
    beside, and without the question that stands behind them: "A or B: which do you want?"."""
    if ", which " in said.lower():
        said = _BESIDE.sub("", said)
    said = _WORKS_WITH.sub(r"\g<kind> should \g<who> use", said)
    said = _DOES_WITH.sub(r"\g<who> use ", said)
    said = _OF_A_KIND.sub(r"\g<kind> do you want", said)
    if asked := _WHICH_BEHIND.match(said):
        said = f"{asked['sides']}?"
    return (
        _BETWEEN.sub(lambda hit: f"{hit[1]} or ", _VERSUS.sub(" or ", said)) if _JOINED.search(said) else said
    )


def _sides(asked: str, before: str) -> Either | None:
    """`before`: a question before it that asks the same without the sides."""
    plain = asked.strip().rstrip("?.! ")
    at = plain.lower().rfind(" or ")
    left, right = plain[:at].rstrip(" ,"), plain[at + 4 :]
    is_of_a_thing = _OF_A_THING.search(f"{before} {left}") is not None or _IS_KIND.search(left) is not None
    frame, _, named = left.rpartition(": ")
    if any(asks.search(named) for asks in (_OF_A_THING, SHAPING, _CHOOSES)):
        frame = ""
    is_asked = bool(frame or is_of_a_thing or _CHOOSES.search(left) or SHAPING.search(left))
    clause = _ASKS_ANEW.match(right)
    joins = _JOINS.match(right)
    manner = (joins["manner"] or "").lower() if joins and clause is None else ""
    other = right[clause.end() :] if clause else right[joins.end() :] if joins else right
    parts = [named] if clause else [each.strip() for each in named.replace(" or ", ", ").split(", ")]
    leads_in = _LEADS_IN.match(parts[0]) and not _LED.match(parts[0]) and not SHAPING.search(parts[0])
    is_led_in = len(parts) > 1 and (leads_in or _OPEN_ENDED.match(parts[0]) is not None)
    parts = parts[1:] if is_led_in else parts
    first, is_bare = _first(parts[0], manner, len(other.split()), is_led=not frame)
    is_asked = is_asked or (not is_bare and _IN.match(parts[0]) is not None)
    if not (is_asked or is_bare):
        return None
    other, tail = (other, "") if _TAIL.search(first) and not manner else _parted(other)
    # What is asked anew stands behind a comma of its own, and further words are no part of it.
    other = other.partition(",")[0]
    options = tuple(unquoted(each.strip(" ,.;")) for each in (first, *map(_bare, parts[1:]), other))
    if not all(map(_is_side, options)) or len({each.casefold() for each in options}) < len(options):
        return None
    if are_tasks(options) or are_of_the_moment(options, is_of_a_thing=is_of_a_thing):
        return None
    is_told = (
        not is_bare
        and not frame
        and (is_of_a_thing or SHAPING.search(left) is not None or clause is not None)
    )
    is_told = is_told or (is_led_in and not leads_in) or bool(frame and not tail and _tells(frame))
    return Either(options, tail, before or (asked if is_told and asked.endswith("?") else ""))


def _first(part: str, manner: str, words: int, *, is_led: bool) -> tuple[str, bool]:
    """The first side in what stands before the first comma or "or", and whether nothing leads to it."""
    bare = part[begin.end() :] if (begin := _BEGINS.match(part)) else part
    if not is_led:
        return bare, True
    if manner and (at := part.lower().rfind(f" {manner} ")) >= 0:
        return _bare(part[at + len(manner) + 2 :]), False
    if hit := _LED.match(part):
        return _bare(part[hit.end() :]), False
    if (SHAPING.search(part) or _OF_A_THING.search(part)) and (hit := _BY_MANNER.match(part)):
        return _bare(part[hit.end() :]), False
    if hit := _DOES.match(part):
        return _bare(part[hit.end() :]), False
    if SHAPING.search(part) or _OF_A_THING.search(part):
        return " ".join(part.split()[-max(min(words, 3), 1) :]), False
    if len(bare.split()) > words + 1 and (hit := _IN.match(bare)):
        return bare[hit.end() :], False
    if hit := _BY_MANNER.match(part):
        # "I can keep the audio as FLAC": a statement that leads to its sides.
        led = part[: hit.end()].split()
        if led and led[0].lower() in ("i", "we", "you"):
            return _bare(part[hit.end() :]), False
    return bare, True


def _bare(side: str) -> str:
    bare = side[begin.end() :].strip() if (begin := _BEGINS.match(side)) else side.strip()
    return bare[said.end() :] if (said := _SUBJECT.match(bare)) else bare


def _parted(side: str) -> tuple[str, str]:
    """A side, and what is said of all of them behind it."""
    hit = _TAIL.search(side)
    if hit is None:
        return side, ""
    tail = side[hit.start() :].strip()
    return side[: hit.start()], tail if hit["word"].lower() in ("for", "in", "on") else ""


def _is_side(side: str) -> bool:
    words = side.casefold().replace(",", " ").split()
    return 0 < len(words) <= _MOST_WORDS and _IS_NO_SIDE.isdisjoint(words)


def _tells(frame: str) -> bool:
    """Whether words before a colon tell the matter: "Which licence do you want", not "I see three options"."""
    return len(frame.split()) > 3 and not frame.lower().startswith(
        ("i see", "there are", "i have", "two", "three")
    )
