"""The entities that a text mentions, by rules: people, places, organisations, products, files, identifiers and so on.

Rules read the surface alone: capitals that do not merely begin a sentence, shapes of paths and names in code, words
beside a name that tell its type. Bounded for any text; no lists of real names, no corpus and no model: who is mentioned
depends on the text alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engramforge.core.entities.name_shapes import BARE_WORD, CANDIDATE, HOST_ENDING, PLACED, PLACING, ROLE
from engramforge.core.entities.name_types import HONORIFIC, stands_out, type_of
from engramforge.core.entities.name_words import (
    BEFORE_NUMBERS,
    NO_NAMES,
    NO_PACKAGES,
    OPENERS,
    STATES,
    UNITS,
)
from engramforge.core.text.words import STOP_WORDS, without_unseen
from engramforge.model.entity import Entity, EntityType

READ_CHARACTERS: Final = 20_000
"""How far into a text names are looked for."""
MOST_ENTITIES: Final = 64
LONGEST_NAME: Final = 80

_SENTENCE_END: Final = re.compile(
    r"(?:^|[.!?:;\n\u2026\u201c\"(*>#|\]\u23bf\u23fa\u2022\u2192\u2713\u2714-])[\s*_>#|\"'\u201c(\[-]{0,8}$"
)
_POSSESSIVE: Final = re.compile(r"['\u2019]s?$")
_ARTICLE: Final = re.compile(r"^(?:the|a|an) ")


def entities_in(text: str, speaker: str | None = None) -> list[Entity]:
    """The entities of a text in order, each once by its key, at most 64.

    `speaker`: who says it; named in a text, it is a person.
    """
    text = text[:READ_CHARACTERS]
    found: dict[str, Entity] = {}
    spoken = name_key(speaker) if speaker else ""
    match = CANDIDATE.search(text)
    while match is not None and len(found) < MOST_ENTITIES:
        if match.lastgroup == "name" and " & " not in (said := match[0]):
            # Most are.
            end = match.end()
            if (named := _named(text, said, match.start(), end, spoken)) is not None:
                found.setdefault(named.key, named)
        else:
            entities, end = _entities_of(text, match, spoken)
            for entity in entities:
                found.setdefault(entity.key, entity)
        match = CANDIDATE.search(text, end)
    if len(found) < MOST_ENTITIES and _may_hold_placed(text):
        placed = [each for each in _placed(text) if each.key not in found]
        if placed:
            every = sorted((*found.values(), *placed), key=lambda each: each.start)
            found = {}
            for each in every:
                found.setdefault(each.key, each)
    return list(found.values())[:MOST_ENTITIES]


def _may_hold_placed(text: str) -> bool:
    for word in PLACING:  # noqa: SIM110 - any() takes four times as long
        if word in text:
            return True
    return False


def names_in(text: str) -> tuple[str, ...]:
    """The keys of a text's entities, distinct, in order."""
    return tuple(entity.key for entity in entities_in(without_unseen(text)))


@lru_cache(maxsize=16_384)
def name_key(name: str) -> str:
    """What a name is matched by: NFKC, case-folded, single spaces, no possessive, article or outer marks."""
    plain = name if name.isascii() else unicodedata.normalize("NFKC", name)
    folded = " ".join(plain.casefold().split()).strip("\"'`\u201c\u201d.,;:!?()[]")
    return _ARTICLE.sub("", _POSSESSIVE.sub("", folded))[:LONGEST_NAME]


