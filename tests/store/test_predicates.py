"""Predicates that are kept for a scope say the same however the scope was written."""

from __future__ import annotations

from typing import Any

from engramforge.model.scope import Level, Scope
from engramforge.store.reading.predicates import visible


def _shown(scope: Scope) -> str:
    return str(visible(scope).compile(compile_kwargs={"literal_binds": True}))


def test_a_level_as_plain_text_opens_no_other_agent_s_memories() -> None:
    plain: Any = ("personal",)
    own = Scope(agent="ann", levels=(Level.PERSONAL,))
    visible.cache_clear()
    wanted = _shown(own)
    visible.cache_clear()
    # The two are equal, so what was built for the first is the answer to the second.
    assert _shown(Scope(agent="ann", levels=plain)) == wanted
    assert _shown(own) == wanted
