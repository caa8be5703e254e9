"""Hooks of an installation that is gone, in whole or in part: they end with 0, for an exit with 2 blocks a session."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.faces.conftest import Cli

from engramforge.faces.connections.claude_code import LAUNCHER

RUN = Path(__file__).resolve().parents[2] / "plugin" / "hooks" / "run"
BLOCKING = ("UserPromptSubmit", "PreToolUse", "Stop")
SILENT = (0, b"", b"")


def hooks(user: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((user / ".claude" / "settings.json").read_text())["hooks"]
    return found


def test_what_connect_wrote_ends_well_where_files_or_interpreter_are_gone(
    cli: Cli, user: Path, tmp_path: Path
) -> None:
    assert cli("connect", "claude-code", "--yes", "--json").json["connected"]
    written = hooks(user)
    python = tmp_path / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    launcher, client = tmp_path / "hook" / "launch.py", tmp_path / "hook" / "client.py"
    launcher.parent.mkdir()

    def ends() -> set[tuple[int, bytes, bytes]]:
        found = set()
        for event in BLOCKING:
            hook = written[event][0]["hooks"][0]
            moved = {sys.executable: str(python), str(LAUNCHER): str(launcher)}
            command = [hook["command"], *(moved.get(word, word) for word in hook["args"])]
            done = subprocess.run(command, input=b"{}", capture_output=True, check=False)
            found.add((done.returncode, done.stdout, done.stderr))
        return found

    assert ends() == {SILENT}, "no file is left"
    launcher.write_bytes(LAUNCHER.read_bytes())
    assert ends() == {SILENT}, "the client is not there"
    client.write_text("print('a client'")
    assert ends() == {SILENT}, "the client cannot be read"
    client.write_text("print('a client')")
    assert ends() == {(0, b"a client\n", b"")}
    python.unlink()
    python.symlink_to(tmp_path / "uninstalled")
    assert ends() == {SILENT}, "the interpreter is not there"


def test_the_plugin_ends_well_without_its_files_or_any_python(tmp_path: Path) -> None:
    folder, programs = tmp_path / "hooks", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    (folder / "run").write_bytes(RUN.read_bytes())
    (programs / "python3").symlink_to(sys.executable)

    def ends() -> tuple[int, bytes, bytes]:
        command, path = ["/bin/sh", folder / "run", "Stop"], {"PATH": str(programs)}
        done = subprocess.run(command, input=b"{}", env=path, capture_output=True, check=False)
        return done.returncode, done.stdout, done.stderr

    launcher = folder / "launch.py"
    assert ends() == SILENT, "it was copied without the launcher"
    launcher.symlink_to(tmp_path / "nowhere.py")
    assert ends() == SILENT, "a link leads nowhere"
    launcher.unlink()
    launcher.write_text("import sys\nprint(sys.argv[1])\n")
    assert ends() == (0, b"Stop\n", b"")
    # As pip writes it where the interpreter's path is too long for a first line.
    script = programs / "engramforge"
    script.write_text("#!/bin/sh\n'''exec' /a/long/path/python \"$0\" \"$@\"\n'''\n")
    script.chmod(0o755)
    assert ends() == (0, b"Stop\n", b"")
    (programs / "python3").unlink()
    assert ends() == SILENT, "no Python is there"


def test_hooks_as_they_were_written_before_are_replaced_and_taken_out(
    cli: Cli, user: Path, home: Path
) -> None:
    given = ["-I", "-S", "-E", "/old/lib/engramforge/faces/hook/launch.py", "Stop", "--home", str(home)]
    old = {"type": "command", "command": "/old/bin/python", "args": given, "timeout": 3}
    file = user / ".claude" / "settings.json"
    file.parent.mkdir(exist_ok=True)
    for is_connected in (True, False):
        file.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [old]}]}}))
        if is_connected:
            assert cli("connect", "claude-code", "--yes", "--json").json["connected"]
            (group,) = hooks(user)["Stop"]
            assert group["hooks"][0]["command"] == "/bin/sh"
            file.write_text(json.dumps({"hooks": {**hooks(user), "Stop": [group, {"hooks": [old]}]}}))
        assert cli("disconnect", "claude-code", "--yes", "--json").code == 0
        assert not file.exists() or "hook/launch.py" not in file.read_text()
