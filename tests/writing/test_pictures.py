"""Images on their way in: attachments, imports of image files, and what Markdown and transcripts show."""

from __future__ import annotations

import base64
import io
import json
import os
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from tests.capture.conftest import Workbench

from engramforge.errors import InvalidContent, InvalidValue, NotFound
from engramforge.model.limits import IMAGES_PER_MEMORY
from engramforge.model.memory import Attachment, Draft, Kind
from engramforge.writing.pictures import IllustratedDraft, illustrated, load_image, pictures_of, read_image


def png(colour: str = "navy", size: int = 40) -> bytes:
    image = Image.new("RGB", (size, size), "white")
    ImageDraw.Draw(image).ellipse((5, 5, 30, 20), fill=colour)
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "old_mill-2024.png"
    path.write_bytes(png())
    return path


def test_a_path_bytes_and_a_data_url_are_the_same_image(photo: Path) -> None:
    url = "data:image/png;base64," + base64.b64encode(png()).decode()
    assert read_image(photo) == read_image(str(photo)) == read_image(png()) == read_image(url)
    loaded = load_image(photo, "the mill")
    assert loaded.attachment.location == str(photo)
    assert loaded.attachment.name == photo.name
    assert loaded.attachment.media_type == "image/png"
    assert loaded.attachment.size_bytes == len(png())
    assert len(loaded.attachment.sha256) == 64
    assert load_image(png()).attachment.location == ""


@pytest.mark.parametrize("image", ["", 7, None, "https://example.org/a.png", ["a.png"]])
def test_what_is_no_image_at_all_is_refused(image: object) -> None:
    with pytest.raises(InvalidValue):
        read_image(image)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "image", ["data:image/png;base64,@@", "data:image/png", "data:,plain", b"", b"GIF89a"]
)
def test_what_cannot_be_decoded_is_refused(image: str | bytes) -> None:
    with pytest.raises(InvalidContent) as raised:
        read_image(image)
    assert raised.value.mend


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.png"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, Path("/dev/zero")):
        with pytest.raises(InvalidContent, match="cannot be read"):
            read_image(path)
    with pytest.raises(NotFound):
        read_image(tmp_path / "missing.png")
    with pytest.raises(NotFound):
        read_image("~/no such picture.png")


def test_a_drawing_is_known_by_its_text_and_cannot_be_asked_by(tmp_path: Path) -> None:
    path = tmp_path / "plan.svg"
    path.write_text("<svg><title>floor plan</title></svg>")
    draft = illustrated({}, [path])
    assert draft.content == "floor plan"
    (picture,) = pictures_of(draft)
    assert (picture.content, picture.caption) == (None, "floor plan")
    with pytest.raises(InvalidContent, match="SVG"):
        read_image(path)


def test_without_content_captions_or_names_are_the_content(photo: Path) -> None:
    assert illustrated({}, [photo]).content == photo.name
    assert illustrated({}, [photo]).kind is Kind.ARTIFACT
    both = illustrated({}, [photo, png()], ["the mill", "a boat"])
    assert both.content == "the mill\na boat"
    said = illustrated({"content": "look", "kind": "message"}, [photo])
    assert (said.content, said.kind, said.origin) == ("look", "message", None)


def test_lists_are_checked(photo: Path) -> None:
    for images, captions in (
        (photo, ()),
        ("a.png", ()),
        ([photo], "caption"),
        ([photo], ["a", "b"]),
        ([photo], [7]),
        ([photo], ["x" * 3_000]),
        ([photo] * (IMAGES_PER_MEMORY + 1), ()),
        ((), ["a caption of nothing"]),
    ):
        with pytest.raises(InvalidValue):
            illustrated({"content": "x"}, images, captions)  # type: ignore[arg-type]


def test_an_attachment_s_file_is_read_where_it_lies(photo: Path, tmp_path: Path) -> None:
    seen = Attachment("a.png", "image/png", location=str(photo), caption="the mill")
    gone = Attachment("b.png", "image/png", location=str(tmp_path / "gone.png"), caption="spoken of")
    mute = Attachment("c.png", "image/png", location="relative.png")
    other = Attachment("d.pdf", "application/pdf", location=str(photo), caption="a paper")
    found = pictures_of(Draft(content="x", attachments=(seen, gone, mute, other)))
    assert [(picture.content is not None, picture.caption) for picture in found] == [
        (True, "the mill"),
        (False, "spoken of"),
    ]


def test_the_same_words_with_another_image_are_no_duplicate(bench: Workbench) -> None:
    for colour, expected in (("navy", 1), ("navy", 1), ("red", 2)):
        draft = illustrated({"content": "a screenshot"}, [png(colour)])
        bench.intake.write(bench.scope, [draft], revive_forgotten=True)
        assert len(bench.every()) == expected
    assert isinstance(draft, IllustratedDraft)


