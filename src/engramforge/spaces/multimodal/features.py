"""What a picture looks like, in 384 numbers: the layout of edges, of light and of colour.

Meant to recognise a picture after it was scaled, cropped, recoloured, inverted, or put on another background:

- Edges count most: histograms of unsigned gradient directions in 6 x 6 soft cells (HOG; Dalal, Triggs 2005), each cell
  normalised by itself, with roots (Arandjelovic, Zisserman 2012). Neither brightness nor its inversion moves them.
- Light: the low frequencies of the luminance (8 x 8 DCT without the mean), as perceptual hashes take them.
- Colour: the low frequencies of the two chroma planes (4 x 4 DCT), weak where a picture has little colour.

Cropping moves everything, so a stored picture is the mean of itself and of its own cropped views; a question's picture
of fewer (measured in docs/measurements/images.md).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL import Image

Floats = NDArray[np.float32]
View = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of a picture, as shares of its size."""

SIZE: Final = 384
_CANVAS: Final = 64
_CELLS: Final = 6
_DIRECTIONS: Final = 8
_LIGHT: Final = 8
_COLOUR: Final = 4
_LIGHT_WEIGHT: Final = 0.2
_COLOUR_WEIGHT: Final = 0.25
_FAINT: Final = 1e-3
"""Smaller differences of light are encoding noise (1 is black to white)."""
_LITTLE_COLOUR: Final = 0.05
"""Chroma of this strength counts half."""


def _middle(share: float) -> View:
    edge = (1 - share) / 2
    return edge, edge, 1 - edge, 1 - edge


_WHOLE: Final = (0.0, 0.0, 1.0, 1.0)
STORED_VIEWS: Final[tuple[View, ...]] = (
    *(_WHOLE, _WHOLE, _middle(0.85), _middle(0.7), _middle(0.55)),
    *((0.2, 0.2, 1.0, 1.0), (0.0, 0.0, 0.8, 0.8), (0.2, 0.0, 1.0, 0.8), (0.0, 0.2, 0.8, 1.0)),
)
"""The views of a stored picture; the whole counts twice."""
ASKED_VIEWS: Final[tuple[View, ...]] = (_WHOLE, _WHOLE, _middle(0.85))
"""The views of a question's picture."""


def features(picture: Image.Image, views: tuple[View, ...]) -> Floats:
    """The mean of a picture's views, float32, shape (384,), of unit length; all zero for a uniformly grey picture."""
    found = [_of_view(_canvas(picture, view)) for view in views]
    edges, light, colour = (_unit(np.mean([each[place] for each in found], 0)) for place in (0, 1, 2))
    strength = float(np.linalg.norm(np.mean([each[2] for each in found], 0)))
    colour = colour * np.float32(_COLOUR_WEIGHT * strength / (strength + _LITTLE_COLOUR))
    joined = np.concatenate((edges, _LIGHT_WEIGHT * light, colour)).astype(np.float32)
    return _unit(np.pad(joined, (0, SIZE - len(joined))))


def _canvas(picture: Image.Image, view: View) -> Floats:
    """A view of the picture on a square of 64 x 64, float32, shape (64, 64, 3), 0..1."""
    from PIL import Image

    width, height = picture.size
    left, top, right, bottom = view
    box = (left * width, top * height, right * width, bottom * height)
    square = picture.resize((_CANVAS, _CANVAS), Image.Resampling.BILINEAR, box=box, reducing_gap=2.0)
    return np.asarray(square, np.float32) / np.float32(255)


def _of_view(canvas: Floats) -> tuple[Floats, Floats, Floats]:
    """Edges (288,), light (63,) and colour (32,) of one view; edges and light of unit length or zero."""
    light = canvas @ np.array((0.299, 0.587, 0.114), np.float32)
    # ITU-R BT.601: chroma is the distance of blue and red from the light.
    blue, red = 0.564 * (canvas[..., 2] - light), 0.713 * (canvas[..., 0] - light)
    waves, few = _cosines(_LIGHT), _cosines(_COLOUR)
    centred = light - light.mean()
    layout = (waves @ centred @ waves.T).ravel()[1:]
    colours = np.concatenate([(few @ plane @ few.T).ravel() for plane in (blue, red)]) / _CANVAS
    edges = _edges(light)
    if not edges.any():
        layout = np.zeros_like(layout)
    return edges, _unit(layout), colours.astype(np.float32)


def _edges(light: Floats) -> Floats:
    """Histograms of directions per cell, float32, shape (288,); zero where nothing differs from its neighbours."""
    padded = np.pad(light, 1, mode="edge")
    down, across = padded[2:, 1:-1] - padded[:-2, 1:-1], padded[1:-1, 2:] - padded[1:-1, :-2]
    length = np.hypot(down, across)
    strength = np.sqrt(np.where(length > _FAINT, length, 0)).ravel()
    if not strength.any():
        return np.zeros(_CELLS * _CELLS * _DIRECTIONS, np.float32)
    turn = (np.arctan2(down, across) % np.pi / np.pi * _DIRECTIONS).ravel()
    lower = np.floor(turn).astype(np.int64)
    upper_share = (turn - lower).astype(np.float32)
    pixels = np.arange(_CANVAS * _CANVAS)
    planes = np.zeros((_DIRECTIONS, _CANVAS * _CANVAS), np.float32)
    planes[lower % _DIRECTIONS, pixels] = strength * (1 - upper_share)
    planes[(lower + 1) % _DIRECTIONS, pixels] += strength * upper_share
    cells = _cells()
    by_rows = cells @ planes.reshape(_DIRECTIONS, _CANVAS, _CANVAS) @ cells.T
    histograms = np.moveaxis(by_rows, 0, -1).reshape(-1, _DIRECTIONS)
    lengths = np.linalg.norm(histograms, axis=1, keepdims=True)
    rooted = np.sqrt(histograms / (lengths + 0.5 * lengths.mean()))
    return _unit((rooted - rooted.mean()).ravel())


@lru_cache(maxsize=4)
def _cosines(count: int) -> Floats:
    """The first basis vectors of the discrete cosine transform (DCT-II, orthonormal), shape (count, 64)."""
    places = np.arange(_CANVAS) + 0.5
    basis = np.cos(np.pi * np.outer(np.arange(count), places) / _CANVAS) * np.sqrt(2 / _CANVAS)
    basis[0] /= np.sqrt(2)
    return np.asarray(basis, np.float32)


@lru_cache(maxsize=1)
def _cells() -> Floats:
    """How much each line of pixels counts in each of the overlapping cells, shape (6, 64)."""
    places = (np.arange(_CANVAS) + 0.5) / _CANVAS * _CELLS - 0.5
    near = np.maximum(0, 1 - np.abs(places[None] - np.arange(_CELLS)[:, None]))
    return np.asarray(near, np.float32)


def _unit(values: Floats) -> Floats:
    norm = float(np.linalg.norm(values))
    return (values / norm).astype(np.float32) if norm > 1e-6 else np.zeros_like(values)
