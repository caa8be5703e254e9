"""Claude Code from npm, in a folder of its own with a home of its own."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PACKAGE = "@anthropic-ai/claude-code"
VERSION = "2.1.332"
"""The release that everything here was measured on."""
_INSTALL_S = 300
_SESSION_S = 90


def install() -> Path:
    """The folder of the program, installed once into the user's cache; skips the test where npm is absent."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed, so there is no Claude Code to try")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "engramforge-tests" / f"claude-code-{VERSION}"
    programs = folder / "node_modules" / ".bin"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "installing").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several processes of tests begin at once
        if not (programs / "claude").exists():
            command = [npm, "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", str(folder)]
            subprocess.run(
                [*command, f"{PACKAGE}@{VERSION}"], check=True, timeout=_INSTALL_S, capture_output=True
            )
    return programs


class ClaudeCode:
    """A person's machine: a home, a project, an engramforge home, and both programs."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.user, self.project, self.home = folder / "user", folder / "project", folder / "engrams"
        self.user.mkdir()
        self.project.mkdir()
        self.address = ""
        self.daemon = False
        self.programs = programs

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of ours, and a key that no provider knows."""
        return {
            "PATH": f"{self.programs}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.user),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "ANTHROPIC_API_KEY": "sk-ant-dummy",
            "ANTHROPIC_BASE_URL": self.address,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "ENGRAMFORGE_DAEMON": "on" if self.daemon else "off",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        }

    def claude(self, *arguments: str) -> str:
        """Run claude in the project; what it printed."""
        return self._run("claude", *arguments, executable=str(self.programs / "claude"))

    def _run(self, *command: str, executable: str | None = None) -> str:
        done = subprocess.run(
            command, cwd=self.project, env=self.environment, capture_output=True, text=True,
            timeout=_SESSION_S, stdin=subprocess.DEVNULL, check=False, executable=executable,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def says(self, prompt: str, *more: str) -> str:
        """One session, or one turn of it with --continue."""
        return self.claude(
            "-p", prompt, "--allowedTools", "Bash", "--allowedTools", "mcp__engramforge", *more
        )

    def engramforge(self, *arguments: str) -> dict[str, Any]:
        """Run engramforge on its home; its JSON."""
        command = [sys.executable, "-m", "engramforge.entry.console", "--home", str(self.home), *arguments]
        answer = json.loads(self._run(*command, "--json"))
        assert isinstance(answer, dict)
        return answer

    def has_begun(self) -> None:
        """What a person answers before the first session at a terminal: theme, key, and trust in the folder."""
        file = self.user / ".claude.json"
        state = json.loads(file.read_text()) if file.exists() else {}
        key = self.environment["ANTHROPIC_API_KEY"][-20:]
        state |= {"hasCompletedOnboarding": True, "theme": "dark", "lastOnboardingVersion": VERSION}
        state["customApiKeyResponses"] = {"approved": [key], "rejected": []}
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        state.setdefault("projects", {})[str(self.project)] = trusted
        file.write_text(json.dumps(state))

    def log(self) -> str:
        """The log of hooks."""
        file = self.home / "log" / "hooks.log"
        return file.read_text() if file.exists() else ""

    def traces(self) -> list[str]:
        """Files of the person's home that speak of us, but for what Claude Code itself writes down of its past."""
        past = ("projects", "backups", "telemetry", ".cache", "debug", "history.jsonl")
        found = []
        for path in sorted(path for path in self.user.rglob("*") if path.is_file()):
            name = path.relative_to(self.user)
            if not set(past) & set(name.parts) and (
                b"engramforge" in path.read_bytes() or "engramforge" in str(name)
            ):
                found.append(str(name))
        return found
