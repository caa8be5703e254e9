"""The entities that a text mentions, by rules: people, places, organisations, products, files, identifiers and so on.

Rules read the surface alone: capitals that do not merely begin a sentence, shapes of paths and names in code, words
beside a name that tell its type. Bounded for any text; no lists of real names, no corpus and no model: who is mentioned
depends on the text alone.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from engramforge.core.text.words import STOP_WORDS
from engramforge.model.entity import Entity, EntityType

READ_CHARACTERS: Final = 20_000
"""How far into a text names are looked for."""
MOST_ENTITIES: Final = 64
LONGEST_NAME: Final = 80

_UPPER: Final = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0386-\u03ab\u0400-\u042f"
_WORD: Final = rf"[{_UPPER}][^\W_]*(?:['\u2019-][^\W_]+)*"
_JOIN: Final = r"(?: (?:of|de|del|van|von|der|la|le|da|di|bin|al|the|for|and the|of the|&))?"
_EXTENSIONS: Final = (
    "py|js|ts|tsx|jsx|rs|go|c|h|cc|cpp|hpp|java|kt|rb|php|cs|swift|sh|sql|md|rst|txt|json|jsonl|toml|ya?ml|ini|cfg"
    "|conf|xml|html|css|csv|tsv|pdf|docx?|xlsx?|png|jpe?g|gif|svg|log|lock|env|ipynb|db|zip|gz|tar"
)
# Every repetition is bounded or cannot be retried, so no text takes quadratic time. A plain word in small letters is
# passed over at once.
_CANDIDATE: Final = re.compile(
    r"`(?P<code>[^`\n]{1,80})`|(?P<quoted>[\"\u201c](?=[^\W\d_])[^\"\u201c\u201d\n]{2,80}[\"\u201d])"
    r"|(?<!\w)(?![\s,!?]|[a-z]++[\s,!?;'\")])(?:(?P<host>https?://[^\s<>\"')\]]{1,300})"
    r"|(?<![\w/.])(?P<handle>@[A-Za-z][\w-]{1,38})|(?<![\w&])(?P<ticket>\#\d{1,7}\b)"
    r"|(?<![\w-])(?P<key>[A-Z][A-Z0-9]{1,9}-\d{1,6})\b"
    r"|(?<![\w.])(?P<version>v\d{1,4}(?:\.\d{1,6}){0,4}|\d{1,4}\.\d{1,4}\.\d{1,6}(?:[-.]?(?:a|b|rc|dev)\d*)?)"
    r"(?![\w.]\w)|(?<![\w/])(?P<path>(?:~|\.{1,2})?/?(?:[\w.@-]{1,60}/){1,20}[\w.-]{1,60})"
    rf"|(?<![\w./-])(?P<file>[\w-]{{1,60}}(?:\.[\w-]{{1,30}}){{0,3}}\.(?:{_EXTENSIONS}))\b(?!\.\w)"
    r"|\b(?P<call>[A-Za-z_]\w{1,60}(?:\.\w{1,60}){0,5})\(\)"
    r"|\b(?P<identifier>[a-z]\w{0,40}_\w{1,60}|[a-z]{1,40}[A-Z]\w{1,60}|[A-Z][A-Z0-9]{1,40}_\w{1,60})\b"
    rf"|(?P<name>{_WORD}(?:{_JOIN} {_WORD}){{0,5}}))"
)
_HONORIFIC: Final = re.compile(
    r"(?i)(?:^|\W)(?:mr|mrs|ms|miss|dr|prof|professor|sir|lady|captain|president|king|queen)\.? $"
)
_KIN: Final = re.compile(
    r"(?i)\b(?:friend|brother|sister|mother|father|mom|dad|mum|son|daughter|wife|husband|uncle|aunt|cousin|colleague|boss"
    r"|partner|neighbou?r|named|called|met|with|hi|hey|hello|thanks|thank you|dear|bye),? $"
)
_IN_PLACE: Final = re.compile(
    r"(?i)\b(?:in|to|from|near|visit(?:ed|ing)?|through|across|around|live[sd]? in|moved to) (?:the )?$"
)
_AT_WORK: Final = re.compile(
    r"(?i)\b(?:at|joined|for|work(?:s|ed|ing)? (?:at|for|with)|ceo of|founder of|employee of) (?:the )?$"
)
_AS_TOOL: Final = re.compile(
    r"(?i)\b(?:us(?:e[sd]?|ing)|install(?:ed|ing)?|via|on top of|depends on|upgraded? to|migrat(?:ed|ing) to|written in"
    r"|with) (?:the )?$"
)
_AS_PERSON: Final = re.compile(
    r"(?:'s|\u2019s)? (?:said|says|told|asked|thinks|thought|lives?|loves?|likes?|wants|went|wrote|married|met|knows"
    r"|works|plays|bought|and I)\b"
)
_SENTENCE_END: Final = re.compile(r"(?:^|[.!?:;\n\u2026\u201c\"(*>#|-])[\s*_>#|\"'\u201c(\[-]{0,8}$")
_POSSESSIVE: Final = re.compile(r"['\u2019]s?$")
_ARTICLE: Final = re.compile(r"^(?:the|a|an) ")


def entities_in(text: str, speaker: str | None = None) -> list[Entity]:
    """The entities of a text in order, each once by its key, at most 64.

    `speaker`: who says it; named in a text, it is a person.
    """
    text = text[:READ_CHARACTERS]
    found: dict[str, Entity] = {}
    spoken = name_key(speaker) if speaker else ""
    match = _CANDIDATE.search(text)
    while match is not None and len(found) < MOST_ENTITIES:
        if (entity := _entity_of(text, match, spoken)) is not None:
            found.setdefault(entity.key, entity)
        # Quotations that are neither titles nor paths may contain names.
        within = entity is None and match.lastgroup in ("quoted", "path")
        match = _CANDIDATE.search(text, match.start() + 1 if within else match.end())
    return list(found.values())


def names_in(text: str) -> tuple[str, ...]:
    """The keys of a text's entities, distinct, in order."""
    return tuple(entity.key for entity in entities_in(text))


