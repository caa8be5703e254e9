"""The only place where parts are wired together, and the only reader of settings.

Everything heavy is imported here and not in the package, so that `import engramforge` stays light; and here when a
store is to be opened, so that who starts a daemon waits for its settings alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engramforge.assembly.of_daemons import daemon_options

if TYPE_CHECKING:
    from engramforge.assembly.opening import home_of, locate, move_store, open_forge, tools_off

__all__ = ["daemon_options", "home_of", "locate", "move_store", "open_forge", "tools_off"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from engramforge.assembly import opening

    return getattr(opening, name)