def _entities_of(text: str, match: re.Match[str], speaker: str) -> tuple[list[Entity], int]:
    """The entities of a match, mostly one or none, and where to go on."""
    kind = match.lastgroup or ""
    said = match[kind]
    start, end = match.span(kind)
    goes_on = match.end()
    entity: Entity | None
    if kind == "name":
        if (cut := _between_two(said)) is not None:
            said, end, goes_on = said[:cut], start + cut, start + cut + len(" & ")
        entity = _named(text, said, start, end, speaker)
    elif kind == "quoted":
        # Quotations that are neither titles nor identifiers may contain names.
        entity = _titled(said[1:-1], start + 1, end - 1)
        goes_on = goes_on if entity is not None else match.start() + 1
    elif kind == "path" and not _is_path(said):
        return _parts_of(text, said, start, speaker), end
    else:
        if kind == "host":
            said = re.sub(r"^https?://(?:[^/@\s]*@)?(?:www\.)?([^/:?#\s]+).*$", r"\1", said, flags=re.S)
        entity = _shaped(text, match, kind, said)
    return ([] if entity is None else [entity]), goes_on


def _parts_of(text: str, said: str, start: int, speaker: str) -> list[Entity]:
    """The names of "IMAP/POP", which is no path, or the host of "docs.example.org/guide"."""
    host = said.partition("/")[0]
    if HOST_ENDING.search(host) and (entity := _made(host, EntityType.HOST, start, start + len(host))):
        return [entity]
    found = []
    for part in said.split("/"):
        word = BARE_WORD.match(text, start, start + len(part))
        entity = word and _named(text, word[0], start, word.end(), speaker)
        if entity:
            found.append(entity)
        start += len(part) + 1
    return found


def _shaped(text: str, match: re.Match[str], kind: str, said: str) -> Entity | None:
    """What its shape alone makes a name."""
    start, end = match.span(kind)
    if kind == "code":
        at = match.start()
        role = ROLE.search(text, max(at - 28, 0), at) if text[at - 1 : at] == ":" else None
        return _coded(said, role[1] if role else "", start, end)
    if kind == "hyphened" and not _is_hyphened_name(said, text, end):
        return None
    if kind == "dotted" and not _is_dotted_name(said):
        return None
    if kind == "designation" and said.split(" ")[0].lower() in _COUNTED:
        return None
    if kind == "dotted" and HOST_ENDING.search(said):
        return _made(said, EntityType.HOST, start, end)
    if kind == "mixed" and len(said) < 3:
        return None
    return _made(said, _TYPES[kind], start, end)


_COUNTED: Final = NO_NAMES | OPENERS | STOP_WORDS | UNITS
"""What may stand in capitals before a number and is not what the number counts."""
_TYPES: Final = {
    **dict.fromkeys(("ticket", "key", "designation"), EntityType.TICKET),
    **dict.fromkeys(("path", "file"), EntityType.FILE),
    **dict.fromkeys(("call", "identifier", "dotted", "hyphened", "mixed", "command"), EntityType.IDENTIFIER),
    "handle": EntityType.HANDLE,
    "host": EntityType.HOST,
    "package": EntityType.PRODUCT,
    "version": EntityType.VERSION,
}


def _between_two(said: str) -> int | None:
    """Where "Ada Brown & Bo Green" ends its first name; None of a name with "&" in it, as a firm has."""
    cut = said.find(" & ")
    return cut if cut > 0 and " " in said[:cut] and " " in said[cut + 3 :] else None


def _coded(said: str, role: str, start: int, end: int) -> Entity | None:
    """What stands between backticks; a role of reStructuredText says of a number whose it is."""
    if role and said.isdigit():
        return Entity(said, f"{role} {said}", EntityType.TICKET, start, end)
    if role and (target := _TARGET.match(said)) is not None:
        return _made(target[1], EntityType.IDENTIFIER, start + target.start(1), start + target.end(1))
    inner = CANDIDATE.fullmatch(said)
    named = inner.lastgroup if inner else None
    return _made(said, _TYPES.get(named or "", EntityType.IDENTIFIER), start, end)


_TARGET: Final = re.compile(r"(?:[a-z]{1,12}:)?[~!]?([A-Za-z_][\w.]{1,78})(?:\(\))?\Z")


