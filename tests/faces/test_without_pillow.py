"""Without the extra `images` only what has to look at an image is refused, and says what to install."""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from tests import onnx_models

import engramforge
from engramforge.errors import ModelUnavailable

from .conftest import Answer, Cli

MEND = "pip install 'engramforge[images]'"


def png(colour: str) -> bytes:
    image = Image.new("RGB", (64, 48), "white")
    image.paste(colour, (8, 8, 30, 40))
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "mill.png"
    path.write_bytes(png("navy"))
    return path


@pytest.fixture
def bare(cli: Cli) -> Cli:
    """The command line where Pillow cannot be imported, in this process: what is loaded of it already is hidden."""

    def call(*arguments: str) -> Answer:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, "PIL", None)
            return cli(*arguments)

    return call


@pytest.fixture
def process(home: Path, tmp_path: Path) -> Callable[..., Answer]:
    """The same in a process of its own, which never loads Pillow."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import sys\nsys.modules['PIL'] = None\n")

    def call(*arguments: str) -> Answer:
        done = subprocess.run(
            [sys.executable, "-m", "engramforge.entry.console", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={**os.environ, "PYTHONPATH": str(tmp_path / "site"), "ENGRAMFORGE_HOME": str(home)},
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return call


def test_processes_without_it(home: Path, picture: Path, process: Callable[..., Answer]) -> None:
    with engramforge.open(home) as forge:
        kept = forge.remember("Where we met.", images=[picture], captions=["the old mill"])
    assert [hit["memory"]["id"] for hit in process("recall", "old mill", "--json").json["hits"]] == [kept.id]
    refused = process("remember", "x", "--image", str(picture))
    assert (refused.code, refused.out) == (ModelUnavailable.exit_code, "")
    assert refused.err.startswith("error: ") and refused.err.count("\n") == 1
    assert "Pillow, which is not installed" in refused.err and MEND in refused.err
    (fault,) = process("import", str(picture), "--json").json["faults"]
    assert MEND in fault["reason"]


def test_a_store_with_images_works_but_for_looking_at_them(
    bare: Cli, home: Path, picture: Path, tmp_path: Path
) -> None:
    with engramforge.open(home) as forge:
        kept = forge.remember("Where we met.", images=[picture], captions=["the old mill"])
    assert [hit["memory"]["id"] for hit in bare("recall", "the old mill", "--json").json["hits"]] == [kept.id]
    assert bare("show", kept.id, "--json").json["memory"]["attachments"][0]["caption"] == "the old mill"
    assert bare("export", "--to", str(tmp_path / "kept.jsonl")).code == 0
    assert bare("doctor", "--json").json["sound"]
    for arguments in (("remember", "x"), ("recall", "mill"), ("recall",)):
        told = bare(*arguments, "--image", str(picture), "--json")
        assert told.code == ModelUnavailable.exit_code
        assert told.error["error"] == "ModelUnavailable" and MEND in told.error["mend"]
    # What an image looked like stays with the memory when its text changes.
    assert bare("revise", kept.id, "Where we parted.").code == 0
    with engramforge.open(home) as forge:
        assert [memory.content for memory in forge.memories()] == ["Where we parted."]
        assert forge.recall(image=picture).hits[0].memory.content == "Where we parted."


def test_a_drawing_needs_none(bare: Cli, tmp_path: Path) -> None:
    (tmp_path / "plan.svg").write_text("<svg><title>floor plan</title></svg>")
    told = bare("remember", "--image", str(tmp_path / "plan.svg"), "--json").json
    assert told["memory"]["content"] == "floor plan"
    told = bare("import", str(tmp_path / "plan.svg"), "--json").json
    assert (told["written"], told["faults"]) == (1, [])


def test_an_import_says_once_what_is_missing_and_brings_every_text(
    bare: Cli, home: Path, picture: Path, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "mill.png").write_bytes(picture.read_bytes())
    for name in ("a", "b"):
        (notes / f"{name}.md").write_text(f"# Mill {name}\n\nSee ![the old mill](mill.png) of {name}.\n")
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(png("red")).decode()}
    turn = {
        "type": "user",
        "uuid": "11111111-1111-4111-8111-111111111111",
        "sessionId": "s",
        "timestamp": "2026-02-01T10:00:00Z",
        "cwd": "/work",
        "message": {
            "role": "user",
            "content": [{"type": "text", "text": "What is this?"}, {"type": "image", "source": source}],
        },
    }
    (notes / "talk.jsonl").write_text(json.dumps(turn) + "\n")
    told = bare("import", str(notes), "--json").json
    assert (told["files"], told["written"]) == (3, 3)
    (fault,) = told["faults"]
    assert "Pillow is not installed" in fault["reason"] and MEND in fault["reason"]
    with engramforge.open(home) as forge:
        shown = [each.caption for memory in forge.memories() for each in memory.attachments]
    assert sorted(shown) == ["", "the old mill", "the old mill"]


def test_image_files_wait_for_an_import_that_can_look_at_them(bare: Cli, home: Path, tmp_path: Path) -> None:
    album = tmp_path / "album"
    album.mkdir()
    for colour in ("navy", "red", "green"):
        (album / f"{colour}.png").write_bytes(png(colour))
    for _ in range(2):
        told = bare("import", str(album), "--json").json
        assert (told["found"], told["written"], told["skipped"], len(told["faults"])) == (3, 0, 3, 1)
    with engramforge.open(home) as forge:
        report = forge.import_path(album)
        assert (report.written, report.faults) == (3, ())
        assert forge.recall(image=album / "red.png").hits[0].memory.name == "red.png"


def test_a_restored_export_says_that_its_images_were_not_looked_at(
    bare: Cli, picture: Path, tmp_path: Path
) -> None:
    with engramforge.open(tmp_path / "other") as forge:
        forge.remember("Where we met.", images=[picture])
        forge.export(tmp_path / "kept.jsonl")
    told = bare("import", str(tmp_path / "kept.jsonl"), "--json").json
    assert told["written"] == 1
    (fault,) = told["faults"]
    assert MEND in fault["reason"]


def test_moving_e10_waits_for_it_and_other_spaces_do_not(
    bare: Cli, home: Path, picture: Path, tmp_path: Path
) -> None:
    clip, dense = onnx_models.build_clip(tmp_path / "clip"), onnx_models.build_dense(tmp_path / "dense")
    with engramforge.open(home) as forge:
        forge.remember("Where we met.", images=[picture])
        forge.reembed("multimodal", f"local:{clip}")
        forge.reembed("semantic", f"local:{dense}")
    told = bare("reembed", "--space", "multimodal", "--to", "static")
    assert told.code == ModelUnavailable.exit_code and MEND in told.err
    assert "Moved semantic" in bare("reembed", "--space", "semantic", "--to", "static").out
    with engramforge.open(home) as forge:
        (report,) = forge.reembed("multimodal", "static")
        assert report.embedded == 1
