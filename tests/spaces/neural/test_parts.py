"""E7, E10, E12 and E13 by ONNX models in a folder: what they find, what they store, when they abstain, their faults."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from tests.spaces.test_multimodal import bomb

from engramforge.errors import InvalidValue, ModelUnavailable
from engramforge.model.embeddings.encoder_spec import ActiveEncoder, parse_spec
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.chosen.choice import EncoderOptions
from engramforge.spaces.encoder import Item, PartEncoder, Picture, Similarities
from engramforge.spaces.model_workshop import ModelWorkshop

pytest.importorskip("fastembed")
onnx_models = pytest.importorskip("tests.onnx_models")

BUILDERS = {
    Space.LATE_INTERACTION: onnx_models.build_colbert,
    Space.SPARSE_EXPANSION: onnx_models.build_splade,
    Space.MULTIMODAL: onnx_models.build_clip,
    Space.CODE: onnx_models.build_dense,
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[Space, Path]:
    return {space: build(tmp_path_factory.mktemp(str(space)) / "m") for space, build in BUILDERS.items()}


def _made(space: Space, folder: Path) -> tuple[PartEncoder, ActiveEncoder]:
    workshop = ModelWorkshop(EncoderOptions())
    active = workshop.look_up(space, parse_spec(f"local:{folder}", "x"))
    return workshop.part(space, active), active


def _compared(encoder: PartEncoder, query: Item, items: list[Item], of_memory: bool = False) -> Similarities:
    """As a store does it: parts of different lengths, filled up with zeros."""
    values = encoder.encode(items)
    present = np.array([each is not None for each in values])
    rows = max(each.shape[0] for each in values if each is not None)
    size = next(each.shape[1] for each in values if each is not None)
    batch = np.zeros((len(items), rows, size), np.int8)
    for place, each in enumerate(values):
        if each is not None:
            batch[place, : len(each)] = each
    if of_memory:
        (own,) = encoder.encode([query])
        assert own is not None
        return encoder.memory_to_memories(own, batch, present)
    asked = encoder.encode_query(query)
    assert asked is not None
    return encoder.query_to_memories(asked, batch, present)


@pytest.mark.parametrize("space", [Space.LATE_INTERACTION, Space.SPARSE_EXPANSION])
@pytest.mark.parametrize("of_memory", [False, True])
def test_texts_of_one_meaning_are_nearest(space: Space, of_memory: bool, folders: dict[Space, Path]) -> None:
    encoder, active = _made(space, folders[space])
    assert encoder.id == active.id
    texts = ["a loaf of bread", "the automobile is in the home", "my physician", " ", "the car"]
    found = _compared(encoder, Item("the vehicle"), [Item(text) for text in texts], of_memory)
    assert found.present.tolist() == [True, True, True, False, True]
    assert set(np.argsort(-found.values)[:2].tolist()) == {1, 4}
    assert np.isfinite(found.values).all()
    assert (np.abs(found.values) <= 1).all()


def test_every_part_fits_its_space(folders: dict[Space, Path]) -> None:
    for space, folder in folders.items():
        encoder, active = _made(space, folder)
        row = ROW_BY_SPACE[space]
        rows, size = encoder.shape
        assert encoder.row is row
        assert 0 < size <= row.declared_size
        assert rows == -1 or rows * size <= row.declared_size
        assert active.size == size
        assert active.id.startswith(f"{space}-1/local:")
        assert str(folder) not in active.id


@pytest.mark.parametrize(
    "odd", ["x", "\U0001f600", "你好世界 สวัสดี", "car " * 100_000, "\ud800", "!", "[MASK] [PAD]"]
)
@pytest.mark.parametrize("space", [Space.LATE_INTERACTION, Space.SPARSE_EXPANSION])
def test_odd_texts(space: Space, odd: str, folders: dict[Space, Path]) -> None:
    encoder, _ = _made(space, folders[space])
    (values,) = encoder.encode([Item(odd)])
    assert values is None or (values.ndim == 2 and len(values) <= 180)
    asked = encoder.encode_query(Item(odd))
    assert asked is None or np.isfinite(asked.values.astype(np.float32)).all()


def test_late_interaction_keeps_the_vectors_of_tokens(folders: dict[Space, Path]) -> None:
    encoder, _ = _made(Space.LATE_INTERACTION, folders[Space.LATE_INTERACTION])
    values = encoder.encode([Item("car dog bread")])[0]
    assert values is not None and values.dtype == np.int8
    assert values.shape[1] == 32
    assert (np.abs(values).max(axis=1) > 0).sum() >= 3
    asked = encoder.encode_query(Item("car dog bread"))
    assert asked is not None and not asked.scans
    exact = encoder.query_to_memories(asked, values[None], np.ones(1, np.bool_)).values[0]
    filled = np.concatenate((values, np.zeros((9, 32), np.int8)))
    same = encoder.query_to_memories(asked, filled[None], np.ones(1, np.bool_)).values[0]
    assert same == pytest.approx(exact)


def test_sparse_expansion_is_the_weighted_jaccard(folders: dict[Space, Path]) -> None:
    encoder, _ = _made(Space.SPARSE_EXPANSION, folders[Space.SPARSE_EXPANSION])
    values = encoder.encode([Item("car dog"), Item("automobile")])
    weights = []
    for each in values:
        assert each is not None and each.dtype == np.int8 and each.shape[1] == 4
        ids = each[:, 0].astype(int) + 128 * each[:, 1].astype(int) + 128 * 128 * each[:, 2].astype(int)
        assert (np.diff(ids) > 0).all()
        weights.append(dict(zip(ids.tolist(), each[:, 3].astype(float).tolist(), strict=True)))
    first, other = weights
    both = set(first) | set(other)
    expected = sum(min(first.get(i, 0), other.get(i, 0)) for i in both)
    expected /= sum(max(first.get(i, 0), other.get(i, 0)) for i in both)
    found = _compared(encoder, Item("car dog"), [Item("automobile")])
    assert found.values[0] == pytest.approx(expected, abs=1e-6)
    names = {onnx_models.VOCABULARY[i] for i in first}
    assert {"car", "automobile", "vehicle", "dog", "hound"} == names


def _png(colour: tuple[int, int, int], size: tuple[int, int] = (40, 30), kind: str = "PNG") -> bytes:
    from PIL import Image

    content = io.BytesIO()
    Image.new("RGB", size, colour).save(content, kind)
    return content.getvalue()


RED, GREEN, BLUE = _png((250, 5, 5)), _png((5, 250, 5)), _png((5, 5, 250), kind="JPEG")


def test_words_find_pictures_and_pictures_find_words(folders: dict[Space, Path]) -> None:
    encoder, _ = _made(Space.MULTIMODAL, folders[Space.MULTIMODAL])
    items = [
        Item("a", pictures=(Picture(GREEN),)),
        Item("b", pictures=(Picture(None, "the crimson boat"),)),
        Item("red is told in the text alone"),
        Item("c", pictures=(Picture(RED, "no word of its colour"),)),
        Item("d", pictures=(Picture(BLUE),)),
        Item("e", pictures=(Picture(None, "  "),)),
    ]
    for asked in (Item("red"), Item("", pictures=(Picture(RED),))):
        found = _compared(encoder, asked, items)
        assert found.present.tolist() == [True, True, False, True, True, False]
        assert set(np.argsort(-found.values)[:2].tolist()) == {1, 3}
        assert found.values[3] > 0.9 > 0.3 > found.values[0]
    assert encoder.encode_query(Item(" ")) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no picture",
        RED[: len(RED) // 2],
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"\x89PNG\r\n\x1a\n" + b"\0" * 99,
    ],
)
def test_a_picture_that_cannot_be_read(content: bytes, folders: dict[Space, Path]) -> None:
    encoder, _ = _made(Space.MULTIMODAL, folders[Space.MULTIMODAL])
    alone, captioned, second = encoder.encode(
        [
            Item("x", pictures=(Picture(content),)),
            Item("x", pictures=(Picture(content, "green"),)),
            Item("x", pictures=(Picture(content), Picture(RED))),
        ]
    )
    assert alone is None
    assert captioned is not None and captioned[0, 1] == 127
    assert second is not None and second[0, 0] == 127


def test_a_picture_that_would_take_gigabytes(folders: dict[Space, Path]) -> None:
    encoder, _ = _made(Space.MULTIMODAL, folders[Space.MULTIMODAL])
    assert encoder.encode([Item("x", pictures=(Picture(bomb(60_000, 60_000)),))]) == [None]


def test_code_by_a_model(folders: dict[Space, Path]) -> None:
    encoder, _ = _made(Space.CODE, folders[Space.CODE])
    items = [
        Item("text of a dog\n```python\nthe automobile\n```\nmore"),
        Item("the car, without any code"),
        Item("happy bread", language="python"),
        Item("```\n\n```"),
    ]
    found = _compared(encoder, Item("where is the car"), items)
    assert found.present.tolist() == [True, False, True, False]
    assert found.values[0] > 0.8 > found.values[2]


@pytest.mark.parametrize("space", list(BUILDERS))
def test_another_model_than_the_store_s_is_refused(space: Space, folders: dict[Space, Path]) -> None:
    _, active = _made(space, folders[space])
    held = ActiveEncoder(active.spec, active.id.replace("local:", "local:f00"), active.size)
    other = ModelWorkshop(EncoderOptions()).part(space, held)
    with pytest.raises(ModelUnavailable, match=rf"encoder_{space}.*engramforge reembed"):
        other.encode([Item("```\ncar\n```", pictures=(Picture(RED),))])


def test_faults_name_the_setting(tmp_path: Path) -> None:
    workshop = ModelWorkshop(EncoderOptions())
    nowhere = parse_spec(f"local:{tmp_path / 'nowhere'}", "x")
    for space in BUILDERS:
        with pytest.raises(ModelUnavailable, match=f"encoder_{space}"):
            workshop.look_up(space, nowhere)
    wide = onnx_models.build_colbert(tmp_path / "wide", 256)
    with pytest.raises(ModelUnavailable, match=r"encoder_late_interaction.*128"):
        workshop.look_up(Space.LATE_INTERACTION, parse_spec(f"local:{wide}", "x"))
    halves = onnx_models.build_clip(tmp_path / "halves", vision_size=12)
    with pytest.raises(
        ModelUnavailable, match=r"encoder_multimodal.*24 dimensions for text, 12 for pictures"
    ):
        workshop.look_up(Space.MULTIMODAL, parse_spec(f"local:{halves}", "x"))
    with pytest.raises(ModelUnavailable, match="encoder_multimodal"):
        workshop.look_up(Space.MULTIMODAL, parse_spec("fastembed:some/thing", "x"))
    dense = onnx_models.build_dense(tmp_path / "dense", 16)
    with pytest.raises(ModelUnavailable, match="encoder_multimodal"):
        workshop.look_up(Space.MULTIMODAL, parse_spec(f"local:{dense}", "x"))
    splade = onnx_models.build_splade(tmp_path / "splade")
    pooled = onnx_models.build_dense(tmp_path / "pooled", pooled=True)
    for space, folder, said in (
        (Space.SPARSE_EXPANSION, dense, "gives vectors, not weights"),
        (Space.SPARSE_EXPANSION, pooled, "gives vectors, not weights"),
        (Space.LATE_INTERACTION, splade, "not vectors"),
        (Space.LATE_INTERACTION, pooled, "one vector for a text"),
        (Space.SEMANTIC, splade, "not vectors"),
        (Space.CODE, splade, "not vectors"),
    ):
        with pytest.raises(ModelUnavailable, match=rf"encoder_{space} gives.*{said}|{said}.*encoder_{space}"):
            workshop.look_up(space, parse_spec(f"local:{folder}", "x"))
    with pytest.raises(InvalidValue, match="encoder_late_interaction"):
        workshop.look_up(Space.LATE_INTERACTION, parse_spec("openai:m", "x"))
    with pytest.raises(InvalidValue, match="graph"):
        workshop.look_up(Space.GRAPH, parse_spec("openai:m", "x"))
