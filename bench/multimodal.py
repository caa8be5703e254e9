"""multimodal: images found by their captions, and by changed copies of themselves.

Every image is remembered with its caption. `text_to_image_at_10` is the share of captions whose image is among the
first ten memories that a recall of the caption gives; `image_to_image_at_10` the share of changed copies (bench/copies)
whose image is among the first ten that a recall by the copy alone gives, averaged over the kinds of change.
"""

from __future__ import annotations

import tarfile
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bench.copies import COPIES, copies_of
from bench.harness import Measured, Options, temporary_forge
from bench.measures import mean, percentile
from bench.records import read_records
from engramforge.errors import InvalidContent, InvalidSource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from engramforge.forge import Forge

_DEPTH: Final = 10
_BATCH: Final = 100
_IMAGE_BYTES: Final = 20_000_000


@dataclass(frozen=True, slots=True)
class Captioned:
    """An image file and what is said of it."""

    caption: str
    content: bytes


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` asks for the first N images, all stay in the store."""
    images = load(paths)
    asked = images[: options.limit]
    options.say(f"Remembering {len(images)} images")
    with temporary_forge(options.engine) as forge:
        started = time.perf_counter()
        keys = remember(forge, images)
        seconds = time.perf_counter() - started
        searcher = _Searcher(forge, keys)
        options.say(f"Asking by {len(asked)} captions")
        by_text = mean([searcher.finds(key, each.caption, None) for key, each in enumerate(asked)])
        options.say("Asking by changed copies")
        by_copy = _by_copies(searcher, asked)
    kinds = {kind: mean(list(names.values())) for kind, names in by_copy.items()}
    metrics = {
        "text_to_image_at_10": by_text,
        "image_to_image_at_10": mean([value or 0.0 for value in kinds.values()]),
        "by_kind": kinds,
        "by_copy": by_copy,
        "unreadable_copies": searcher.unreadable,
        "images_per_second": len(images) / seconds,
        "latency": {f"recall_p{at}_ms": percentile(searcher.latencies_ms, at / 100) for at in (50, 95)},
    }
    chance = min(_DEPTH / len(images), 1.0)
    baselines = {"chance": {"text_to_image_at_10": chance, "image_to_image_at_10": chance}}
    return Measured(len(asked), metrics, baselines, {"images": len(images), "depth": _DEPTH})


def load(paths: Sequence[Path]) -> list[Captioned]:
    """Images with captions, in the captions' order.

    Raises
    ------
    InvalidSource : an archive or a list of captions is missing or damaged, or an image of the list is in no archive.
    """
    archives = [path for path in paths if _is_archive(path)]
    lists = [path for path in paths if path not in archives]
    if not archives or not lists:
        raise InvalidSource(
            "multimodal needs captions and an archive of images",
            "Run: engramforge bench multimodal --data captions.jsonl images.tar.gz",
        )
    records = read_records(lists)
    wanted = {record.text("file") for record in records}
    contents: dict[str, bytes] = {}
    for archive in archives:
        contents |= _members(archive, wanted)
    found = []
    for record in records:
        if record.text("file") not in contents:
            raise InvalidSource(
                f"{record.where}: {record.text('file')!r} is in no archive", "Give its archive too"
            )
        found.append(Captioned(record.text("caption"), contents[record.text("file")]))
    return found


def _is_archive(path: Path) -> bool:
    try:
        return path.is_file() and tarfile.is_tarfile(path)
    except (OSError, tarfile.TarError, EOFError):
        return False


def _members(archive: Path, wanted: set[str]) -> dict[str, bytes]:
    """The wanted files of an archive; nothing is written to the disk."""
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(archive) as opened:
            for member in opened:
                name = member.name.removeprefix("./")
                if name in wanted and member.isfile() and member.size <= _IMAGE_BYTES:
                    file = opened.extractfile(member)
                    found[name] = file.read() if file else b""
    except (OSError, tarfile.TarError, EOFError) as error:
        raise InvalidSource(f"{archive} is cut short or damaged ({error})", "Fetch the file again") from error
    return found


def remember(forge: Forge, images: Sequence[Captioned]) -> list[str]:
    """Remember every image with its caption; the logical id of each one's memory, in order."""
    keys: list[str] = []
    for start in range(0, len(images), _BATCH):
        drafts = [
            {"project": "images", "kind": "artifact", "images": [each.content], "captions": [each.caption]}
            for each in images[start : start + _BATCH]
        ]
        keys += [memory.logical_id for memory in forge.remember_many(drafts)]
    return keys


class _Searcher:
    """Asks, and looks whether the image that is meant is among the first ten."""

    def __init__(self, forge: Forge, keys: Sequence[str]) -> None:
        self._forge = forge
        self._keys = keys
        self.latencies_ms: list[float] = []
        self.unreadable = 0

    def finds(self, key: int, text: str | None, image: bytes | None) -> float:
        """1 or 0; an image that is refused finds nothing."""
        started = time.perf_counter()
        try:
            answer = self._forge.recall(text, image=image, limit=_DEPTH, budget=None)
        except InvalidContent:
            self.unreadable += 1
            return 0.0
        self.latencies_ms.append((time.perf_counter() - started) * 1_000)
        return float(any(hit.memory.logical_id == self._keys[key] for hit in answer.hits))


def _by_copies(searcher: _Searcher, images: Sequence[Captioned]) -> Mapping[str, Mapping[str, Any]]:
    """Kind of change -> name of the copy -> share found."""
    found: dict[str, dict[str, list[float]]] = {
        kind: {name: [] for name in names} for kind, names in COPIES.items()
    }
    for key, image in enumerate(images):
        for kind, names in _copies(image).items():
            for name, content in names.items():
                found[kind][name].append(searcher.finds(key, None, content))
    return {kind: {name: mean(hits) for name, hits in names.items()} for kind, names in found.items()}


def _copies(image: Captioned) -> dict[str, dict[str, bytes]]:
    try:
        return copies_of(image.content)
    except (OSError, ValueError, SyntaxError) as error:
        raise InvalidSource(
            f"The image of {image.caption!r} cannot be read ({error})", "Give whole image files"
        ) from error
