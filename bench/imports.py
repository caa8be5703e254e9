"""imports: does every message of an export arrive, and nothing twice.

The data is a folder with a manifest.json (a list of files with counts of records by type, or a number of
messages). Each file is brought into one store and then brought in again. messages_expected is the manifest's
(of Gemini sessions, whose messages a manifest may not count, our own count of the raw file where it is more),
messages_found what the importer says it found in the file, missing the shortfall file by file,
duplicates_on_second_import the memories that the second pass added. A file of which messages are expected and
that no format recognises is missing as a whole; one of which none are is named and not counted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.records import take
from engramforge.capture.imports.survey import survey
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.forge import Forge
    from engramforge.model.storing.record import ImportReport

_MANIFEST: Final = "manifest.json"
_MESSAGE_TYPES: Final = {
    "claude_code": frozenset({"user", "assistant"}),
    "codex": frozenset({"response_item"}),
    "gemini": frozenset({"user", "gemini"}),
}
"""Format -> the types of records that are messages, where a manifest counts records."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of a manifest: the file, how many messages it holds, and its format (None: none that we know)."""

    path: Path
    name: str
    messages: int
    format: str | None


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N files that can be imported."""
    listed = [each for path in paths for each in read_manifest(path)]
    known = [each for each in listed if each.format is not None or each.messages][: options.limit]
    if not any(each.format is not None for each in known):
        raise InvalidSource("No file of the manifest can be imported", "Give a folder with exports")
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
        "nothing_expected": sorted(each.name for each in listed if each.format is None and not each.messages),
        "expected_by_format": _by_format(known, {each.name: each.messages for each in known}),
        "found_by_format": _by_format(known, found),
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
    try:
        (source, *_) = survey(path, None).sources
    except InvalidSource:
        return Listed(path, name, _messages(entry, None), None)
    messages = _messages(entry, source.format)
    if source.format == "gemini":
        messages = max(messages, _gemini_messages(path))
    return Listed(path, name, messages, source.format)


def _messages(entry: dict[str, Any], format_: str | None) -> int:
    """How many messages a manifest expects: the records of the types that are messages, else its number of them."""
    types = entry.get("types")
    if isinstance(types, dict):
        counted = _MESSAGE_TYPES.get(str(format_)) or next(
            (kinds for kinds in _MESSAGE_TYPES.values() if kinds & types.keys()), frozenset()
        )
        return sum(int(types.get(kind, 0)) for kind in counted)
    return int(entry.get("messages") or 0)


def _gemini_messages(path: Path) -> int:
    """The messages of a session, by nothing but their types in the raw file."""
    try:
        document = json.loads(path.read_bytes())
    except ValueError:
        return 0
    messages = document.get("messages") if isinstance(document, dict) else document
    listed = messages if isinstance(messages, list) else []
    return sum(isinstance(item, dict) and item.get("type") in _MESSAGE_TYPES["gemini"] for item in listed)


def _by_format(listed: Sequence[Listed], numbers: dict[str, int]) -> dict[str, int]:
    """The numbers of files summed by their format."""
    formats = sorted({each.format or "none" for each in listed})
    return {
        format_: sum(numbers[each.name] for each in listed if (each.format or "none") == format_)
        for format_ in formats
    }
