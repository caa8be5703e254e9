"""A memory in all thirteen spaces, and its surprise, on real stores."""

from __future__ import annotations

import math
import time
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

import engramforge
from engramforge.core.similarity.mixture import fit_mixture
from engramforge.errors import NotFound
from engramforge.forge import Forge
from engramforge.forge.one_thread import ONE_THREAD
from engramforge.model.embeddings.embedding import MemoryEmbeddings, SpaceEmbedding
from engramforge.model.spaces import REGISTRY, Space
from engramforge.recall.surprising import surprises
from engramforge.recall.surroundings import surroundings_of

from .conftest import START, tell

ODD = [
    "",
    "x",
    "🙂🙂🙂",
    "日本語の文章です",
    "ข้อความภาษาไทย",
    "a " * 3,
    "the the of",
    "wort" * 5_000,
    "def f(:\n  return ((",
]


def by_space(found: MemoryEmbeddings) -> dict[Space, SpaceEmbedding]:
    return {each.space: each for each in found.spaces}


def fill(forge: Forge, count: int = 60) -> None:
    """Minutes of a harbour office, much alike, one a minute."""
    boats = ["sloop", "ketch", "barge", "ferry", "tug", "yawl"]
    forge.remember_many(
        {
            "content": f"The {boats[place % 6]} paid for berth {place % 9} and left the pier before noon.",
            "project": "harbour",
            "session_id": "log",
            "sequence": place,
            "kind": "message",
            "valid_at": START + timedelta(minutes=place),
        }
        for place in range(count)
    )


def test_thirteen_rows_in_the_registry_s_order(told: Forge) -> None:
    memory = told.memories(limit=1)[0]
    found = told.embeddings(memory.id)
    assert [(each.number, each.space) for each in found.spaces] == [
        (row.number, row.space) for row in REGISTRY
    ]
    assert found.memory_id == memory.id
    assert found.around == 15
    for each in found.spaces:
        assert (each.surprise is None) == (each.norm is None) == (each.abstains is not None)
        assert each.surprise is None or 0 <= each.surprise <= 1
        assert each.norm is None or each.norm >= 0
        if each.abstains is None:
            assert each.encoder
            assert each.rows >= 1
            # Names have no vectors before upkeep has trained them.
            assert each.size >= 1 or each.space is Space.ENTITY
    spaces = by_space(found)
    assert spaces[Space.CODE].abstains == "it holds no code"
    assert spaces[Space.MULTIMODAL].abstains == "it carries no image"
    assert spaces[Space.TEMPORAL_RECENT].norm == pytest.approx(1)
    assert set(spaces[Space.SEMANTIC].calibrations) == {"query_to_memory", "memory_to_memory"}
    assert spaces[Space.TEMPORAL_RECENT].calibrations == {}


def test_code_says_its_language_and_whether_it_parsed(forge: Forge) -> None:
    whole = forge.remember("```python\ndef add(a, b):\n    return a + b\n```")
    broken = forge.remember("```python\ndef add(a, b:\n    return a +\n```")
    assert by_space(forge.embeddings(whole.id))[Space.CODE].details == {
        "languages": ["python"], "snippets": 1, "parsed": True,
    }  # fmt: skip
    assert by_space(forge.embeddings(broken.id))[Space.CODE].details["parsed"] is False


def test_the_strange_is_more_surprising_than_the_usual(forge: Forge) -> None:
    fill(forge)
    usual = forge.remember(
        "The ferry paid for berth 3 and left the pier before noon.", project="harbour", session_id="log",
        sequence=60, valid_at=START + timedelta(minutes=60), kind="message",
    )  # fmt: skip
    strange = forge.remember(
        "Quantum chromodynamics explains why baryons\n- confine\n- quarks!", project="harbour", session_id="log",
        sequence=9_000, valid_at=START + timedelta(days=900, hours=7), kind="message",
    )  # fmt: skip
    first, other = by_space(forge.embeddings(usual.id)), by_space(forge.embeddings(strange.id))
    for space in (
        Space.SEMANTIC,
        Space.TEMPORAL_RECENT,
        Space.TEMPORAL_POSITIONAL,
        Space.SPARSE_LEXICAL,
        Space.HYPERDIMENSIONAL,
        Space.LATE_INTERACTION,
        Space.SPARSE_EXPANSION,
    ):
        low, high = first[space].surprise, other[space].surprise
        assert low is not None
        assert high is not None
        assert low < high, space
    # A word that five others hold is no distance away; one that nobody knows is as far as can be.
    assert first[Space.LATE_INTERACTION].surprise == 0
    assert first[Space.SPARSE_EXPANSION].surprise < 0.6  # type: ignore[operator]
    assert other[Space.SPARSE_EXPANSION].surprise > 0.9  # type: ignore[operator]


