"""The benchmarks of images and emotions from file to answer, on tiny files."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from engramforge.entry.console import COMMANDS
from engramforge.faces.cli.program import run


def _bench(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = run(["bench", *map(str, arguments), "--json"], COMMANDS)
    captured = capsys.readouterr()
    return code, json.loads(captured.out if code == 0 else captured.err)


@pytest.fixture
def image_files(tmp_path: Path) -> list[Path]:
    """Twelve drawings with captions, and their archive."""
    words = "anchor bell candle drum engine fence gate harp island jug kettle lamp".split()  # noqa: SIM905
    archive, captions = tmp_path / "images.tar.gz", tmp_path / "captions.jsonl"
    with tarfile.open(archive, "w:gz") as packed:
        for place, _ in enumerate(words):
            image = Image.new("RGBA", (72, 72), (0, 0, 0, 0))
            pen = ImageDraw.Draw(image)
            for line in range(4):
                box = (line * 9, place * 3, 20 + line * 13, 30 + place * 3 + line * 3)
                (pen.ellipse if (place >> line) & 1 else pen.rectangle)(box, outline="crimson", width=3)
            written = io.BytesIO()
            image.save(written, "PNG")
            member = tarfile.TarInfo(f"png/{place}.png")
            member.size = len(written.getvalue())
            packed.addfile(member, io.BytesIO(written.getvalue()))
    lines = [json.dumps({"file": f"png/{place}.png", "caption": word}) for place, word in enumerate(words)]
    captions.write_text("\n".join(lines) + "\n")
    return [captions, archive]


@pytest.mark.parametrize("order", [1, -1])
def test_multimodal(capsys: pytest.CaptureFixture[str], image_files: list[Path], order: int) -> None:
    code, outcome = _bench(capsys, "multimodal", "--data", *image_files[::order], "--limit", "4")
    assert code == 0
    assert outcome["n"] == 4
    assert outcome["settings"]["images"] == 12
    assert outcome["metrics"]["text_to_image_at_10"] == 1.0
    assert outcome["metrics"]["image_to_image_at_10"] > 0.8
    assert set(outcome["metrics"]["by_kind"]) == {"scaled", "cropped", "recoloured"}
    assert outcome["baselines"]["chance"]["image_to_image_at_10"] == pytest.approx(10 / 12, abs=1e-6)


def test_multimodal_says_what_is_missing(capsys: pytest.CaptureFixture[str], image_files: list[Path]) -> None:
    captions, archive = image_files
    assert _bench(capsys, "multimodal", "--data", captions)[1]["error"] == "InvalidSource"
    captions.write_text('{"file": "png/none.png", "caption": "x"}\n')
    assert "in no archive" in _bench(capsys, "multimodal", "--data", captions, archive)[1]["fault"]
    archive.write_bytes(archive.read_bytes()[:200])
    assert _bench(capsys, "multimodal", "--data", captions, archive)[0] == 2


def test_emotion(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    texts = [
        ("Thank you so much for the lift!", ["gratitude"]),
        ("I love this little boat.", ["love"]),
        ("The meeting is at four.", ["neutral"]),
        ("The report has nine pages.", ["neutral"]),
    ]
    path.write_text("\n".join(json.dumps({"text": text, "labels": labels}) for text, labels in texts))
    code, outcome = _bench(capsys, "emotion", "--data", path)
    assert code == 0
    assert outcome["metrics"]["f1"]["gratitude"] == 1.0
    assert outcome["metrics"]["f1"]["neutral"] == 1.0
    assert outcome["settings"]["majority"] == "neutral"
    assert outcome["baselines"]["majority"]["f1"]["neutral"] == pytest.approx(2 / 3, abs=1e-6)
    assert outcome["metrics"]["macro_f1"] > outcome["baselines"]["majority"]["macro_f1"]
    path.write_text('{"text": "x", "labels": ["hunger"]}\n')
    assert "hunger" in _bench(capsys, "emotion", "--data", path)[1]["fault"]
