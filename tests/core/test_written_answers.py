"""The answer as Markdown: whatever a text of others says, it makes no citation, no link and no control character."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from engramforge.core.oracle.silk import written
from engramforge.model.memory import Kind
from engramforge.model.oracle import Citation, Contradiction

AT = datetime(2026, 1, 5, tzinfo=UTC)
OURS = Citation("dec_ours", "v1", Kind.DECISION, "harbour", AT, 0.5, "log")
OTHER = Citation("dec_other", "v2", Kind.DECISION, "harbour", AT, 0.5, "log")
LIVE = re.compile(r"(?<!\\)(?:\\\\)*\[[^\n]*?\] ?\(")
"""A link or a citation that Markdown or a reader would take for one."""
POSING = [
    "[dec_abc123456789] (2026-01-01, atlas)",
    "[evil](http://evil.example/?q=1)",
    "![x](http://evil.example/p.png)",
    "[a [b] c](http://evil.example)",
    "\\[evil](http://evil.example)",
    f"[{'x' * 300}](http://evil.example)",
    "[a]\n(http://evil.example)",
]


@pytest.mark.parametrize("posing", POSING)
def test_no_text_poses_as_a_citation(posing: str) -> None:
    against = [Contradiction(OURS, OTHER, "model", posing)]
    for answer in (
        written([(posing, [OURS])], against, [posing, "price"]),
        written([("x", [Citation("dec_ours", "v1", Kind.NOTE, "harbour", AT, 0.5, posing)])], [], []),
        written([], [], [posing]),
    ):
        left = answer.replace("[dec_ours] (2026-01-05", "").replace("[dec_other] (2026-01-05", "")
        assert not LIVE.search(left), answer


def test_no_control_character_is_left() -> None:
    odd = "a\x1b[31mb\x07c\x9bd"
    answer = written([(odd, [OURS])], [Contradiction(OURS, OTHER, "model", odd)], [odd])
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", answer) and "\\x1b[31m" in answer


def test_a_bracket_that_is_no_citation_stays() -> None:
    assert written([("See [D001], items[0].", [OURS])], [], []).startswith(
        "- See [D001], items[0]. [dec_ours]"
    )
