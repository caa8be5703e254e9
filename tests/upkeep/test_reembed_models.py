"""Moving the spaces of a store to ONNX models in folders and back: E1, E5, E7, E10, E12 and E13 with real graphs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from engramforge.assembly import open_forge
from engramforge.errors import ModelUnavailable
from engramforge.model.spaces import Space

pytest.importorskip("fastembed")
onnx_models = pytest.importorskip("tests.onnx_models")

MODELS = {
    Space.SEMANTIC: onnx_models.build_dense,
    Space.CAUSAL: onnx_models.build_dense,
    Space.CODE: onnx_models.build_dense,
    Space.MULTIMODAL: onnx_models.build_clip,
    Space.LATE_INTERACTION: onnx_models.build_colbert,
    Space.SPARSE_EXPANSION: onnx_models.build_splade,
}
TEXTS = (
    "The automobile is in the home.",
    "A loaf of bread.",
    "My physician is glad.",
    "```python\nthe hound\n```",
)


@pytest.mark.parametrize("space", list(MODELS))
def test_there_and_back(space: Space, tmp_path: Path) -> None:
    folder = MODELS[space](tmp_path / "model")
    with open_forge(tmp_path / "home", environment={}) as forge:
        for text in TEXTS:
            forge.remember(text, project="p")
        (report,) = forge.reembed(space, f"local:{folder}")
        assert report.embedded == len(TEXTS)
        assert report.target.startswith(f"{space}-1/local:")
        assert forge.reembed(space, f"local:{folder}") == []
        forge.remember("The ship, and a vehicle.", project="p")
        found = forge.recall("Where is the car?", project="p")
        assert {hit.memory.content for hit in found.hits[:2]} <= {*TEXTS, "The ship, and a vehicle."}
        if space is Space.SEMANTIC:
            assert {hit.memory.content for hit in found.hits[:2]} == {TEXTS[0], "The ship, and a vehicle."}
        assert forge.check() == []
        (back,) = forge.reembed(space, "static")
        assert back.embedded == len(TEXTS) + 1
        assert forge.recall("Where is the automobile?", project="p").hits
        assert not any(status.differs for status in forge.encoders())


@pytest.mark.parametrize(
    "left_out",
    [
        {Space.CODE},
        set(),
    ],
)
def test_all_spaces_of_a_fresh_store(left_out: set[Space], tmp_path: Path) -> None:
    folders = {
        space: build(tmp_path / str(space)) for space, build in MODELS.items() if space not in left_out
    }
    environment = {f"ENGRAMFORGE_ENCODER_{space.upper()}": f"local:{path}" for space, path in folders.items()}
    with open_forge(tmp_path / "home", environment=environment) as forge:
        held = {status.space: status for status in forge.encoders()}
        assert all(held[space].held == f"local:{path}" for space, path in folders.items())
        for text in TEXTS:
            forge.remember(text, project="p")
        found = forge.recall("Where is the car?", project="p")
        assert found.hits[0].memory.content == TEXTS[0]
        assert forge.reembed() == []
    # Another process, settings without models: the store still compares by those that it holds.
    with open_forge(tmp_path / "home", environment={}) as forge:
        assert forge.recall("Where is the car?", project="p").hits[0].memory.content == TEXTS[0]
        moved = forge.reembed()
        assert {report.space for report in moved} == set(folders)
        shutil.rmtree(folders[Space.SEMANTIC])
        assert forge.recall("Where is the automobile?", project="p").hits[0].memory.content == TEXTS[0]


def test_one_setting_makes_e1_and_e5(tmp_path: Path) -> None:
    folder = onnx_models.build_dense(tmp_path / "model")
    with open_forge(tmp_path / "home", environment={"MODEL_EMBEDDING": f"local:{folder}"}) as forge:
        held = {status.space: status for status in forge.encoders()}
        assert held[Space.SEMANTIC].held == held[Space.CAUSAL].held == f"local:{folder}"
        assert held[Space.CAUSAL].setting == "model_embedding"
        assert str(held[Space.CAUSAL].held_id).startswith("causal-1/local:")
        told = "My physician slumber because the hound was in the house."
        forge.remember(told, project="p")
        forge.remember("The money is in the boat.", project="p")
        # Another word for the same: the model knows it.
        (match,) = (
            match
            for hit in forge.recall("Why did the doctor sleep?", project="p").hits
            if hit.memory.content == told
            for match in hit.matches
            if match.space is Space.CAUSAL
        )
        assert match.raw > 0.8
        assert forge.check() == []
    # The setting of E1 alone leaves E5 as it was.
    with open_forge(
        tmp_path / "own", environment={"ENGRAMFORGE_ENCODER_SEMANTIC": f"local:{folder}"}
    ) as forge:
        assert {status.space: status.held for status in forge.encoders()}[Space.CAUSAL] == "static"


def test_a_model_that_is_gone_is_named(tmp_path: Path) -> None:
    folder = onnx_models.build_dense(tmp_path / "model")
    environment = {"MODEL_EMBEDDING": f"local:{folder}"}
    with open_forge(tmp_path / "home", environment=environment) as forge:
        forge.remember(TEXTS[0], project="p")
    folder.rename(tmp_path / "elsewhere")
    with open_forge(tmp_path / "home", environment=environment) as forge:
        with pytest.raises(ModelUnavailable, match="model_embedding"):
            forge.recall("Where is the car?", project="p")
        assert [memory.content for memory in forge.memories()] == [TEXTS[0]]
    moved = {"MODEL_EMBEDDING": f"local:{tmp_path / 'elsewhere'}"}
    with open_forge(tmp_path / "home", environment=moved) as forge:
        assert next(iter(forge.encoders())).differs
        forge.reembed()
        assert forge.recall("Where is the car?", project="p").hits


@pytest.mark.parametrize("space", list(MODELS))
def test_a_store_moves_on_from_a_model_that_is_gone(space: Space, tmp_path: Path) -> None:
    folder = MODELS[space](tmp_path / "model")
    with open_forge(tmp_path / "home", environment={}) as forge:
        for text in TEXTS:
            forge.remember(text, project="p")
        forge.reembed(space, f"local:{folder}")
    shutil.rmtree(folder)
    with open_forge(tmp_path / "home", environment={}) as forge:
        with pytest.raises(ModelUnavailable, match=rf"encoder_{space}.*engramforge reembed"):
            forge.remember(
                "Glad because of bread.\n```python\nship\n```", project="p", images=[_picture(tmp_path)]
            )
        (report,) = forge.reembed()
        assert (report.space, report.embedded) == (space, len(TEXTS))
        forge.remember("Another loaf.", project="p")
        assert forge.recall("Where is the automobile?", project="p").hits
        assert forge.check() == []


def _picture(folder: Path) -> Path:
    from PIL import Image

    Image.new("RGB", (64, 48), "red").save(folder / "red.png")
    return folder / "red.png"


def test_images_are_read_again(tmp_path: Path) -> None:
    from PIL import Image

    folder = onnx_models.build_clip(tmp_path / "model")
    with open_forge(tmp_path / "home", environment={}) as forge:
        for colour in ("red", "green", "blue"):
            Image.new("RGB", (64, 48), colour).save(tmp_path / f"{colour}.png")
            forge.remember(f"Picture {colour[0]}.", project="p", images=[tmp_path / f"{colour}.png"])
        (report,) = forge.reembed("multimodal", f"local:{folder}")
        assert report.embedded == 3
        found = forge.recall("crimson", project="p")
        raw = {
            hit.memory.content: match.raw
            for hit in found.hits
            for match in hit.matches
            if match.space is Space.MULTIMODAL
        }
        assert raw["Picture r."] > 0.9
        assert all(value < 0.5 for content, value in raw.items() if content != "Picture r.")
