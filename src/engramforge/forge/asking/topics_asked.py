"""A recall of topics in place of memories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from engramforge.core.checks.validation import check_query
from engramforge.errors import InvalidValue, NotFound
from engramforge.model.search.hit import Recall
from engramforge.recall.request import moment

if TYPE_CHECKING:
    from engramforge.forge.scoped import ScopedVerbs

_TAKEN: Final = frozenset({"self", "query", "project", "limit", "now", "scope", "budget", "query_embedding"})
"""What such a recall takes, or may be told without effect."""
_MOST: Final = 10


def topics_recalled(given: Mapping[str, Any]) -> Recall:
    """The topics that fit a query, without hits.

    `given`: every argument of the recall. Raises InvalidValue: one of them is not for topics; InvalidContent.
    """
    from engramforge.forge.topics import TopicVerbs

    forge: ScopedVerbs = given["self"]
    foreign = [
        name for name, value in given.items() if name not in _TAKEN and value not in (None, (), [], "")
    ]
    if foreign:
        raise InvalidValue(
            f"The scope topics takes no {', '.join(sorted(foreign))}",
            "Give a query, a project and a limit alone",
        )
    if given["query"] is None:
        raise InvalidValue("Topics are asked for without words", "Give a query")
    query, note, found = check_query(given["query"]), "", []
    verbs = TopicVerbs(forge._stages, forge._scope)
    try:
        found = verbs.search(
            query, given["project"], limit=_MOST if given["limit"] is None else given["limit"]
        )
    except NotFound as error:
        note = str(error)
    return Recall(
        query=query,
        hits=(),
        searched=0 if note else sum(each.memories for each in verbs.tiers(given["project"])),
        budget=None,
        budget_used=0,
        left_out=0,
        as_of=moment(given["now"], "now") or forge._stages.clock(),
        note=note,
        topics=tuple(found),
    )
