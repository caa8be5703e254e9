"""E1 by ONNX models in a folder: real graphs through fastembed; sizes, cuts, and every fault by name."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from engramforge.errors import ModelUnavailable
from engramforge.model.embeddings.encoder_spec import ActiveEncoder, EncoderSpec, parse_spec
from engramforge.model.spaces import Space
from engramforge.spaces.chosen.choice import EncoderOptions
from engramforge.spaces.model_workshop import ModelWorkshop
from engramforge.spaces.neural.dense import DenseModel

pytest.importorskip("fastembed")
onnx_models = pytest.importorskip("tests.onnx_models")


def _local(folder: Path) -> EncoderSpec:
    return parse_spec(f"local:{folder}", "model_embedding")


def _meaning(folder: Path, dimensions: int | None = None):
    workshop = ModelWorkshop(EncoderOptions(dimensions))
    return workshop.meaning(workshop.look_up(Space.SEMANTIC, _local(folder)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return onnx_models.build_dense(tmp_path_factory.mktemp("dense"))


def test_meaning_without_a_word_in_common(folder: Path) -> None:
    meaning = _meaning(folder)
    kept = meaning.encode(["the automobile", "my physician", "a loaf of bread", "  "])
    assert kept[3] is None
    assert all(each is not None and each.dtype == np.int8 and each.shape == (48,) for each in kept[:3])
    assert all(int(np.abs(each).max()) == 127 for each in kept[:3] if each is not None)
    asked = meaning.encode_query("where is the car")
    assert asked is not None and asked.dtype == np.float32
    assert np.linalg.norm(asked) == pytest.approx(1, abs=1e-5)
    near = [
        float(asked @ each) / np.linalg.norm(each.astype(np.float32)) for each in kept[:3] if each is not None
    ]
    assert near[0] > 0.8
    assert max(near[1:]) < 0.5
    assert meaning.encode_query(" \n") is None
    assert meaning.encode([]) == []


def test_int8_keeps_the_cosine(folder: Path) -> None:
    exact = DenseModel(_local(folder), "model_embedding").vectors(["the boat is green", "a dog and a ship"])
    kept = _meaning(folder).encode(["the boat is green", "a dog and a ship"])
    for whole, small in zip(exact, kept, strict=True):
        assert small is not None
        cosine = float(whole @ small) / np.linalg.norm(whole) / np.linalg.norm(small.astype(np.float32))
        assert cosine > 0.999


def test_each_text_depends_on_itself_alone(folder: Path) -> None:
    texts = ["a car", "the dog was in the house and the doctor slept", "bread", "", "happy home " * 200]
    meaning = _meaning(folder)
    together, alone = meaning.encode(texts), [meaning.encode([text])[0] for text in texts]
    for first, other in zip(together, alone, strict=True):
        assert (first is None) == (other is None)
        assert first is None or np.abs(first.astype(int) - other.astype(int)).max() <= 1


@pytest.mark.parametrize("odd", ["x", "\U0001f600\U0001f680", "你好世界", "car " * 250_000, "\x00", "\ud800"])
def test_odd_texts(folder: Path, odd: str) -> None:
    (vector,) = _meaning(folder).encode([odd])
    assert vector is None or vector.any()


def test_longer_vectors_are_cut_and_the_id_says_so(tmp_path: Path) -> None:
    wide = onnx_models.build_dense(tmp_path / "wide", size=1_536)
    meaning = _meaning(wide)
    assert meaning.size == 1_024
    assert meaning.id.endswith("/1024of1536")
    shorter = _meaning(wide, 64)
    assert (shorter.size, shorter.id.rpartition("/")[2]) == (64, "64of1536")
    whole = DenseModel(_local(wide), "x").vectors(["my car"])[0][:64]
    query = shorter.encode_query("my car")
    assert query is not None
    assert query == pytest.approx(whole / np.linalg.norm(whole), abs=1e-5)


def test_a_model_that_pools_itself(tmp_path: Path) -> None:
    pooled = _meaning(onnx_models.build_dense(tmp_path / "pooled", pooled=True))
    assert pooled.size == 48
    near, far = pooled.encode(["glad", "cash"])
    asked = pooled.encode_query("happy")
    assert asked is not None and near is not None and far is not None
    assert asked @ near > 2 * abs(asked @ far)


def test_pooling_as_the_folder_says(tmp_path: Path) -> None:
    first = onnx_models.build_dense(tmp_path / "cls")
    (first / "1_Pooling").mkdir()
    (first / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    # The first token is [CLS], whose vector is zero in this model: so it has no signal, unlike the mean.
    assert _meaning(first).encode(["car"]) == [None]


def test_prompts_of_the_folder(tmp_path: Path) -> None:
    plain = onnx_models.build_dense(tmp_path / "plain")
    asking = tmp_path / "asking"
    shutil.copytree(plain, asking)
    prompts = {"prompts": {"query": "money ", "document": "bread "}}
    (asking / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    first, other = _meaning(plain), _meaning(asking)
    assert first.id != other.id
    assert other.encode(["car"])[0] == pytest.approx(first.encode(["bread car"])[0])
    assert other.encode_query("car") == pytest.approx(first.encode_query("money car"), abs=1e-5)


def test_the_id_is_of_the_contents_and_not_of_the_place(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "moved")
    assert _meaning(tmp_path / "moved").id == _meaning(folder).id
    assert _meaning(onnx_models.build_dense(tmp_path / "other", seed=8)).id != _meaning(folder).id
    assert str(tmp_path) not in _meaning(tmp_path / "moved").id


def test_many_threads_share_one_model(folder: Path) -> None:
    meaning = _meaning(folder)
    expected = meaning.encode_query("a happy dog")
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda: found.append(meaning.encode_query("a happy dog"))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(each == pytest.approx(expected, abs=1e-6) for each in found)


def test_another_model_than_the_store_s_is_refused(folder: Path) -> None:
    held = ActiveEncoder(f"local:{folder}", "semantic-1/local:0123456789abcdef/48", 48)
    with pytest.raises(ModelUnavailable, match=r"model_embedding.*engramforge reembed"):
        ModelWorkshop(EncoderOptions(), {Space.SEMANTIC: "model_embedding"}).meaning(held).encode(["car"])


def _fault(spec: str, dimensions: int | None = None) -> str:
    workshop = ModelWorkshop(EncoderOptions(dimensions), {Space.SEMANTIC: "model_embedding"})
    with pytest.raises(ModelUnavailable, match=r"model_embedding|embedding_dimensions") as caught:
        workshop.look_up(Space.SEMANTIC, parse_spec(spec, "model_embedding"))
    assert caught.value.mend
    return str(caught.value)


def test_faults_of_a_folder_are_named(tmp_path: Path) -> None:
    assert "is not there" in _fault(f"local:{tmp_path / 'nowhere'}")
    (tmp_path / "empty").mkdir()
    assert "holds no ONNX model" in _fault(f"local:{tmp_path / 'empty'}")
    several = tmp_path / "several"
    several.mkdir()
    for name in ("a.onnx", "b.onnx"):
        (several / name).write_bytes(b"x")
    assert "several" in _fault(f"local:{several}")
    bare = onnx_models.build_dense(tmp_path / "bare")
    (bare / "tokenizer.json").unlink()
    assert "lacks tokenizer.json" in _fault(f"local:{bare}")
    torn = onnx_models.build_dense(tmp_path / "torn")
    content = (torn / "model.onnx").read_bytes()
    (torn / "model.onnx").write_bytes(content[: len(content) // 2])
    assert "cannot be loaded" in _fault(f"local:{torn}")
    (torn / "model.onnx").write_bytes(b"")
    assert "cannot be loaded" in _fault(f"local:{torn}")
    garbled = onnx_models.build_dense(tmp_path / "garbled")
    (garbled / "tokenizer.json").write_text("{")
    assert "cannot be loaded" in _fault(f"local:{garbled}")


def test_more_dimensions_than_the_model_has(folder: Path) -> None:
    assert "48 dimensions, not 512" in _fault(f"local:{folder}", 512)


def test_a_model_that_gives_no_numbers(tmp_path: Path) -> None:
    import onnx
    from onnx import numpy_helper

    sick = onnx_models.build_dense(tmp_path / "sick")
    model = onnx.load(str(sick / "model.onnx"))
    table = numpy_helper.to_array(model.graph.initializer[0]).copy()
    table[:] = np.nan
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(table, "table"))
    onnx.save(model, str(sick / "model.onnx"))
    assert "no vectors of numbers" in _fault(f"local:{sick}")


def test_an_unknown_name_of_the_hub() -> None:
    said = _fault("fastembed:BAAI/bge-smal-en-v1.5")
    assert "Did you mean fastembed:BAAI/bge-small-en-v1.5?" in said


_PROGRAM = """
from engramforge.errors import ModelUnavailable
from engramforge.model.embeddings.encoder_spec import parse_spec
from engramforge.model.spaces import Space
from engramforge.spaces.chosen.choice import EncoderOptions
from engramforge.spaces.model_workshop import ModelWorkshop
workshop = ModelWorkshop(EncoderOptions(), {{Space.SEMANTIC: 'model_embedding'}})
try:
    workshop.look_up(Space.SEMANTIC, parse_spec({!r}, 'x'))
except ModelUnavailable as error:
    print(error)
"""


def test_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A hub at a port of this machine where nobody listens: what a machine without network sees.
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    program = _PROGRAM.format("fastembed:BAAI/bge-small-en-v1.5")
    environment = {
        "HF_ENDPOINT": f"http://127.0.0.1:{port}",
        "FASTEMBED_CACHE_PATH": str(tmp_path),
        "HOME": str(tmp_path),
        "PATH": "/usr/bin:/bin",
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        check=True,
    )
    assert "model_embedding" in done.stdout
    assert "cannot be downloaded" in done.stdout
    assert done.stderr == ""


def test_without_the_extra(folder: Path) -> None:
    program = "import sys; sys.modules['fastembed'] = None" + _PROGRAM.format(f"local:{folder}")
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert "model_embedding" in done.stdout
    assert "pip install 'engramforge[neural]'" in done.stdout
