"""Images through Python, the command line and MCP: remembered, found again by changed copies, refused where broken."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import CallToolResult
from PIL import Image, ImageDraw
from tests.mcp_server import client_of

import engramforge

from .conftest import Cli

SHAPES: dict[str, list[tuple[int, int, int, int]]] = {
    "bridge": [(0, 60, 96, 70), (20, 20, 26, 70), (70, 20, 76, 70)],
    "sun": [(30, 30, 66, 66)],
    "stairs": [(0, 72, 24, 96), (24, 48, 48, 96), (48, 24, 72, 96), (72, 0, 96, 96)],
    "window": [(10, 10, 44, 44), (52, 10, 86, 44), (10, 52, 44, 86), (52, 52, 86, 86)],
}


def drawn(name: str) -> Image.Image:
    image = Image.new("RGB", (96, 96), "white")
    pen = ImageDraw.Draw(image)
    for box in SHAPES[name]:
        (pen.ellipse if name == "sun" else pen.rectangle)(box, fill="darkgreen")
    return image


def png(image: Image.Image) -> bytes:
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


@pytest.fixture
def album(tmp_path: Path) -> Path:
    """A folder with a picture of each shape, and changed copies of them in `copies`."""
    folder = tmp_path / "album"
    (tmp_path / "copies").mkdir()
    folder.mkdir()
    for name in SHAPES:
        (folder / f"{name}.png").write_bytes(png(drawn(name)))
        copy = drawn(name).resize((50, 50)).convert("L").crop((4, 4, 47, 47))
        (tmp_path / "copies" / f"{name}.jpg").write_bytes(_jpeg(copy))
    return folder


def _jpeg(image: Image.Image) -> bytes:
    written = io.BytesIO()
    image.save(written, "JPEG")
    return written.getvalue()


def test_images_from_the_command_line(cli: Cli, album: Path) -> None:
    for name in SHAPES:
        told = cli("remember", "--image", str(album / f"{name}.png"), "--caption", f"a {name}", "--json").json
        (attachment,) = told["memory"]["attachments"]
        assert told["memory"]["content"] == f"a {name}"
        assert told["memory"]["kind"] == "artifact"
        assert attachment["location"] == str(album / f"{name}.png")
        assert len(attachment["sha256"]) == 64
    for name in SHAPES:
        found = cli("recall", "--image", str(album.parent / "copies" / f"{name}.jpg"), "--json").json
        assert found["hits"][0]["memory"]["content"] == f"a {name}"
        assert "multimodal" in {match["space"] for match in found["hits"][0]["matches"]}
    both = cli("recall", "the stairs", "--image", str(album.parent / "copies" / "stairs.jpg"), "--json").json
    assert both["hits"][0]["memory"]["content"] == "a stairs"
    assert cli("recall", "bridge", "--json").json["hits"][0]["memory"]["content"] == "a bridge"


def test_text_and_several_images_in_one_memory(cli: Cli, album: Path) -> None:
    told = cli(
        *(
            "remember",
            "Where we met.",
            "--image",
            str(album / "bridge.png"),
            "--image",
            str(album / "sun.png"),
        ),
        *("--caption", "the bridge", "--json"),
    ).json["memory"]
    assert told["content"] == "Where we met."
    assert told["kind"] == "note"
    assert [each["caption"] for each in told["attachments"]] == ["the bridge", ""]


@pytest.mark.parametrize("command", ["remember", "recall"])
def test_what_cannot_be_read_is_told_and_nothing_is_written(cli: Cli, tmp_path: Path, command: str) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(20))
    drawing = tmp_path / "photo.heic"
    drawing.write_bytes(b"\x00\x00\x00\x18ftypheic" + bytes(40))
    for path, error, said in (
        (broken, "InvalidContent", "damaged"),
        (drawing, "InvalidContent", "HEIC"),
        (tmp_path, "InvalidContent", "cannot be read"),
        (tmp_path / "none.png", "NotFound", "no image"),
    ):
        told = cli(command, "--image", str(path), "--json").error
        assert told["error"] == error
        assert said in told["fault"]
    assert cli("remember", "--caption", "of nothing", "words", "--json").error["error"] == "InvalidValue"
    assert cli("list", "--json").json["memories"] == []


def test_a_folder_of_pictures_is_imported(cli: Cli, album: Path) -> None:
    told = cli("import", str(album), "--json").json
    assert (told["format"], told["written"]) == ("image", len(SHAPES))
    found = cli("recall", "--image", str(album.parent / "copies" / "window.jpg"), "--json").json
    assert found["hits"][0]["memory"]["name"] == "window.png"


def test_pictures_that_are_not_decoded_are_told_of_and_remembered_as_broken(cli: Cli, album: Path) -> None:
    (album / "phone.heic").write_bytes(b"\x00\x00\x00\x18ftypheic" + bytes(40))
    told = cli("import", str(album))
    assert "Broken, and skipped: 1 record\n" in told.out
    assert "it is in HEIC, which is not decoded. Convert it to PNG or JPEG." in told.out
    again = cli("import", str(album))
    assert "Told when their files were read, which have not changed since: 1 fault or note\n" in again.out
    assert "are broken and were skipped" not in again.out


def test_images_from_python(home: Path, album: Path) -> None:
    with engramforge.open(home) as em:
        kept = {
            name: em.remember(images=[(album / f"{name}.png").read_bytes()], captions=[name])
            for name in SHAPES
        }
        assert em.remember(images=[png(drawn("sun"))], captions=["sun"]).id == kept["sun"].id
        by_batch = em.remember_many(
            [{"content": "two", "images": [album / "sun.png"]}, {"content": "three", "images": None}]
        )
        assert [len(memory.attachments) for memory in by_batch] == [1, 0]
        for name in SHAPES:
            turned = drawn(name).rotate(4, fillcolor="white")
            answer = em.recall(image=png(turned))
            assert answer.hits[0].memory.logical_id in {kept[name].logical_id, by_batch[0].logical_id}


def test_a_picture_stays_with_the_next_version(home: Path, album: Path) -> None:
    with engramforge.open(home) as em:
        first = em.remember("a sun", images=[album / "sun.png"])
        em.remember("other", images=[album / "window.png"])
        em.revise(first.id, "the evening sun")
        assert em.recall(image=album / "sun.png").hits[0].memory.content == "the evening sun"


def test_images_over_mcp(home: Path, album: Path) -> None:
    def url(name: str) -> str:
        return "data:image/png;base64," + base64.b64encode(png(drawn(name))).decode()

    async def call(client: Client, tool: str, **arguments: Any) -> CallToolResult:
        result = await client.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        return result

    async def main() -> None:
        async with client_of(home) as client:
            for name in SHAPES:
                image = url(name) if name == "sun" else str(album / f"{name}.png")
                said = await call(client, "forge_remember", images=[image], captions=[f"a {name}"])
                assert not said.is_error, said.content
            for name in SHAPES:
                copy = str(album.parent / "copies" / f"{name}.jpg")
                found = await call(client, "forge_recall", image=copy, limit=1)
                assert found.structured_content is not None
                assert found.structured_content["recall"]["hits"][0]["excerpt"] == f"a {name}"
            for refused in (
                await call(client, "forge_recall", image="https://example.org/a.png"),
                await call(client, "forge_remember", content="x", images=["data:image/png;base64,!"]),
                await call(client, "forge_remember", content="x", images=[url("sun")], revises="x"),
            ):
                assert refused.is_error

    anyio.run(main)


def test_the_same_words_and_image_are_another_memory_in_another_conversation(
    cli: Cli, tmp_path: Path
) -> None:
    photo = tmp_path / "pier.png"
    Image.new("RGB", (8, 8), "navy").save(photo)
    call = ("remember", "T001 is done.", "--image", str(photo), "--project", "p", "--json", "--session")
    for conversation in ("c1", "c2"):
        cli(
            *("threads", "create", "Tar the pier", "--project", "p"),
            *("--conversation", conversation, "--local-id", "T001"),
        )
        assert cli(*call, conversation, "--kind", "note").json["is_duplicate"] is False
        assert cli(*call, conversation, "--kind", "note").json["is_duplicate"] is True
    statuses = [each["status"] for each in cli("threads", "--status", "all", "--json").json["threads"]]
    assert statuses == ["resolved", "resolved"]
