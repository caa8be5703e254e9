"""imports: does every message of an export arrive, and nothing twice.

The data is a folder with a manifest.json (a list of files with counts of records by type, or a number of
messages). Each file whose format engramforge imports is brought into one store and then brought in again.
messages_expected is the manifest's, messages_found what the importer says it found in the file, missing
the shortfall file by file, duplicates_on_second_import the memories that the second pass added. Files of
other formats are named and not counted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.records import take
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engramforge.forge import Forge
    from engramforge.model.record import ImportReport

_MANIFEST: Final = "manifest.json"
_CLAUDE_CODE_TYPES: Final = frozenset({"user", "assistant"})


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of a manifest: the file, how many messages it holds, and its format (None: not imported
    yet)."""

    path: Path
    name: str
    messages: int
    format: str | None


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N files that can be imported."""
    listed = [each for path in paths for each in read_manifest(path)]
    known = [each for each in listed if each.format is not None][: options.limit]
    if not known:
        raise InvalidSource(
            "No file of the manifest can be imported yet", "Give a folder with Claude Code files"
        )
    refused: dict[str, str] = {}
    with temporary_forge(options.engine) as forge:
        reports = {each.name: _import(forge, each, refused, options) for each in known}
        written = forge.stats().versions
        again = [_import(forge, each, refused, options) for each in known]
        added = forge.stats().versions - written
    found = {name: report.found if report else 0 for name, report in reports.items()}
    missing = {
        each.name: each.messages - found[each.name] for each in known if found[each.name] < each.messages
    }
    metrics = {
        "messages_expected": sum(each.messages for each in known),
        "messages_found": sum(found.values()),
        "missing": sum(missing.values()),
        "duplicates_on_second_import": max(added, sum(report.written for report in again if report)),
        "memories_written": written,
        "broken_records_reported": sum(len(report.faults) for report in reports.values() if report),
        "files": len(known),
    }
    settings = {
        "missing_files": sorted(missing),
        "surplus_files": sorted(each.name for each in known if found[each.name] > each.messages),
        "refused_files": refused,
        "not_yet": sorted(each.name for each in listed if each.format is None),
    }
    return Measured(len(known), metrics, {}, settings)


def _import(forge: Forge, listed: Listed, refused: dict[str, str], options: Options) -> ImportReport | None:
    """Import one file; a refusal counts as everything missing and is kept word for word."""
    options.say(f"Importing {listed.name}")
    try:
        return forge.import_path(listed.path)
    except InvalidSource as error:
        refused[listed.name] = str(error)
        return None


def read_manifest(path: Path) -> list[Listed]:
    """The files under a folder that its manifest (its own, or that of a folder above it) lists.

    Raises
    ------
    InvalidSource : no manifest, a damaged one, or one that lists a file that is not there.
    """
    folder = path.parent if path.name == _MANIFEST else path
    for root in (folder, *folder.absolute().parents):
        if (root / _MANIFEST).is_file():
            break
    else:
        raise InvalidSource(
            f"{path} has no {_MANIFEST}", f"Give a folder with a {_MANIFEST} of expected counts"
        )
    entries = _entries_of(root / _MANIFEST)
    listed = [_listed(root, entry) for entry in entries]
    within = folder.resolve()
    return [each for each in listed if each.path.resolve().is_relative_to(within)]


def _entries_of(manifest: Path) -> list[dict[str, Any]]:
    try:
        entries = json.loads(manifest.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidSource(f"{manifest} cannot be read ({error})", "Check that the file is whole") from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InvalidSource(
            f"{manifest} is not a list of objects", "Give a manifest with one object for each file"
        )
    return entries


def _listed(root: Path, entry: dict[str, Any]) -> Listed:
    name = take(entry, "file", str, str(root / _MANIFEST))
    path = root / name
    if not path.is_file():
        raise InvalidSource(f"{root / _MANIFEST} lists {name}, which is not there", "Fetch the folder again")
    for format_, count in _FORMATS.items():
        messages = count(entry, path)
        if messages is not None:
            return Listed(path, name, messages, format_)
    return Listed(path, name, 0, None)


def _claude_code(entry: dict[str, Any], path: Path) -> int | None:
    """Transcripts: lines of user and assistant records, or one object with them as `loglines`."""
    types = entry.get("types")
    if isinstance(types, dict) and _CLAUDE_CODE_TYPES & types.keys():
        return sum(int(types.get(kind, 0)) for kind in _CLAUDE_CODE_TYPES)
    if path.suffix == ".json" and b'"loglines"' in path.read_bytes()[:4_096]:
        return int(entry.get("messages", 0))
    return None


_FORMATS: Final[dict[str, Callable[[dict[str, Any], Path], int | None]]] = {"claude-code": _claude_code}
"""Format -> how many messages a file of it should hold, or None when the file is of another format."""
