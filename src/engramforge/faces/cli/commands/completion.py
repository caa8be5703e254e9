"""`engramforge completion`: the script by which a shell completes commands and options."""

from __future__ import annotations

import sys
from typing import cast

import click
from click.shell_completion import ShellComplete, get_completion_class

from engramforge.faces.cli.program import COMPLETING


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that completes commands and options in SHELL; put it where the shell reads it at its start.

    \b
    bash: eval "$(engramforge completion bash)"   in ~/.bashrc
    zsh:  eval "$(engramforge completion zsh)"    in ~/.zshrc
    fish: engramforge completion fish > ~/.config/fish/completions/engramforge.fish
    """
    completing = cast("type[ShellComplete]", get_completion_class(shell))
    sys.stdout.write(completing(command, {}, "engramforge", COMPLETING).source())
