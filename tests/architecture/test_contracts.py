"""The import contracts hold, and each of them fails when it is broken on purpose."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = ".importlinter"
_RUN = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def _lint(config: Path, folder: Path, contract: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the package `engramforge` that lies in `folder`."""
    arguments = ["--no-cache", "--no-logo", "--config", str(config)]
    if contract:
        arguments += ["--contract", contract]
    return subprocess.run(
        [sys.executable, "-c", _RUN, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


@dataclass(frozen=True)
class Plant:
    """One violation: a line of code put into a module, and the contract that has to notice."""

    contract: str
    module: str
    line: str

    def __str__(self) -> str:
        return f"{self.contract}: {self.line} in {self.module}"


PLANTS = [
    Plant("layers", "errors.py", "import engramforge.model.time"),
    Plant("layers", "model/time.py", "import engramforge.core"),
    Plant("layers", "core/__init__.py", "from engramforge.store import door"),
    Plant("layers", "spaces/__init__.py", "import engramforge.store.door"),
    Plant("layers", "store/door.py", "import engramforge.spaces"),
    Plant("layers", "store/door.py", "import engramforge.indexing"),
    Plant("layers", "indexing/__init__.py", "import engramforge.recall"),
    Plant("layers", "recall/__init__.py", "def late():\n    import engramforge.capture"),
    Plant("layers", "capture/__init__.py", "import engramforge.forge"),
    Plant("layers", "capture/__init__.py", "import engramforge.upkeep"),
    Plant("layers", "forge.py", "import engramforge.assembly"),
    Plant("layers", "assembly.py", "import engramforge.faces.cli"),
    Plant("layers", "faces/mcp/__init__.py", "import engramforge.entry"),
    Plant("root", "core/__init__.py", "import engramforge"),
    Plant("root", "forge.py", "from engramforge import open as reopen"),
    Plant("faces", "faces/cli/__init__.py", "import engramforge.faces.mcp"),
    Plant("faces", "faces/mcp/__init__.py", "from engramforge.faces import cli"),
    Plant("pure", "core/__init__.py", "import os"),
    Plant("pure", "core/__init__.py", "from pathlib import Path"),
    Plant("pure", "core/__init__.py", "import sqlite3"),
    Plant("pure", "model/time.py", "import psycopg"),
    Plant("pure", "core/__init__.py", "def wait():\n    import time"),
    Plant("pure", "core/__init__.py", "import random"),
    Plant("pure", "model/time.py", "import logging"),
    Plant("pure", "model/time.py", "import socket"),
    Plant("pure", "model/memory.py", "import asyncio"),
    Plant("pure", "errors.py", "import os.path"),
    Plant("settings", "forge.py", "import engramforge.settings"),
    Plant("settings", "faces/cli/__init__.py", "from engramforge import settings"),
    Plant("engine", "forge.py", "import sqlalchemy"),
    Plant("engine", "capture/__init__.py", "import sqlite3"),
    Plant("engine", "assembly.py", "import psycopg"),
    Plant("engine", "recall/__init__.py", "def late():\n    import alembic"),
    Plant("door", "recall/__init__.py", "import engramforge.store.ENGINE"),
    Plant("door", "capture/__init__.py", "from engramforge.store import ENGINE"),
    Plant("door", "upkeep/__init__.py", "from engramforge.store import ENGINE"),
    Plant("translate", "faces/cli/__init__.py", "import engramforge.recall"),
    Plant("translate", "faces/mcp/__init__.py", "import engramforge.spaces"),
    Plant("interfaces", "forge.py", "import click"),
    Plant("interfaces", "capture/__init__.py", "def bar():\n    import rich"),
]


@pytest.fixture
def package_copy(tmp_path: Path, source: Path) -> Path:
    """A copy of the package that a test may spoil."""
    copy = tmp_path / "engramforge"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def test_contracts_hold(repository: Path, source: Path) -> None:
    found = _lint(repository / CONFIG, source.parent)
    assert found.returncode == 0, found.stdout + found.stderr
    assert " 0 broken" in found.stdout


def test_every_contract_has_a_planted_violation(repository: Path) -> None:
    config = configparser.ConfigParser()
    config.read(repository / CONFIG, encoding="utf-8")
    contracts = {name.rpartition(":")[2] for name in config.sections() if ":contract:" in name}
    assert contracts == {plant.contract for plant in PLANTS}


@pytest.mark.parametrize("plant", PLANTS, ids=str)
def test_contract_fails_when_broken(plant: Plant, package_copy: Path, repository: Path) -> None:
    target = package_copy / plant.module
    inner = sorted(
        path.stem for path in (package_copy / "store").glob("*.py") if path.stem not in {"door", "__init__"}
    )
    line = plant.line.replace("ENGINE", inner[0])
    with target.open("a", encoding="utf-8") as file:
        file.write(f"\n\n{line}\n")
    found = _lint(repository / CONFIG, package_copy.parent, plant.contract)
    assert found.returncode == 1, found.stdout + found.stderr
    assert "1 broken" in found.stdout


def test_a_package_without_a_layer_is_noticed(package_copy: Path, repository: Path) -> None:
    stranger = package_copy / "stranger"
    stranger.mkdir()
    (stranger / "__init__.py").write_text('"""In no layer."""\n', encoding="utf-8")
    found = _lint(repository / CONFIG, package_copy.parent, "layers")
    assert found.returncode == 1, found.stdout + found.stderr
    assert "stranger" in found.stdout + found.stderr
