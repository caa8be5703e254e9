"""What a home's settings say of its daemon; without the stages, for whoever starts one loads nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engramforge.settings import read_settings

if TYPE_CHECKING:
    import os


def daemon_options(home: str | os.PathLike[str]) -> tuple[bool, float]:
    """Whether a home's daemon is switched on, and after how many idle seconds one that started by itself ends.

    Of the file in the home alone: a daemon answers for everybody who asks there. Raises InvalidValue.
    """
    settings = read_settings(home, {})
    return settings.daemon, settings.daemon_idle_minutes * 60
