"""Claude.ai exports: every message once, all branches in order, documents, projects, what Claude remembers."""

import json
from pathlib import Path
from typing import Any

from tests.capture.conftest import Workbench

from engramforge.capture.imports.run import ImportOptions
from engramforge.capture.reading.format import Conversation
from engramforge.capture.reading.sessions import CHAIN_LENGTH
from engramforge.model.memory import Kind, Memory
from engramforge.model.storing.record import Extent, ImportReport

ROOT = "00000000-0000-4000-8000-000000000000"


def message(
    name: str, sender: str, text: Any = None, parent: str | None = ROOT, **more: Any
) -> dict[str, Any]:
    content = text if isinstance(text, list) else [{"type": "text", "text": text}]
    minute = len(name) + sum(map(ord, name)) % 50
    return {
        "uuid": name,
        "sender": sender,
        "text": "",
        "content": content,
        "created_at": f"2026-03-01T10:{minute:02}:00.5Z",
        "parent_message_uuid": parent,
        **more,
    }


def conversation(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "uuid": "c1",
        "name": "Boat works",
        "summary": "",
        "created_at": "2026-03-01T10:00:00Z",
        "updated_at": "2026-03-02T10:00:00Z",
        "account": {"uuid": "a1"},
        "chat_messages": list(messages),
        **more,
    }


def run(bench: Workbench, path: Path, value: Any = None, **options: Any) -> ImportReport:
    if value is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    return bench.importing.import_path(bench.scope, path, **options)


def said(bench: Workbench) -> dict[str, Memory]:
    return {memory.content: memory for memory in bench.every()}


def test_messages_tools_and_thinking(bench: Workbench, tmp_path: Path) -> None:
    blocks = [
        {"type": "thinking", "thinking": "hidden"},
        {"type": "text", "text": "<antThinking>hmm</antThinking>Caulked."},
        {"type": "tool_use", "id": "t1", "name": "search", "input": {"query": "oakum"}},
        {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "two shops"}]},
        {"type": "from_the_future", "payload": [1]},
    ]
    first = message(
        "m1", "human", "Caulk the seams. <engramforge-context>recalled before</engramforge-context>"
    )
    value = [conversation(first, message("m2", "assistant", blocks, "m1"), summary="On caulking.")]
    report = run(bench, tmp_path / "conversations.json", value)
    assert (report.format, report.found, report.written, report.faults) == ("claude_ai", 2, 5, ())
    found = said(bench)
    assert set(found) == {
        "Caulk the seams.",
        "Caulked.",
        "search: oakum",
        "Outcome of search: oakum\ntwo shops",
        "Boat works\n\nOn caulking.",
    }
    assert found["Caulked."].kind is Kind.RESPONSE and found["Caulk the seams."].kind is Kind.PROMPT
    assert [memory.sequence for memory in bench.every()[:4]] == [0, 1, 2, 3]
    assert {record.project for record in found.values()} == {"claude.ai"}
    assert found["Caulked."].metadata == {"conversation": "Boat works"}
    assert found["Caulked."].valid_at == found["Caulked."].created_at
    (counts,) = report.details["files"].values()
    assert counts["skipped"] == {"unknown kind of part": 1} and counts["records"]["part:from_the_future"] == 1
    again = run(bench, tmp_path / "copy.json", value)
    assert (again.found, again.written, again.duplicates) == (2, 0, 5)


def test_text_stands_in_where_content_says_nothing(bench: Workbench, tmp_path: Path) -> None:
    odd: list[Any] = [
        None,
        [],
        "a string",
        [{"type": "text", "text": None}],
        [{"type": "text", "text": 5}],
        [7],
    ]
    messages = [
        {"uuid": f"m{place}", "sender": "human", "content": content, "text": f"text {place}"}
        for place, content in enumerate(odd)
    ]
    report = run(bench, tmp_path / "one.json", conversation(*messages, "not an object"))  # type: ignore[arg-type]
    assert (report.found, report.written, len(report.faults)) == (7, 6, 1)
    assert set(said(bench)) == {"text 0", "text 1", "a string", "text 3", "text 4", "text 5"}
    # Without a time of its own a message has that of the one before; without parents each follows the last.
    assert {memory.valid_at.isoformat() for memory in bench.every()} == {"2026-03-01T10:00:00+00:00"}
    assert sorted(memory.sequence or 0 for memory in bench.every()) == [0, 1, 2, 3, 4, 5]


