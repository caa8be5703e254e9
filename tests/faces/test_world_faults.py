"""What is wrong with the machine, through every face: the same typed error with fault and mend, nothing changed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import anyio
import pytest
from tests.children import Child
from tests.mcp_server import client_of

import engramforge

from .conftest import Cli

Remember = Callable[[str], str]
"""Remember a text; what went wrong as "Code: fault. mend.", or nothing."""


def _through_python(home: Path) -> Remember:
    def remember(content: str) -> str:
        try:
            with engramforge.open(home) as forge:
                forge.remember(content)
        except engramforge.EngramforgeError as error:
            return f"{error.code}: {error}"
        return ""

    return remember


def _through_cli(home: Path, cli: Cli) -> Remember:
    def remember(content: str) -> str:
        answer = cli("remember", "-", "--home", str(home), "--json", stdin=content.encode())
        if answer.code == 0:
            return ""
        assert answer.code == 5
        return f"{answer.error['error']}: {answer.error['fault']}. {answer.error['mend']}."

    return remember


def _through_mcp(home: Path) -> Remember:
    def remember(content: str) -> str:
        async def main() -> str:
            async with client_of(home) as client:
                result = await client.call_tool("forge_remember", {"content": content})
            text = str(result.content[0].text)  # type: ignore[union-attr]
            return text.removeprefix("Error executing tool forge_remember: ") if result.is_error else ""

        return anyio.run(main)

    return remember


@pytest.fixture(params=["python", "cli", "mcp"])
def face(request: pytest.FixtureRequest, cli: Cli) -> Callable[[Path], Remember]:
    """How a face remembers, for a home."""
    ways = {"python": _through_python, "cli": lambda home: _through_cli(home, cli), "mcp": _through_mcp}
    return ways[str(request.param)]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 3 MB; needs the right to mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [str(mount), "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("this user cannot mount a small file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def _store(home: Path) -> Path:
    with engramforge.open(home) as forge:
        forge.remember("There before.")
        return Path(forge.identity.location)


def _kept(home: Path) -> list[str]:
    with engramforge.open(home) as forge:
        return [memory.content for memory in forge.memories()]


def test_corrupt(face: Callable[[Path], Remember], home: Path) -> None:
    location = _store(home)
    damaged = b"certainly not a database " * 100
    location.write_bytes(damaged)
    for beside in location.parent.glob(location.name + "-*"):
        beside.unlink()
    assert face(home)("More.").startswith("StoreCorrupt: ")
    assert location.read_bytes() == damaged


def test_of_a_newer_schema(face: Callable[[Path], Remember], home: Path) -> None:
    location = _store(home)
    with sqlite3.connect(location) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999_from_the_future'")
    connection.close()
    assert face(home)("More.").startswith("StoreTooNew: ")
    with sqlite3.connect(location) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (
            "9999_from_the_future",
        )
    connection.close()


def test_locked(face: Callable[[Path], Remember], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    location = _store(home)
    monkeypatch.setenv("ENGRAMFORGE_BUSY_TIMEOUT_MS", "50")
    holder = sqlite3.connect(location, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        assert face(home)("More.").startswith("StoreLocked: ")
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    assert _kept(home) == ["There before."]


def test_a_file_in_the_place_of_the_folder(face: Callable[[Path], Remember], home: Path) -> None:
    home.write_text("in the way")
    assert face(home)("More.").startswith("StoreUnavailable: ")
    assert home.read_text() == "in the way"


def test_full(face: Callable[[Path], Remember], small_disk: Path) -> None:
    home = small_disk / "home"
    _store(home)
    (small_disk / "in the way").write_bytes(bytes(shutil.disk_usage(small_disk).free - 500_000))
    remember = face(home)
    told = [remember(f"{number} " + "filler words " * 6_000) for number in range(5)]
    assert told[-1].startswith("StoreFull: ")
    assert told[0] == ""
    assert _kept(home)[-1] == "There before."
    assert len(_kept(home)) == 1 + told.count("")


def test_read_only(face: Callable[[Path], Remember], small_disk: Path) -> None:
    home = small_disk / "home"
    _store(home)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert face(home)("More.").startswith("StoreUnavailable: ")
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    assert _kept(home) == ["There before."]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_forbidden(face: Callable[[Path], Remember], home: Path) -> None:
    location = _store(home)
    location.chmod(0o400)
    home.chmod(0o500)
    try:
        assert face(home)("More.").startswith("StoreUnavailable: ")
    finally:
        home.chmod(0o700)
        location.chmod(0o600)
    assert _kept(home) == ["There before."]


WITHOUT_MODEL = """
import sys
from pathlib import Path
home, sys.path[:0] = Path(sys.argv[1]), sys.argv[2:]
from engramforge.entry.console import main
from tests.faces import test_world_faults as faults
print(faults._through_python(home)("More."))
print(faults._through_mcp(home)("More."))
sys.argv[1:] = ["remember", "More.", "--home", str(home)]
sys.exit(main())
"""


def test_a_missing_model_file(home: Path, tmp_path: Path) -> None:
    """In a process that has not loaded the model yet, where an incomplete copy of its package comes first."""
    _store(home)
    spec = find_spec("wordllama")
    assert spec is not None
    assert spec.submodule_search_locations
    copy = tmp_path / "site" / "wordllama"
    left_out = shutil.ignore_patterns("*.safetensors", "*.so")
    shutil.copytree(spec.submodule_search_locations[0], copy, ignore=left_out)
    child = Child(WITHOUT_MODEL, home, copy.parent)
    said, error = child.communicate(60)
    assert child.returncode == 5, error
    answers = said.splitlines()
    assert len(answers) == 2
    assert all(answer.startswith("ModelUnavailable: ") and "safetensors" in answer for answer in answers)
    assert error.startswith("error: ")
    assert "safetensors" in error
    assert "Traceback" not in error
    assert _kept(home) == ["There before."]
