"""The static preset: all thirteen spaces registered, the silent ones said to be silent; the shipped
backgrounds."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engramforge.core.similarity.calibration import BUCKETS, FEWEST_PAIRS, Direction
from engramforge.errors import ModelUnavailable
from engramforge.indexing.encode import TextEncoder
from engramforge.model.spaces import REGISTRY, ROW_BY_SPACE, Space
from engramforge.spaces import backgrounds
from engramforge.spaces.backgrounds import shipped_calibrations
from engramforge.spaces.causal.causal_encoder import CausalEncoder
from engramforge.spaces.encoder import Abstaining, Documents
from engramforge.spaces.presets import comparing_spaces, static_part_encoders, static_preset
from engramforge.spaces.words.word_table import word_table

SILENT = {Space.CAUSAL, Space.CODE, Space.GRAPH, Space.HYPERDIMENSIONAL, Space.MULTIMODAL, Space.ENTITY}


def test_every_space_is_registered_in_order() -> None:
    preset = static_preset()
    assert list(preset) == [row.space for row in REGISTRY]
    assert {space for space, encoder in preset.items() if not encoder.active} == SILENT
    for space, encoder in preset.items():
        assert encoder.row is ROW_BY_SPACE[space]
        assert encoder.size <= encoder.row.declared_size
        assert (encoder.size > 0) == encoder.active


def test_ids_name_the_space_its_version_and_dimension_and_differ() -> None:
    ids = [encoder.id for encoder in static_preset().values()]
    assert len(set(ids)) == 13
    for encoder in static_preset().values():
        assert encoder.id.endswith(f"/{encoder.size}" if encoder.active else "/absent")


def test_four_spaces_compare_texts() -> None:
    assert comparing_spaces(static_preset()) == (
        Space.SEMANTIC,
        Space.SPARSE_LEXICAL,
        Space.LATE_INTERACTION,
        Space.SPARSE_EXPANSION,
    )


@pytest.mark.parametrize("space", sorted(SILENT))
def test_a_silent_space_gives_no_similarity(space: Space) -> None:
    text = TextEncoder()
    memories = text.encode(["because the index was missing", "def f(): return 1"])
    encoder, documents = static_preset()[space], Documents.of(text.table, memories)
    assert isinstance(encoder, Abstaining)
    assert encoder.encode(memories[0]) is None
    for found in (
        encoder.query_to_memories(text.encode_query("why?"), documents),
        encoder.memory_to_memories(memories[0], documents),
    ):
        assert found.present.tolist() == [False, False]
        assert found.values.tolist() == [0, 0]


def test_the_shipped_backgrounds_fit_the_encoders() -> None:
    calibrations = shipped_calibrations()
    ids = {space: static_preset()[space].id for space in comparing_spaces(static_preset())}
    ids |= {space: encoder.id for space, encoder in static_part_encoders().items()}
    ids |= {Space.CAUSAL: CausalEncoder(word_table()).id}
    # Vectors of the graph belong to a store's own links, and names to its people: there is nothing to ship.
    del ids[Space.GRAPH]
    assert {space for space, _ in calibrations} == set(ids)
    assert len(calibrations) == 2 * len(ids)
    for (space, direction), calibration in calibrations.items():
        assert calibration.encoder == ids[space]
        assert calibration.direction is direction
        assert len(calibration.shipped) == BUCKETS
        assert all(each is not None and each.pairs >= FEWEST_PAIRS for each in calibration.shipped)


def test_shipped_calibration_separates_an_answer_from_noise() -> None:
    text = TextEncoder()
    documents = Documents.of(
        text.table,
        text.encode(
            ["We repaired the broken lighthouse lamp", "Lunch is at noon on Friday", "Buy more printer paper"]
        ),
    )
    query = text.encode_query("who repaired the lighthouse lamp?")
    for space in comparing_spaces(static_preset()):
        found = static_preset()[space].query_to_memories(query, documents)
        calibration = shipped_calibrations()[space, Direction.QUERY_TO_MEMORY]
        similarity = calibration.apply(found.values, documents.lengths).similarity
        assert similarity[0] > calibration.high
        assert (similarity[1:] < calibration.high).all()


@pytest.mark.parametrize(
    "content", ["", "{}", '{"spaces": {"semantic": {"encoder": "x", "query_to_memory": []}}}']
)
def test_damaged_backgrounds_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    (tmp_path / backgrounds.FILE).write_text(content)
    monkeypatch.setattr(backgrounds, "files", lambda _: tmp_path)
    with pytest.raises(ModelUnavailable, match="backgrounds cannot be read"):
        shipped_calibrations.__wrapped__()


def test_the_shipped_file_holds_numbers_only() -> None:
    content = json.loads((Path(backgrounds.__file__).parent / backgrounds.FILE).read_text())
    for measured in content["spaces"].values():
        for direction in Direction:
            for each in measured[direction]:
                assert set(each) == {"quantiles", "scale", "pairs"}
                assert np.isfinite(each["quantiles"]).all()
