"""A scenario through every command of the command line and every tool: for test_golden."""

from __future__ import annotations

import os
from typing import Any

import anyio
from mcp import Client
from tests.mcp_server import client_of

from .golden_record import BEGAN, Record


def run_through(record: Record) -> None:
    """All commands of the command line, then all tools, over one store."""
    _memories(record)
    _registries(record)
    _store(record)
    anyio.run(_tools, record)
    for step in ("undo", "redo"):
        record.ask(step)
    record.say("undo")
    record.say("redo")
    _learned(record)
    anyio.run(_learned_tool, record)
    _streams(record)
    anyio.run(_stream_tool, record)


def _memories(record: Record) -> None:
    ask, say = record.ask, record.say
    say("projects")
    ferry = ask(
        *("remember", "The ferry leaves at noon.", "--project", "sea", "--session", "s1", "--sequence", "1"),
        *(
            "--speaker",
            "Ada",
            "--kind",
            "message",
            "--tag",
            "times",
            "--emotion",
            "joy=0.7",
            "--goal",
            "travel",
        ),
        *("--metadata", '{"pier": 4}', "--valid-at", "2026-02-01T09:00:00Z", "--energy", "0.8"),
    )["memory"]["id"]
    sail = ask("remember", "Sail number 41 is torn along the leech.", "--project", "sea")["memory"]["id"]
    say("remember", "-", "--project", "office", "--kind", "note", stdin="The plant wants water on Mondays.\n")
    ask("recall", "when does the ferry leave?")
    say("recall", "when does the ferry leave?", "--project", "sea", "--limit", "1")
    ask("recall", "plant", "--project", "nowhere")
    say("show", ferry)
    say("show", ferry, "--all")
    ask("show", sail)
    ask("revise", ferry, "The ferry leaves at one.", "--expected-version", "1", "--confidence", "0.9")
    say("supersede", ferry, "The ferry leaves at two.", "--at", "2026-03-01T08:00:00Z")
    ask("supersede", sail, "Sail number 41 is mended.")
    ask("history", ferry)
    say("history", ferry)
    ask("timeline", ferry, "--as-of", "2026-03-02T09:08:00Z")
    say("timeline", ferry)
    ask("conversations")
    say("conversations", "--project", "sea")
    say("timeline", "--project", "sea", "--limit", "3")
    fields = (
        "--energy",
        "0.5",
        "--confidence",
        "0.6",
        "--emotion",
        "none",
        "--goal",
        "g",
        "--mindstate",
        "calm",
    )
    linked = ask("link", ferry, "DEPENDS_ON", sail, *fields, "--metadata", '{"why": "wind"}')
    say("link", ferry, "ENABLES", sail, *fields)
    ask("links", ferry)
    say("links", sail)
    ask("unlink", linked["link"]["id"], "--reason", "a slip")
    say("invalidate", sail, "--at", "2026-03-02T09:12:00Z", "--reason", "sold")
    ask("invalidate", sail)
    gone = ask("remember", "A slip of the pen.", "--project", "office")["memory"]["id"]
    ask("forget", gone, "--yes", "--reason", "asked")
    say("forget", gone, "--yes")
    ask("list", "--project", "sea")
    say("list", "--mode", "full_history", "--limit", "4")
    notes = record.folder / "notes"
    notes.mkdir()
    (notes / "one.md").write_text("# Harbour\n\nThe harbour closes at nine.\n", encoding="utf-8")
    os.utime(notes / "one.md", (BEGAN.timestamp(), BEGAN.timestamp()))
    ask("import", str(notes), "--project", "harbour", "--dry-run")
    say("import", str(notes), "--project", "harbour", "--dry-run")
    ask("import", str(notes), "--project", "harbour")
    say("import", str(notes), "--project", "harbour")
    ask("sync", "--add", str(notes), "--project", "harbour")
    ask("sync", "--list")
    ask("sync")
    say("sync", "--remove", str(notes))
    ask("projects", "--create", "empty")
    say("projects")


