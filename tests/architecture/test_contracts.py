"""The import contracts hold, and each of them fails when it is broken on purpose."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

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

    @property
    def importer(self) -> str:
        """The module's dotted name."""
        return ".".join(("engramforge", *Path(self.module).with_suffix("").parts)).removesuffix(".__init__")

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
    Plant("layers", "recall/__init__.py", "import engramforge.writing"),
    Plant("layers", "writing/__init__.py", "import engramforge.recall"),
    Plant("layers", "writing/__init__.py", "import engramforge.registries"),
    Plant("layers", "writing/__init__.py", "def late():\n    import engramforge.answer"),
    Plant("layers", "registries/__init__.py", "import engramforge.capture"),
    Plant("layers", "registries/__init__.py", "from engramforge.answer import compressing"),
    Plant("layers", "capture/__init__.py", "import engramforge.answer"),
    Plant("layers", "answer/__init__.py", "import engramforge.upkeep"),
    Plant("layers", "answer/__init__.py", "def late():\n    import engramforge.capture"),
    Plant("layers", "upkeep/__init__.py", "import engramforge.capture"),
    Plant("layers", "upkeep/__init__.py", "def late():\n    from engramforge.answer import archives"),
    Plant("layers", "answer/__init__.py", "import engramforge.forge"),
    Plant("layers", "capture/__init__.py", "import engramforge.forge"),
    Plant("layers", "capture/__init__.py", "import engramforge.upkeep"),
    Plant("layers", "forge/__init__.py", "import engramforge.assembly"),
    Plant("layers", "assembly/__init__.py", "import engramforge.faces.cli"),
    Plant("layers", "faces/mcp/__init__.py", "import engramforge.entry"),
    Plant("layers", "assembly/__init__.py", "import engramforge.runtime"),
    Plant("layers", "runtime/places.py", "def late():\n    import engramforge.faces.cli"),
    Plant("daemon", "faces/mcp/__init__.py", "import starlette"),
    Plant("daemon", "entry/__init__.py", "def late():\n    import uvicorn"),
    Plant("rings", "capture/writers/account.py", "import engramforge.capture.writers.import_stages"),
    Plant("rings", "model/registration.py", "def late():\n    import engramforge.model.memory"),
    Plant("rings", "spaces/encoder.py", "if TYPE_CHECKING:\n    import engramforge.spaces.model_workshop"),
    Plant("capture", "capture/formats/adr.py", "import engramforge.capture.writers.decision_records"),
    Plant("capture", "capture/formats/jsonl.py", "def late():\n    import engramforge.capture.imports.run"),
    Plant("capture", "capture/reading/records.py", "import engramforge.capture.formats.jsonl"),
    Plant("capture", "capture/writers/vault.py", "import engramforge.capture.imports.importing"),
    Plant("capture", "capture/imports/importing.py", "import engramforge.capture.sync.syncing"),
    Plant("formats", "capture/formats/git.py", "import engramforge.store.door"),
    Plant("formats", "capture/reading/sources.py", "def late():\n    import engramforge.recall"),
    Plant("root", "core/__init__.py", "import engramforge"),
    Plant("root", "forge/__init__.py", "from engramforge import open as reopen"),
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
    Plant("settings", "forge/__init__.py", "import engramforge.settings"),
    Plant("settings", "faces/cli/__init__.py", "from engramforge import settings"),
    Plant("engine", "forge/__init__.py", "import sqlalchemy"),
    Plant("engine", "capture/__init__.py", "import sqlite3"),
    Plant("engine", "assembly/__init__.py", "import psycopg"),
    Plant("engine", "registries/__init__.py", "import sqlalchemy"),
    Plant("engine", "recall/__init__.py", "def late():\n    import alembic"),
    Plant("door", "recall/__init__.py", "import engramforge.store.ENGINE"),
    Plant("door", "capture/__init__.py", "from engramforge.store import ENGINE"),
    Plant("door", "upkeep/__init__.py", "from engramforge.store import ENGINE"),
    Plant("door", "writing/__init__.py", "from engramforge.store import ENGINE"),
    Plant("door", "registries/__init__.py", "import engramforge.store.ENGINE"),
    Plant("door", "answer/__init__.py", "import engramforge.store.ENGINE"),
    Plant("models", "answer/__init__.py", "import pydantic_ai"),
    Plant("models", "assembly/__init__.py", "def late():\n    import anthropic"),
    Plant("models", "core/__init__.py", "import openai"),
    Plant("translate", "faces/cli/__init__.py", "import engramforge.recall"),
    Plant("translate", "faces/mcp/__init__.py", "import engramforge.spaces"),
    Plant("translate", "faces/mcp/__init__.py", "from engramforge.registries import decisions"),
    Plant("translate", "faces/cli/__init__.py", "def late():\n    import engramforge.answer"),
    Plant("translate", "faces/views/__init__.py", "import engramforge.writing"),
    Plant("interfaces", "forge/__init__.py", "import click"),
    Plant("interfaces", "capture/__init__.py", "def bar():\n    import mcp"),
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


@pytest.mark.parametrize("contract", list(dict.fromkeys(plant.contract for plant in PLANTS)))
def test_contract_fails_when_broken(contract: str, package_copy: Path, repository: Path) -> None:
    """All violations of a contract at once: each has to be told with the line that it stands on."""
    engine = min(
        path.stem for path in (package_copy / "store").glob("*.py") if path.stem not in {"door", "__init__"}
    )
    planted = []
    for plant in PLANTS:
        if plant.contract == contract:
            target = package_copy / plant.module
            text = f"{target.read_text(encoding='utf-8')}\n\n{plant.line.replace('ENGINE', engine)}\n"
            target.write_text(text, encoding="utf-8")
            planted.append((plant, len(text.splitlines())))
    found = _lint(repository / CONFIG, package_copy.parent, contract)
    assert found.returncode == 1, found.stdout + found.stderr
    assert "1 broken" in found.stdout
    for plant, line in planted:
        if contract == "rings":
            # Of a ring only the folder is told, not which of its imports is one too many.
            assert f"No cycles are allowed in {plant.importer.rpartition('.')[0]}." in found.stdout, plant
            continue
        # An importer that shares its way with others stands before the arrow of the last of them.
        told = rf"\b{re.escape(plant.importer)} (-> \S+ )?\((l\.\d+, )*l\.{line}[,)]"
        assert re.search(told, found.stdout), f"{plant} is not noticed:\n{found.stdout}"


def test_a_package_without_a_layer_is_noticed(package_copy: Path, repository: Path) -> None:
    stranger = package_copy / "stranger"
    stranger.mkdir()
    (stranger / "__init__.py").write_text('"""In no layer."""\n', encoding="utf-8")
    found = _lint(repository / CONFIG, package_copy.parent, "layers")
    assert found.returncode == 1, found.stdout + found.stderr
    assert "stranger" in found.stdout + found.stderr