@lru_cache(maxsize=16_384)
def name_key(name: str) -> str:
    """What a name is matched by: NFKC, case-folded, single spaces, no possessive, article or outer marks."""
    plain = name if name.isascii() else unicodedata.normalize("NFKC", name)
    folded = " ".join(plain.casefold().split()).strip("\"'`\u201c\u201d.,;:!?()[]")
    return _ARTICLE.sub("", _POSSESSIVE.sub("", folded))[:LONGEST_NAME]


def _entity_of(text: str, match: re.Match[str], speaker: str) -> Entity | None:
    kind = match.lastgroup or ""
    said = match[kind]
    start, end = match.span(kind)
    if kind == "name":
        return _named(text, said, start, end, speaker)
    if kind == "host":
        host = re.sub(r"^https?://(?:[^/@\s]*@)?(?:www\.)?([^/:?#\s]+).*$", r"\1", said, flags=re.S)
        return _made(host, EntityType.HOST, start, end)
    if kind == "quoted":
        return _titled(said[1:-1], start + 1, end - 1)
    if kind == "code":
        inner = _CANDIDATE.fullmatch(said)
        named = inner.lastgroup if inner else None
        return _made(said, _TYPES.get(named or "", EntityType.IDENTIFIER), start, end)
    if kind == "path" and not _is_path(said):
        return None
    return _made(said, _TYPES[kind], start, end)


_TYPES: Final = {
    **dict.fromkeys(("ticket", "key"), EntityType.TICKET),
    **dict.fromkeys(("path", "file"), EntityType.FILE),
    **dict.fromkeys(("call", "identifier"), EntityType.IDENTIFIER),
    "handle": EntityType.HANDLE,
    "version": EntityType.VERSION,
}


def _made(name: str, kind: EntityType, start: int, end: int) -> Entity | None:
    key = name_key(name)
    return Entity(name, key, kind, start, end) if len(key) > 1 else None


def _is_path(said: str) -> bool:
    """A path and not "and/or", "24/7" or a date."""
    parts = said.strip("/").split("/")
    rooted = said[0] in "~./"
    named = "." in parts[-1].strip(".") or "_" in said
    return (rooted and len(parts) > 1) or named or (len(parts) > 2 and not said.replace("/", "").isdigit())


def _titled(said: str, start: int, end: int) -> Entity | None:
    """A quotation that looks like a title: up to eight words, most of them capital."""
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
    if begins and len(words) == 1 and not _stands_out(name) and not _goes_on_as_name(text, name, end):
        return None
    key = name_key(name)
    if len(key) < 2 or key in STOP_WORDS or key in NO_NAMES or _shouts(words):
        return None
    kind = EntityType.PERSON if key == speaker else _type_of(text, words, start, end)
    return Entity(name, key, kind, start, end)


def _says_nothing(word: str, begins: bool) -> bool:
    """Whether a word is never part of a name: a stop word, a day, or a usual opening of a sentence."""
    bare = word.lower().replace("\u2019", "'")
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


def _stands_out(name: str) -> bool:
    """Whether it has capitals or digits inside, unlike a plain word that begins a sentence."""
    return not name[1:].islower() and len(name) > 1 and any(c.isupper() or c.isdigit() for c in name[1:])


_COMMON_ENDINGS: Final = (
    "ing", "ly", "ed", "tion", "sion", "ness", "ment", "ity", "ism", "ship", "ery", "ics", "ture",
)  # fmt: skip
_APPOSED: Final = re.compile(
    r",? (?:the|a|an|my|our|his|her|who) |['\u2019]s (?:brother|sister|mother|father|mom|dad|son|daughter|wife"
    r"|husband|friend|boss|colleague|partner|uncle|aunt|cousin|house|birthday|team|office|car|dog|cat)\b"
)
_AFTER_NAME: Final = re.compile(
    r"(?:['\u2019]s)? (?:is|was|has|had|will|would|can|could|does|did|and [A-Z]|said|says|told|asked|thinks|lives?"
    r"|lived|works|worked|uses|used|needs|wants|went|likes|loves|[a-z]{2,12}(?:ed|es|ts|ks|ns|ds|ls|rs)|depends|runs"
    r"|left|came)\b"
)


