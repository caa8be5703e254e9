"""The wheel carries the static model, so that an install needs no package that only brings two files."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

from engramforge.spaces.words.static_model import StaticModel, static_model

REPOSITORY = Path(__file__).resolve().parents[2]


def test_the_wheel_carries_the_model_and_its_licence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(
        command, cwd=REPOSITORY, check=True, capture_output=True, env={**os.environ, "NO_COLOR": "1"}
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "installed")
    carried = tmp_path / "installed" / "engramforge" / "spaces" / "words" / "l2_supercat"
    assert StaticModel(carried).id == static_model().id
    assert "MIT" in (carried / "LICENSE").read_text(encoding="utf-8")
    # Installed there, it is found, and a damaged file is mended by installing this package again.
    code = (
        "import sys; sys.modules['wordllama'] = None\n"
        "from engramforge.spaces.words import static_model as m\n"
        "print(m.static_model().id, m._installed_folder(), m._MEND, sep='|')\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    told = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    ).stdout
    assert told.strip().split("|") == [
        static_model().id, str(carried), "Reinstall it: pip install --force-reinstall --no-deps engramforge",
    ]  # fmt: skip
