"""The question itself among its answers: a prompt is captured before its session's tools ask in its words."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from engramforge.core.text.words import words_of
from engramforge.model.memory import Kind, Memory
from engramforge.model.search.hit import Recall

_JUST: Final = timedelta(minutes=10)
"""How long ago a prompt may have been captured that is taken for the question itself."""


def is_just_asked(query: str, memory: Memory, now: datetime) -> bool:
    """Whether a memory is the prompt that asks this, a short while before `now`."""
    if memory.kind is not Kind.PROMPT or abs(now - memory.valid_at) > _JUST:
        return False
    if words_of(query.casefold()) != words_of(memory.content.casefold()):
        return False
    from engramforge.core.injection.gate import only_asks  # few questions come so far, and it loads much

    return only_asks(memory.content)


def with_the_question_last(found: Recall, now: datetime) -> Recall:
    """An answer with the prompt that asks it behind all others: that something was asked answers nothing."""
    same = {each.memory.id for each in found.hits if is_just_asked(found.query, each.memory, now)}
    if not same:
        return found
    return replace(found, hits=tuple(sorted(found.hits, key=lambda each: each.memory.id in same)))