def _goes_on_as_name(text: str, name: str, end: int) -> bool:
    """At the beginning of a sentence a plain word is a name if a verb or a possessive of a person follows it."""
    if name.lower() in OPENERS or name.endswith(_COMMON_ENDINGS):
        return False
    after = text[end : end + 24]
    return after[:1] == ":" or _APPOSED.match(after) is not None or _AFTER_NAME.match(after) is not None


def _type_of(text: str, words: list[str], start: int, end: int) -> EntityType:
    """By its own words, then by those before it, then by those after it."""
    last, first = words[-1].lower().rstrip("."), words[0].lower()
    is_long = len(words) > 1
    if last in ORGANISATIONS or (is_long and first in ("university", "bank", "ministry", "department")):
        return EntityType.ORGANISATION
    if last in PLACES or (is_long and first in ("lake", "mount", "san", "saint", "new", "los", "las")):
        return EntityType.PLACE
    before = text[max(start - 28, 0) : start]
    if _HONORIFIC.search(before):
        return EntityType.PERSON
    if any(
        _stands_out(word) and not word.isupper() and "'" not in word and "-" not in word for word in words
    ):
        return EntityType.PRODUCT
    if _AS_PERSON.match(text, end) or (_KIN.search(before) and not words[0].isupper()):
        return EntityType.PERSON
    if _AT_WORK.search(before):
        return EntityType.ORGANISATION
    if _IN_PLACE.search(before):
        return EntityType.PLACE
    if _AS_TOOL.search(before):
        return EntityType.PRODUCT
    if len(words) == 1 and words[0].isupper():
        return EntityType.ORGANISATION
    if 2 <= len(words) <= 3 and not before.endswith("the ") and all(word[:1].isupper() for word in words):
        return EntityType.PERSON
    return EntityType.PERSON if text[end : end + 1] == ":" else EntityType.NAME


_OPENERS: Final = """
absolutely according actually additionally afterwards agreed almost already alright although always amazing anyway
apparently apply ask awesome awww aww basically besides bet bring bummer bye call can't change check cheers choose
click clearly come congrats congratulations consider cool could create currently cute damn dear decided definitely
despite done dude earlier either enjoy enough especially essentially even eventually every everyone everything exactly
excellent excited fair fantastic feel finally find fine first firstly follow fortunately from fun further furthermore
generally give glad go good goodbye goodnight gosh got gotcha great guess guys haha hah happy hard have hear hence
here hmm honestly hope hopefully how however huh hurray imagine important impressive indeed initially inside instead
interesting keep kind kinda know last lastly lately later learn let listen little look looking looks lots lovely love
luckily make many maybe mean meanwhile might mine miss moreover morning most mostly much nah neither never
nevertheless new next nice nobody none normally note nothing now obviously oh omg one open otherwise overall perfect
perhaps personally phew please plus possibly pretty previously probably proud put quick quite rather read really
recently regarding remember right sadly same say second secondly see seems seriously set several should show similarly
since skip slowly some somehow someone something sometimes soon sorry sounds start still stop such suddenly sup super
supposedly sure sweet take talk tell thank thankfully thanks then there therefore think third though thrilled today
together tomorrow tonight totally tried true truly try turn two typically unfortunately unless unlike update usually
wait want watch well welcome what whatever when whenever where wherever while whoa whoever why wish with without woah
wonder wonderful woohoo wow write yay yeah yep yes yesterday yet yo you're yup added fixed removed updated changed
moved renamed implemented run use using used build test tests install error warning info debug todo summary question
answer user assistant system human example examples step steps
"""
_NO_NAMES: Final = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
october november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec am pm ok lol
omg btw imo fyi tv dvd diy faq aka asap eta i i'm i've i'd i'll mr mrs ms dr christmas easter true false none null yes
no etc god ceo cto cfo coo vp phd msc bsc api url html css sql cpu gpu ram
"""
_ORGANISATIONS: Final = """
inc ltd llc gmbh corp corporation company co plc ag university college school institute institution foundation
association society bank ministry department agency council committee commission union club team group labs laboratory
laboratories hospital museum church court parliament senate party press records studios studio airlines international
holdings partners office bureau authority federation league academy orchestra
"""
_PLACES: Final = """
street road avenue lane square park river lake mount mountain mountains island islands bay beach valley county city
town village province state states republic kingdom sea ocean desert forest bridge station airport harbour harbor
coast canyon falls hill hills peninsula district tower palace castle cathedral
"""
OPENERS: Final = frozenset(_OPENERS.split())
"""Words that often open a sentence and name nothing."""
NO_NAMES: Final = frozenset(_NO_NAMES.split())
"""Capitalised words that are not entities: days, months, titles, abbreviations."""
ORGANISATIONS: Final = frozenset(_ORGANISATIONS.split())
"""Last words of an organisation's name."""
PLACES: Final = frozenset(_PLACES.split())
"""Last words of a place's name."""
