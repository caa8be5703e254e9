"""The console entry point: the command line with the commands that mount another face."""

from __future__ import annotations

import gc
import sys
from typing import Final

COMMANDS: Final = {"mcp": ("engramforge.entry.stdio", "Serve the MCP tools on standard input and output.")}

_INTERRUPTED: Final = 130


def main() -> int:
    """Run the command line of this process; returns its exit code."""
    # Imports make many objects that live to the end: collecting among them costs a cold recall about 60 ms.
    gc.set_threshold(100_000, 50, 50)
    try:
        # Imported here, so that an interrupt while it loads is as quiet as a later one.
        from engramforge.faces.cli.program import run

        return run(sys.argv[1:], COMMANDS)
    except KeyboardInterrupt:
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