def test_alone_nothing_can_be_told(forge: Forge) -> None:
    memory = forge.remember("The sloop paid for berth nineteen.", session_id="log", sequence=1)
    found = forge.embeddings(memory.id)
    assert found.around == 0
    assert {each.surprise for each in found.spaces if each.abstains is None} == {0.5}


def test_versions_and_unknown_ids(forge: Forge) -> None:
    fill(forge, 12)
    first = forge.memories(limit=1)[0]
    second = forge.revise(first.id, "The ferry never paid.")
    assert forge.embeddings(first.id).memory_id == first.id
    assert forge.embeddings(first.logical_id).memory_id == second.id
    # Its own other versions are not what is around it.
    assert forge.embeddings(second.id).around == forge.embeddings(first.id).around == 11
    with pytest.raises(NotFound):
        forge.embeddings("00000000-0000-7000-8000-000000000000")


def test_another_agent_s_memories_are_not_around(tmp_path: Path) -> None:
    with engramforge.open(tmp_path, agent="one") as mine, engramforge.open(tmp_path, agent="two") as theirs:
        fill(theirs, 20)
        memory = mine.remember("The ferry paid.", project="harbour")
        assert mine.embeddings(memory.id).around == 0
        with pytest.raises(NotFound):
            theirs.embeddings(memory.id)


def test_both_engines_say_the_same(tmp_path: Path, postgres_url: str) -> None:
    found = []
    for place in (str(tmp_path), postgres_url):
        with engramforge.open(place) as forge:
            tell(forge)
            fill(forge, 30)
            memory = next(each for each in forge.memories(limit=100) if "cello ahead" in each.content)
            found.append(
                [(each.space, each.norm, each.surprise) for each in forge.embeddings(memory.id).spaces]
            )
    for first, other in zip(*found, strict=True):
        assert first == pytest.approx(other, abs=1e-9) if None in first[1:] else first[0] == other[0]
        assert first[1] == pytest.approx(other[1])
        # The newest memories are the same; their order of writing may differ within a transaction.
        assert first[2] == pytest.approx(other[2], abs=0.02)


@pytest.mark.parametrize("content", [text for text in ODD if text.strip()])
def test_odd_contents_have_numbers_or_abstain(forge: Forge, content: str) -> None:
    fill(forge, 20)
    memory = forge.remember(content, project="harbour")
    for each in forge.embeddings(memory.id).spaces:
        assert each.abstains is not None or (each.surprise is not None and 0 <= each.surprise <= 1)
        assert each.norm is None or math.isfinite(each.norm)
    others = [each for each in forge.memories(limit=30, project="harbour") if each.id != memory.id]
    for each in forge.embeddings(others[0].id).spaces:
        assert each.surprise is None or 0 <= each.surprise <= 1


@pytest.mark.timed
def test_one_pass_over_a_thousand_memories_is_fast(forge: Forge) -> None:
    fill(forge, 1_100)
    memory = forge.memories(limit=1)[0]
    parts = forge._stages
    seconds = []
    for _ in range(5):
        began = time.process_time()
        # As the verb does: what its threads spin while they wait for a core is no work.
        with ONE_THREAD:
            around = surroundings_of(parts.door, forge._scope, memory, parts.clock())
            surprises(around, parts.encoder.table, parts.encoder.part_encoders())
        seconds.append(time.process_time() - began)
    assert len(around.memories) == 1_000
    assert min(seconds) < 0.3


def test_the_mixture_of_a_real_sample_finds_its_own_usual(told: Forge) -> None:
    parts = told._stages
    around = surroundings_of(parts.door, told._scope, told.memories(limit=1)[0], parts.clock())
    vectors = np.array([each.vector for each in around.embeddings if each.vector is not None], np.float32)
    assert fit_mixture(vectors / np.linalg.norm(vectors, axis=1, keepdims=True)) is not None
