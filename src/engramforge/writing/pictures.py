"""Images that are remembered: files, bytes and data URLs become attachments, and pictures for the encoders.

An unreadable image is an error if a caller names it, and a reported fault in an import. Only regular files are opened,
nothing is fetched, and the store keeps no copy, only the file's place, caption and hash. Pillow decodes; it is
an extra, so what only carries images beside its text (a memory that is read again, an import) does without it.
"""

from __future__ import annotations

import binascii
import os
import stat
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import blake2b, sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import unquote_to_bytes

from engramforge.core.checks.draft_from_mapping import draft_from
from engramforge.core.checks.store_files import is_of_store
from engramforge.core.checks.validation import FELT_CHARACTERS, PLACE_CHARACTERS
from engramforge.errors import InvalidContent, InvalidValue, ModelUnavailable, NotFound
from engramforge.model.limits import IMAGE_BYTES, IMAGES_PER_MEMORY, NAME_CHARACTERS
from engramforge.model.memory import Attachment, Draft, Kind, Memory
from engramforge.spaces.encoder import Picture
from engramforge.spaces.multimodal.decode import can_decode, media_type_of, shrink, svg_text, unreadable

Image: TypeAlias = str | os.PathLike[str] | bytes
"""A path, the bytes of an image file, or a data URL."""

SUFFIXES: Final = frozenset(
    {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".ppm", ".ico", ".svg"}
    | {".heic", ".heif", ".avif"}
)
"""File suffixes taken for images; the last three cannot be decoded, which is reported."""
_DRAWING: Final = "image/svg+xml"
_KNOWN_BY_IMAGE: Final = frozenset({Kind.NOTE, Kind.CHUNK, Kind.ARTIFACT})


