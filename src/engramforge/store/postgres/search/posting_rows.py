"""Statements about postings: which of them a scope and a selection let count, and who has which terms.

A posting says itself of which level and project its memory is and whether the version ended, so these are parts of the
index's key; only where other agents have memories of their own does it take the memory to tell whose a posting is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.model.memory import Kind
from engramforge.model.scope import Level, Scope
from engramforge.store.reading.encoders import ENCODERS_MARK
from engramforge.store.rows import LEVEL_CODE

# Read once in a statement: what of the store decides which postings count, and by which encoders it compares now.
_TOLD: Final = (
    "WITH told AS MATERIALIZED (SELECT {hidden} AS is_hidden, {ended} AS may_end,"
    f" (SELECT value FROM mark WHERE tenant = %(tenant)s AND key = '{ENCODERS_MARK}') AS encoders) "
)
_POSTINGS: Final = (
    "SELECT (SELECT encoders FROM told), array_agg(memory_seq), array_agg(session_seq), array_agg(length),"
    " array_agg(term), array_agg(times) FROM ({found}) AS found"
)
POSTING_COLUMNS: Final = 6
_COUNTS: Final = "posting.tenant = %(tenant)s AND closed = ANY(ARRAY[false, (SELECT may_end FROM told)])"
_OF_TERMS: Final = (
    "SELECT posting.memory_seq, posting.session_seq, posting.length, posting.term, posting.times"
    f" FROM posting{{joined}} WHERE {_COUNTS} AND term = ANY(%(terms)s){{within}}"
)
# Only if some memories are hidden from the scope, whose words must not make a session stronger.
_ADMITTED: Final = (
    " JOIN memory ON memory.tenant = posting.tenant AND memory.seq = posting.memory_seq AND {timely}"
)
_OF_GROUP: Final = (
    f"SELECT memory_seq, {{place}} AS place FROM posting WHERE {_COUNTS}"
    " AND term = ANY(%(terms_{place})s){within} GROUP BY memory_seq HAVING count(*) = {count}"
)
_HAVING: Final = (
    ", named AS MATERIALIZED ({named}), found AS (SELECT memory.seq, memory.kind, memory.valid_at FROM memory{joined}"
    f" WHERE {{wanted}} AND memory.seq IN (SELECT memory_seq FROM named)"
    f" ORDER BY memory.kind <> '{Kind.DECISION}', memory.seq DESC LIMIT %(most)s)"
    " SELECT (SELECT encoders FROM told), array_agg(found.seq), array_agg(found.kind), array_agg(found.valid_at),"
    " array_agg(named.place) FROM found JOIN named ON named.memory_seq = found.seq"
)
ENDS_LATER: Final = (
    "EXISTS (SELECT 1 FROM memory WHERE tenant = %(tenant)s AND expired_at IS NULL"
    " AND invalid_at IS NOT NULL AND invalid_at > %(now)s)"
)
_NOBODY: Final = "false"


def of_terms(scope: Scope, projects: str | None, ended: str, timely: str) -> tuple[str, str]:
    """The statement for the postings of `terms`, and what stands before it.

    `projects`: the parameter with the keys of the scope's projects, if it names any. `ended`: whether versions ended on
    either axis can be selected. `timely`: the predicate of memories in scope and time.
    """
    within, others = _within(scope, projects), hidden(scope)
    found = _OF_TERMS.format(joined="", within=within)
    if others != _NOBODY:
        admitted = _OF_TERMS.format(joined=_ADMITTED.format(timely=timely), within=within)
        found += (
            f" AND NOT (SELECT is_hidden FROM told) UNION ALL {admitted} AND (SELECT is_hidden FROM told)"
        )
    return _TOLD.format(hidden=others, ended=ended), _POSTINGS.format(found=found)


def having(
    scope: Scope, projects: str | None, ended: str, counts: Sequence[int], joined: str, wanted: str
) -> str:
    """The statement for the memories that have all `terms_0`, or all `terms_1`, ...: so many as `counts` says."""
    within = _within(scope, projects)
    named = " UNION ALL ".join(
        _OF_GROUP.format(place=place, count=count, within=within) for place, count in enumerate(counts)
    )
    told = _TOLD.format(hidden=_NOBODY, ended=ended)
    return told + _HAVING.format(named=named, joined=joined, wanted=wanted)


def _within(scope: Scope, projects: str | None) -> str:
    """The scope's levels and projects as conditions on postings."""
    if projects is None and set(Level) <= set(scope.levels):
        return ""
    # Before a project even all levels are named, since the index leads to it through the level.
    levels = f" AND posting.level = ANY(CAST(ARRAY{level_codes(scope)} AS smallint[]))"
    return levels if projects is None else f"{levels} AND posting.project_seq = ANY({projects})"


def level_codes(scope: Scope) -> list[int]:
    """The scope's levels as postings have them."""
    return sorted(LEVEL_CODE[level] for level in scope.levels)


def hidden(scope: Scope) -> str:
    """A condition: whether postings of the scope's levels may be of memories that it does not admit, whatever their
    project: personal ones of other agents.

    Its values are `tenant` and `agent`.
    """
    if scope.every_agent or Level.PERSONAL not in scope.levels:
        return _NOBODY
    its = f"EXISTS (SELECT 1 FROM memory WHERE tenant = %(tenant)s AND level = '{Level.PERSONAL}'"
    # Each by itself, so that an index can answer it.
    return " OR ".join(f"{its} AND agent {than} %(agent)s)" for than in ("<", ">"))
