"""The console entry point: a live daemon's answer first, else the command line in this process.

Nothing heavy is imported before the daemon was asked.
"""

from __future__ import annotations

import sys

from engramforge import __version__
from engramforge.entry import thin

COMMANDS = {
    "mcp": ("engramforge.entry.stdio", "Serve the MCP tools on standard input and output."),
    "serve": ("engramforge.entry.serve", "Serve the store to commands, MCP and hooks."),
    "stop": ("engramforge.entry.stop", "End the daemon of this home."),
    "status": ("engramforge.entry.status", "Say whether a daemon serves this home."),
    "schemas": ("engramforge.entry.schemas", "The MCP tools as model providers want them."),
}

_INTERRUPTED = 130


def main() -> int:
    """Run the command line of this process; returns its exit code."""
    try:
        # Imported within, so that an interrupt while it loads is as quiet as a later one.
        if (code := thin.run(sys.argv[1:], __version__)) is not None:
            return code
        if "mcp" in sys.argv[1:]:
            from engramforge.entry import mcp_proxy

            if (code := mcp_proxy.run(sys.argv[1:], __version__)) is not None:
                return code
        import gc

        # Imports make many objects that live to the end: collecting among them costs a cold recall about 60 ms.
        gc.set_threshold(100_000, 50, 50)
        from engramforge.faces.cli.program import run

        return run(sys.argv[1:], COMMANDS)
    except KeyboardInterrupt:
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