@dataclass(frozen=True, slots=True, kw_only=True)
class IllustratedDraft(Draft):
    """A draft with its images.

    `shown`: for each attachment, in order, its picture as small PNG; None if there is none.
    """

    shown: tuple[bytes | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Loaded:
    """A loaded image file: its attachment, and its picture as small PNG (None if it was not decoded, as a drawing)."""

    attachment: Attachment
    shown: bytes | None


def read_image(image: Image) -> bytes:
    """An image to ask by, as small PNG.

    Raises NotFound: there is no such file; InvalidContent: it cannot be read as an image; InvalidValue: it is neither a
    path, bytes nor a data URL; ModelUnavailable: Pillow is not installed.
    """
    loaded = load_image(image)
    if loaded.shown is None:
        raise InvalidContent(
            f"The image {loaded.attachment.name!r} is an SVG drawing, which is not drawn",
            "Ask by its words, or convert it to PNG",
        )
    return loaded.shown


def load_image(image: Image, caption: str = "", *, to_be_seen: bool = True) -> Loaded:
    """An image with its attachment; a drawing's texts are its caption if none is given.

    `to_be_seen`: whether it is looked at; its name, place and caption need no Pillow. Raises as `read_image`.
    """
    content, name, location = _content_of(image)
    said = svg_text(content)
    try:
        shown = shrink(content) if said is None and to_be_seen else None
    except InvalidContent as error:
        raise unreadable(repr(name), error) from None
    attachment = Attachment(
        name=name,
        media_type=media_type_of(content),
        size_bytes=len(content),
        location=location,
        caption=(caption or said or "")[:FELT_CHARACTERS].strip(),
        sha256=sha256(content).hexdigest(),
    )
    return Loaded(attachment, shown)


def illustrated(
    values: Draft | Mapping[str, Any], images: Sequence[Image], captions: Sequence[str] = ()
) -> Draft:
    """A draft with images beside its own attachments.

    Without content the captions become its content, else the images' names, and it is an artifact unless a kind is
    given. A note or artifact without an origin is recognised by its words, its images and its place in a conversation.

    Raises NotFound, InvalidContent, InvalidValue, ModelUnavailable: an image cannot be read, there are too many, or
    captions without an image.
    """
    _check_lists(images, captions)
    if not images:
        return draft_from(values)
    given = [load_image(each, said or "") for each, said in zip_longest(images, captions)]
    if isinstance(values, Mapping) and values.get("content") is None:
        said = [each.attachment.caption for each in given if each.attachment.caption]
        content = "\n".join(said or [each.attachment.name for each in given])
        kind = values.get("kind") or Kind.ARTIFACT
        values = {**values, "content": content, "kind": kind}
    draft = draft_from(values)
    pictured = with_pictures(draft, given)
    if draft.origin is None and draft.kind in _KNOWN_BY_IMAGE and isinstance(draft.content, str):
        place = () if draft.session_id is None else (f"{draft.session_id}", f"{draft.sequence}")
        record = "\0".join((draft.content, *(each.attachment.sha256 for each in given), *place))
        digest = blake2b(record.encode("utf-8", "replace"), digest_size=16).hexdigest()
        return replace(pictured, origin=f"image:{digest}")
    return pictured


def with_pictures(draft: Draft, loaded: Sequence[Loaded]) -> Draft:
    """The draft with loaded images added to its attachments; its identity is unchanged."""
    before = draft.shown if isinstance(draft, IllustratedDraft) else (None,) * len(draft.attachments)
    own = {field.name: getattr(draft, field.name) for field in fields(Draft)}
    own["attachments"] = (*draft.attachments, *(each.attachment for each in loaded))
    return IllustratedDraft(**own, shown=(*before, *(each.shown for each in loaded)))


def with_encoded(draft: Draft, images: Sequence[str]) -> Draft:
    """The draft with its attachments' pictures, given in base64, in order; what is not an image is left unseen."""
    own = {field.name: getattr(draft, field.name) for field in fields(Draft)}
    return IllustratedDraft(**own, shown=tuple(map(_seen_in, images)))


def pictures_of(draft: Draft, *, whole: bool = False) -> tuple[Picture, ...]:
    """The pictures of a draft's images: loaded ones, else read from their places; missing files are skipped.

    An image without picture and caption does not count: the memory abstains. With `whole` it raises ModelUnavailable if
    there is an image to look at and no Pillow; without, it does with the captions.
    """
    shown = draft.shown if isinstance(draft, IllustratedDraft) else ()
    found: list[Picture] = []
    for attachment, content in zip_longest(draft.attachments, shown[: len(draft.attachments)]):
        if not is_image(attachment) or len(found) >= IMAGES_PER_MEMORY:
            continue
        seen = content or _seen_at(attachment, whole)
        if seen is not None or attachment.caption:
            found.append(Picture(seen, attachment.caption))
    return tuple(found)


def is_image(attachment: Attachment) -> bool:
    """Whether an attachment is an image, by its media type."""
    return attachment.media_type.casefold().startswith("image/")


def is_unseen(record: Draft | Memory) -> bool:
    """Whether a record has an image to look at, and Pillow is not installed."""
    loaded = isinstance(record, IllustratedDraft)
    return (
        any(
            is_image(each) and each.media_type != _DRAWING and (loaded or Path(each.location).is_file())
            for each in record.attachments
        )
        and not can_decode()
    )


def _check_lists(images: object, captions: object) -> None:
    for values, what in ((images, "images"), (captions, "captions")):
        if isinstance(values, str | bytes | os.PathLike) or not isinstance(values, Sequence):
            raise InvalidValue(f"{what} is a {type(values).__name__}", "Give a list, one for each image")
    assert isinstance(images, Sequence)
    assert isinstance(captions, Sequence)
    if len(images) > IMAGES_PER_MEMORY:
        raise InvalidValue(
            f"There are {len(images)} images, more than {IMAGES_PER_MEMORY}", "Split the memory"
        )
    if len(captions) > len(images):
        raise InvalidValue(
            f"There are {len(captions)} captions for {len(images)} images", "Give one caption for each image"
        )
    for caption in captions:
        if caption is not None and not isinstance(caption, str):
            raise InvalidValue(f"A caption is a {type(caption).__name__}, not text", "Pass a str")
        if caption and len(caption) > FELT_CHARACTERS:
            raise InvalidValue(
                f"A caption has {len(caption):,} characters, more than {FELT_CHARACTERS:,}",
                "Put long texts into the content",
            )


def _content_of(image: object) -> tuple[bytes, str, str]:
    """The bytes of an image, its name, and its place (empty if the caller gave the bytes)."""
    if isinstance(image, bytes | bytearray):
        return bytes(image), "image", ""
    if isinstance(image, str) and image[:5].casefold() == "data:":
        return _content_of_url(image), "image", ""
    if not isinstance(image, str | os.PathLike) or not os.fspath(image):
        raise InvalidValue(
            f"The image is {str(image)[:40]!r}", "Give a path, the bytes of the file, or a data URL"
        )
    written = os.fspath(image)
    if "://" in written[:16] and not written.startswith("/"):
        raise InvalidValue(
            f"The image {written[:100]!r} is a URL, and nothing is fetched", "Give a file or a data URL"
        )
    path = Path(written)
    try:
        path = path.expanduser()
        content = read_file(path)
        location = str(path.resolve())
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"There is no image {written[:500]!r}", "Check the path") from None
    except (OSError, ValueError, RuntimeError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise InvalidContent(
            f"The image {written[:500]!r} cannot be read ({said})", "Give an image file that may be read"
        ) from None
    printable = "".join(letter if letter.isprintable() else "-" for letter in path.name)
    is_utf8 = not any("\ud800" <= letter <= "\udfff" for letter in location)
    kept = location if len(location) <= PLACE_CHARACTERS and is_utf8 else ""
    return content, printable[-NAME_CHARACTERS:].strip() or "image", kept


def read_file(path: Path) -> bytes:
    """The bytes of a regular file, at most one beyond the limit. Raises OSError, also if it is not a regular file."""
    if is_of_store(path.resolve().name):
        raise OSError(0, "it is a file of a store")
    # Opening a pipe without a writer must not block.
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(0, "it is no regular file")
        return file.read(IMAGE_BYTES + 1)


def _content_of_url(url: str) -> bytes:
    head, comma, body = url.partition(",")
    if len(body) > 4 * IMAGE_BYTES:
        raise InvalidContent(
            f"The image in the data URL has more than {IMAGE_BYTES:,} bytes", "Give a smaller copy of it"
        )
    try:
        if not comma:
            raise ValueError("it has no comma")
        if head.casefold().endswith(";base64"):
            return b64decode("".join(body.split()), validate=True)
        return unquote_to_bytes(body)
    except (binascii.Error, ValueError) as error:
        raise InvalidContent(
            f"The data URL cannot be read ({error})", "Write it as data:image/png;base64,DATA"
        ) from None


def _seen_in(encoded: str) -> bytes | None:
    try:
        return shrink(b64decode(encoded, validate=True)) if 0 < len(encoded) < 2 * IMAGE_BYTES else None
    except (binascii.Error, ValueError, InvalidContent, ModelUnavailable):
        return None


def _seen_at(attachment: Attachment, whole: bool) -> bytes | None:
    """The picture of an attached file as small PNG; None if it cannot be read or decoded. Raises as `pictures_of`."""
    if not attachment.location or not Path(attachment.location).is_absolute():
        return None
    try:
        content = read_file(Path(attachment.location))
        return shrink(content) if svg_text(content) is None else None
    except ModelUnavailable:
        if whole:
            raise
    except (OSError, ValueError, InvalidContent):
        pass
    return None
