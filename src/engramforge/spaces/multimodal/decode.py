"""Decodes an image file to a small RGB picture safely: whatever the file claims, little memory and time is spent.

Decoders are limited to the formats named here (none of them runs a program or reaches for another file), the size is
read from the header before anything is decoded, large JPEGs are shrunk while they are decoded.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, Final

import numpy as np

from engramforge.errors import InvalidContent, ModelUnavailable
from engramforge.model.limits import IMAGE_BYTES, IMAGE_PIXELS

if TYPE_CHECKING:
    from PIL import Image

FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "PPM", "ICO")
"""The formats that are decoded; of an animation the first frame."""
SIDE: Final = 256
"""The most pixels of a decoded picture's longer side."""
_READABLE: Final = "PNG, JPEG, GIF, WebP, BMP, TIFF, PPM, ICO, or SVG for its text"
_SVG_CHARACTERS: Final = 1_000_000
_SVG_TEXT_CHARACTERS: Final = 2_000
_SPEAKING: Final = re.compile(r"(?i)<(/?)(title|desc|text)\b[^<>]{0,1000}>")
_TAG: Final = re.compile(r"<[^<>]{0,2000}>")
_BRANDS: Final = {b"heic": "HEIC", b"heix": "HEIC", b"mif1": "HEIF", b"msf1": "HEIF", b"avif": "AVIF"}
_SIGNS: Final = {
    b"\x89PNG": "png",
    b"\xff\xd8\xff": "jpeg",
    b"GIF8": "gif",
    b"BM": "bmp",
    b"II*\0": "tiff",
    b"MM\0*": "tiff",
    b"P4": "x-portable-bitmap",
    b"P5": "x-portable-graymap",
    b"P6": "x-portable-pixmap",
    b"\0\0\1\0": "x-icon",
}
_GROUND: Final = (128, 128, 128, 255)
"""The ground under transparency: grey, so that white and black drawings both stand out."""


def decode(content: bytes) -> Image.Image:
    """The picture in RGB, upright, its longer side at most 256 pixels; what is transparent lies on grey.

    Raises
    ------
    InvalidContent : it is too large, damaged, truncated, or in an unsupported format. The fault starts with "it".
    ModelUnavailable : Pillow is not installed.
    """
    if not can_decode():
        raise ModelUnavailable(
            "Images are looked at by Pillow, which is not installed", "Run pip install 'engramforge[images]'"
        )
    from PIL import Image, UnidentifiedImageError

    if len(content) > IMAGE_BYTES:
        # At most a byte beyond the limit was read, so the file's real size is unknown here.
        raise InvalidContent(f"it has more than {IMAGE_BYTES:,} bytes", "Give a smaller copy of it")
    try:
        with Image.open(io.BytesIO(content), formats=_formats()) as opened:
            width, height = opened.size
            if width * height > IMAGE_PIXELS:
                raise _too_many(width, height)
            opened.draft("RGB", (SIDE, SIDE))
            opened.load()
            # Shrunk before it is laid on grey and rotated, since both cost time per pixel.
            small = _eight_bits(opened)
            small.thumbnail((SIDE, SIDE), reducing_gap=3.0)
            return _upright(_opaque(small))
    except InvalidContent:
        raise
    except Image.DecompressionBombError:
        raise _too_many() from None
    except UnidentifiedImageError:
        raise _not_decoded(content) from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError) as error:
        raise _damaged(error) from None
    except (struct.error, ZeroDivisionError, OverflowError, MemoryError, RuntimeError) as error:
        raise _damaged(error) from None


def can_decode() -> bool:
    """Whether Pillow is installed."""
    try:
        import PIL.Image  # noqa: F401
    except ImportError:
        return False
    return True


def shrink(content: bytes) -> bytes:
    """The decoded picture as PNG: small, and decoded again it is the same. Raises as `decode`."""
    small = io.BytesIO()
    decode(content).save(small, "PNG", compress_level=1)
    return small.getvalue()


