"""The scopes of a search on every face: memories, threads, decisions, lineage."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from engramforge.core.checks.validation import check_word
from engramforge.errors import InvalidValue
from engramforge.model.memory import Kind


class SearchScope(StrEnum):
    """What a search looks through."""

    MEMORIES = "memories"
    THREADS = "threads"
    DECISIONS = "decisions"
    LINEAGE = "lineage"


_KINDS: Final[Mapping[SearchScope, Kind]] = {
    SearchScope.THREADS: Kind.THREAD,
    SearchScope.DECISIONS: Kind.DECISION,
    SearchScope.LINEAGE: Kind.LINEAGE,
}


def kinds_within(scope: SearchScope | str | None, has_kinds: bool) -> tuple[str, ...] | None:
    """The kinds that a scope narrows a search to; None if it does not.

    `has_kinds`: whether the caller also names kinds.

    Raises InvalidValue: there is no such scope, or a registry's is given together with kinds.
    """
    if scope is None:
        return None
    if scope == "topics":
        raise InvalidValue(
            "The scope topics is not there yet: no topics are found in memories so far",
            f"Search one of {', '.join(SearchScope)}",
        )
    chosen = check_word(SearchScope, scope, "scope")
    if chosen is SearchScope.MEMORIES:
        return None
    if has_kinds:
        raise InvalidValue(f"The scope {chosen} is given together with kinds", "Give one of the two")
    return (str(_KINDS[chosen]),)
