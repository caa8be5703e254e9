"""A cross-encoder by an ONNX model: what it says of pairs, and what is refused as none."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from engramforge.errors import ModelUnavailable, Stopped
from engramforge.model.embeddings.encoder_spec import EncoderKind, EncoderSpec
from engramforge.model.stopping import stopped_by
from engramforge.recall.intention.time_limit import TimeLimit
from engramforge.spaces.neural.cross_encoder import CrossEncoder

pytest.importorskip("fastembed")
onnx_models = pytest.importorskip("tests.onnx_models")


def _of(folder: Path) -> CrossEncoder:
    return CrossEncoder(EncoderSpec(EncoderKind.LOCAL, str(folder)))


@pytest.mark.parametrize("classes", [1, 2])
def test_it_scores_texts_by_one_logit_or_two(tmp_path: Path, classes: int) -> None:
    model = _of(onnx_models.build_cross_encoder(tmp_path / "model", classes))
    question = "where is my red car"
    texts = ["a dog", "the car", *["sleep"] * 20, "the car is red", "my red car is in the house " * 500]
    scores = model.scores(question, texts)
    assert scores[:2] + scores[22:23] == pytest.approx([0.5, 0.7311, 0.9526], abs=1e-4)
    assert set(scores[2:22]) == {0.5}
    assert 0.95 < scores[23] <= 1.0, "cut to what the model reads"
    assert model.scores("red " * 5_000, ["the car is red"])[0] > 0.9, (
        "a long question leaves room for the text"
    )
    assert model.scores(question, []) == []


def test_what_is_no_cross_encoder_is_refused_by_name(tmp_path: Path) -> None:
    broken = onnx_models.build_cross_encoder(tmp_path / "broken")
    (broken / "model.onnx").write_bytes((broken / "model.onnx").read_bytes()[:200])
    piped = onnx_models.build_cross_encoder(tmp_path / "piped")
    (piped / "config.json").unlink(missing_ok=True)
    os.mkfifo(piped / "config.json")
    for folder, fault in (
        (piped, "what is no file: config.json"),
        (tmp_path / "none", "is not there"),
        (broken, "cannot be loaded"),
        (onnx_models.build_cross_encoder(tmp_path / "apart", joins=False), "puts nothing between two texts"),
        (onnx_models.build_cross_encoder(tmp_path / "three", 3), "neither one number nor two"),
        (onnx_models.build_entailment(tmp_path / "judge"), "puts nothing between two texts"),
    ):
        with pytest.raises(ModelUnavailable, match=fault) as raised:
            _of(folder).scores("a car?", ["a dog", "a house"])
        assert "reranker" in str(raised.value)
    with pytest.raises(ModelUnavailable, match="fastembed has no model") as raised:
        CrossEncoder(EncoderSpec(EncoderKind.FASTEMBED, "Xenova/ms-marco-MiniLM-L-6")).load()
    assert "Did you mean fastembed:Xenova/ms-marco-MiniLM-L-" in str(raised.value.mend)


def test_it_is_stopped_amid_a_batch(tmp_path: Path) -> None:
    model = _of(onnx_models.build_cross_encoder(tmp_path / "model", endless=True))
    model.load()
    begun = time.monotonic()
    with pytest.raises(Stopped), TimeLimit(0.2) as limit, stopped_by(limit):
        model.scores("a car?", ["the car"])
    assert time.monotonic() - begun < 5
