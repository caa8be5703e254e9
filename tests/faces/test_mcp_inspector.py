"""The MCP server through the MCP inspector's command line, where npm and its registry are at hand."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "try_mcp_inspector.sh"
CHECKS = ("tools/list", "forge_recall", "forge_timeline", "forge_forget", "a refusal names its fault")


def _registry_answers() -> bool:
    npm = shutil.which("npm")
    if npm is None:
        return False
    command = [
        npm,
        "view",
        "@modelcontextprotocol/inspector",
        "version",
        "--fetch-timeout=10000",
        "--fetch-retries=0",
    ]
    return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0


def test_the_inspector_lists_and_calls(tmp_path: Path) -> None:
    if not _registry_answers():
        pytest.skip("npm or its registry is not at hand")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ENGRAMFORGE_")}
    done = subprocess.run(
        [str(SCRIPT)],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        env={**environment, "ENGRAMFORGE_DAEMON": "off", "TMPDIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for check in CHECKS:
        assert f"ok: {check}" in done.stdout
