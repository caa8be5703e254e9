"""Exports in which anything may be anything: no reader crashes, each record counts once, origins stay apart."""

import copy
import json
import random
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.capture.test_chatgpt_import import chat, node
from tests.capture.test_claude_ai_import import conversation, message

from engramforge.capture.formats.table import FORMATS
from engramforge.capture.imports.survey import survey
from engramforge.capture.reading.format import Context
from engramforge.core.checks.validation import check_draft
from engramforge.errors import InvalidSource

NOW = datetime(2026, 11, 1, tzinfo=UTC)
ODD: tuple[Any, ...] = (
    *(None, 5, -1, 1.5, True, "", [], {}, [[]], [None], "x" * 300, {"text": 5}, 10**40, 1e300),
    *("2026-13-45", "\ud800", "\0", [{}], {"a": {"b": {}}}),
)
BLOCKS = [
    {"type": "text", "text": "Said <antThinking>not</antThinking>"},
    {"type": "tool_use", "id": "t", "name": "n", "input": {"query": "q"}},
    {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "o", "title": "t"}]},
    {"type": "image", "file_name": "i.png"},
]
CLAUDE = [
    conversation(
        message(
            "a",
            "human",
            BLOCKS,
            attachments=[{"file_name": "f", "extracted_content": "text"}],
            files=[{"file_name": "g"}],
        ),
        message("b", "assistant", BLOCKS, "a"),
        message("c", "assistant", "Again", "a"),
        summary="s",
        project={"name": "P"},
    ),
    {
        "uuid": "p",
        "name": "N",
        "description": "d",
        "prompt_template": "e",
        "docs": [{"uuid": "d", "filename": "f", "content": "g"}],
    },
    {
        "conversations_memory": "a",
        "project_memories": {"p": "y"},
        "memory_files": [{"path": "a", "content": "b"}],
    },
]
POINTER = {"content_type": "image_asset_pointer", "asset_pointer": "file://x", "size_bytes": 4}
CHATGPT = [
    chat(
        {
            "r": node(None),
            "u": node(
                "r",
                "user",
                "Ask",
                POINTER,
                at=1_770_000_001,
                metadata={"attachments": [{"name": "n", "size": 4}]},
            ),
            "a": node("u", "assistant", "Answer", recipient="all"),
            "t": node(
                "u",
                "assistant",
                recipient="python",
                content={"content_type": "code", "text": "1", "language": "python"},
            ),
            "o": node("t", "tool", name="python", content={"content_type": "execution_output", "text": "1"}),
        },
        current_node="o",
        title="T",
    )
]


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from _places(item, (*at, key))


def changed(value: Any, chance: random.Random, odd: Sequence[Any] = ODD) -> Any:
    """The value with a few of its parts left out or replaced by others."""
    made = copy.deepcopy(value)
    for _ in range(chance.randint(1, 6)):
        places = list(_places(made))
        if not places:
            break
        place = chance.choice(places)
        holder = made
        for key in place[:-1]:
            holder = holder[key]
        if chance.random() < 0.25:
            del holder[place[-1]]
        else:
            holder[place[-1]] = copy.deepcopy(chance.choice(odd))
    return made


@pytest.mark.parametrize(("name", "value"), [("claude_ai", CLAUDE), ("chatgpt", CHATGPT)])
def test_no_shape_is_too_odd(tmp_path: Path, name: str, value: Any) -> None:
    chance = random.Random(name)
    path = tmp_path / "conversations.json"
    read = drafts = 0
    for _ in range(400):
        path.write_text(json.dumps(changed(value, chance)))
        try:
            (source,) = survey(path, None).sources
        except InvalidSource:
            continue
        context = Context(project=None, asked_project=None, now=NOW, mtime=NOW, root=path, sources=(source,))
        origins: list[str | None] = []
        for item in FORMATS[source.format].read(source, context):
            read += 1
            assert bool(item.drafts) + bool(item.skipped) + bool(item.fault) == 1
            origins += [check_draft(draft, NOW).origin for draft in item.drafts]
        if source.format == name:
            assert len(set(origins)) == len(origins)
            drafts += len(origins)
    assert read > 1_000 and drafts > 500


def _of_digits(digits: str, padding: int) -> str:
    """An export of three conversations; the digits are a field of the second, after its messages and so much text."""
    said = [conversation(message("a", "human", f"Said {n}"), uuid=f"c{n}") for n in range(3)]
    said[0]["padding"] = "x" * padding
    said[1]["size"] = "DIGITS"
    return json.dumps(said).replace('"DIGITS"', digits)