def test_all_branches_come_in_order_and_the_current_one_is_known(bench: Workbench, tmp_path: Path) -> None:
    messages = [
        message("a", "human", "Ask", ROOT),
        message("bb", "assistant", "First answer", "a", created_at="2026-03-01T10:01:00Z"),
        message("ccc", "human", "Go on", "bb", created_at="2026-03-01T10:02:00Z"),
        message("dddd", "assistant", "Second answer", "a", created_at="2026-03-01T10:03:00Z"),
        message("eeeee", "human", "Better", "dddd", created_at="2026-03-01T10:04:00Z"),
    ]
    run(bench, tmp_path / "c.json", [conversation(*messages)])
    found = said(bench)
    assert {text: item.sequence for text, item in found.items()} == {
        "Ask": 0,
        "First answer": 1,
        "Go on": 2,
        "Second answer": CHAIN_LENGTH + 1,
        "Better": CHAIN_LENGTH + 2,
    }
    branches = {
        text: (item.metadata["branch"], item.metadata["on_current_path"]) for text, item in found.items()
    }
    assert branches == {
        "Ask": (1, True),
        "First answer": (1, False),
        "Go on": (1, False),
        "Second answer": (2, True),
        "Better": (2, True),
    }
    assert found["Second answer"].metadata["follows"] == "a" and "follows" not in found["Better"].metadata


def test_the_leaf_that_the_export_names_is_current(bench: Workbench, tmp_path: Path) -> None:
    messages = [
        message("a", "human", "Ask"),
        message("b", "assistant", "Old", "a"),
        message("c", "assistant", "New", "a"),
    ]
    run(bench, tmp_path / "c.json", conversation(*messages, current_leaf_message_uuid="b"))
    assert {text for text, item in said(bench).items() if item.metadata["on_current_path"]} == {"Ask", "Old"}


def test_circles_and_unknown_parents_end(bench: Workbench, tmp_path: Path) -> None:
    messages = [
        message("a", "human", "one", "b"),
        message("b", "human", "two", "a"),
        message("c", "human", "three", "c"),
        message("d", "human", "four", "nobody"),
        message("d", "human", "five", "d"),
    ]
    report = run(bench, tmp_path / "c.json", [conversation(*messages)])
    assert (report.found, report.written) == (5, 5)


def test_attachments_become_memories_or_are_named(bench: Workbench, tmp_path: Path) -> None:
    long = "\n\n".join(f"Paragraph {n}: " + "plank rib keel mast boom " * 20 for n in range(30))
    attachments = [
        {"file_name": "tides.txt", "file_type": "txt", "file_size": 9, "extracted_content": "High at six."},
        {"file_name": "manual.md", "extracted_content": long},
        {"file_name": "scan.pdf", "file_type": "pdf", "file_size": 10**30},
    ]
    value = conversation(
        message(
            "a", "human", [], files=[{"file_name": "hull.png", "file_kind": "image"}], attachments=attachments
        ),
        message("b", "assistant", "Read.", "a"),
    )
    report = run(bench, tmp_path / "c.json", value)
    assert report.found == 2 and report.faults == ()
    found = said(bench)
    asked = found["Attached: scan.pdf, hull.png, tides.txt, manual.md"]
    assert [
        (attachment.name, attachment.media_type, attachment.size_bytes) for attachment in asked.attachments
    ] == [
        ("scan.pdf", "pdf", 0),
        ("hull.png", "image/*", 0),
    ]
    assert found["High at six."].kind is Kind.ARTIFACT and found["High at six."].name == "tides.txt"
    chunks = [memory for memory in bench.every() if memory.kind is Kind.CHUNK]
    assert len(chunks) > 5 and {chunk.name for chunk in chunks} == {"manual.md"}
    assert {memory.session_id for memory in bench.every()} == {"c1"}
    assert run(bench, tmp_path / "again.json", value).written == 0


