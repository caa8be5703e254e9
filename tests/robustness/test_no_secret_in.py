"""No secret gets into a store by any verb: not cut in two, not in any field; a name that holds one is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.errors import InvalidValue
from engramforge.forge import Forge

TOKEN = "glpat-Zt8Rb1Vn5qQ7xLw3mK9f"
USED = "01890000-0000-7000-8000-000000000001"
USE = {"validation_count": 0, "hops": 0}
FELT: dict[str, Any] = {
    "energy": 0.5,
    "confidence": 0.5,
    "emotion_vector": {},
    "goal": "g",
    "mindstate": "calm",
}
KEY = "-----BEGIN PRIVATE KEY-----\n" + "\n".join("MIIEpAIBAAKCAQEA" + "x7" * 24 for _ in range(60))
KEY += "\n-----END PRIVATE KEY-----"


def held(home: Path) -> bytes:
    """Every byte of a store's files."""
    return b"".join(path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file())


def assert_clean(home: Path, *secrets: str) -> None:
    everything = held(home)
    for secret in (TOKEN, *secrets):
        assert secret.encode() not in everything, secret


def test_every_field_of_a_memory(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        forge.remember(
            f"The runner has {TOKEN}.",
            name=f"about {TOKEN}",
            speaker=f"ada {TOKEN}",
            tags=[f"a-{TOKEN}"],
            goal=f"hide {TOKEN}",
            mindstate=TOKEN,
            metadata={f"of {TOKEN}": 1, "deep": [{TOKEN: {"x": TOKEN}}], "password": "rosebud"},
            attachments=[
                {
                    "name": f"{TOKEN}.txt",
                    "media_type": f"text/{TOKEN}",
                    "caption": TOKEN,
                    "location": f"/a/{TOKEN}",
                }
            ],
        )
        first, second = forge.remember("One."), forge.remember("Two.")
        forge.link(
            first.id,
            second.id,
            "ENABLES",
            goal=TOKEN,
            mindstate="calm",
            energy=0.5,
            confidence=0.5,
            emotion_vector={},
            **{"note of it": TOKEN, f"of {TOKEN}": TOKEN},
        )
        forge.revise(first.id, f"One, with {TOKEN}.")
        forge.invalidate(second.id, reason=f"since {TOKEN}")
        forge.decisions.create(
            f"We use {TOKEN}", rationale=TOKEN, alternatives_rejected=[TOKEN], tags=[TOKEN], project="p"
        )
        thread = forge.threads.create(f"Rotate {TOKEN}", TOKEN, project="p")
        forge.threads.update(thread.id, status="resolved", resolution=TOKEN)
    assert_clean(tmp_path / "home", "rosebud")


NAMES: list[Callable[[Forge], Any]] = [
    lambda forge: forge.remember("x", project=TOKEN),
    lambda forge: forge.remember("x", session_id=TOKEN),
    lambda forge: forge.create_project(TOKEN),
    lambda forge: forge.decisions.create("x", project="p", conversation="c", local_id=TOKEN),
    lambda forge: forge.decisions.create("x", project="p", conversation=TOKEN),
    lambda forge: forge.threads.create("x", project="p", conversation=TOKEN),
    lambda forge: forge.lineage.link(TOKEN, "b"),
    lambda forge: forge.lineage.link("a", TOKEN),
    lambda forge: forge.remember("x", project="akia" + "q7z2" * 4),
    lambda forge: forge.remember("x", emotion_vector={TOKEN: 0.5}),
    lambda forge: forge.link("a", "b", "ENABLES", **{**FELT, "emotion_vector": {TOKEN: 0.5}}),
    lambda forge: forge.link("a", "b", "AKIA" + "Q7Z2" * 4, **FELT),
    lambda forge: forge.remember("x", session_id="https://ada:rosebud7@example.org/"),
]


@pytest.mark.parametrize("number", range(len(NAMES)))
def test_a_name_that_holds_a_secret_is_refused(tmp_path: Path, number: int) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        with pytest.raises(InvalidValue, match="holds a secret"):
            NAMES[number](forge)
        assert forge.memories() == []
    assert_clean(tmp_path / "home")


def test_names_that_only_look_like_it_are_kept(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        for name in (
            "0192f3a4-77aa-7bbb-8ccc-1234567890ab",
            "token-rotation",
            "rollout-2026-03-01T10-00-00",
            "sha-" + "a1" * 20,
        ):
            forge.remember(f"Said in {name}.", session_id=name, project=name)


@pytest.mark.parametrize("words_before", range(0, 900, 150))
def test_what_is_cut_into_chunks_is_redacted_whole(tmp_path: Path, words_before: int) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    text = "# Keys\n\n" + "word " * words_before + f"\n{KEY}\n\n" + "more " * 700
    text += "\n<private>" + "mine " * 600 + "rosebud\n\n" + "mine " * 600 + "</private>\n" + "end " * 50
    (folder / "a.md").write_text(text)
    with engramforge.open(tmp_path / "home") as forge:
        report = forge.import_path(folder)
        assert report.redacted == 1
        said = " ".join(memory.content for memory in forge.memories(limit=50))
        assert "[REDACTED:private-key]" in said and "mine" not in said
    assert_clean(tmp_path / "home", "MIIEpAIBAAKCAQEA", "rosebud", "x7x7x7x7")


def test_archives_and_contexts(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "one") as forge:
        forge.decisions.create("We store tides in Postgres", project="p", conversation="c1")
        archive = forge.archives.compress("c1", mode="partial", context=f"Postgres with {TOKEN}")
        assert TOKEN not in archive.text
        edited = (
            archive.text.replace("We store tides in Postgres", f"We store tides with {TOKEN}")
            + f"\nAlso {TOKEN}.\n"
        )
    with engramforge.open(tmp_path / "two") as other:
        other.archives.continue_from(edited, "c2")
    assert_clean(tmp_path / "one")
    assert_clean(tmp_path / "two")


def test_an_export_into_which_somebody_wrote_one(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "one") as forge:
        first, second = (
            forge.remember("The runner hums."),
            forge.remember("It is loud.", kind="decision", project="p"),
        )
        forge.link(
            first.id,
            second.id,
            "ENABLES",
            goal="humming",
            mindstate="calm",
            energy=0.5,
            confidence=0.5,
            emotion_vector={},
        )
        forge.export(tmp_path / "memory.jsonl")
    edited = (tmp_path / "memory.jsonl").read_text().replace("hums", TOKEN).replace("loud", TOKEN)
    (tmp_path / "memory.jsonl").write_text(edited.replace("humming", TOKEN))
    for home in ("two", "three"):
        with engramforge.open(tmp_path / home) as forge:
            if home == "three":
                forge.remember("Something else.")
            report = forge.import_path(tmp_path / "memory.jsonl")
            assert report.faults == () and report.written
            assert forge.import_path(tmp_path / "memory.jsonl").written == 0
        assert_clean(tmp_path / home)


def test_what_an_import_counts_by_and_where_it_read(tmp_path: Path) -> None:
    folder = tmp_path / TOKEN
    folder.mkdir()
    (folder / "a.md").write_text("# Tides\n\nThe tide is high.\n")
    where = {
        "cwd": f"/home/ann/{TOKEN}",
        "sessionId": "s1",
        "uuid": "u1",
        "timestamp": "2026-03-01T10:00:00Z",
    }
    turn = {"type": "user", "message": {"role": "user", "content": "The moon is full."}, **where}
    sources = {
        "claude.jsonl": [turn, {"type": TOKEN, **where}, {"type": "system", "subtype": TOKEN, **where}],
        "turns.jsonl": [
            {"content": "High.", "emotion_vector": {TOKEN: 0.5}},
            {"content": "Low.", "type": TOKEN},
        ],
        "memories.json": [{"conversations_memory": "Ann sails.", "project_memories": {TOKEN: "It leaks."}}],
    }
    for name, lines in sources.items():
        said = json.dumps(lines) if name.endswith("json") else "\n".join(map(json.dumps, lines))
        (tmp_path / name).write_text(said)
    with engramforge.open(tmp_path / "home") as forge:
        with pytest.raises(InvalidValue, match="path holds a secret"):
            forge.sync.add(folder)
        for path in (folder, *(tmp_path / name for name in sources)):
            forge.import_path(path)
        said = {memory.content for memory in forge.memories()}
        assert {"Ann sails.", "It leaks.", "Low."} <= said and "High." not in said
    assert_clean(tmp_path / "home")


NAMED: list[tuple[str, dict[str, Any]]] = [
    ("projects", {"name": TOKEN}),
    ("memories", {"project": TOKEN}),
    ("memories", {"session_id": "password=Tr0ub4dor&3m!"}),
    ("memories", {"agent": TOKEN}),
    ("memories", {"emotion_vector": {TOKEN: 0.5}}),
    ("memories", {"attachments": [{"name": "a", "sha256": TOKEN}]}),
    ("memories", {"registration": {"conversations": [TOKEN]}}),
    ("memories", {"registration": {"local_id": TOKEN}}),
    ("memories", {"registration": {"continuation": TOKEN}}),
    ("links", {"relation": "AKIA" + "Q7Z2" * 4}),
    ("audit", {"subject": TOKEN}),
    ("audit", {"effect": {"uses": [{"memory_id": USED, "before": USE, "after": USE, "mentioned": [TOKEN]}]}}),
    ("marks", {"key": f"sync:{TOKEN}"}),
]
"""Lines of an export that are refused."""
FREE: list[tuple[str, dict[str, Any]]] = [
    ("audit", {"reason": f"since {TOKEN}"}),
    ("marks", {"key": "sync:x", "value": {"a": {TOKEN: TOKEN}}}),
    ("memories", {"registration": {"details": {TOKEN: "x", f"a{TOKEN}": {TOKEN: TOKEN}}}}),
]
"""Lines that are stored without the secret."""


def test_names_and_other_sections_of_an_export(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "one") as forge:
        one, two = (
            forge.decisions.create(text, project="p", conversation="c", local_id=name)
            for text, name in (("We use tides", "D1"), ("We use moons", "D2"))
        )
        forge.link(one.memory_id, two.memory_id, "ENABLES", **FELT)
        forge.export(tmp_path / "memory.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "memory.jsonl").read_text().splitlines()]
    own = {line["section"]: line for line in lines} | {"marks": {"section": "marks", "value": {}}}
    for section, change in (*NAMED, *FREE):
        line = {**own[section], **change}
        if entry := change.get("registration"):
            line["registration"] = {**own[section]["registration"], **entry}
        lines.append(line)
    (tmp_path / "memory.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for home in ("two", "three"):
        with engramforge.open(tmp_path / home) as forge:
            if home == "three":
                forge.remember("Something else.")
            report = forge.import_path(tmp_path / "memory.jsonl")
            assert len([each for each in report.faults if "holds a secret" in each.reason]) == len(NAMED)
        assert_clean(tmp_path / home, "Tr0ub4dor", "AKIAQ7Z2")


def test_a_long_document_of_a_chat(tmp_path: Path) -> None:
    document = "word " * 1_900 + f"\n{KEY}\n" + "more " * 3_000
    export = {
        "uuid": "p1",
        "name": "Keys",
        "description": "About keys.",
        "prompt_template": "",
        "docs": [{"uuid": "d1", "filename": "keys.md", "content": document}],
    }
    (tmp_path / "projects.json").write_text(json.dumps([export]))
    with engramforge.open(tmp_path / "home") as forge:
        forge.import_path(tmp_path / "projects.json")
        assert forge.memories(limit=5)
    assert_clean(tmp_path / "home", "MIIEpAIBAAKCAQEA", "x7x7x7x7")
