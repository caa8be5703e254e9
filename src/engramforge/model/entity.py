"""Entities that texts mention, what is said of them, and what else is likely to be so. The glossary as code."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EntityType(StrEnum):
    """What kind of thing a name names; `name` where the rules cannot tell."""

    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    PRODUCT = "product"
    FILE = "file"
    IDENTIFIER = "identifier"
    HOST = "host"
    HANDLE = "handle"
    TICKET = "ticket"
    VERSION = "version"
    TITLE = "title"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing that a text mentions by name.

    `name`: as written. `key`: what it is matched by: case-folded, without possessive, article and repeated space.
    `start`, `end`: where it stands in the text, half open.
    """

    name: str
    key: str
    type: EntityType
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Triple:
    """What is said of two things: head, relation, tail. Both ends are keys; the relation is in upper-case words."""

    head: str
    relation: str
    tail: str


@dataclass(frozen=True, slots=True)
class PredictedLink:
    """A link that is likely and not there.

    `head`, `tail`: logical ids. `distance`: ||h + r - t|| of TransE, at least 0: small is likely; comparable within one
    answer only.
    """

    head: str
    relation: str
    tail: str
    distance: float


@dataclass(frozen=True, slots=True)
class RelationsReport:
    """What a refresh of the relational spaces did.

    `nodes`, `links`: of the graph, all there are. `placed`: memories whose E8 changed and was written. `entities`,
    `triples`: that E11 was trained on. `trained_anew`: E11 began from its seeds, under a new encoder id, and not from
    earlier vectors.
    """

    nodes: int
    links: int
    placed: int
    entities: int
    triples: int
    trained_anew: bool