def test_projects_their_documents_and_claudes_memory(bench: Workbench, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    doc = {
        "uuid": "d1",
        "filename": "rigging.md",
        "content": "Tighten the shrouds.",
        "created_at": "2026-01-05T00:00:00Z",
    }
    project = {
        "uuid": "p1",
        "name": "Sailing",
        "description": "All about the boat",
        "prompt_template": "Answer briefly.",
        "docs": [doc, {"filename": "empty"}],
    }
    memories = [
        {
            "conversations_memory": "Owns a sloop.",
            "project_memories": {"p1": "Prefers cotton sails."},
            "account_uuid": "a1",
            "memory_files": [{"path": "/boat.md", "content": "Draws two metres."}],
        }
    ]
    run(bench, folder / "projects" / "p1.json", project)
    run(
        bench,
        folder / "memories" / "a1.json",
        memories[0] | {"memory_files": {"boat.md": "Draws two metres."}},
    )
    for memory in bench.every():
        assert memory.project == (
            "Sailing"
            if memory.content in ("Tighten the shrouds.", "All about the boat", "Answer briefly.")
            else "claude.ai"
        )
    (folder / "users.json").write_text('[{"uuid": "a1", "full_name": "Ann"}]')
    (folder / "memories.json").write_text(json.dumps(memories))
    report = run(bench, folder)
    assert report.faults == () and [Path(file).name for file in report.details["unrecognised"]] == [
        "users.json"
    ]
    found = {(memory.project, memory.content, memory.name) for memory in bench.every()}
    assert ("Sailing", "Tighten the shrouds.", "rigging.md") in found
    assert ("Sailing", "Answer briefly.", "Instructions of Sailing") in found
    assert ("Sailing", "Prefers cotton sails.", "Claude's memory of Sailing") in found
    assert ("claude.ai", "Owns a sloop.", "Claude's memory") in found
    assert {memory.valid_at.year for memory in bench.every() if memory.name == "rigging.md"} == {2026}


def test_rules_give_conversations_their_projects(bench: Workbench, tmp_path: Path) -> None:
    def assign(thread: Conversation) -> str | None:
        assert thread.source.endswith("c.json")
        return "boats" if "Boat" in thread.title or "keel" in thread.first_text else None

    value = [
        conversation(message("a", "human", "Hello")),
        conversation(message("a", "human", "Paint the keel"), uuid="c2", name=None),
        conversation(message("a", "human", "Bread"), uuid="c3", name="Bake"),
        conversation(
            message("a", "human", "Own"), uuid="c4", name="Rise", project={"uuid": "p", "name": "Loaves"}
        ),
    ]
    run(bench, tmp_path / "c.json", value, options=ImportOptions(assign=assign, wishes="1"))
    assert {memory.content: memory.project for memory in bench.every()} == {
        "Hello": "boats",
        "Paint the keel": "boats",
        "Bread": "claude.ai",
        "Own": "Loaves",
    }
    # The rules are part of what an unchanged file is: with others it is read again.
    again = run(bench, tmp_path / "c.json", options=ImportOptions(assign=assign, wishes="2"))
    assert (again.written, again.duplicates) == (0, 4) and not next(
        iter(again.details["files"].values())
    ).get("unchanged")
    assert run(bench, tmp_path / "c.json", project="mine").written == 4


def test_a_conversation_that_grew_adds_what_is_new(bench: Workbench, tmp_path: Path) -> None:
    first = [message("a", "human", "Ask"), message("b", "assistant", "Answer", "a")]
    run(bench, tmp_path / "c.json", [conversation(*first)])
    grown = [
        *first,
        message("ccc", "human", "More", "b"),
        message("ddd", "human", "Edited", created_at="2026-03-09T10:00:00Z"),
    ]
    report = run(bench, tmp_path / "later.json", [conversation(*grown)])
    assert (report.found, report.written, report.duplicates) == (4, 2, 2)
    assert {text: item.sequence for text, item in said(bench).items()} == {
        "Ask": 0,
        "Answer": 1,
        "More": 2,
        "Edited": CHAIN_LENGTH,
    }


def remembered(text: str, month: int, **fields: Any) -> list[dict[str, Any]]:
    """An export of Claude's memory in a month."""
    return [
        {
            "account_uuid": "a1",
            "conversations_memory": text,
            "updated_at": f"2026-{month:02}-01T00:00:00Z",
            **fields,
        }
    ]


def test_what_claude_remembers_now_supersedes_what_it_did(bench: Workbench, tmp_path: Path) -> None:
    part = "She sails a sloop out of Falmouth and mends the sails herself, mostly in winter{}. "
    whole = [f"# Topic {n}\n\n" + part.format(n) * 14 for n in range(3)]
    before = remembered("Owns a sloop.", 1, project_memories={"p1": "\n\n".join(whole)})
    assert run(bench, tmp_path / "memories.json", before).faults == ()
    first = bench.every()
    assert len(first) > 3 and all(memory.chunk is not None for memory in first)
    changed = [whole[0], whole[1], whole[2].replace("winter2", "spring2")]
    after = remembered("Owns a ketch.", 3, project_memories={"p1": "\n\n".join(changed)})
    assert run(bench, tmp_path / "later" / "memories.json", after).faults == ()
    now = bench.every()
    assert len(now) == len(first)
    (ketch,) = [memory for memory in now if "Owns" in memory.content]
    (sloop,) = [memory for memory in first if "Owns" in memory.content]
    assert (ketch.content, ketch.version, ketch.logical_id) == ("Owns a ketch.", 2, sloop.logical_id)
    assert (ketch.valid_at.month, sloop.valid_at.month) == (3, 1)
    said = {record.id for record in first}
    assert {memory.logical_id for memory in now} == {memory.logical_id for memory in first}
    assert any(record.id in said for record in now) and any("spring" in memory.content for memory in now)
    assert not any("winter2" in memory.content for memory in now)
    # The same again, in another file, and an older export: nothing changes, nothing comes in beside it.
    report = run(bench, tmp_path / "again" / "memories.json", after)
    assert (report.written, bench.every()) == (0, now)
    older = remembered("Owns a dinghy.", 2, project_memories={"p1": "\n\n".join(whole)})
    report = run(bench, tmp_path / "older" / "memories.json", older)
    assert (report.written, bench.every()) == (0, now)
    # What was changed here stays as long as Claude's text does, and gives way when that changes.
    bench.revision.revise(bench.scope, ketch.logical_id, "Owns a ketch named Ida.")
    run(bench, tmp_path / "again" / "memories.json", remembered("Owns a ketch.", 4))
    assert "Owns a ketch named Ida." in {memory.content for memory in bench.every()}
    run(
        bench,
        tmp_path / "short" / "memories.json",
        remembered("Sold the ketch.", 5, project_memories={"p1": "Sails."}),
    )
    last = bench.every()
    assert sorted(memory.content for memory in last) == ["Sails.", "Sold the ketch."]
    # What was forgotten does not come back with the next text around it.
    text = "\n\n".join(whole)
    run(
        bench,
        tmp_path / "long" / "memories.json",
        remembered("Sold the ketch.", 6, project_memories={"p1": text}),
    )
    gone = next(memory for memory in bench.every() if "Topic 0" in memory.content)
    bench.door.write(bench.scope, lambda writes: writes.forget(Extent([gone.logical_id]), bench.clock()))
    text += "\n\n# Topic 3\n\nNew."
    run(
        bench,
        tmp_path / "long2" / "memories.json",
        remembered("Sold the ketch.", 7, project_memories={"p1": text}),
    )
    assert any("New." in memory.content for memory in bench.every())
    assert gone.content not in {memory.content for memory in bench.every()}


def test_the_longer_of_both_texts_counts(bench: Workbench, tmp_path: Path) -> None:
    whole = "The keel is of oak.\n\n" + "Each plank was steamed for an hour. " * 170
    shown = "```\nThis block is not supported on your current device yet.\n```"
    tool = {"type": "tool_use", "id": "t1", "name": "search", "input": {"query": "oak"}}
    value = conversation(
        message("a", "human", "The keel is of oak.") | {"text": whole},
        message("b", "assistant", "Steamed, then bent.", "a") | {"text": "Steamed"},
        message("c", "assistant", [tool, {"type": "text", "text": "Two yards."}], "b")
        | {"text": f"{shown}\n\nTwo yards."},
        message("d", "assistant", [tool], "c") | {"text": shown},
        message("e", "human", "So\n\nbe it", "d") | {"text": "So be it"},
    )
    run(bench, tmp_path / "c.json", value)
    assert set(said(bench)) == {
        whole.strip(),
        "Steamed, then bent.",
        "search: oak",
        "Two yards.",
        "So\n\nbe it",
    }


def test_an_artifact_is_kept_as_it_last_was(bench: Workbench, tmp_path: Path) -> None:
    def made(name: str, parent: str, **told: Any) -> dict[str, Any]:
        use = {"type": "tool_use", "id": f"t{name}", "name": "artifacts", "input": {"id": "knots", **told}}
        outcome = {"type": "tool_result", "tool_use_id": f"t{name}", "name": "artifacts", "content": "OK"}
        blocks = [{"type": "text", "text": f"Here you are ({name})."}, use, outcome]
        return message(name, "assistant", blocks, parent)

    value = [
        conversation(
            message("m1", "human", "Write down the knots."),
            made("m2", "m1", command="create", title="Knots", content="Bowline: two turns."),
            made("m3", "m2", command="update", old_str="two turns", new_str="one turn"),
        )
    ]
    run(bench, tmp_path / "conversations.json", value)
    found = said(bench)
    assert set(found) == {
        "Write down the knots.",
        "Here you are (m2).",
        "Here you are (m3).",
        "Bowline: one turn.",
    }
    assert (found["Bowline: one turn."].kind, found["Bowline: one turn."].name) == (Kind.ARTIFACT, "Knots")
    assert run(bench, tmp_path / "conversations.json").written == 0
    # Branches never mix, and an artifact without an id is one of its own.
    forked = conversation(
        message("n1", "human", "Write down the ports."),
        made("n2", "n1", command="create", title="Ports", content="port 80, no lock"),
        made("n3", "n2", command="update", old_str="80", new_str="90"),
        made("n4", "n2", command="update", old_str="no lock", new_str="lock"),
        made("n5", "n4", command="create", id=None, title="One", content="first of two"),
        made("n6", "n5", command="create", id=None, title="Two", content="second of two"),
        uuid="c2",
    )
    run(bench, tmp_path / "forked.json", [forked])
    kept = {each.content for each in bench.every() if each.kind is Kind.ARTIFACT} - {"Bowline: one turn."}
    assert kept == {"port 90, no lock", "port 80, lock", "first of two", "second of two"}


def test_an_artifact_that_changed_supersedes_what_was_there(bench: Workbench, tmp_path: Path) -> None:
    def export(minute: int, *contents: str) -> list[dict[str, Any]]:
        said = [message("m1", "human", "Write down the bolts.")]
        for number, content in enumerate(contents, 2):
            told = {"id": "bolts", "command": "create", "title": "Bolts", "content": content}
            use = {"type": "tool_use", "id": f"t{number}", "name": "artifacts", "input": told}
            at = f"2026-03-01T10:{minute + number}:00Z"
            said.append(message(f"m{number}", "assistant", [use], f"m{number - 1}", created_at=at))
        return [conversation(*said)]

    path = tmp_path / "conversations.json"
    run(bench, path, export(10, "The trellis has M8 bolts."))
    run(bench, path, export(10, "The trellis has M8 bolts.", "The trellis has M10 bolts."))
    kept = [each.content for each in bench.every() if each.kind is Kind.ARTIFACT and not each.is_superseded]
    assert kept == ["The trellis has M10 bolts."]
    assert next(each.where for each in bench.every() if each.kind is Kind.ARTIFACT) == "Boat works, Bolts"
    assert run(bench, path).written == 0
