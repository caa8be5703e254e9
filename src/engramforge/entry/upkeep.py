"""The process of upkeep: `python -m engramforge.entry.upkeep --home FOLDER` does what is due at the lowest priority."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress

_PDEATHSIG = 1


def main(argv: list[str]) -> int:
    """Do what is due on the store of a home: --home FOLDER."""
    os.nice(19)
    _end_with_parent()
    from engramforge.assembly import open_forge
    from engramforge.errors import EngramforgeError
    from engramforge.runtime.lock import take_lock
    from engramforge.runtime.places import Places

    home = argv[argv.index("--home") + 1]
    places = Places(home)
    places.make()
    if take_lock(f"{places.lock}.upkeep") is None:
        return 0  # one is at it
    try:
        with open_forge(home, environment={}) as forge:
            forge.upkeep()
    except EngramforgeError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


def _end_with_parent() -> None:
    """Have the system end this process when its daemon is gone, however that ended; only Linux can."""
    parent = os.getppid()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
