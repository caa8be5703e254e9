"""The git repository that a working folder lies in, by which its project is named."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Final

_LINKED: Final = re.compile(r"gitdir: (?P<repository>/.{1,4000})/\.git/worktrees/[^/]{1,255}\s*\Z")
"""What `.git` holds in a worktree that lies outside of its repository."""


def repository_around(folder: str) -> str:
    """The repository that a folder of this machine lies in, of a worktree the one it belongs to; else the folder.

    A person's home is no repository of a project, although some keep their settings in one.
    """
    home = str(Path("~").expanduser())
    place = PurePosixPath(folder)
    if not place.is_absolute():
        return folder
    for each in (place, *place.parents):
        if str(each) in ("/", home):
            break
        mark = Path(each) / ".git"
        try:
            if mark.is_dir():
                return str(each)
            if mark.is_file():
                linked = _LINKED.match(mark.read_text(encoding="utf-8", errors="replace")[:5_000])
                return linked["repository"] if linked else str(each)
        except OSError:  # a folder that may not be entered
            break
    return folder
