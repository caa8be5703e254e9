"""The process of upkeep: `python -m engramforge.entry.upkeep --home FOLDER` does what is due at the lowest priority."""

from __future__ import annotations

import os
import sys


def main(argv: list[str]) -> int:
    """Do what is due on the store of a home: --home FOLDER."""
    os.nice(19)
    from engramforge.assembly import open_forge
    from engramforge.errors import EngramforgeError

    try:
        with open_forge(argv[argv.index("--home") + 1], environment={}) as forge:
            forge.upkeep()
    except EngramforgeError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