def _registries(record: Record) -> None:
    ask, say = record.ask, record.say
    base = ask("decisions", "create", "Keep one store.", "--rationale", "less to run", "--tier", "0.8")["id"]
    first = ask(
        *(
            "decisions",
            "create",
            "Use SQLite.",
            "--rationale",
            "no server",
            "--rejected",
            "MySQL",
            "--depends-on",
            base,
        ),
        *("--conversation", "c1", "--local-id", "D001", "--tag", "db", "--project", "atlas"),
    )["id"]
    say("decisions", "create", "Ship on Thursdays.", "--project", "atlas", "--conversation", "c1")
    ask("decisions")
    say("decisions")
    ask("decisions", "show", first)
    say("decisions", "show", base)
    ask("decisions", "revise", first, "Use SQLite with WAL.", "--tier", "0.9")
    say("decisions", "history", first)
    ask("decisions", "history", first)
    ask("decisions", "validate", first, base, "--conversation", "c1")
    say("decisions", "validate", base)
    ask("decisions", "search", "which database?")
    say("decisions", "search", "D001")
    ask("decisions", "stale", "--days", "0", "--max-tier", "1")
    say("decisions", "stale")
    say("decisions", "supersede", first, "Use PostgreSQL.", "--rationale", "many machines")
    say("decisions", "invalidate", base, "--reason", "outgrown")
    ask("decisions", "reinstate", base)
    ask("decisions", "show", "dec_nowhere")
    pier = ask("threads", "create", "Measure the pier.", "--priority", "high", "--conversation", "c1")["id"]
    say(
        "threads",
        "create",
        "Paint the pier.",
        "In blue.",
        "--blocked-by",
        pier,
        "--local-id",
        "T002",
        *("--conversation", "c1"),
    )
    ask("threads")
    say("threads")
    ask("threads", "show", pier)
    say("threads", "show", "T002", "--conversation", "c1")
    ask("threads", "update", pier, "--priority", "low", "--tag", "sea")
    say("threads", "resolve", pier, "Forty metres.", "--conversation", "c2")
    say("threads", "reopen", pier)
    ask("threads", "history", pier)
    say("threads", "history", pier)
    ask("threads", "search", "pier", "--status", "all")
    ask(
        "remember",
        "We decided to paint the boat green.",
        "--session",
        "c1",
        "--sequence",
        "1",
        "--kind",
        "message",
    )
    ask("remember", "TODO: order the paint.", "--session", "c1", "--sequence", "2", "--kind", "message")
    ask(
        "remember",
        "I think we should maybe go with hemp ropes.",
        *("--session", "c1", "--sequence", "3", "--kind", "message"),
    )
    waiting = ask("review")["pending"]
    say("review")
    for candidate in waiting[:1]:
        ask("review", "edit", candidate["id"], "--text", "Hemp ropes.")
    ask("review", "accept", "--all")
    ask("review", "reject", "--all")
    made = ask("compress", "c1", "--tag", "first leg")
    say("compress", "c1", "--mode", "lossy", "--size", "3000")
    say("continue", "-", "--conversation", "c9", stdin=made["text"])
    ask("continue", "-", "--conversation", "c9", stdin=made["text"])
    ask("lineage", "link", "c9", "c10", "--tag", "second", "--summary", "The pier was measured.")
    ask("lineage")
    say("lineage", "trace", "c9")
    ask("lineage", "bridge", "c1", "c9")
    say("lineage", "bridge", "c1", "c9")
    say("lineage", "search", "second")
    ask("context", "paint", "--budget", "1200")
    say("context", "ferry", "--project", "sea", "--cross-project")


def _store(record: Record) -> None:
    ask, say = record.ask, record.say
    ask("init")
    ask("stats")
    say("stats")
    ask("doctor", "--sweep", "--limit", "3")
    say("doctor", "--sweep", "--limit", "3")
    ask("calibrate")
    say("calibrate")
    ask("refresh")
    say("refresh")
    ask("reembed", "--dry-run")
    say("reembed")
    ask("export", str(record.folder / "all.jsonl"))
    say("export", "--format", "markdown", "--to", str(record.folder / "pages"))
    ask("remember", "To be undone.", "--project", "office")
    ask("undo", "--project", "office")


async def _tools(record: Record) -> None:
    async with client_of(record.home) as client:
        await _memory_tools(record, client)
        await _registry_tools(record, client)


async def _memory_tools(record: Record, client: Client) -> None:
    call = record.call
    ferry = await call(
        client, "forge_remember", content="The night ferry leaves at ten.", project="sea", tags=["times"]
    )
    ferry = ferry["memory"]["id"]
    made = await call(client, "forge_remember", content="The night ferry leaves at nine.", revises=ferry)
    await call(
        client, "forge_remember", content="No ferry at night.", supersedes=ferry, valid_at="2026-03-05"
    )
    await call(client, "forge_remember", content="x", revises=ferry, supersedes=ferry)
    await call(client, "forge_recall", query="night ferry", limit=1)
    await call(client, "forge_recall", query="night ferry", project="sea", mode="full_history", limit=2)
    await call(client, "forge_timeline", id=ferry, embeddings=True)
    await call(client, "forge_timeline", project="sea", changes=True, limit=2)
    await call(client, "forge_timeline", limit=1)
    other = (await call(client, "forge_remember", content="The lamp is lit."))["memory"]["id"]
    felt: dict[str, Any] = {
        "energy": 0.5,
        "confidence": 0.5,
        "emotion_vector": {},
        "goal": "g",
        "mindstate": "m",
    }
    linked = await call(
        client,
        "forge_links",
        action="create",
        id=ferry,
        target_id=other,
        relation="ENABLES",
        metadata={"a": 1},
        **felt,
    )
    await call(client, "forge_links", id=ferry)
    await call(client, "forge_links", action="list", link_id="x")
    await call(client, "forge_links", action="remove", link_id=linked["links"][0]["id"], reason="slip")
    await record.read(client, f"engramforge://memory/{made['memory']['id']}")
    await call(client, "forge_forget", id=other, reason="asked")


