"""Prompts as files, one for each version; a version that was ever used is never changed.

The name of what a prompt made (`consult-1`) is kept with it, so one can tell by which words it was asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's name and version; `str` of it is what is kept."""

    name: str
    version: int

    def __str__(self) -> str:
        return f"{self.name}-{self.version}"

    @property
    def text(self) -> str:
        """What the model is told."""
        return _read(str(self))


CONSULT: Final = Prompt("consult", 1)
EXTRACT: Final = Prompt("extract", 1)
CONFLICT: Final = Prompt("conflict", 1)


@cache
def _read(name: str) -> str:
    return files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