@pytest.mark.parametrize("padding", [0, 60_000, 64_000, 100_000])
@pytest.mark.parametrize("is_in_zip", [False, True])
def test_a_number_of_too_many_digits_breaks_its_record(tmp_path: Path, padding: int, is_in_zip: bool) -> None:
    path = tmp_path / "conversations.json"
    # Within a text they do no harm.
    for digits, kept, broken in (("9" * 300, 3, 0), ('"' + "9" * 9_000 + '"', 3, 0), ("9" * 9_000, 2, 1)):
        text = _of_digits(digits, padding)
        if is_in_zip:
            path = tmp_path / "export.zip"
            with zipfile.ZipFile(path, "w") as packed:
                packed.writestr("conversations.json", text)
        else:
            path.write_text(text)
        (source,) = survey(path, None).sources
        context = Context(project=None, asked_project=None, now=NOW, mtime=NOW, root=path, sources=(source,))
        items = list(FORMATS[source.format].read(source, context))
        assert len([item for item in items if item.drafts]) == kept
        assert len([item for item in items if item.fault]) == broken


SESSIONS: dict[str, list[Any]] = {
    "claude_code": [
        {"type": "user", "sessionId": "s", "uuid": "u", "cwd": "/a", "message": {"content": BLOCKS}},
        {"type": "assistant", "sessionId": "s", "message": {"content": BLOCKS}, "gitBranch": "main"},
        {
            "type": "user",
            "message": {"content": [{"type": "tool_result", "tool_use_id": "t", "content": "o"}]},
        },
        {"type": "summary", "summary": "s", "leafUuid": "l"},
        {"type": "system", "subtype": "hook", "sessionId": "s"},
        {"type": "attachment", "attachment": {"type": "hook_success"}, "sessionId": "s"},
    ],
    "codex": [
        {"type": "session_meta", "payload": {"id": "s", "cwd": "/a"}, "timestamp": "2026-01-01T00:00:00Z"},
        {
            "type": "response_item",
            "payload": {"type": "message", "role": "user", "content": [{"text": "Ask"}]},
        },
        {
            "type": "response_item",
            "payload": {"type": "function_call", "name": "n", "arguments": "{}", "id": "c"},
        },
        {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "c", "output": "o"}},
        {"type": "event_msg", "payload": {"type": "agent_message", "message": "Answer"}},
        {"type": "compacted", "payload": {"message": "So far"}},
    ],
    "gemini": [
        {"sessionId": "s", "projectHash": "h", "startTime": "2026-01-01T00:00:00Z", "directories": ["/a"]},
        {"type": "user", "id": "u", "content": [{"text": "Ask"}], "timestamp": "2026-01-01T00:00:00Z"},
        {
            "type": "gemini",
            "id": "g",
            "content": "Answer",
            "toolCalls": [{"name": "n", "id": "c", "result": "o"}],
        },
        {"$set": {"messages": [{"type": "user", "id": "v", "content": "More"}], "summary": "s"}},
        {"$rewindTo": "g"},
    ],
    "prompt_history": [
        {
            "display": "Ask",
            "timestamp": 1_770_000_000_000,
            "project": "/a",
            "sessionId": "s",
            "pastedContents": {},
        },
        {"text": "Ask", "ts": 1_770_000_000, "session_id": "s"},
    ],
    "mcp_memory": [
        {"type": "entity", "name": "n", "entityType": "t", "observations": ["o"]},
        {"type": "relation", "from": "n", "to": "m", "relationType": "r"},
    ],
    "jsonl": [{"content": "Said", "type": ["a"]}, {"text": "Said", "id": 5, "metadata": {"a": 1}}],
}


@pytest.mark.parametrize("name", SESSIONS)
def test_no_line_is_too_odd(tmp_path: Path, name: str) -> None:
    chance = random.Random(name)
    path = tmp_path / "session.jsonl"
    read = drafts = 0
    for _ in range(300):
        lines = [json.dumps(changed(line, chance)) for line in SESSIONS[name]]
        path.write_text("\n".join(chance.sample(lines, len(lines))))
        try:
            (source,) = survey(path, chance.choice((None, name))).sources
        except InvalidSource:
            continue
        found = FORMATS[source.format]
        folder = found.working_folder(source) if found.working_folder is not None else None
        assert folder is None or isinstance(folder, str)
        context = Context(project=None, asked_project=None, now=NOW, mtime=NOW, root=path, sources=(source,))
        for item in found.read(source, context):
            read += 1
            assert bool(item.drafts) + bool(item.skipped) + bool(item.fault) == 1
            drafts += len(item.drafts)
    assert read > 150 and drafts > 50