async def _registry_tools(record: Record, client: Client) -> None:
    call = record.call
    made = await call(
        client,
        "forge_decisions",
        action="create",
        decision="Light the lamp.",
        rationale="dark",
        alternatives_rejected=["wait"],
    )
    lamp = made["decisions"][0]["id"]
    for arguments in (
        {"action": "revise", "id": lamp, "tier": 0.9},
        {"action": "search", "query": "lamp"},
        {"action": "list", "limit": 1, "status": "all"},
        {"action": "why", "id": lamp},
        {"action": "history", "id": lamp},
        {"action": "validate", "ids": [lamp]},
        {"action": "stale", "days": 0, "max_tier": 1, "limit": 1},
        {"action": "invalidate", "id": lamp, "reason": "day"},
        {"action": "reinstate", "id": lamp},
        {"action": "supersede", "id": lamp, "decision": "Light two lamps."},
        {"action": "paint"},
        {"action": "create", "by": lamp},
    ):
        await call(client, "forge_decisions", **arguments)
    thread = await call(client, "forge_threads", action="create", title="Buy oil.", priority="high")
    oil = thread["threads"][0]["id"]
    for arguments in (
        {},
        {"action": "search", "query": "oil"},
        {"action": "list", "status": "all", "limit": 1},
        {"action": "update", "id": oil, "status": "resolved", "resolution": "bought"},
        {"action": "get", "id": oil},
        {"action": "history", "id": oil},
    ):
        await call(client, "forge_threads", **arguments)
    for arguments in (
        {"conversation": "c9"},
        {"action": "bridge", "source": "c1", "target": "c9"},
        {"action": "search", "query": "second"},
        {"action": "list", "limit": 1},
        {"action": "link", "source": "c10", "target": "c11", "tag": "third"},
    ):
        await call(client, "forge_lineage", **arguments)
    archive = await call(client, "forge_archive", action="compress", conversation="c1", tag="again")
    await call(
        client,
        "forge_archive",
        action="continue",
        conversation="c12",
        archive_text=archive["archive"]["text"],
    )
    await call(client, "forge_context", query="lamp", budget=800)
    await record.read(client, f"engramforge://decision/{lamp}")
    await record.read(client, f"engramforge://thread/{oil}")
    await record.read(client, f"engramforge://archive/{archive['archive']['id']}")


def _learned(record: Record) -> None:
    ask, say = record.ask, record.say
    pattern = ask("patterns", "add", "Sand the hull before it is painted.", "--name", "Sanding")["id"]
    ask("patterns", "outcome", pattern, "The paint held.", "--worked")
    say("patterns", "outcome", pattern, "--failed")
    say("patterns")
    say("patterns", "show", pattern)
    say("priming", "add", "hulls", "Hulls are painted in May.", "--expires-at", "2027-01-01")
    ask("priming", "find", "hulls")
    say("priming", "territories")
    flag = ask("flags", "add", "Paint peels as rust spreads.", "--type", "isomorphism")["id"]
    say("flags")
    say("flags", "compile", "paint", "--flag", flag)
    ask("flags", "--status", "all")
    say("scratch", "put", "list", "brush, tin", "--session", "c1")
    ask("scratch")
    say("events", "--limit", "3")


async def _learned_tool(record: Record) -> None:
    async with client_of(record.home) as client:
        for arguments in (
            {},
            {"action": "search", "query": "hull", "limit": 1},
            {"kind": "flags", "status": "compiled"},
            {"kind": "priming", "action": "search", "query": "hulls"},
            {"kind": "scratch", "action": "get", "name": "list", "session_id": "c1"},
            {"kind": "scratch", "action": "compile"},
        ):
            await record.call(client, "forge_patterns", **arguments)


def _streams(record: Record) -> None:
    ask, say = record.ask, record.say
    say("context", "when does the ferry leave?", "--mode", "full_history")
    ask("context", "when does the ferry leave?", "--limit", "1", "--levels", "N1")
    say("context", "ferry", "--mermaid")
    ask("context", "ferry", "--min-energy", "2")
    say("context", "--state", "find_similar_state", "--energy", "0.8", "--emotion", "joy=0.7")
    say("stream", "--context-hunger", "0.8", "--active-context", "the ferry", "--no-record")
    say("stream", "--unresolved-tension", "0.8", "--tension-source", "when the ferry leaves")


async def _stream_tool(record: Record) -> None:
    call = record.call
    async with client_of(record.home) as client:
        await call(
            client, "forge_stream", query_text="when does the night ferry leave?", temporal_mode="evolution"
        )
        await call(
            client, "forge_stream", action="state", current_energy=0.5, query_mode="find_what_i_was_doing"
        )
        await call(client, "forge_stream", action="state", current_energy=0.5, query_text="lamp")
