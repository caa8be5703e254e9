"""Predicates that are kept for a scope say the same however the scope was written."""

from __future__ import annotations

from typing import Any

from engramforge.model.scope import Level, Scope
from engramforge.store.reading.predicates import kept, visible


def _shown(scope: Scope) -> str:
    return str(visible(scope).compile(compile_kwargs={"literal_binds": True}))


def test_a_level_as_plain_text_opens_no_other_agent_s_memories() -> None:
    plain: Any = ["personal"]
    own, written = Scope(agent="ann", levels=(Level.PERSONAL,)), Scope(agent="ann", levels=plain)
    assert own == written and written.levels[0] is Level.PERSONAL
    # The first is built here, and the same for the other.
    assert _shown(written) == _shown(own)
    assert "agent = 'ann'" in _shown(own)


def test_only_short_lists_of_projects_stay_in_memory() -> None:
    built: list[Scope] = []
    keep = kept(lambda scope: built.append(scope) or len(built))
    short, long = (Scope(projects=tuple(f"p{n}" for n in range(size))) for size in (16, 17))
    assert [keep(short), keep(short), keep(Scope()), keep(Scope())] == [1, 1, 2, 2]
    assert [keep(long), keep(long)] == [3, 4]
