"""ChatGPT exports: every node once, branches, kinds of content, shards."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.capture.conftest import EXPORTS, Workbench, needs_exports

import engramforge
from engramforge.capture.reading.sessions import CHAIN_LENGTH
from engramforge.model.memory import Kind
from engramforge.model.storing.record import ImportReport


def node(parent: str | None, role: str | None = None, *parts: Any, **more: Any) -> dict[str, Any]:
    """A node of a mapping; without a role one that holds no message."""
    at = more.pop("at", None)
    held = None
    if role is not None:
        content = more.pop("content", {"content_type": "text", "parts": list(parts)})
        held = {
            "author": {"role": role, "name": more.pop("name", None)},
            "content": content,
            "create_time": at,
            **more,
        }
    return {"parent": parent, "children": [], "message": held}


def chat(mapping: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "title": None,
        "create_time": 1_770_000_000.25,
        "mapping": mapping,
        "conversation_id": "c1",
        **more,
    }


def run(bench: Workbench, path: Path, value: Any = None, **options: Any) -> ImportReport:
    if value is not None:
        path.write_text(json.dumps(value))
    return bench.importing.import_path(bench.scope, path, **options)


def test_kinds_of_content(bench: Workbench, tmp_path: Path) -> None:
    picture = {
        "content_type": "image_asset_pointer",
        "asset_pointer": "file-service://file-1",
        "size_bytes": 12,
    }
    voice = {"content_type": "audio_transcription", "text": "Spoken words", "direction": "in"}
    mapping = {
        "root": node(None),
        "sys": node("root", "system", ""),
        "ctx": node("sys", "user", content={"content_type": "user_editable_context", "user_profile": "x"}),
        "u": node(
            "ctx",
            "user",
            at=1_770_000_010.0,
            content={"content_type": "multimodal_text", "parts": ["Look", picture]},
        ),
        "t": node(
            "u", "assistant", content={"content_type": "thoughts", "thoughts": [{"content": "secret"}]}
        ),
        "call": node(
            "t",
            "assistant",
            recipient="python",
            content={"content_type": "code", "language": "unknown", "text": "1+1"},
        ),
        "out": node("call", "tool", name="python", content={"content_type": "execution_output", "text": "2"}),
        "a": node("out", "assistant", "It is two.\ue200cite\ue202turn0\ue201", recipient="all"),
        "v": node("a", "user", content={"content_type": "multimodal_text", "parts": [voice]}),
        "q": node(
            "v",
            "tool",
            name="browser",
            content={"content_type": "tether_quote", "title": "T", "text": "quoted"},
        ),
        "pic": node("q", "user", content={"content_type": "multimodal_text", "parts": [picture]}),
        "new": node("pic", "assistant", content={"content_type": "hologram", "beams": 3}),
        "odd": node(
            "new", "assistant", content={"content_type": "synthetic", "parts": ["Kept all the same"]}
        ),
        "bad": {"parent": "odd", "message": 5},
        "none": None,
    }
    report = run(bench, tmp_path / "conversations.json", [chat(mapping, current_node="odd")])
    assert (report.format, report.found, len(report.faults)) == ("chatgpt", 15, 1)
    (counts,) = report.details["files"].values()
    assert counts["found"] == counts["remembered"] + counts["nothing"] + counts["faulty"] == 15
    assert counts["skipped"] == {
        "no message": 2,
        "system": 1,
        "injected": 1,
        "thinking": 1,
        "unknown kind of content": 1,
        "unknown kind of part": 1,
    }
    found = {memory.content: memory for memory in bench.every()}
    assert {text: record.kind for text, record in found.items()} == {
        "Look": Kind.PROMPT,
        "python: ```\n1+1\n```": Kind.TOOL_USE,
        "Outcome of python\n2": Kind.TOOL_USE,
        "It is two.": Kind.RESPONSE,
        "Spoken words": Kind.PROMPT,
        "Outcome of browser\nT\n\nquoted": Kind.TOOL_USE,
        "Attached: file-1": Kind.PROMPT,
        "Kept all the same": Kind.RESPONSE,
    }
    assert [attachment.name for attachment in found["Look"].attachments] == ["file-1"]
    assert found["Look"].valid_at.isoformat() == "2026-02-02T02:40:10+00:00"
    assert found["It is two."].valid_at == found["Look"].valid_at
    assert {record.project for record in found.values()} == {"chatgpt"} and found["Look"].metadata == {}
    assert run(bench, tmp_path / "copy.json", {"conversations": [chat(mapping)]}).written == 0


def test_branches_and_the_current_path(bench: Workbench, tmp_path: Path) -> None:
    mapping = {
        "root": node(None),
        "u": node("root", "user", "Ask", at=1_770_000_001),
        "a1": node("u", "assistant", "Old", at=1_770_000_002),
        "a2": node("u", "assistant", "New", at=1_770_000_003),
        "hole": node("a1"),
        "u2": node("hole", "user", "On", at=1_770_000_004),
    }
    run(bench, tmp_path / "c.json", chat(mapping, current_node="hole", title="T"))
    found = {
        memory.content: (memory.sequence, memory.metadata["branch"], memory.metadata["on_current_path"])
        for memory in bench.every()
    }
    assert found == {
        "Ask": (0, 1, True),
        "Old": (1, 1, True),
        "On": (2, 1, False),
        "New": (CHAIN_LENGTH + 1, 2, False),
    }


@pytest.mark.parametrize("above", ["a1", "nowhere"])
def test_the_current_path_does_not_end_in_a_broken_message(
    bench: Workbench, tmp_path: Path, above: str
) -> None:
    mapping = {
        "u": node(None, "user", "Ask", at=1_770_000_001),
        "a1": node("u", "assistant", "Old", at=1_770_000_002),
        "a2": node("u", "assistant", "New", at=1_770_000_003),
        "bad": {"parent": above, "message": 5},
    }
    run(bench, tmp_path / "c.json", chat(mapping, current_node="bad"))
    current = {memory.content for memory in bench.every() if memory.metadata["on_current_path"]}
    # Where nothing above it is known, the latest leaf ends the path.
    assert current == {"Ask", "Old" if above == "a1" else "New"}


def test_circles_times_and_ids_of_any_kind(bench: Workbench, tmp_path: Path) -> None:
    mapping = {
        "a": node("b", "user", "one", at=float("1e300")),
        "b": node("a", "user", "two", at=-5),
        "c": node("c", "user", "three", at="2026-01-01T00:00:00"),
    }
    value = chat(mapping, conversation_id=None, current_node="nowhere", create_time=None)
    assert run(bench, tmp_path / "c.json", [value, {"title": "no tree"}, 5]).found == 3
    assert run(bench, tmp_path / "d.json", [value]).written == 0


@needs_exports
@pytest.mark.parametrize(
    ("file", "nodes"),
    [("fixtures/chatgpt/native-conversation-v1.json", 9), ("chatgpt/representatives/sample-00.json", 3)],
)
def test_real_structures(bench: Workbench, file: str, nodes: int) -> None:
    report = run(bench, EXPORTS / "polylogue" / file)
    assert report.found == nodes and report.faults == ()


def test_into_postgres(postgres_url: str, tmp_path: Path) -> None:
    mapping = {
        "root": node(None),
        "u": node("root", "user", "A \0 NUL and half a \ud83d face", at=1_770_000_001),
        "a": node("u", "assistant", "Both are gone"),
    }
    path = tmp_path / "c.json"
    path.write_text(json.dumps([chat(mapping)]))
    with engramforge.open(postgres_url) as forge:
        report = forge.import_path(path)
        assert (report.found, report.written, report.faults) == (3, 2, ())
        assert {memory.content for memory in forge.memories()} == {
            "A  NUL and half a ? face",
            "Both are gone",
        }
        (tmp_path / "copy.json").write_text(path.read_text())
        assert forge.import_path(tmp_path / "copy.json").written == 0
