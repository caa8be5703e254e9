"""The static model: read from the installed wheel, mapped, and clear about a missing or damaged file."""

from __future__ import annotations

import json
import random
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

import engramforge
from engramforge.core.text.words import words_of
from engramforge.errors import ModelUnavailable
from engramforge.spaces.words import static_model as module
from engramforge.spaces.words.static_model import TOKENIZER_FILE, WEIGHTS_FILE, StaticModel, static_model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A private copy of the two files, to damage."""
    installed = module._installed_folder()
    for name in (WEIGHTS_FILE, TOKENIZER_FILE):
        (tmp_path / name).parent.mkdir()
        shutil.copy(installed / name, tmp_path / name)
    return tmp_path


def test_it_reads_the_installed_files_once() -> None:
    model = static_model()
    assert model is static_model()
    assert model.vectors.shape == (32_000, 256)
    assert model.vectors.dtype == np.float16
    assert isinstance(model.vectors, np.memmap)
    assert not model.vectors.flags.writeable
    assert model.dimensions == 256
    assert model.id.startswith("l2-supercat-256@")


def test_wordllama_itself_is_never_imported() -> None:
    code = (
        "import sys, logging\n"
        "from engramforge.spaces.words.static_model import static_model\n"
        "static_model()\n"
        "assert 'wordllama' not in sys.modules\n"
        "assert not logging.getLogger().handlers\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.timed
def test_it_loads_fast_and_keeps_the_weights_out_of_private_memory() -> None:
    code = (
        "import time, numpy, psutil, gc\n"
        "before = psutil.Process().memory_full_info().uss\n"
        "start = time.perf_counter()\n"
        "from engramforge.spaces.words.static_model import static_model\n"
        "static_model()\n"
        "spent = time.perf_counter() - start\n"
        "gc.collect()\n"
        "print(spent, (psutil.Process().memory_full_info().uss - before) / 2**20)\n"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        for _ in range(3)
    ]
    seconds, megabytes = zip(*(map(float, run.stdout.split()) for run in runs), strict=True)
    assert min(seconds) < 0.3  # 0.07 to 0.15 on a machine of its own
    assert min(megabytes) < 60


@pytest.mark.parametrize(
    "word", ["harbour", "don't", "snake_case", "naïve", "漢字", "ไทย", "😀", "\u0928\u093f", "x" * 128]
)
def test_a_word_survives_its_tokens(word: str) -> None:
    model = static_model()
    (tokens,) = model.tokens_of([word])
    assert model.text_of(tokens) == word
    begins = model.starts_word[tokens]
    assert begins[0]
    assert not begins[1:].any()


def test_tokens_that_spell_nothing_do_no_harm() -> None:
    model = static_model()
    assert model.text_of([]) == ""
    assert model.text_of([243, 162]) == "\ufffd"
    assert model.text_of([60_000]) == ""
    assert not model.carries_meaning[[0, 1, 2, 243]].any()
    assert model.carries_meaning[model.tokens_of(["harbour"])[0]].all()


def test_rows_are_finite_float32() -> None:
    rows = static_model().rows(np.array([5, 500, 31_999]))
    assert rows.dtype == np.float32
    assert rows.shape == (3, 256)
    assert np.isfinite(rows).all()


def test_other_files_make_another_id(folder: Path) -> None:
    same = StaticModel(folder)
    assert same.id == static_model().id
    weights = bytearray((folder / WEIGHTS_FILE).read_bytes())
    weights[-256 * 2 * 125 :: 97] = bytes(len(weights[-256 * 2 * 125 :: 97]))
    (folder / WEIGHTS_FILE).write_bytes(weights)
    assert StaticModel(folder).id != same.id


@pytest.mark.parametrize("name", [WEIGHTS_FILE, TOKENIZER_FILE])
def test_a_missing_file_is_named_with_its_mend(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ModelUnavailable, match="missing") as caught:
        StaticModel(folder)
    assert Path(name).name in str(caught.value)
    assert "pip install" in caught.value.mend


@pytest.mark.parametrize("name", [WEIGHTS_FILE, TOKENIZER_FILE])
@pytest.mark.parametrize("damage", ["empty", "cut", "noise"])
def test_a_damaged_file_is_named_with_its_mend(folder: Path, name: str, damage: str) -> None:
    content = (folder / name).read_bytes()
    changed = {"empty": b"", "cut": content[: len(content) // 2], "noise": b"\x93" * len(content)}[damage]
    (folder / name).write_bytes(changed)
    with pytest.raises(ModelUnavailable, match="damaged") as caught:
        StaticModel(folder)
    assert Path(name).name in str(caught.value)
    assert "pip install" in caught.value.mend


def test_weights_of_another_shape_are_refused(folder: Path) -> None:
    header = json.dumps(
        {"embedding.weight": {"dtype": "F16", "shape": [4, 8], "data_offsets": [0, 64]}}
    ).encode()
    (folder / WEIGHTS_FILE).write_bytes(struct.pack("<Q", len(header)) + header + bytes(64))
    with pytest.raises(ModelUnavailable, match="not F16"):
        StaticModel(folder)


def test_weights_that_do_not_fit_the_tokenizer_are_refused(folder: Path) -> None:
    header = json.dumps(
        {"embedding.weight": {"dtype": "F16", "shape": [300, 256], "data_offsets": [0, 153_600]}}
    )
    (folder / WEIGHTS_FILE).write_bytes(struct.pack("<Q", len(header)) + header.encode() + bytes(153_600))
    with pytest.raises(ModelUnavailable, match="the weights only 300"):
        StaticModel(folder)


def test_an_absent_package_is_named_with_its_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(ModelUnavailable, match="not installed") as caught:
        StaticModel()
    assert caught.value.mend == "pip install wordllama"


def test_importing_the_spaces_loads_no_tokenizer() -> None:
    code = (
        "import sys, engramforge.spaces.presets, engramforge.indexing.encode\n"
        "assert 'tokenizers' not in sys.modules and 'safetensors' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_words_are_encoded_as_the_published_tokenizer_encodes_them() -> None:
    published = Tokenizer.from_file(str(module._installed_folder() / TOKENIZER_FILE))
    published.no_padding()
    published.no_truncation()
    texts = (
        path.read_text(encoding="utf-8") for path in sorted(Path(engramforge.__file__).parent.rglob("*.py"))
    )
    words = sorted({word for text in texts for word in words_of(text)})
    chance = random.Random(7)
    ranges = [(33, 127), (0x80, 0x3000), (0x3000, 0xD800), (0xE000, 0x1FFFF)]
    words += [
        "".join(chr(chance.randrange(*chance.choice(ranges))) for _ in range(chance.randrange(1, 12)))
        for _ in range(3_000)
    ]
    words = [word for word in words if not {"<s>", "</s>", "<unk>"} & set(re.findall(r"</?\w+>", word))]
    assert len(words) > 5_000
    wanted = [published.encode(word, add_special_tokens=False).ids for word in words]
    assert static_model().tokens_of(words) == wanted
