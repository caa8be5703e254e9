"""The clauses of a sentence, each of which claims something by itself, without a heading and without its source.

"Tide notes: gates close at six, the pumps run all night" claims two things. A source before a colon ("The insurer
says:", "ADR-7:") claims nothing, and is cut off; a topic before a value ("Lead of the kitchen: Ines") is what is said
to be so. A condition, an exception, an ellipsis or a list belongs to the whole sentence, which then stays whole.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from typing import Final

from engramforge.core.conflicts.matters.alternatives import chosen
from engramforge.core.conflicts.matters.matter import read_matter
from engramforge.core.conflicts.statements import CHOOSING, COUNTS, DENYING, KEPT, STATING
from engramforge.core.conflicts.wording.frames import is_supposed
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import is_stop_word, root_of, roots_of, words_of

_LONGEST: Final = 400
_HEADING: Final = re.compile(r"([^:;!?\n]{2,80}):\s{1,4}(?=\S)")
_LABEL: Final = re.compile(
    r"(?i)(?:(?-i:[A-Z]{2,10})-\d{1,6}|(?:adr|rfc|pep) ?\d{1,6}|(?:a )?note(?: to self)?"
    r"|reminder|fyi|til|tl;?dr|decision|decided|agreed|rule|policy"
    r"|update|news|heads up|attention|beware|fact|correction|as (?:agreed|decided|discussed)|outcome|conclusion|minutes"
    r"|legal|compliance|law|contract|gdpr|pci(?: dss)?|hipaa|sox|soc ?2|iso(?: ?\d{2,6})?|ccpa|nis ?2|nist|owasp)"
)
"""What records, notes and laws are called; whom or what a rule is for ("Staging: ...") is none of them."""
_SOURCE: Final = re.compile(
    r"(?i)(?:as )?(?:agreed|decided|discussed|promised|arranged|settled) (?:with|by|in) .{1,60}|according to .{1,60}"
    r"|as per .{1,60}|per (?:the|our|legal|contract|law) ?.{0,60}"
    r"|from the (?:minutes|meeting|call|workshop|retro|contract|mail|handbook)\b.{0,40}"
    r"|.{1,60} (?:says?|said|promises?|promised|states?|demands?|insists?|wrote|writes|tells us|decided|agreed)"
)
_NOT_SAID: Final = re.compile(
    r"(?i)\b(?:not|never|nobody|no|if|when|unless|hardly|barely|scarcely|wrongly|falsely|mistakenly)\b|n't\b"
)
_DISOWNED: Final = re.compile(
    r"(?i)\W{0,3}(?:(?:that is |this is )?(?:wrong|false|untrue|incorrect|not true)|myth|rejected|turned down|example"
    r"|proposal|draft|(?:old|former|previous) (?:rule|policy|decision))(?: \(.{1,40}\))?:\s"
)
"""What stands behind such a heading is told, and not claimed."""
_BY_COMMA: Final = re.compile(
    r"(?i)(?:according to|as per|as (?:agreed|decided|arranged) with) [^,:]{2,60}, "
)
_METADATA: Final = re.compile(
    r"(?i)\b(?:date|author|authors|time|status|participants|attendees|present|version|created|updated|title|subject"
    r"|place|page|source|contact|phone|tags?)\b"
)
"""Headings of what is told of a record, and not by it."""
_LIST: Final = re.compile(r",\s[^a-z]|\s(?:and|or|&)\s|/")
_JOINT: Final = re.compile(r",\s+|;\s+|\s[-\u2013\u2014]\s")
_CONJUNCTION: Final = re.compile(r"(?i)\A(?:and|but|yet)\s")
_BELONGS: Final = re.compile(
    r"(?i)\W{0,3}(?:if|when|whenever|unless|except|apart|other|save|excluding|only|not|never|as|where|until|till|from"
    r"|for|in|on|at|by|with|without|within|during|before|after|since|while|under|over|outside|inside|between|per|to"
    r"|through|via|instead|rather|even|plus|minus|including|then|else|otherwise|or|nor|neither|either|no|none|like"
    r"|such|both|up|down|usually|sometimes|mostly|whereas|although|though|of|likewise|respectively|than)\b"
)
"""With these words begins what says when, where, for whom or how the rest of its sentence holds."""
_EXPLAINS: Final = re.compile(
    r"(?i)\W{0,3}(?:because|so|which|who|whose|that|this|these|it|they|there|those|he|she)\b"
)
"""And with these what gives a reason, or speaks of something that another clause names."""
_PAST: Final = re.compile(
    r"(?i)\b(?:was|were|had|used to|would|could|might|looked at|tried|considered|evaluated|formerly|previously)\b"
)
_VERBS: Final = frozenset(
    {"is", "are", "be", "has", "have", "do", "does", "must", "may", "can", "cannot", "will", "shall", "should", "isn't",
     "aren't", "don't", "doesn't", "can't", "mustn't", "won't"}
)  # fmt: skip
_DEEDS: Final = CHOOSING | STATING | DENYING | frozenset(
    map(root_of, ("cost", "pay", "expire", "leave", "open", "close", "start", "end", "begin", "bill", "charge",
     "think", "know", "like", "say", "agree", "hit", "approve", "own", "decide", "sign", "send", "feed", "talk",
     "allow", "count", "complain", "log", "come", "get", "make", "give", "last", "return", "belong", "follow", "ship",
     "serve", "carry", "build", "accept", "contain", "delete", "erase", "remove", "replace", "publish", "support",
     "require", "happen", "work", "drive", "sail", "check", "ask", "rule", "turn",
     "discard", "dismiss"))
)  # fmt: skip
"""Roots of words that make a clause of what stands before them."""
_WHO: Final = frozenset({"we", "you", "i", "they"})
_BEFORE_NOUN: Final = frozenset(
    {"of", "the", "a", "an", "our", "your", "their", "for", "in", "on", "at", "by", "per", "every", "each", "this",
     "no"}
)  # fmt: skip
_LEAST: Final = 2
_SENTENCES: Final = 2
"""Of so many sentences at most the clauses are told apart; a longer text is compared as it is."""


@lru_cache(maxsize=KEPT)
def clauses_of(text: str) -> tuple[str, ...]:
    """What a text claims, clause by clause; a sentence of one claim without its heading. Questions claim nothing.

    >>> clauses_of("The insurer says: the boiler is checked twice a year, the last check found a leak.")
    ('the boiler is checked twice a year', 'the last check found a leak.')
    >>> clauses_of("Lead of the kitchen: Ines.")
    ('Lead of the kitchen is Ines.',)
    >>> clauses_of("Gates close at six, on Sundays at four.")
    ('Gates close at six, on Sundays at four.',)
    """
    sentences = sentences_of(text) if len(text) <= _LONGEST else []
    if not 0 < len(sentences) <= _SENTENCES:
        return (text,)
    claimed = [said for said in sentences if _DISOWNED.match(said) is None]
    return tuple(each for said in claimed for each in _clauses(said) if not is_supposed(each))


@lru_cache(maxsize=512)
def claims_nothing(text: str) -> bool:
    """Whether all that a text says is asked, or supposed.

    >>> claims_nothing("Perhaps the mill is sold."), claims_nothing("Perhaps. The mill is sold.")
    (True, False)
    """
    sentences = sentences_of(text) if len(text) <= _LONGEST else []
    return bool(sentences) and all(map(is_supposed, sentences))


def _clauses(sentence: str) -> tuple[str, ...]:
    said = without_heading(sentence)
    pieces = [half for each in _JOINT.split(said) for half in _halves(_CONJUNCTION.sub("", each.strip()))]
    is_whole = len(pieces) == 1 or not _is_clause(pieces[0]) or _PAST.search(pieces[0]) is not None
    if is_whole or any(map(_is_bound, pieces)):
        return (said,)
    return tuple(x for x in pieces if _is_clause(x) and not (_PAST.search(x) or _EXPLAINS.match(x)))


def _halves(piece: str) -> tuple[str, ...]:
    """What stands before and behind an "and" that joins two sentences: "Ines owns it and Pavel owns the rest"."""
    first, joint, second = piece.partition(" and ")
    begins = words_of(second)[:1]
    is_sentence = begins and begins[0] not in _VERBS and root_of(begins[0]) not in _DEEDS
    if not joint or not is_sentence or _EXPLAINS.match(second) or _BELONGS.match(second):
        return (piece,)
    return (first, second) if _is_clause(first) and _is_clause(second) else (piece,)


def without_heading(text: str) -> str:
    """A sentence without its source, and with its topic as the subject of a sentence.

    >>> without_heading("Agreed with the harbour: tugs wait an hour."), without_heading("Staging: tugs wait an hour.")
    ('tugs wait an hour.', 'Staging: tugs wait an hour.')
    """
    text = text.strip()
    if (found := _BY_COMMA.match(text)) is not None:
        return text[found.end() :]
    if (found := _HEADING.match(text)) is None:
        return text
    heading, rest = found[1].strip(), text[found.end() :]
    if _is_source(heading):
        return without_heading(rest)
    # A topic and its value: neither is a sentence.
    is_topic = _counted(heading) >= _LEAST and not _has_verb(heading) and not _has_verb(rest)
    if is_topic and not (_METADATA.search(heading) or _LIST.search(rest) or _BELONGS.match(rest)):
        return f"{heading} is {rest}"
    return text


@lru_cache(maxsize=KEPT)
def heading_of(text: str) -> str:
    """The topic, the place or the group before a colon, for which a text holds; "" for none, and for a source.

    >>> heading_of("Adults: the ticket costs 12 euros."), heading_of("Gates close at six: the tide turns.")
    ('Adults', '')
    """
    found = _HEADING.match(text.strip())
    if found is None or _is_source(found[1]) or _is_told_to(found[1]):
        return ""
    return found[1]


def _is_source(heading: str) -> bool:
    if _LABEL.fullmatch(heading.strip()) is not None:
        return True
    return _SOURCE.fullmatch(heading) is not None and _NOT_SAID.search(heading) is None


def _is_bound(piece: str) -> bool:
    """Whether a piece says when or where the rest holds, goes on with its subject, or leaves its verb out."""
    if not piece or _BELONGS.match(piece) is not None:
        return True
    if _is_clause(piece):
        return False
    words = words_of(piece)
    is_verb_first = words[:1] and (words[0] in _VERBS or words[0].endswith(("ed", "ing")))
    return bool(is_verb_first) or any(x in {"and", "or"} or x in COUNTS or x[:1].isdigit() for x in words)


def _is_clause(piece: str) -> bool:
    return _counted(piece) >= _LEAST and _has_verb(piece)


def _has_verb(text: str) -> bool:
    """Whether a word that is not the first one makes a sentence of a text."""
    words = words_of(text)
    return any(
        word in _VERBS or (root_of(word) in _DEEDS and _is_verb(words, place))
        for place, word in enumerate(words)
        if place
    )


def _is_verb(words: list[str], place: int) -> bool:
    """Whether a word that may be a deed is none's name: it ends a text where it agrees with its subject."""
    if words[place - 1] in _BEFORE_NOUN:
        return False
    return place < len(words) - 1 or words[place - 1] in {"never", "always"} or _is_told(words)


