"""Claude Code as people use it: in a terminal, with keys that are typed."""

from __future__ import annotations

import os
import pty
import select
import time
from typing import TYPE_CHECKING

from tests.e2e.model_server import Model, everything_said, says, serving
from tests.peer_daemon import Peer, listening

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.e2e.claude_code import ClaudeCode

_WAIT_S = 40.0


class Terminal:
    """A program in a pseudo-terminal; what it shows is read and thrown away, but for its end."""

    def __init__(self, machine: ClaudeCode) -> None:
        self.shown = b""
        self._child, self._screen = pty.fork()
        if not self._child:
            os.chdir(machine.project)
            os.execve(machine.programs / "claude", ["claude"], {**machine.environment, "COLUMNS": "100"})

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Read until something holds."""
        until = time.monotonic() + _WAIT_S
        while not holds():
            assert time.monotonic() < until, f"{what}: {self.shown[-3000:]!r}"
            if select.select([self._screen], [], [], 0.1)[0]:
                try:
                    self.shown = (self.shown + os.read(self._screen, 65_536))[-200_000:]
                except OSError:  # it has closed its side and is ending
                    time.sleep(0.05)

    def types(self, keys: str) -> None:
        """Type keys, as quickly as a person would."""
        for key in keys:
            os.write(self._screen, key.encode())
            time.sleep(0.01)

    def end(self) -> int:
        """Leave, and wait until the program has ended."""
        code: list[int] = []

        def ended() -> bool:
            done, status = os.waitpid(self._child, os.WNOHANG)
            code.extend([status] if done else [])
            return bool(code)

        self.until(ended, "the end")
        os.close(self._screen)
        return os.waitstatus_to_exitcode(code[0])


def test_a_session_at_a_terminal(machine: ClaudeCode) -> None:
    model = Model(lambda _: [says("The ferry leaves at noon.")])
    peer = Peer(lambda event: "INJECTED" if event["hook_event_name"] == "UserPromptSubmit" else None)
    with serving(model) as machine.address, listening(machine.home / "run", peer):
        machine.engramforge("connect", "claude-code", "--yes")
        machine.has_begun()
        terminal = Terminal(machine)
        terminal.until(lambda: bool(peer.named("SessionStart")), "the start of the session")
        time.sleep(1)
        terminal.types("When does the ferry leave?")
        time.sleep(0.5)
        terminal.types("\r")
        terminal.until(lambda: bool(peer.named("Stop")), "the answer")
        terminal.types("/exit")
        time.sleep(0.5)
        terminal.types("\r")
        terminal.until(lambda: bool(peer.named("SessionEnd")), "the end of the session")
        assert terminal.end() == 0
    names = [event["hook_event_name"] for event in peer.events if event["hook_event_name"] != "SubagentStop"]
    assert names == ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"]
    assert any("INJECTED" in everything_said(turn) for turn in model.turns)
    assert peer.named("SessionEnd")[0]["reason"] == "prompt_input_exit" and machine.log() == ""
