"""The process of a daemon that was started in the background: `python -m engramforge.entry.daemon`.

It leaves its starter first, before anything heavy is loaded: the starter waits for that.
"""

from __future__ import annotations

import os
import sys


def main(argv: list[str]) -> int:
    """Become the daemon of a home: --home FOLDER --lock DESCRIPTOR [--port N] [--self-started]."""
    home, lock = argv[argv.index("--home") + 1], int(argv[argv.index("--lock") + 1])
    port = int(argv[argv.index("--port") + 1]) if "--port" in argv else 0
    if os.fork():
        os._exit(0)
    from engramforge.errors import EngramforgeError
    from engramforge.runtime.daemon import hold, log_to, serve
    from engramforge.runtime.places import Places

    places = Places(home)
    log_to(places)
    try:
        held = hold(places, lock)
        from engramforge.entry.wiring import wire

        serve(wire(home), held, "--self-started" in argv, port)
    except EngramforgeError as error:
        import logging

        logging.getLogger("engramforge").error("The daemon could not start: %s", error)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