def _is_told_to(heading: str) -> bool:
    """Whether a heading is a sentence itself: "We pump at night", "Use steam"."""
    words = words_of(heading)
    return _has_verb(heading) or (len(words) > 1 and (words[0] in _WHO or root_of(words[0]) in CHOOSING))


def _is_told(words: list[str]) -> bool:
    """Whether the last word agrees in number with the one before it: "points expire", "the chat returns"."""
    return words[-1].endswith("s") is not words[-2].endswith("s")


def _counted(text: str) -> int:
    return sum(not is_stop_word(word) for word in words_of(text))


def are_other_topics(text: str, other: str) -> bool:
    """Whether two texts stand under headings of which each says what the other text does not: "Adults:", "Children:".

    >>> are_other_topics("Adults: a seat costs 9 euros.", "Children: a seat costs 5 euros.")
    True
    >>> are_other_topics("Seats: the price is 9 euros.", "Price: seats cost 5 euros.")
    False
    """
    headings = heading_of(text), heading_of(other)
    if not all(headings) or any(chosen(read_matter(each)) for each in headings):
        return False
    mine, theirs = map(_stems, headings)
    return bool(mine - _stems(other)) and bool(theirs - _stems(text))


def facing(text: str, other: str) -> list[tuple[str, str]]:
    """The clauses of two texts that are to be compared: each of one with that of the other that shares most with it.

    >>> facing("Gates close at six, the pumps run all night.", "The pumps rest at night.")
    [('the pumps run all night.', 'The pumps rest at night.')]
    """
    mine, theirs = clauses_of(text), clauses_of(other)
    if len(mine) < 2 and len(theirs) < 2:
        return list(product(mine, theirs))
    shared = {pair: len(_stems(pair[0]) & _stems(pair[1])) for pair in product(mine, theirs)}
    return [
        (one, another)
        for (one, another), count in shared.items()
        if count and count == max(shared[one, x] for x in theirs) == max(shared[x, another] for x in mine)
    ]


@lru_cache(maxsize=KEPT)
def _stems(text: str) -> frozenset[str]:
    return roots_of(text) - CHOOSING
