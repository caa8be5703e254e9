"""The only place where parts are wired together, and the only reader of settings.

Everything heavy is imported here and not in the package, so that `import engramforge` stays light.
"""

from engramforge.assembly.opening import daemon_options, home_of, locate, move_store, open_forge, tools_off

__all__ = ["daemon_options", "home_of", "locate", "move_store", "open_forge", "tools_off"]
