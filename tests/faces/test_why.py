"""A question for a cause meets the cause, one for what came of it the effect."""

from __future__ import annotations

from pathlib import Path

import pytest

import engramforge

CAUSE = "The requests timed out because the connection pool was exhausted."
EFFECT = "Users complained because the requests timed out."
FRONTED = "Due to a burst pipe, the cellar stood under water."
AFTER = "The cellar stood under water, so we threw the old carpets away."


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Why did the requests time out?", CAUSE, EFFECT),
        ("What happened because the requests timed out?", EFFECT, CAUSE),
        ("How come the cellar stood under water?", FRONTED, AFTER),
        ("What came of the cellar standing under water?", AFTER, FRONTED),
        ("What did we do because the cellar stood under water?", AFTER, FRONTED),
    ],
)
def test_the_side_that_is_asked_for_stands_first(
    tmp_path: Path, question: str, first: str, second: str
) -> None:
    with engramforge.open(f"sqlite:///{tmp_path / 'memory.db'}") as em:
        em.remember_many(
            {"content": text} for text in (EFFECT, CAUSE, AFTER, FRONTED, "The pool opens at nine.")
        )
        hits = em.recall(question)
        assert [hit.excerpt for hit in hits][:2] == [first, second]
        assert hits.hits[0].signals["cause"] > 0 > hits.hits[1].signals["cause"]
