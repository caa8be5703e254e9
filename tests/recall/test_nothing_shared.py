"""A question that shares nothing with any memory gets no hit, rather than all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import engramforge


@pytest.mark.parametrize("query", ["🦑", "น้ำขึ้น"])
def test_no_hit_without_anything_shared(tmp_path: Path, query: str) -> None:
    with engramforge.open(tmp_path) as forge:
        forge.remember("The tide gauge stands at the pier.")
        forge.remember("Coffee at ten.", kind="message", session_id="s", sequence=1, speaker="Ada")
        assert forge.recall(query).hits == ()


@pytest.mark.parametrize(
    ("content", "query"),
    [("🦑 for lunch", "🦑"), ("港口的潮位計在碼頭", "潮位計"), ("วัดระดับน้ำขึ้นที่ท่าเรือ", "น้ำขึ้น")],
)
def test_other_scripts_are_found_by_their_own_signs(tmp_path: Path, content: str, query: str) -> None:
    with engramforge.open(tmp_path) as forge:
        forge.remember("The tide gauge stands at the pier.")
        forge.remember(content)
        assert [hit.memory.content for hit in forge.recall(query).hits][:1] == [content]
