"""What a text says of two of its entities, as triples, by rules: "X works at Y", "X is the Y of Z", "X depends on Y".

A rule reads what stands between two names in a sentence, so a triple is as reliable as its wording.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from engramforge.core.entities.naming import READ_CHARACTERS, entities_in, name_key
from engramforge.core.text.words import STOP_WORDS
from engramforge.model.entity import Entity, EntityType, Triple

MOST_TRIPLES: Final = 64
_GAP: Final = 60
_ARTICLE: Final = r"(?:(?:the|a|an|our|my|his|her|their) )?"
_OF_TIME: Final = r"(?:(?:now|still|also|currently|always|just|both) )?"

_BETWEEN: Final = tuple(
    (relation, re.compile(rf"\s{_OF_TIME}(?:{wording}) {_ARTICLE}$"))
    for relation, wording in (
        ("WORKS_AT", r"(?:works?|worked|is working|was working) (?:at|for|in)|(?:has )?joined|is employed (?:at|by)"),
        ("WORKS_WITH", r"(?:works?|worked) (?:together )?with"),
        ("LIVES_IN", r"(?:lives?|lived|is living|resides|moved|grew up|was raised|settled) (?:in|to)"),
        ("COMES_FROM", r"was born (?:in|at)|comes? from|is from|was from"),
        ("LOCATED_IN", r"is (?:located|based|situated|headquartered) (?:in|at|near)|lies in"),
        ("VISITED", r"(?:visited|visits|went to|travell?ed to|flew to|is going to)"),
        ("MARRIED_TO", r"(?:is|was|got)? ?married(?: to)?"),
        ("KNOWS", r"(?:knows|knew|met|meets)"),
        ("FOUNDED", r"(?:founded|co-founded|started|established)"),
        ("CREATED", r"(?:created|built|wrote|made|designed|developed|invented|painted|composed|directed)"),
        ("OWNS", r"(?:owns|owned|bought|acquired|has bought)"),
        ("DEPENDS_ON", r"(?:depends|depended|relies|relied|is based|is built|builds|runs) (?:on|upon)(?: top of)?"),
        ("REQUIRES", r"(?:requires|needs|required|needed)"),
        ("USES", r"(?:uses|used|is using|was using|utilizes|employs)"),
        ("IMPORTS", r"(?:imports|includes|loads)"),
        ("CALLS", r"(?:calls|invokes|called)"),
        ("REPLACES", r"(?:replaces|replaced|supersedes|superseded)"),
        ("PART_OF", r"(?:is|was|are) (?:a )?(?:part|member|component|module) of|belongs to"),
        ("LEADS", r"(?:leads|led|runs|heads|manages|managed)"),
        ("LIKES", r"(?:likes|loves|liked|loved|enjoys|enjoyed|prefers)"),
        ("CONTAINS", r"(?:contains|has|holds|consists of)"),
        ("CAUSES", r"(?:causes|caused|breaks|broke|triggers|triggered)"),
        ("FIXES", r"(?:fixes|fixed|resolves|resolved|closes|closed)"),
    )
)  # fmt: skip
_ROLE_OF: Final = re.compile(
    rf"\s(?:is|was|became|,) {_OF_TIME}{_ARTICLE}([\w-]+(?: [\w-]+)?) (?:of|at|for) {_ARTICLE}$"
)
_APPOSED: Final = re.compile(r",\s(?:the |a |an )?([\w-]+(?: [\w-]+)?) (?:of|at) (?:the )?$")
_KINSHIP: Final = re.compile(
    r"['\u2019]s? (brother|sister|mother|father|mom|dad|mum|son|daughter|wife|husband|friend|boss|colleague|partner"
    r"|uncle|aunt|cousin|neighbou?r|dog|cat|team|manager|teacher|doctor|company)(?: is| was|,)? $"
)
_KIND_OF: Final = re.compile(r"\s(?:is|was) (?:an?|the) ((?:[a-z-]+ ){0,2}[a-z-]{3,})\b(?! of\b)")
_FIRST_PERSON: Final = re.compile(r"\bI(?:'m| am|'ve| have)?(?= )")
_NO_ROLES: Final = ("part", "member", "component", "module", "one", "some", "all", "most", "out", "kind")
_SENTENCE_BREAK: Final = re.compile(r"[.!?\n](?:\s|$)|;")
_PLAIN: Final = re.compile(
    r"\b([a-z][\w.-]{1,40}) (?P<verb>depends on|relies on|requires|uses|imports|calls|replaces|is part of) "
    r"(?:the )?([A-Za-z][\w.-]{1,40})\b"
)
_PLAIN_RELATIONS: Final = {
    "depends on": "DEPENDS_ON", "relies on": "DEPENDS_ON", "requires": "REQUIRES", "uses": "USES",
    "imports": "IMPORTS", "calls": "CALLS", "replaces": "REPLACES", "is part of": "PART_OF",
}  # fmt: skip


def triples_in(text: str, speaker: str | None = None) -> list[Triple]:
    """What the text says of its entities, distinct, in order, at most 64.

    `speaker`: who "I" is; without one, what is said of "I" is left out.
    """
    text = text[:READ_CHARACTERS]
    found = dict.fromkeys(_all(text, entities_in(text, speaker), speaker))
    return list(found)[:MOST_TRIPLES]


def _all(text: str, entities: Sequence[Entity], speaker: str | None) -> Iterator[Triple]:
    # Each entity occurs once; every place where it is named counts as a head or tail.
    before: Triple | None = None
    for number, entity in enumerate(entities):
        joined = _joined(text, before, entity, entities[number + 1 : number + 2])
        before = None
        for other in entities[number + 1 : number + 3]:
            for triple in joined if joined else _between(text, entity, other):
                before = before or triple
                yield triple
            joined = []
        yield from _kind_of(text, entity)
    if speaker:
        yield from _of_speaker(text, entities, name_key(speaker))
    yield from _of_plain_words(text)


def _joined(text: str, before: Triple | None, entity: Entity, after: Sequence[Entity]) -> list[Triple]:
    """X works at Y and lives in Z: the head goes on."""
    if before is None or before.tail != entity.key or not after:
        return []
    gap = text[entity.end : after[0].start]
    match = _AND.match(gap)
    relation = _relation_of(gap[match.end() - 1 :]) if match and len(gap) <= _GAP else None
    return [Triple(before.head, relation, after[0].key)] if relation else []


_AND: Final = re.compile(r",? (?:and|but) (?:(?:he|she|they|it|also) )?")


def _between(text: str, entity: Entity, other: Entity) -> Iterator[Triple]:
    gap = text[entity.end : other.start]
    if not 1 < len(gap) <= _GAP or _SENTENCE_BREAK.search(gap):
        return
    gap = gap.removeprefix("`").removesuffix("`")
    if kin := _KINSHIP.match(gap):
        yield Triple(other.key, f"{kin[1].upper()}_OF", entity.key)
        return
    role = _ROLE_OF.match(gap) or _APPOSED.match(gap)
    if role and role[1] not in _NO_ROLES:
        yield Triple(entity.key, f"{role[1].replace(' ', '_').replace('-', '_').upper()}_OF", other.key)
        return
    if relation := _relation_of(gap):
        yield Triple(entity.key, relation, other.key)


def _relation_of(gap: str) -> str | None:
    return next((relation for relation, wording in _BETWEEN if wording.match(gap)), None)


def _kind_of(text: str, entity: Entity) -> Iterator[Triple]:
    """X is a Y, for a common noun Y."""
    match = _KIND_OF.match(text, entity.end)
    if match and entity.type is not EntityType.TITLE:
        words = match[1].split()
        while words and words[-1] in STOP_WORDS:
            words.pop()
        if words and not set(words) & STOP_WORDS:
            yield Triple(entity.key, "IS_A", " ".join(words))


def _of_speaker(text: str, entities: Sequence[Entity], speaker: str) -> Iterator[Triple]:
    """I work at Y: the same rules, with the verb of the third person."""
    for match in _FIRST_PERSON.finditer(text):
        for other in entities:
            if match.end() < other.start <= match.end() + _GAP:
                gap = text[match.end() : other.start]
                if not _SENTENCE_BREAK.search(gap) and other.key != speaker:
                    ways = (_relation_of(said) for said in (gap, f" is{gap}", _THIRD.sub(r"\1s", gap, 1)))
                    if relation := next(filter(None, ways), None):
                        yield Triple(speaker, relation, other.key)
                break


_THIRD: Final = re.compile(rf"^(\s{_OF_TIME}[a-z]+)(?=\s)")


def _of_plain_words(text: str) -> Iterator[Triple]:
    """Software components are often written in lower case: "billing depends on redis"."""
    for match in _PLAIN.finditer(text):
        head, tail = name_key(match[1]), name_key(match[3].rstrip("."))
        if head not in STOP_WORDS and tail not in STOP_WORDS and head != tail and len(tail) > 1:
            yield Triple(head, _PLAIN_RELATIONS[match["verb"]], tail)