def _is_hyphened_name(said: str, text: str, end: int) -> bool:
    """Whether it is a name as "api-gateway-logs" or "live-0" and not two words that belong together."""
    parts = said.split("-")
    if not STOP_WORDS.isdisjoint(parts) or parts[0] in BEFORE_NUMBERS:
        return False
    if len(parts) > 2 or any(c.isdigit() for c in said):
        return True
    return _NAMED_THING.match(text, end) is not None and not parts[-1].endswith(_OF_ADJECTIVES)


_NAMED_THING: Final = re.compile(
    r" (?:hook|package|module|crate|plugin|repo|repository|cluster|service|branch|command|bucket|container|namespace"
    r"|pod|job|workflow)\b"
)
_OF_ADJECTIVES: Final = (
    "ed", "ing", "in", "party", "level", "source", "only", "based", "term", "time", "wide", "side", "able", "free",
    "scale", "quality", "end", "purpose", "specific", "facing", "native",
)  # fmt: skip


def _is_dotted_name(said: str) -> bool:
    """A name in code, and not two sentences without a space between them."""
    parts = said.lower().split(".")
    return not (
        parts[0] in _OWN
        or parts[0] in STOP_WORDS
        or parts[-1] in STOP_WORDS
        or {parts[0], parts[-1]} <= OPENERS
    ) and (len(parts) > 2 or parts[-1] not in OPENERS or not said.rpartition(".")[2][:1].isupper())


_OWN: Final = ("self", "cls", "args")


def _placed(text: str) -> Iterator[Entity]:
    """Names in small letters, by the words around them."""
    for match in PLACED.finditer(text):
        for kind, said in match.groupdict().items():
            if said is None:
                continue
            at = match.start(kind)
            for each in _TAKEN.finditer(said) if kind == "taken" else (re.match(r".*", said),):
                if each is None or (kind in ("told", "module") and each[0] in _NO_PACKAGES):
                    continue
                type_ = EntityType.IDENTIFIER if kind in ("defined", "taken") else EntityType.PRODUCT
                if (entity := _made(each[0], type_, at + each.start(), at + each.end())) is not None:
                    yield entity


_TAKEN: Final = re.compile(r"\w+")
_NO_PACKAGES: Final = STOP_WORDS | NO_NAMES | OPENERS | NO_PACKAGES


def _made(name: str, kind: EntityType, start: int, end: int) -> Entity | None:
    key = name_key(name)
    return Entity(name, key, kind, start, end) if len(key) > 1 else None


def _is_path(said: str) -> bool:
    """A path and not "and/or", "24/7", "TCP/UDP/IP" or a date."""
    parts = said.strip("/").split("/")
    rooted = said[0] in "~./"
    named = "." in parts[-1].strip(".") or "_" in said
    return (rooted and len(parts) > 1) or named or (len(parts) > 2 and any(c.islower() for c in said))


_HYPHENED: Final = re.compile(r"[a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,30}){1,5}\Z")


def _titled(said: str, start: int, end: int) -> Entity | None:
    """A quotation that looks like a title: up to eight words, most of them capital; or like an identifier."""
    if _HYPHENED.match(said):
        return _made(said, EntityType.IDENTIFIER, start, end)
    words = said.split()
    capitals = sum(word[0].isupper() for word in words)
    longer = sum(len(word) > 3 or word[0].isupper() for word in words)
    is_title = (
        0 < len(words) <= 8 and words[0][0].isupper() and 2 * capitals > longer and said[-1] not in ".!?,"
    )
    return _made(said, EntityType.TITLE, start, end) if is_title else None


