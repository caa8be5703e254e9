"""A daemon of the tests whose hooks are captured into a file: `python -m tests.runtime.wired HOME`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from engramforge.entry.wiring import wire
from engramforge.runtime.daemon import hold, log_to, serve
from engramforge.runtime.places import Places


def main(home: str) -> None:
    """Serve a home; captured events are lines of `captured` in it, each id once."""
    captured = Path(home) / "captured"

    def take(_: Any, events: Sequence[Mapping[str, Any]]) -> None:
        known = captured.read_text().splitlines() if captured.exists() else []
        ids = {json.loads(line)["id"] for line in known}
        with captured.open("a") as file:
            for event in events:
                if event["id"] not in ids:
                    file.write(json.dumps(event) + "\n")
                time.sleep(event["event"].get("slow_s", 0))

    def inject(
        _: Any, event: Mapping[str, Any], if_kept: Callable[[], bool], at: datetime | None
    ) -> Mapping[str, Any] | None:
        if event.get("prompt") == "silence" or not if_kept():
            return None
        seen = len(captured.read_text().splitlines()) if captured.exists() else 0
        return {"hookSpecificOutput": {"additionalContext": f"{seen} before"}}

    places = Places(home)
    lock = hold(places)
    log_to(places)
    serve(replace(wire(home), take=take, inject=inject), lock)


if __name__ == "__main__":
    main(sys.argv[1])