def test_secrets_in_captions_are_redacted_before_they_are_encoded(bench: Workbench) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    draft = illustrated({"content": "login"}, [png()], [f"the token {token}"])
    prepared = bench.changes.preparation.prepare(bench.scope, draft, bench.now)
    assert prepared is not None
    assert token not in pictures_of(prepared.draft)[0].caption
    assert pictures_of(prepared.draft)[0].content is not None


def test_an_image_file_is_imported_once(bench: Workbench, photo: Path) -> None:
    report = bench.importing.import_path(bench.scope, photo)
    assert (report.format, report.found, report.written) == ("image", 1, 1)
    (memory,) = bench.every()
    assert (memory.kind, memory.content, memory.name) == (Kind.ARTIFACT, "old mill 2024", photo.name)
    assert memory.project == photo.parent.name
    assert memory.attachments[0].location == str(photo)
    again = bench.importing.import_path(bench.scope, photo)
    assert (again.written, again.duplicates) == (0, 1)


def test_a_folder_of_pictures_is_imported_and_a_broken_one_is_a_fault(
    bench: Workbench, tmp_path: Path
) -> None:
    folder = tmp_path / "album"
    folder.mkdir()
    for name, content in (("a.png", png()), ("b.png", png("red")), ("c.png", png()[:60])):
        (folder / name).write_bytes(content)
    (folder / "link.png").symlink_to(folder / "a.png")
    report = bench.importing.import_path(bench.scope, folder)
    assert (report.format, report.found, report.written, len(report.faults)) == ("image", 3, 2, 1)
    assert report.faults[0].path.endswith("c.png")
    assert "damaged or cut off" in report.faults[0].reason


def test_pictures_beside_texts_belong_to_the_texts_alone(bench: Workbench, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "note.md").write_text("# Mill\n\nThe old mill.\n")
    (folder / "a.png").write_bytes(png())
    report = bench.importing.import_path(bench.scope, folder)
    assert (report.format, report.written) == ("markdown", 1)
    asked = bench.importing.import_path(bench.scope, folder, format="image")
    assert (asked.format, asked.written) == ("image", 1)


def test_markdown_shows_images_of_its_own_folder_alone(bench: Workbench, tmp_path: Path) -> None:
    outside = tmp_path / "secret.png"
    outside.write_bytes(png("red"))
    folder = tmp_path / "wiki"
    (folder / "img").mkdir(parents=True)
    (folder / "pages").mkdir()
    (folder / "img" / "old mill.png").write_bytes(png())
    (folder / "img" / "linked.png").symlink_to(outside)
    (folder / "out").symlink_to(tmp_path)
    (folder / "pages" / "note.md").write_text(
        "The mill: ![the old mill](../img/old%20mill.png) and ![again](<../img/old mill.png> 'title')\n"
        "![a](../../secret.png) ![b](../img/linked.png) ![c](../out/secret.png) ![d](/etc/passwd.png)\n"
        "![e](https://example.org/x.png) ![f](data:image/png;base64,AAAA) ![g](../img/none.png) ![h](note.md)\n"
    )
    report = bench.importing.import_path(bench.scope, folder)
    (memory,) = bench.every()
    assert {each.location for each in memory.attachments} == {str(folder / "img" / "old mill.png")}
    assert memory.attachments[0].caption == "the old mill"
    (fault,) = report.faults
    assert "none.png" in fault.reason
    assert report.found == report.written == 1


def test_images_pasted_into_a_transcript_are_seen(bench: Workbench, tmp_path: Path) -> None:
    blocks = [
        {"type": "text", "text": "What is wrong on this screen?"},
        {
            "type": "image",
            "source": {
                "type": "base64",
                "media_type": "image/png",
                "data": base64.b64encode(png()).decode(),
            },
        },
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
    ]
    record = {
        "type": "user",
        "uuid": "11111111-1111-4111-8111-111111111111",
        "sessionId": "s",
        "timestamp": "2026-02-01T10:00:00Z",
        "cwd": "/work",
        "message": {"role": "user", "content": blocks},
    }
    path = tmp_path / "talk.jsonl"
    path.write_text(json.dumps(record) + "\n")
    seen: list[int] = []
    encode = bench.encoder.encode
    bench.encoder.encode = lambda items, *more: (  # type: ignore[method-assign]
        seen.extend(len([each for each in item.pictures if each.content]) for item in items),
        encode(items, *more),
    )[1]
    assert bench.importing.import_path(bench.scope, path).written == 1
    assert seen == [1]
    assert len(bench.every()[0].attachments) == 2
