"""The wired stages that an import is made of; the facade's parts have them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from engramforge.store.door import Door
from engramforge.writing.intake import Intake
from engramforge.writing.revision import Revision


class ImportParts(Protocol):
    """The wired stages that an import needs."""

    @property
    def door(self) -> Door:
        """The store."""
        ...

    @property
    def intake(self) -> Intake:
        """Writes new memories."""
        ...

    @property
    def revision(self) -> Revision:
        """Writes new versions."""
        ...

    @property
    def clock(self) -> Callable[[], datetime]:
        """The time of a write, timezone-aware."""
        ...

    @property
    def excluded_projects(self) -> Sequence[str]:
        """Projects of which nothing is imported."""
        ...

    @property
    def markdown_globs(self) -> Sequence[str]:
        """Which files of a folder count as Markdown; empty for the usual ones."""
        ...
