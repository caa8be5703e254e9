"""Project names for the working folders in which sessions ran; a name never changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Final

from engramforge.capture.reading.values import visible
from engramforge.core.checks.identities import path_holds_secret
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.scope import Scope
from engramforge.store.door import Door

_FOLDERS_MARK: Final = "import:folders"


def name_folders(door: Door, scope: Scope, folders: set[str]) -> dict[str, str]:
    """The project of each working folder; names once given are kept in the store."""
    kept = {str(key): str(value) for key, value in (door.asking(scope).mark(_FOLDERS_MARK) or {}).items()}
    named = project_names(kept, folders)
    # A folder named with a secret names no project either: the memories that name it are refused.
    sound = {folder: name for folder, name in named.items() if not path_holds_secret(folder)}
    if sound != kept:
        door.write(scope, lambda writes: writes.save_mark(_FOLDERS_MARK, sound))
    return named


def project_names(folders: Mapping[str, str], wanted: Iterable[str]) -> dict[str, str]:
    """A name for each working folder: its last part, with as many preceding parts as it takes to be unique.

    `folders`: names given by earlier imports, which stay. `wanted`: folders to name now; the order does not matter.
    """
    named = dict(folders)
    taken = set(named.values())
    for folder in sorted(set(wanted) - set(named)):
        shown = visible(folder, "-")
        parts = [part for part in PurePosixPath(shown).parts if part not in ("/", "..", ".")] or ["root"]
        choices = ["/".join(parts[-count:])[-NAME_CHARACTERS:].strip() for count in range(1, len(parts) + 1)]
        name = next(
            (choice for choice in choices if choice and choice not in taken), shown[-NAME_CHARACTERS:]
        )
        named[folder] = name
        taken.add(name)
    return named