def svg_text(content: bytes) -> str | None:
    """The titles, descriptions and texts of an SVG drawing, in order and without repetition; None if it is not an SVG.

    Drawings are not rendered; entities, scripts and references in them are never resolved.
    """
    if not content[:1_000].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        return None
    text = content[:_SVG_CHARACTERS].decode("utf-8", "replace")
    if "<svg" not in text[:4_000]:
        return None
    found: dict[str, None] = {}
    opened: re.Match[str] | None = None
    for tag in _SPEAKING.finditer(text):
        if not tag.group(1):
            opened = opened or tag
        elif opened is not None and tag.group(2).lower() == opened.group(2).lower():
            said = text[opened.end() : tag.start()][:_SVG_TEXT_CHARACTERS]
            found[" ".join(unescape(_TAG.sub(" ", said)).split())] = None
            opened = None
    return " ".join(filter(None, found))


def media_type_of(content: bytes) -> str:
    """The media type of an image file by its first bytes; application/octet-stream if they are unknown."""
    head = content[:16]
    for sign, name in _SIGNS.items():
        if head.startswith(sign):
            return f"image/{name}"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return "image/svg+xml" if svg_text(content) is not None else "application/octet-stream"


def unreadable(what: str, error: InvalidContent) -> InvalidContent:
    """The same fault, naming the image."""
    return InvalidContent(f"The image {what} cannot be read: {error.fault}", error.mend)


@lru_cache(maxsize=1)
def _formats() -> tuple[str, ...]:
    """The formats that this Pillow decodes; its warnings about damaged files are silenced."""
    from PIL import Image

    warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")
    Image.init()
    return tuple(name for name in FORMATS if name in Image.OPEN)


def _eight_bits(opened: Image.Image) -> Image.Image:
    """A copy with 8 bits per channel: RGB, or RGBA where anything may be transparent, or L. Keeps its EXIF."""
    from PIL import Image

    if opened.mode.startswith(("I", "F")):
        # 16 and 32 bits are stretched to the range in use, since files disagree about where white is.
        values = np.nan_to_num(np.asarray(opened, np.float32))
        low, high = float(values.min(initial=0)), float(values.max(initial=0))
        return Image.fromarray(((values - low) * (255 / max(high - low, 1e-6))).astype(np.uint8))
    is_clear = opened.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in opened.info
    return opened.convert("RGBA" if is_clear else "RGB")


def _opaque(picture: Image.Image) -> Image.Image:
    """The picture on grey; colours of what is fully transparent are gone since it was shrunk."""
    from PIL import Image

    if picture.mode != "RGBA":
        return picture.convert("RGB")
    ground = Image.new("RGBA", picture.size, _GROUND)
    ground.alpha_composite(picture)
    return ground.convert("RGB")


def _upright(picture: Image.Image) -> Image.Image:
    """Rotated as its EXIF says; unchanged if that is damaged."""
    from PIL import ImageOps

    try:
        return ImageOps.exif_transpose(picture)
    except (SyntaxError, ValueError, TypeError, KeyError, IndexError, OSError, struct.error):
        return picture


def _too_many(width: int = 0, height: int = 0) -> InvalidContent:
    size = f"{width:,} x {height:,} pixels" if width else "far too many pixels"
    return InvalidContent(f"it has {size}, more than {IMAGE_PIXELS:,} in all", "Give a smaller copy of it")


def _damaged(error: BaseException) -> InvalidContent:
    said = " ".join(str(error).split())[:100] or type(error).__name__
    return InvalidContent(f"it is damaged or cut off ({said})", "Give a whole image file")


def _not_decoded(content: bytes) -> InvalidContent:
    """What a file in an unknown format may be."""
    if not content:
        return InvalidContent("it is empty", "Give a whole image file")
    name = _BRANDS.get(content[8:12]) if content[4:8] == b"ftyp" else None
    if name is None and content.startswith(b"%PDF"):
        name = "PDF"
    if media_type_of(content).startswith("image/") and svg_text(content) is None:
        return _damaged(ValueError("its header"))
    if name is not None:
        return InvalidContent(f"it is in {name}, which is not decoded", "Convert it to PNG or JPEG")
    return InvalidContent("it is in no image format that is known", f"Give {_READABLE}")
