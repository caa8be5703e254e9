"""The prompt that asks is captured before its session's tools ask in its words: it is no answer to itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from engramforge.forge import Forge

ASKED = "who sharpens the skis of the ski school?"


def test_the_prompt_that_asks_is_last_among_its_answers(em: Forge) -> None:
    em.remember("Marta sharpens the skis of the ski school on Sundays.", project="atlas", kind="prompt")
    now = datetime.now(UTC)
    fresh = em.remember(ASKED, project="atlas", kind="prompt", session_id="now", valid_at=now)
    assert "Marta" in em.recall(ASKED).hits[0].memory.content
    assert em.recall(ASKED).hits[-1].memory.logical_id == fresh.logical_id
    # The words of a statement are no question, and an old question is part of the past.
    said = em.remember("The ski school has new skis", project="atlas", kind="prompt", valid_at=now)
    assert em.recall("The ski school has new skis").hits[0].memory.logical_id == said.logical_id
    later = now + timedelta(days=1)
    assert em.recall(ASKED, now=later).hits[0].memory.logical_id == fresh.logical_id


def test_the_oracle_does_not_rest_on_it(em: Forge) -> None:
    em.remember(ASKED, project="atlas", kind="prompt", session_id="now")
    answer = em.consult(ASKED)
    assert ASKED not in str(answer.nearest)