def _named(text: str, said: str, start: int, end: int, speaker: str) -> Entity | None:
    """A run of capitalised words, without those capitalised only at the beginning of a sentence."""
    words = said.split(" ")
    begins = _SENTENCE_END.search(text, max(start - 8, 0), start) is not None or start == 0
    if (
        begins
        and start > 1
        and text.startswith(". ", start - 2)
        and HONORIFIC.search(text, max(start - 28, 0), start)
    ):
        begins = False
    while words and (
        _says_nothing(words[0], begins) or (begins and len(words) > 1 and words[0].endswith("ing"))
    ):
        start += len(words[0]) + 1
        del words[0]
        begins = False
    while words and (words[-1].lower() in NO_NAMES or not words[-1][:1].isupper()):
        end -= len(words[-1]) + 1
        del words[-1]
    if not words:
        return None
    name = _POSSESSIVE.sub("", " ".join(words))
    end = start + len(name)
    if begins and len(words) == 1 and not stands_out(name) and not _goes_on_as_name(text, name, end):
        return None
    if len(words) == 1 and name.isupper() and _THIS.search(text, max(start - 8, 0), start):
        return None
    key = name_key(name)
    if len(key) < 2 or key in STOP_WORDS or key in NO_NAMES or _shouts(words):
        return None
    kind = EntityType.PERSON if key == speaker else type_of(text, words, start, end)
    return Entity(name, key, kind, start, end)


def _says_nothing(word: str, begins: bool) -> bool:
    """Whether a word is never part of a name: a stop word, a day, or a usual opening of a sentence."""
    bare = word.lower().replace("\u2019", "'")
    if word[-1] == "s" and word[:-1].isupper():
        bare = bare[:-1]
    head = bare.partition("'")[0]
    if bare in NO_NAMES or not word[:1].isupper():
        return True
    if bare in STOP_WORDS or head in STOP_WORDS:
        return not (word.isupper() and len(word) > 1) or begins
    return (begins and bare in OPENERS) or (word.isupper() and bare in OPENERS)


def _shouts(words: list[str]) -> bool:
    """Capitals for emphasis: a long word, or several words with one that is no part of a name."""
    if not all(word.isupper() and word.isalpha() for word in words):
        return False
    return len(words[0]) > 6 or any(word.lower() in STOP_WORDS for word in words)


_COMMON_ENDINGS: Final = (
    "ing", "ly", "ed", "tion", "sion", "ness", "ment", "ity", "ism", "ship", "ery", "ics", "ture", "ical", "ional",
    "tial", "ous", "ible", "able", "less", "ful",
)  # fmt: skip
_APPOSED: Final = re.compile(
    r", (?:the|a|an|my|our|his|her) |,? who |['\u2019]s (?:brother|sister|mother|father|mom|dad|son|daughter|wife"
    r"|husband|friend|boss|colleague|partner|uncle|aunt|cousin|house|birthday|team|office|car|dog|cat)\b"
)
_AFTER_NAME: Final = re.compile(
    r"(?:['\u2019]s)? (?:is|was|has|had|will|would|can|could|does|did|and [A-Z]|said|says|told|asked|thinks|lives?"
    r"|lived|works|worked|uses|used|needs|wants|went|likes|loves|[a-z]{2,12}(?:ed|es|ts|ks|ns|ds|ls|rs)|depends|runs"
    r"|left|came)\b"
)


_OWNS: Final = re.compile(r"['\u2019]s ([a-z]{2,20})\b")
_THIS: Final = re.compile(r"(?i)\b(?:this|that|each|every) \Z")
"""What makes the capitals after it a kind of thing: this PEP."""


def _goes_on_as_name(text: str, name: str, end: int) -> bool:
    """At the beginning of a sentence a plain word is a name if a verb or a possessive of a person follows it."""
    if name.lower() in OPENERS or name.endswith(_COMMON_ENDINGS):
        return False
    after = text[end : end + 24]
    owned = _OWNS.match(after)
    if owned and owned[1] not in STOP_WORDS and owned[1] not in STATES and not owned[1].endswith("ing"):
        return True
    return after[:1] == ":" or _APPOSED.match(after) is not None or _AFTER_NAME.match(after) is not None
