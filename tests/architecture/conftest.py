"""What the architecture tests share: the repository's folders and its parsed modules."""

from __future__ import annotations

import ast
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCE = REPOSITORY / "src" / "engramforge"


@dataclass(frozen=True)
class Module:
    """One parsed module of the package."""

    name: str
    path: Path
    tree: ast.Module
    lines: int


def _parse(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Module(name, path, ast.parse(text, filename=str(path)), len(text.splitlines()))


@pytest.fixture(scope="session")
def modules() -> list[Module]:
    """Every module of the package, parsed."""
    return [_parse(path) for path in sorted(SOURCE.rglob("*.py"))]


@pytest.fixture(scope="session")
def repository() -> Path:
    """The repository's root folder."""
    return REPOSITORY


@pytest.fixture(scope="session")
def source() -> Path:
    """The package's folder."""
    return SOURCE


def _not_ignored(root: Path) -> list[str]:
    """Paths that git would show to a reader; without git, all outside hidden folders."""
    git = shutil.which("git")
    if git and (root / ".git").exists():
        command = [
            git,
            "-c",
            "safe.directory=*",
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "-z",
        ]
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        if listed.returncode == 0:
            return [name for name in listed.stdout.split("\0") if name]
    hidden = {".venv", ".git", ".demo", "__pycache__"}
    paths = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return [str(path) for path in paths if not (hidden | {"dist", "build"}) & set(path.parts)]


@pytest.fixture(scope="session")
def repository_files(repository: Path) -> list[Path]:
    """Every file of the repository that is meant to be read, as absolute paths."""
    return [path for name in _not_ignored(repository) if (path := repository / name).is_file()]
