"""Changed copies of an image, as PNG: what people do to pictures before they look for them again.

Nothing here knows how pictures are compared.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageEnhance, ImageOps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def scaled(share: float) -> Callable[[Image.Image], Image.Image]:
    """To a share of its size."""

    def change(image: Image.Image) -> Image.Image:
        width, height = image.size
        size = max(round(width * share), 1), max(round(height * share), 1)
        return image.resize(size, Image.Resampling.LANCZOS)

    return change


def cropped(share: float) -> Callable[[Image.Image], Image.Image]:
    """Without a share of its size on each side."""

    def change(image: Image.Image) -> Image.Image:
        width, height = image.size
        left, top = int(width * share), int(height * share)
        return image.crop((left, top, max(width - left, left + 1), max(height - top, top + 1)))

    return change


def _without(left: float, top: float) -> Callable[[Image.Image], Image.Image]:
    """Without a share of its size on the left and at the top alone."""

    def change(image: Image.Image) -> Image.Image:
        width, height = image.size
        return image.crop((int(width * left), int(height * top), width, height))

    return change


def _coloured(change: Callable[[Image.Image], Image.Image]) -> Callable[[Image.Image], Image.Image]:
    """A change of the colours alone: what is transparent stays so."""

    def changed(image: Image.Image) -> Image.Image:
        done = change(image.convert("RGB")).convert("RGB")
        if image.mode == "RGBA":
            done.putalpha(image.getchannel("A"))
        return done

    return changed


def _turned(degrees: int) -> Callable[[Image.Image], Image.Image]:
    def change(image: Image.Image) -> Image.Image:
        hue, saturation, value = image.convert("HSV").split()
        hue = hue.point([(level + degrees * 256 // 360) % 256 for level in range(256)])
        return Image.merge("HSV", (hue, saturation, value)).convert("RGB")

    return change


def _lit(factor: float) -> Callable[[Image.Image], Image.Image]:
    return lambda image: ImageEnhance.Brightness(image).enhance(factor)


COPIES: Final[Mapping[str, Mapping[str, Callable[[Image.Image], Image.Image]]]] = {
    "scaled": {"to_33": scaled(0.33), "to_50": scaled(0.5), "to_200": scaled(2.0)},
    "cropped": {
        **{f"by_{percent}": cropped(percent / 100) for percent in (5, 10, 15, 20, 25)},
        "side_by_20": _without(0.2, 0),
        "corner_by_20": _without(0.2, 0.2),
    },
    "recoloured": {
        "hue_60": _coloured(_turned(60)),
        "hue_120": _coloured(_turned(120)),
        "hue_180": _coloured(_turned(180)),
        "grey": _coloured(ImageOps.grayscale),
        "darker_60": _coloured(_lit(0.6)),
        "brighter_140": _coloured(_lit(1.4)),
        "inverted": _coloured(ImageOps.invert),
    },
}
"""Kind -> copies by name. A crop by so many percent is off each side, unless it says which; darker and brighter are
factors in percent; hues turn by degrees."""


def copies_of(content: bytes) -> dict[str, dict[str, bytes]]:
    """All copies of an image file, as PNG: kind -> name -> bytes."""
    with Image.open(io.BytesIO(content)) as opened:
        image = opened.convert("RGBA" if "A" in opened.getbands() or "transparency" in opened.info else "RGB")
    return {
        kind: {name: _png(change(image)) for name, change in changes.items()}
        for kind, changes in COPIES.items()
    }


def _png(image: Image.Image) -> bytes:
    written = io.BytesIO()
    image.save(written, "PNG", compress_level=1)
    return written.getvalue()
