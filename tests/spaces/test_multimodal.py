"""E10: pictures found again after changes, captions by their words, and files that mean harm."""

from __future__ import annotations

import io
import struct
import time
import zlib

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageOps

from engramforge.errors import InvalidContent
from engramforge.model.limits import IMAGE_BYTES, IMAGE_PIXELS
from engramforge.spaces.encoder import Item, Picture
from engramforge.spaces.multimodal.decode import decode, media_type_of, shrink, svg_text
from engramforge.spaces.multimodal.picture_encoder import MultimodalEncoder
from engramforge.spaces.words.word_table import word_table

ENCODER = MultimodalEncoder(word_table)
SVG = b'<?xml version="1.0"?><svg xmlns="x"><title>Map of the &amp; bay</title><text>north <b>pier</b></text></svg>'


def drawing(seed: int, size: int = 96) -> Image.Image:
    """A drawing of a dozen coloured shapes on a ground of its own."""
    rng = np.random.default_rng(seed)
    image = Image.new("RGB", (size, size), tuple(int(level) for level in rng.integers(150, 256, 3)))
    pen = ImageDraw.Draw(image)
    for _ in range(12):
        left, top = rng.integers(0, size * 3 // 4, 2).tolist()
        wide, high = rng.integers(size // 8, size // 2, 2).tolist()
        colour = tuple(int(level) for level in rng.integers(0, 256, 3))
        shape = pen.ellipse if rng.random() < 0.5 else pen.rectangle
        shape((left, top, left + wide, top + high), fill=colour)
    return image


def file_of(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    written = io.BytesIO()
    image.save(written, kind, **options)
    return written.getvalue()


def values_of(*pictures: Picture, text: str = "") -> np.ndarray:
    (values,) = ENCODER.encode([Item(text, pictures=pictures)])
    assert values is not None
    return np.asarray(values)


def rank_of(wanted: int, stored: np.ndarray, question: Item) -> int:
    query = ENCODER.encode_query(question)
    assert query is not None
    found = ENCODER.query_to_memories(query, stored, np.ones(len(stored), np.bool_))
    assert found.present[wanted]
    return int((found.values > found.values[wanted]).sum())


def _halved(image: Image.Image) -> Image.Image:
    return image.resize((48, 48))


def _doubled(image: Image.Image) -> Image.Image:
    return image.resize((192, 192))


def _cropped(image: Image.Image) -> Image.Image:
    return image.crop((14, 14, 82, 82))


def _turned(image: Image.Image) -> Image.Image:
    hue, saturation, value = image.convert("HSV").split()
    return Image.merge("HSV", (hue.point([(i + 85) % 256 for i in range(256)]), saturation, value)).convert(
        "RGB"
    )


def _darkened(image: Image.Image) -> Image.Image:
    return image.point([level // 2 for level in range(256)] * 3)


@pytest.mark.parametrize(
    "change", [_halved, _doubled, _cropped, _turned, _darkened, ImageOps.grayscale, ImageOps.invert]
)
def test_a_changed_copy_is_nearest_to_its_own_picture(change) -> None:  # type: ignore[no-untyped-def]
    drawings = [drawing(seed) for seed in range(40)]
    stored = np.stack([values_of(Picture(file_of(each))) for each in drawings])
    ranks = [
        rank_of(place, stored, Item("", pictures=(Picture(file_of(change(each))),)))
        for place, each in enumerate(drawings)
    ]
    assert ranks.count(0) >= 38


def test_the_ground_under_what_is_transparent_does_not_matter() -> None:
    clear = drawing(3).convert("RGBA")
    alpha = Image.new("L", clear.size, 0)
    ImageDraw.Draw(alpha).ellipse((10, 10, 86, 86), fill=255)
    clear.putalpha(alpha)
    others = [values_of(Picture(file_of(drawing(seed)))) for seed in range(10, 30)]
    stored = np.stack([*others, values_of(Picture(file_of(clear)))])
    black = Image.new("RGBA", clear.size, (0, 0, 0, 255))
    black.alpha_composite(clear)
    assert rank_of(20, stored, Item("", pictures=(Picture(file_of(black.convert("RGB"))),))) == 0


def test_captions_are_found_by_their_words_and_by_their_meaning() -> None:
    captions = [
        "a cat asleep on a sofa",
        "the harbour bridge at night",
        "quarterly revenue chart",
        "xqzzt 4711",
    ]
    stored = np.stack([values_of(Picture(None, caption)) for caption in captions])
    assert [rank_of(place, stored, Item(caption)) for place, caption in enumerate(captions)] == [0, 0, 0, 0]
    assert rank_of(0, stored, Item("sleeping kittens")) == 0
    assert rank_of(3, stored, Item("what is xqzzt")) == 0


def test_each_kind_is_compared_with_its_own() -> None:
    picture, caption = values_of(Picture(file_of(drawing(1)))), values_of(Picture(None, "a red kite"))
    assert picture[0].any()
    assert not picture[1].any()
    assert not caption[0].any()
    assert caption[1].any()
    everywhere = np.ones(2, np.bool_)
    by_words = ENCODER.encode_query(Item("a red kite"))
    assert by_words is not None
    found = ENCODER.query_to_memories(by_words, np.stack([picture, caption]), everywhere)
    assert found.present.tolist() == [False, True]
    assert found.values[1] > 0.9
    both = ENCODER.memory_to_memories(picture, np.stack([picture, caption]), everywhere)
    assert both.present.tolist() == [True, False]
    assert both.values[0] > 0.99


def test_it_abstains_without_a_picture() -> None:
    assert ENCODER.encode([Item("a cat"), Item("", pictures=(Picture(b"broken"),))]) == [None, None]
    assert ENCODER.encode_query(Item("")) is None
    assert ENCODER.encode_query(Item("", pictures=(Picture(b"broken"),))) is None


def test_a_picture_without_a_caption_is_spoken_of_by_the_text() -> None:
    picture = Picture(file_of(drawing(2)))
    assert (
        values_of(picture, text="the old mill").tolist()
        == values_of(Picture(picture.content, "the old mill")).tolist()
    )


def test_a_picture_of_one_colour_has_no_shape_and_no_nan() -> None:
    white = Picture(file_of(Image.new("RGB", (1, 1), "white")))
    assert ENCODER.encode([Item("", pictures=(white,))]) == [None]
    red = values_of(Picture(file_of(Image.new("RGB", (1, 1), "red"))))
    assert red[0].any()
    assert np.isfinite(ENCODER.memory_to_memories(red, red[None], np.ones(1, np.bool_)).values).all()


def test_of_several_pictures_the_first_that_can_be_seen_counts() -> None:
    seen = Picture(file_of(drawing(5)), "one")
    both = values_of(Picture(b"broken", "two"), seen, Picture(file_of(drawing(6))))
    assert both[0].tolist() == values_of(seen)[0].tolist()


def test_parts_are_within_what_the_space_may_take() -> None:
    values = values_of(Picture(file_of(drawing(1)), "a caption"))
    assert values.dtype == np.int8
    assert values.shape == ENCODER.shape == (2, 384)
    assert values.size <= ENCODER.row.declared_size


@pytest.mark.parametrize(
    "stored_as",
    "1/PNG L/PNG LA/PNG P/PNG P/GIF RGBA/WEBP RGB/BMP RGB/TIFF CMYK/JPEG CMYK/TIFF RGB/PPM RGBA/ICO".split(),  # noqa: SIM905
)
def test_every_mode_and_format_becomes_rgb(stored_as: str) -> None:
    mode, kind = stored_as.split("/")
    found = decode(file_of(drawing(7).convert(mode), kind))
    assert found.mode == "RGB"
    assert np.asarray(found).std() > 5


def test_sixteen_bits_are_stretched_and_not_cut() -> None:
    deep = Image.fromarray((np.arange(64 * 64, dtype=np.uint16) * 16).reshape(64, 64))
    found = np.asarray(decode(file_of(deep)))
    assert found.min() < 10
    assert found.max() > 245


def test_an_animation_gives_its_first_frame() -> None:
    frames = [drawing(seed).convert("P") for seed in (8, 9)]
    moving = file_of(frames[0], "GIF", save_all=True, append_images=frames[1:])
    still = file_of(frames[0], "GIF")
    assert np.asarray(decode(moving)).tolist() == np.asarray(decode(still)).tolist()


def test_exif_turns_it_upright_and_broken_exif_does_not_matter() -> None:
    image = drawing(11).crop((0, 0, 96, 48))
    exif = Image.Exif()
    exif[0x0112] = 6
    assert decode(file_of(image, "JPEG", exif=exif)).size == (48, 96)
    assert decode(file_of(image, "JPEG", exif=b"Exif\x00\x00MM\x00*\xff\xff\xff\xff")).size == (96, 48)


def test_shrinking_twice_changes_nothing() -> None:
    once = shrink(file_of(drawing(12, 700), "JPEG"))
    assert max(decode(once).size) == 256
    assert np.asarray(decode(once)).tolist() == np.asarray(decode(shrink(once))).tolist()


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few hundred bytes whose header claims any size."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


@pytest.mark.parametrize("side", [7_500, 20_000, 60_000, 2**31 - 1])
def test_a_bomb_is_refused_by_its_header(side: int) -> None:
    began = time.process_time()
    with pytest.raises(InvalidContent, match="pixels"):
        decode(bomb(side, side))
    assert time.process_time() - began < 0.5
    assert IMAGE_PIXELS < 7_500**2


WHOLE = file_of(drawing(13))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"plain text", "no image format"),
        (WHOLE[: len(WHOLE) // 2], "damaged or cut off"),
        (WHOLE[:40], "damaged or cut off"),
        (file_of(drawing(13), "JPEG")[:300], "damaged or cut off"),
        (b"\x00\x00\x00\x18ftypheic" + bytes(40), "HEIC"),
        (b"\x00\x00\x00\x18ftypavif" + bytes(40), "AVIF"),
        (b"%PDF-1.7 ", "PDF"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "no image format"),
        (SVG, "no image format"),
        (b"\x89PNG\r\n\x1a\n" + bytes(IMAGE_BYTES), "it has more than 20,000,000 bytes"),
    ],
)
def test_what_cannot_be_read_names_the_fault_and_the_mend(content: bytes, said: str) -> None:
    with pytest.raises(InvalidContent, match=said) as raised:
        decode(content)
    assert raised.value.mend


@pytest.mark.parametrize("seed", range(60))
def test_damage_anywhere_never_escapes_as_another_error(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kind = ("PNG", "JPEG", "GIF", "WEBP", "TIFF", "BMP", "ICO", "PPM")[seed % 8]
    content = bytearray(file_of(drawing(seed, 64), kind))
    for place in rng.integers(0, len(content), 12):
        content[place] = int(rng.integers(0, 256))
    try:
        decode(bytes(content))
    except InvalidContent as error:
        assert error.fault


def test_a_large_photograph_takes_less_than_a_second() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (3_000, 4_000, 3), np.uint8)
    photograph = file_of(Image.fromarray(noise), "JPEG", quality=85)
    assert 8_000_000 < len(photograph) < IMAGE_BYTES
    began = time.process_time()
    assert values_of(Picture(photograph)).any()
    assert time.process_time() - began < 2.0


def test_a_drawing_speaks_and_is_not_drawn() -> None:
    assert svg_text(SVG) == "Map of the & bay north pier"
    assert svg_text(b"<svg></svg>") == ""
    assert svg_text(WHOLE) is None
    assert svg_text(b"<html><svg") == ""
    values = values_of(Picture(SVG))
    assert not values[0].any()
    assert values[1].any()


def test_a_drawing_s_entities_stay_dead_text() -> None:
    entity = b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg><title>&a;</title></svg>'
    assert svg_text(entity) == "&a;"
    began = time.process_time()
    svg_text(b"<svg>" + b"<title>" * 200_000)
    assert time.process_time() - began < 2.0


def test_media_types_are_told_by_content() -> None:
    assert media_type_of(WHOLE) == "image/png"
    assert media_type_of(file_of(drawing(1), "JPEG")) == "image/jpeg"
    assert media_type_of(file_of(drawing(1), "WEBP")) == "image/webp"
    assert media_type_of(SVG) == "image/svg+xml"
    assert media_type_of(b"text") == "application/octet-stream"
