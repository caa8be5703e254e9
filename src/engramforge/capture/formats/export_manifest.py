"""The manifest that newer exports of Claude.ai and ChatGPT have: which files belong together.

It holds no memory. Imported alone, it stands for the files that it lists; a missing one is a fault, since its content
is lost. A version newer than those known is refused, since its parts may mean something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from engramforge.capture.reading.format import Context, Format
from engramforge.capture.reading.records import FILE_BYTES, Item, parse_json
from engramforge.capture.reading.sources import ImportSource, Sample
from engramforge.core.checks.identities import quoted
from engramforge.errors import InvalidSource

KNOWN_VERSIONS: Final = (1, 2)
_VERSION_NAMES: Final = ("version", "schema_version", "manifest_version", "export_version", "format_version")
_PART: Final = re.compile(
    r"(?:^|[/_-])(?:conversations?|projects?|memories|users?|files|data|export|batch|part)[\w-]{0,80}\.(?:zip|json)\Z",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"(?:^|[_-])manifest\.json\Z", re.IGNORECASE)
_MOST_PARTS: Final = 10_000
_MOST_DEEP: Final = 6


def _recognises(sample: Sample) -> bool:
    document = sample.document
    if not isinstance(document, dict) or not (_NAMED.search(sample.name.name) or sample.is_alone):
        return False
    return any(True for _ in _parts_in(document, 0))


def parts_of(source: ImportSource) -> list[str]:
    """The names of the files that a manifest lists, each once. Raises InvalidSource for a version that is not known."""
    with source.open() as stream:
        document, fault = parse_json(stream.read(FILE_BYTES).removeprefix(b"\xef\xbb\xbf"))
    if fault or not isinstance(document, dict):
        raise InvalidSource(
            f"{source.place} is no manifest ({fault or 'not an object'})", "Download the export again"
        )
    _check_version(document, source.place)
    return list(dict.fromkeys(_parts_in(document, 0)))[:_MOST_PARTS]


def _check_version(document: dict[str, Any], place: str) -> None:
    for name in _VERSION_NAMES:
        said = document.get(name)
        number = (
            re.match(r"\s*v?(\d{1,3})(?:\.\d+)*\s*\Z", str(said), re.IGNORECASE) if said is not None else None
        )
        if number is not None and int(number[1]) > max(KNOWN_VERSIONS):
            known = " and ".join(map(str, KNOWN_VERSIONS))
            raise InvalidSource(
                f"{place} is a manifest of version {str(said)[:40]}; known are the versions {known}",
                "Update engramforge, or import the files that it lists one by one",
            )


def _parts_in(value: Any, depth: int) -> Iterator[str]:
    """File names anywhere in a manifest: texts that look like a part of an export, as keys, values or in addresses."""
    if isinstance(value, str):
        path = unquote(urlsplit(value).path) if "://" in value else value
        if len(value) <= 4_096 and _PART.search(path):
            yield PurePath(path).name if "://" in value else path
    elif depth < _MOST_DEEP and isinstance(value, dict):
        for key, inner in value.items():
            yield from _parts_in(key, depth + 1)
            yield from _parts_in(inner, depth + 1)
    elif depth < _MOST_DEEP and isinstance(value, list):
        for inner in value:
            yield from _parts_in(inner, depth + 1)


def _read(source: ImportSource, context: Context) -> Iterator[Item]:
    """One item without a memory, with a remark for each part that is missing."""
    present = {name for each in context.sources for name in (PurePath(each.place).name, each.path.name)}
    folder = source.path.parent
    missing = [
        name
        for name in parts_of(source)
        if PurePath(name).name not in present
        and (".." in PurePath(name).parts or PurePath(name).is_absolute() or not (folder / name).is_file())
        and not (folder / PurePath(name).name).is_file()
    ]
    remarks = tuple(
        f"the manifest lists {quoted(name, 200)}, which is not beside it; get it and import again"
        for name in missing
        if not name.lower().endswith(("users.json", "user.json"))
    )
    yield Item(source.place, None, "manifest", skipped="manifest", end=source.size, remarks=remarks)


FORMAT: Final = Format(
    name="export_manifest",
    title="manifests of such exports",
    read=_read,
    recognises=_recognises,
    is_in_zip=True,
    parts=parts_of,
    # The files that it lists may have changed although it has not.
    digest=lambda _: None,
)
