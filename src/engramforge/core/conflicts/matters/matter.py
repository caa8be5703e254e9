"""What a sentence is about: the words of its main clause that neither choose, nor say how much, nor what was chosen.

A sentence is cut before what gives its reason ("because", "so that", "which") or explains it (behind a colon or a
semicolon). Of the rest the words with a meaning are its matter. Verbs that only put something in its place (use, keep,
store, run) are left out, as they say nothing of what it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engramforge.core.conflicts.matters.alternative_kinds import ALSO_FIRST
from engramforge.core.conflicts.statements import CHOOSING, COUNTS, KEPT, NEGATORS, STATING
from engramforge.core.conflicts.wording.frames import reported
from engramforge.core.conflicts.wording.phrasal import with_phrasal
from engramforge.core.text.words import is_stop_word, root_of, words_of

_REASON: Final = re.compile(
    r"(?i)[;:](?=\s)|\s\(|\s[-\u2013\u2014]\s|[.!?](?=\s)|,?\s(?:because|so that|in order to|due to|thanks to|although"
    r"|whereas|while|as long as|instead of|rather than|since|in favou?r of)\b|,\s(?:so|as|which|who|with|but|not|never"
    r"|no|for)\b"
)
UNIVERSAL: Final = frozenset(
    {"all", "every", "each", "any", "only", "never", "always", "everything", "no", "none", "both"}
)
PLACING: Final = CHOOSING | STATING | frozenset(
    map(root_of, ("have", "contain", "carry", "include", "be", "become", "remain", "exist", "consist", "come", "sit",
     "follow", "work", "do", "make", "let", "get", "apply", "stand", "belong", "reside", "stick", "standardise",
     "standardize", "decide", "agree", "settle", "rely", "base", "offer", "provide", "expose", "speak", "talk",
     "build", "implement", "develop", "create", "set", "represent", "model", "expressed", "handle", "manage",
     "practise", "practice", "written", "kept", "held", "built", "chosen", "done", "made", "taken", "sent", "given",
     "found", "lie", "serve", "ship", "deliver", "perform", "happen", "release"))
)  # fmt: skip
WEAK: Final = frozenset(
    map(root_of, ("one", "single", "every", "each", "own", "only", "always", "never", "new", "now", "current",
     "currently", "main", "default", "from", "just", "simply", "plain", "directly", "internally", "still", "already",
     "generally", "usually", "normally", "whole", "entire", "everything", "everywhere", "company", "team",
     "organisation", "organization", "wide", "throughout", "mode", "based", "approach", "model", "way", "style",
     "first", "instead", "exclusively", "solely", "enough", "sufficient", "suffice", "must", "shall", "may", "might",
     "should", "can", "will", "per", "via", "using", "project", "system", "allow", "permit", "required", "mandatory",
     "strictly", "consistently", "uniformly"))
)  # fmt: skip
CONTRASTS: Final = frozenset(
    map(root_of, ("staging", "production", "test", "tests", "testing", "development", "dev", "local", "laptop",
     "laptops", "demo", "sandbox", "preview", "mobile", "ios", "android", "web", "desktop", "admin", "internal",
     "external", "public", "private", "frontend", "backend", "legacy", "archive", "archived", "anonymous", "partner",
     "guest", "prototype", "experiment", "spike", "audit", "read", "write", "cached", "cache", "index", "indexed",
     "backup", "backed", "replica", "replicated", "exported", "export", "import", "imported", "temporary", "draft",
     "failed", "developer", "developers", "nightly", "emergency", "incoming", "outgoing", "inbound", "outbound",
     "input", "output", "primary", "secondary", "refresh", "benchmark", "benchmarks", "copy", "copied", "mirror",
     "mirrored", "evaluated", "considered", "discussed", "compared", "tried", "example", "examples", "documentation",
     "script", "scripts", "trial", "pilot", "shown", "show", "shows", "displayed", "display", "displays", "printed",
     "presented", "formatted", "deputy", "deputies"))
)  # fmt: skip
"""Words that set one of several of a kind apart from the others."""
_LONGEST: Final = 400
_WORDS: Final = 8_192
"""Characters of a text that count, and how many words are kept as they were told apart."""
_MOST_PARTS: Final = 6
_NO_LETTER: Final = re.compile(r"[\W\d_]")
_IS_NAME: Final = re.compile(r"[^\W\d_a-z]")


@dataclass(frozen=True, slots=True, eq=False)
class Matter:
    """A sentence's main clause. `words`: all, in order, without the parts of what is written as one; `stems`: theirs.

    `negated`: whether anything in it is negated. `is_universal`: it speaks of all of a kind. `named`: the words written
    like names. `text`: as it was written.
    """

    words: tuple[str, ...]
    stems: tuple[str, ...]
    negated: bool
    is_universal: bool
    named: frozenset[str]
    text: str

    def about(self, without: Collection[int] = (), generic: Collection[str] = ()) -> frozenset[str]:
        """Stems of what it is about; `without` the words at these places, and those stems that are `generic`."""
        return frozenset(
            stem
            for place, (word, stem) in enumerate(zip(self.words, self.stems, strict=True))
            if place not in without and stem not in generic and is_content(word, stem)
        )


@lru_cache(maxsize=_WORDS)
def is_content(word: str, stem: str) -> bool:
    """Whether a word says what something is about."""
    is_number = word[:1].isdigit() or word in COUNTS
    empty = is_number or is_stop_word(word) or word in NEGATORS or word in UNIVERSAL
    return not empty and stem not in PLACING and stem not in WEAK and len(word) > 1


@lru_cache(maxsize=KEPT)
def read_matter(text: str) -> Matter:
    """Read the main clause of a text.

    >>> sorted(read_matter("All user sessions are kept in Redis, so that they expire.").about())
    ['redi', 'session', 'user']
    """
    text = reported(text[:_LONGEST].strip())
    cut = _REASON.search(text, min(12, len(text)))
    main = text if cut is None else text[: cut.start()]
    words = with_phrasal(_whole(words_of(main)))
    named = {
        word
        for piece in re.finditer(r"\S+", main)
        if not (piece[0].isascii() and piece[0] == piece[0].lower()) and _IS_NAME.search(piece[0])
        for word in words_of(piece[0])
        if piece.start() > 0 or word not in ALSO_FIRST
    }
    return Matter(
        tuple(words),
        tuple(map(root_of, words)),
        any(word in NEGATORS for word in words),
        any(word in UNIVERSAL for word in words),
        frozenset(named),
        main,
    )


def _whole(words: Sequence[str]) -> list[str]:
    """The words without those that stand behind an identifier as its parts."""
    found: list[str] = []
    place = 0
    while place < len(words):
        word = words[place]
        found.append(word)
        place += 1 + _parts_behind(word, words[place + 1 : place + 1 + _MOST_PARTS])
    return found


def _parts_behind(word: str, following: Sequence[str]) -> int:
    """How many of the words that follow are the parts of one: "graphql", "graph", "ql"."""
    if not following:
        return 0
    first = following[0]
    if first.isalpha() and word.isalpha() and not word.startswith(first) and first != word[1:]:
        return 0  # as nearly always
    if following[:1] == [word[1:]]:  # "email", "mail"
        return 1
    letters = _letters(word)
    joined = ""
    for count, part in enumerate(following, 1):
        joined += _letters(part)
        if not letters.startswith(joined):
            break
        if joined == letters and (count > 1 or letters != word):
            return count
    return 0


def _letters(word: str) -> str:
    return word if word.isalpha() else _NO_LETTER.sub("", word)


def is_same_matter(
    one: Collection[str], other: Collection[str], is_one_universal: bool, is_other_universal: bool
) -> bool:
    """Whether two sets of words are about one matter: they share words, one alone says more, and what it says more
    sets it apart from nothing that the other speaks of, unless that one speaks of all of a kind.

    >>> is_same_matter({"user", "session"}, {"session"}, False, False)
    True
    >>> is_same_matter({"mobil", "app"}, {"admin", "app"}, False, False)
    False
    >>> is_same_matter({"stage", "cluster"}, {"cluster"}, False, False)
    False
    >>> is_same_matter({"stage", "cluster"}, {"cluster"}, False, True)
    True
    """
    mine, theirs = set(one), set(other)
    shared, more_here, more_there = mine & theirs, mine - theirs, theirs - mine
    if not shared or (more_here and more_there):
        return False
    if not (more_here or more_there):
        return True
    is_covered = is_other_universal if more_here else is_one_universal
    more = more_here or more_there
    return is_covered or (not more & CONTRASTS and len(more) <= max(2, len(shared)))
