"""Which thing of a kind is used: a question names the kind, and what answers it names the thing, in other words.

"Which payment provider do we use?" is answered by "Payments go through Stripe". What is taken for an answer says all
the rest that is asked, and names a known thing of the kind, or says what the thing of that kind is, or puts what the
kind is for through, in or over something that is written like a name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from engramforge.core.conflicts.matters.alternative_kinds import NAMES_ONLY
from engramforge.core.conflicts.matters.alternatives import is_alternative
from engramforge.core.conflicts.matters.matter import PLACING, read_matter
from engramforge.core.conflicts.wording.frames import is_supposed
from engramforge.core.kinds.named_kinds import COMMON, kind_called, names_of
from engramforge.core.lenses.rejections import rejections_in
from engramforge.core.oracle.resonance import asked_words
from engramforge.core.ranking.question import FRAME_WORDS
from engramforge.core.text.dates import names_date
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import is_stop_word, root_of, words_of

STATEMENT: Final = 200
"""Characters of a statement; a longer text is about several things."""
_SENTENCES: Final = 3
_PHRASE: Final = 4
_TOKEN: Final = re.compile(r"[\w+#-]+(?:[.'][\w+#-]+)*")
_ASKING: Final = frozenset({"which", "what"})
_BEFORE: Final = frozenset({"in", "on", "with", "through", "to", "from", "over", "by", "via", "under"})
_AUXILIARY: Final = frozenset(
    {"do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "should", "must", "may", "can", "could",
     "will", "would", "shall"}
)  # fmt: skip
_TOOLS: Final = frozenset(
    map(root_of, ("provider", "service", "tool", "engine", "system", "platform", "tracker", "vendor", "host", "library",
     "framework", "server", "product", "software", "app", "gateway", "supplier", "store", "database", "queue"))
)  # fmt: skip
"""Words for a kind that say what it is for with the word before them."""
_PUT: Final = PLACING | frozenset(
    map(root_of, ("process", "route", "collect", "report", "handle", "store", "ship", "draw", "plan", "resize", "power",
     "measure", "flow", "publish", "render", "ingest", "queue", "log", "sign", "authenticate", "bill", "charge"))
)  # fmt: skip
_THROUGH: Final = frozenset(
    {"in", "on", "with", "through", "over", "by", "via", "to", "from", "into", "using"}
)
_IS: Final = re.compile(
    r"(?i)(?::|\b(?:is|are|remains|stays|becomes)(?: now| still)?) (?:a |an |the |our )?([\w+#-]+(?:\.[\w+#-]+)*)"
)
_KEPT_WHERE: Final = re.compile(
    r"(?i)\W*(?:(?:so|and|ok|wait)\W+)?(?:where|in what)(?:['\u2019]?(?:s|re)| (?:do|does|did|is|are|was|were))"
    r" (?:[\w'-]{1,20} ){0,5}?(?:stored?|persist(?:ed)?|saved?)\b[^?]{0,60}[? ]{0,6}\Z"
)
_OF_ALL_DATA: Final = re.compile(
    r"(?i)\b(?:storage|databases?|datastore|db|data|persistence|stor(?:e|ing))\b"
)
_IS_OURS: Final = re.compile(
    r"(?i)^\W*([\w+#.-]{1,40}(?: [\w+#.-]{1,40})?) (?:is|are|remains) (?:our|the) ([\w -]{2,40})"
)
_CUT: Final = re.compile(r";\s")
_OPEN: Final = re.compile(r"(?i)\A\W{0,3}(?:if|unless|suppose)\b|\?\s{0,4}\Z")
_NOT_NOW: Final = re.compile(
    r"(?i)\b(?:used to|stopped|formerly|previously|until (?!now\b|further\b)|neither|anything but|failed to|might)\b"
)
_MORE: Final = re.compile(r"(?i),|\b(?:now|(?<!anything )but)\b")
"""With these a part may say beside what was, or may be, what is."""
_PLACE: Final = re.compile(r"(?i)\b(?:in|on|at|of|for|between|from|to|with|by|under|behind)\b")
_POSSESSIVE: Final = re.compile(r"(?<![\w-])[\w-]{1,60}(?:'s|s')(?!\w)")


class AskedKind(NamedTuple):
    """What a question asks for by its kind. `called`: the words for it; `kind`: the known one, else empty; `of`: the
    stems of the rest that is asked."""

    called: tuple[str, ...]
    kind: str
    of: frozenset[str]


def asked_kind(query: str) -> AskedKind | None:
    """The kind of thing that a question asks for; None where it asks otherwise.

    >>> told = asked_kind("Which database holds the fares?")
    >>> told.called, told.kind, sorted(told.of)
    (('database',), 'store', ['fare'])
    >>> asked_kind("Which of them is it?"), asked_kind("What is a database?"), asked_kind("Where is the database?")
    (None, None, None)
    """
    tokens = _TOKEN.findall(query)
    words = [each.lower() for each in tokens]
    at = next((place for place in (0, 1) if words[place : place + 1] and words[place] in _ASKING), None)
    if at is None or (at == 1 and words[0] not in _BEFORE):
        return None
    following = words[at + 1 :]
    ends = next((place for place, word in enumerate(following[: _PHRASE + 1]) if word in _AUXILIARY), None)
    most = _PHRASE if ends is None else ends
    lengths = range(min(most, len(following)), 0, -1)
    told = next(((size, *kind_called(tuple(following[:size]))) for size in lengths
                 if kind_called(tuple(following[:size]))[1]), None)  # fmt: skip
    if told is None:
        if not ends or any(is_stop_word(word) or word in FRAME_WORDS for word in following[:ends]):
            return None
        told = ends, "", ends
    size, kind, count = told
    if any(map(is_stop_word, following[:size])):
        return None
    called = tuple(following[size - count : size])
    rest = [*following[: size - count], *following[size:]]
    stems = frozenset(map(root_of, asked_words(" ".join(rest)))) if rest else frozenset()
    return AskedKind(called, kind, stems - PLACING - _PUT - {root_of(word) for word in called})


def store_asked(query: str) -> AskedKind | None:
    """The kind of thing that a question asks for by what is kept in it; None where it asks otherwise.

    >>> store_asked("where do we store the fares?").kind, store_asked("where is the harbour?")
    ('store', None)
    """
    return None if _KEPT_WHERE.match(query) is None else AskedKind(("storage",), "store", frozenset())


def keeps_all(text: str) -> bool:
    """Whether a statement is of where data are kept, whatever they are.

    >>> keeps_all("sqlite for storage"), keeps_all("fares go to sqlite")
    (True, False)
    """
    return _OF_ALL_DATA.search(text) is not None


def names_one(asked: AskedKind, text: str) -> int:
    """How surely a statement names the thing of a kind that is asked for: 2 where it says the kind or what that is for,
    1 where it names one, 0 where it does not.

    >>> asked = asked_kind("Which payment provider do we use?")
    >>> names_one(asked, "Payments go through Klink."), names_one(asked, "Payments end at noon.")
    (2, 0)
    >>> names_one(asked_kind("Which harbour do we use?"), "Our harbour is Lorn. Bute was rejected.")
    2
    """
    return max((_names_one(asked, each) for each in _parts(text)), default=0)


def says_kind(asked: AskedKind, text: str) -> bool:
    """Whether a text speaks of a thing of the kind itself, not of what belongs to it, and of the rest that is asked.

    >>> asked = asked_kind("Which payment provider do we use?")
    >>> says_kind(asked, "The payment provider's form takes cards."), says_kind(asked, "A payment provider is chosen.")
    (False, True)
    """
    told = _roots(_POSSESSIVE.sub("", text))
    return {*map(root_of, asked.called)} <= told and asked.of <= told


def is_of_kind(asked: AskedKind, word: str) -> bool:
    """Whether a word of a question only names the kind, or that it is used."""
    return root_of(word) in {*map(root_of, asked.called)} | _PUT


def wider(asked: AskedKind) -> str:
    """A question for the names of a known kind, with the rest that is asked; empty where none is known."""
    names = [" ".join(name) for name in names_of(asked.kind)]
    return " ".join((*sorted(asked.of), *names)) if names else ""


def _parts(text: str) -> Iterator[str]:
    for sentence in sentences_of(text)[:_SENTENCES]:
        if len(sentence) <= STATEMENT:
            yield from _CUT.split(sentence)


def _names_one(asked: AskedKind, part: str) -> int:
    if not _tells(part):
        return 0
    matter = read_matter(part.replace(":", ","))
    stems = _roots(part)
    if matter.negated or not asked.of <= stems:
        return 0
    turned_down = {word for each in rejections_in(part) for word in words_of(each.what)}
    named = [word for word in _names(part) if turned_down.isdisjoint(words_of(word))]
    called = set(map(root_of, asked.called))
    if _is_told(called, part, named) or _is_put(asked.called, stems, part, named):
        return 2
    if any(_stands(name, matter.words, matter.named, turned_down) for name in names_of(asked.kind)):
        return 2 if called & stems and not called & asked.of else 1
    is_store = asked.kind == "store" and asked.of
    return int(bool(is_store) and any(map(_is_own_name, _placed(part, named))))


def _tells(part: str) -> bool:
    """Whether a part may say what is: it does not only ask, suppose, or tell of what was."""
    if _OPEN.search(part) is not None:
        return False
    return _MORE.search(part) is not None or not (is_supposed(part) or _NOT_NOW.search(part))


def _is_told(called: AbstractSet[str], part: str, named: Sequence[str]) -> bool:
    """Whether a part says what the thing of the kind is."""
    for found in _IS.finditer(part):
        if found[1] in named and called <= _roots(_subject(part[: found.start()])):
            return True
    ours = _IS_OURS.match(part)
    return ours is not None and any(each in named for each in ours[1].split()) and called <= _roots(ours[2])


def _subject(text: str) -> str:
    """What the words before a verb speak of, without what belongs to it or where it is."""
    return _POSSESSIVE.sub("", _PLACE.split(text)[0])


def _is_put(called: Sequence[str], stems: Collection[str], part: str, named: Sequence[str]) -> bool:
    """Whether a part puts what the kind is for through something that is written like a name."""
    for_what = set(map(root_of, called[:-1]))
    if not for_what or root_of(called[-1]) not in _TOOLS or not for_what <= set(stems):
        return False
    return bool(_placed(part, named))


def _placed(part: str, named: Sequence[str]) -> list[str]:
    """The names behind a verb of use and its preposition."""
    tokens = _TOKEN.findall(part)
    found = []
    for place, token in enumerate(tokens):
        before = [each.lower() for each in tokens[max(place - 4, 0) : place]]
        if token not in named or not before:
            continue
        preposition = next((at for at, each in enumerate(before[::-1][:2]) if each in _THROUGH), None)
        verbs = before if preposition is None else before[: len(before) - 1 - preposition]
        uses = {"use", "uses", "using"}.intersection(before[-2:])
        if uses or (preposition is not None and any(root_of(each) in _PUT for each in verbs[-2:])):
            found.append(token)
    return found


def _names(part: str) -> list[str]:
    """The tokens that are written like names: with a capital or a digit; the first one where it is no plain word."""
    return [
        token
        for token in _TOKEN.findall(part)
        if not token.islower()
        and any(map(str.isalpha, token))
        and not is_stop_word(token.lower())
        and not names_date(token.lower())
    ]


def _is_own_name(name: str) -> bool:
    """Whether a name is no plain word with a capital, and none of another kind of thing."""
    return not name[1:].islower() and not is_alternative(name)


def _stands(
    name: Sequence[str], words: Sequence[str], named: Collection[str], turned_down: AbstractSet[str]
) -> bool:
    if (name[0] in NAMES_ONLY or name[0] in COMMON) and name[0] not in named:
        return False
    if not turned_down.isdisjoint(name):
        return False
    size = len(name)
    return any(tuple(words[at : at + size]) == tuple(name) for at in range(len(words) - size + 1))


def _roots(text: str) -> set[str]:
    return set(map(root_of, words_of(text)))
