"""What a wiki note holds beside its prose: links to other notes, tags, observations and relations.

Reads Obsidian's links and tags, and basic-memory's `- [category] fact #tag` and `- relation [[Target]]`. No code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

RELATED: Final = "RELATES_TO"
"""The relation of a link that names none."""
RELATION_WORDS: Final = 3
"""A list item is a relation if at most this many words precede its link and nothing follows it."""
_CODE = re.compile(
    r"(?ms)^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[^\n]*$|\Z)|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`)"
    r"|%%.*?%%|<!--(?:(?!<!--).)*?-->"
)
_WIKI_LINK = re.compile(
    r"!?\[\[(?P<target>[^\[\]|#^\n]{0,300}?)\\?(?:#(?P<heading>[^\[\]|\n]{1,300}?))?\\?"
    r"(?:\|(?P<alias>[^\[\]\n]{0,300}))?\]\]"
)
_TAG = re.compile(r"(?<![^\s(\[,;>])#(?P<tag>(?:[^\W\d_]|\d(?=[\d/-]*+[^\W\d]))[\w/-]*+)")
_OBSERVATION = re.compile(
    r"(?m)^[ \t]*[-*+][ \t]+\[(?P<category>[^\[\]()\n]{2,40})\](?!\()[ \t]+(?P<fact>\S[^\n]*)$"
)
_RELATION = re.compile(
    r"(?m)^[ \t]*+[-*+][ \t]++(?P<relation>[\w \t-]{2,60}?)[ \t]*+(?P<link>\[\[[^\[\]\n]{1,600}\]\])"
    r"(?:[ \t]*+\([^()\n]*+\))?[ \t]*+$"
)


@dataclass(frozen=True, slots=True)
class WikiLink:
    """A link to another note.

    `target`: the note as it is named; never empty. `heading`, `alias`: the part of the note, and the words shown; empty
    if not given. `relation`: RELATES_TO, or what a list item says before the link.
    """

    target: str
    heading: str = ""
    alias: str = ""
    relation: str = RELATED


@dataclass(frozen=True, slots=True)
class Observation:
    """A fact of a list, with its category."""

    category: str
    fact: str


@dataclass(frozen=True, slots=True)
class WikiText:
    """What a note holds beside its prose, in order and without repetition."""

    links: tuple[WikiLink, ...] = ()
    tags: tuple[str, ...] = ()
    observations: tuple[Observation, ...] = ()


def read_wiki_text(text: str) -> WikiText:
    """The links, tags and observations of a note, without its front matter."""
    plain = _CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    links: dict[tuple[str, str], WikiLink] = {}
    typed = {match.start("link"): relation_of(match["relation"]) for match in _RELATION.finditer(plain)}
    for match in _WIKI_LINK.finditer(plain):
        if target := match["target"].strip():
            said = (match["heading"] or "").strip(), (match["alias"] or "").strip()
            link = WikiLink(target, *said, relation=typed.get(match.start()) or RELATED)
            links.setdefault((link.target, link.relation), link)
    named = _WIKI_LINK.sub(lambda match: " " * len(match[0]), plain)
    return WikiText(
        tuple(links.values()),
        tuple(dict.fromkeys(match["tag"].rstrip("/-") for match in _TAG.finditer(named))),
        tuple(
            Observation(match["category"].strip(), match["fact"].strip())
            for match in _OBSERVATION.finditer(plain)
            if match["category"].strip() and any(letter.isalpha() for letter in match["category"])
        ),
    )


def relation_of(words: str) -> str:
    """The words before a link as a relation, such as IS_PART_OF; empty if there are too many for one."""
    parts = re.findall(r"[A-Za-z][A-Za-z0-9]*", words.replace("_", " "))
    if not parts or len(parts) > RELATION_WORDS or not words.isascii():
        return ""
    return "_".join(parts).upper()[:64].rstrip("_")
