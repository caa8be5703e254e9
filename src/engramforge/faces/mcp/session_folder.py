"""The folder in which a session's client runs: paths that it names are relative to that, and not to the daemon's."""

from __future__ import annotations

import os
from contextvars import ContextVar
from typing import Any, Final

SESSION_FOLDER: Final[ContextVar[str | None]] = ContextVar("session_folder", default=None)
"""None where the server runs in the client's folder itself."""


def placed(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a tool whose paths are whole."""
    folder = SESSION_FOLDER.get()
    if folder is None:
        return arguments
    found = dict(arguments)
    if isinstance(found.get("image"), str):
        found["image"] = _whole(folder, found["image"])
    if isinstance(found.get("images"), list):
        found["images"] = [
            _whole(folder, each) if isinstance(each, str) else each for each in found["images"]
        ]
    return found


def _whole(folder: str, image: str) -> str:
    is_path = image and "\x00" not in image and not image.startswith(("data:", "~"))
    return os.path.join(folder, image) if is_path else image  # noqa: PTH118 - links stay
