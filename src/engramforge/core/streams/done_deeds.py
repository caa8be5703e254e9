"""Whether a memory that nobody called resolved tells itself of something done, or a thread that was read from it is
closed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engramforge.core.registries.registration import evidence_of
from engramforge.core.registries.told_verbs import told_of
from engramforge.core.text.words import content_words, words_of
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import ThreadStatus

_SETTLED: Final = (Kind.LEARNING, Kind.DECISION)
_READ: Final = 400
"""Letters of a text that are read."""
_SUBJECT: Final = 2
"""Words before the verb of somebody who did something."""
_PASSIVE: Final = 8
_LEAVING_OPEN: Final = """
not no never nothing nobody none without half halfway partly partially almost nearly start started starts begin began
begun try tried trying attempted continued still yet will shall going plan planned plans planning todo should must need
needs needed want wants wanted hope hoped next tomorrow until till unfinished wip may might could would if when once
unless please let but except remains remaining being
"""
_OPEN: Final = frozenset(_LEAVING_OPEN.split())
"""What leaves open whether something is done."""
_BEFORE_NOUNS: Final = (
    "the a an this that these our its my their his her of with for in on to and or which who"
)
_ASIDE: Final = frozenset(_BEFORE_NOUNS.split())
"""Behind these a participle says what something is like, and not what was done."""
_NO_VERB: Final = re.compile(r"[^aeiouy]+ed|\w*eed")
"""A shed, seed."""
_HELPERS: Final = frozenset(
    ("was", "were", "been", "is", "are", "has", "have", "had", "got", "we've", "i've", "they've")
)
_DONE: Final = re.compile(
    r"(?i)\A\W{0,3}(?:done|finished|completed)\b|\b(?:is|are|was|were|been|now|all) (?:now |all |finally |already )?"
    r"(?:done|finished|completed|complete)\b(?= ?(?:[.,;!:)]|\Z))"
)


def tells_as_done(memory: Memory) -> bool:
    """Whether a memory says of itself that it is done: an action told as one that happened, or anything that is called
    done; not what is begun, wanted, denied or asked."""
    sentence = _settled(memory)
    is_action = memory.kind is Kind.ACTION
    return _DONE.search(sentence) is not None or (is_action and _happened(words_of(sentence)))


def is_past_event(memory: Memory) -> bool:
    """Whether a memory that serves no goal is told as something that happened: nobody is after that, whoever knows of
    it, and whatever is learned of it or decided."""
    return memory.kind in _SETTLED or (not memory.goal and _happened(words_of(_settled(memory))))


def _settled(memory: Memory) -> str:
    """The first sentence of a memory, if it leaves nothing open; else nothing."""
    text = memory.content[:_READ]
    sentence = re.split(r"(?<=[.!?])\s", text.strip(), maxsplit=1)[0]
    is_open = "?" in text or not _OPEN.isdisjoint(words_of(sentence)) or "n't" in sentence
    return "" if is_open or memory.kind is Kind.THREAD else sentence


def _happened(words: Sequence[str]) -> bool:
    """Whether the words of a sentence begin with who did something, if anybody, and what, or say that it was done."""
    for place, word in enumerate(words[:_PASSIVE]):
        before = words[place - 1] if place else ""
        # "Cut the rope" may be an order.
        bases = frozenset() if _NO_VERB.fullmatch(word) else told_of(word)
        if bases and word not in bases and before not in _ASIDE:
            return place <= _SUBJECT or before in _HELPERS
        if word.endswith("ing") and before in _HELPERS:
            return False
    return False


def is_closed_with(note: Memory, thread: Memory) -> bool:
    """Whether a thread was read from a note that says no more than it does, and is no longer open."""
    entry = thread.registration
    if thread.kind is not Kind.THREAD or entry is None or entry.status in (None, ThreadStatus.OPEN):
        return False
    evidence = evidence_of(entry)
    if evidence is None or evidence.message_id != note.logical_id:
        return False
    return set(content_words(words_of(note.content))) <= set(content_words(words_of(evidence.sentence)))
