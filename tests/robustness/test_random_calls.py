"""Random calls of every verb, command and tool with arguments that none was written for, with settings and files that
are as odd, several calls at once: each is answered at once, by a value or by one of the product's errors, which names
fault and mend.

The seed is fixed; RANDOM_CALLS=10000 RANDOM_SEED=7 makes that many in Python on each engine, a fifth as many of tools,
an eighth of commands.
"""

from __future__ import annotations

import io
import json
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import anyio
import click
import pytest
from mcp import Client
from tests.mcp_server import client_of
from tests.robustness.odd_values import ODD, odd_files, odd_json, odd_texts, random_call, verbs_of

import engramforge
from engramforge.errors import EngramforgeError, InternalError
from engramforge.faces.cli.program import COMMANDS, LazyGroup, run
from engramforge.forge import Forge
from engramforge.forge.signatures import check_of
from engramforge.model.memory import Attachment
from engramforge.settings import Settings

CALLS = int(os.environ.get("RANDOM_CALLS", "320"))
SEED = int(os.environ.get("RANDOM_SEED", "12"))
LONGEST_S = 10
SLOW_COMMANDS = frozenset({"bench", "watch", "reembed", "calibrate", "refresh", "doctor"})
"""Commands that work for long by their nature; their verbs are called with the others."""
CALLED_BACK = frozenset({"progress", "begun"})
"""Functions of the caller: what they raise ends the call as it is."""
FORGETTING = frozenset(
    {
        "forget",
        "remember",
        "import",
        "import_path",
        "decisions.create",
        "archives.compress",
        "compress",
        "undo",
    }
    | {"forge_forget", "forge_remember", "forge_archive"}
)
"""Verbs, commands and tools that forget, and those that give them something to forget."""


FILES = frozenset({"path", "file", "image", "images", "source", "to", "place", "picture", "rules"})
"""Arguments that name a file to read or to write."""


@dataclass(frozen=True)
class Held:
    """A store with something of every kind: its place, and sound arguments by their names; names of odd files."""

    place: str
    sound: dict[str, Any]
    files: list[str]
    only: frozenset[str] = frozenset()
    """The names of verbs, commands and tools to call; empty for every one."""

    @property
    def likely(self) -> float:
        """How likely an argument is given that may be left out."""
        return 0.4 if self.only else 0.15

    def chosen(self, each: dict[str, Any]) -> dict[str, Any]:
        """Those of some verbs, commands or tools that are to be called."""
        return {name: one for name, one in each.items() if not self.only or name in self.only}

    def arguments(self, rng: random.Random) -> Callable[[str], Any]:
        """Gives sound arguments by their names; at times one of another name, or an odd file."""

        def give(name: str) -> Any:
            if name in FILES and rng.random() < 0.6:
                return rng.choice(self.files)
            if rng.random() < 0.15:
                return rng.choice(list(self.sound.values()))
            return self.sound.get(name)

        return give


@pytest.fixture(params=[frozenset(), FORGETTING], ids=["every", "forgetting"])
def held(request: pytest.FixtureRequest, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Held:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.md").write_text("# Boats\n\nThe ferry is late.\n")
    with engramforge.open(place) as forge:
        first = forge.remember("The ferry is late.", project="harbour", session_id="talk")
        second = forge.remember("The pier is wet.", project="harbour", session_id="talk")
        felt: dict[str, Any] = {"energy": 0.5, "confidence": 0.5, "goal": "go", "mindstate": "calm"}
        link = forge.link(first.id, second.id, "CAUSES", emotion_vector={}, **felt)
        decision = forge.decisions.create("Moor to the buoy", project="harbour", conversation="talk")
        thread = forge.threads.create("Who moors it?", project="harbour", conversation="talk")
        archive = forge.archives.compress("talk", project="harbour")
        forge.export(tmp_path / "export.jsonl")
    sound = {
        "content": "The tide is out.", "memory_id": first.id, "id": decision.id, "ids": decision.id,
        "thread_id": thread.id, "source_id": first.id, "target_id": second.id, "relation": "CAUSES",
        "project": "harbour", "query": "is the ferry late?", "text": "The fog caused it.", "decision": "Moor here",
        "title": "What next?", "conversation": "talk", "source": "talk", "target": "talk on", "name": "harbour",
        "path": str(tmp_path / "note.md"), "to": str(tmp_path / "out"), "drafts": [{"content": "A draft."}],
        "links": [], "epistemic_tier": 0.5, "archive_text": archive.text, "first": (0, 3), "other": (4, 7),
        "head": first.id, "limit": 5, "tags": ["a"], "kinds": "note", "space": "semantic", "tier": 0.5, "offset": 0,
        "link_id": link.link.id, "edge_id": "nowhere", "action": "search", "id_": thread.id, "local_id": "D001",
        "mode": "as_of_both", "as_of": "2026-05-01", "status": "resolved", "expected_version": 1,
    }  # fmt: skip
    if request.param:
        sound |= {
            "memory_id": [first.id, second.id, decision.id, thread.id], "session_id": "talk", "confirmed": True,
            "file": sound["path"], "yes": True,
        }  # fmt: skip
    return Held(place, sound, odd_files(tmp_path / "files", tmp_path / "export.jsonl"), request.param)


@contextmanager
def at_once(what: object) -> Iterator[None]:
    """Fail where the block takes longer than a call may."""

    def too_late(*_: object) -> None:
        raise TimeoutError(f"{what} took more than {LONGEST_S} s")

    before = signal.signal(signal.SIGALRM, too_late)
    signal.alarm(LONGEST_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _is_told(fault: str, mend: str) -> bool:
    (fault + mend).encode()
    return bool(fault and mend) and len(fault + mend) < 4_000


def test_every_argument_has_its_check(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        signatures = verbs_of(forge).values()
    parameters = [parameter for each in signatures for parameter in list(each.parameters.values())[1:]]
    assert len(parameters) > 250
    for parameter in parameters:
        check_of(parameter.annotation)


def _called(forge: Forge, held: Held, rng: random.Random, count: int) -> list[str]:
    """Make random calls; those that were not answered as they should."""
    verbs, faults = held.chosen(verbs_of(forge)), []
    assert len(verbs) > (5 if held.only else 70)
    for _ in range(count):
        call, began = random_call(rng, verbs, held.arguments(rng), held.likely), time.monotonic()
        try:
            call.on(forge)
        except EngramforgeError as error:
            if isinstance(error, InternalError) or not _is_told(error.fault, error.mend):
                faults.append(f"{call}: {str(error)[:500]}")
        except Exception as error:  # noqa: BLE001 - that is the fault
            if not call.odd.keys() & CALLED_BACK:
                faults.append(f"{call}: {type(error).__name__}")
        if time.monotonic() - began > LONGEST_S:
            faults.append(f"{call} took {time.monotonic() - began:.1f} s")
    return faults


def test_python(held: Held) -> None:
    rng, faults = random.Random(SEED), []
    with engramforge.open(held.place) as forge:
        for _ in range(CALLS // 2):
            with at_once("a call in Python"):
                faults += _called(forge, held, rng, 1)
        with ThreadPoolExecutor(4) as pool:
            each = [random.Random(f"{SEED} {number}") for number in range(4)]
            found = [pool.submit(_called, forge, held, own, CALLS // 8) for own in each]
            faults += [fault for future in found for fault in future.result()]
        assert forge.check() == []
    assert faults == []


def _each_kind(forge: Forge, ids: tuple[str, str], odd: Callable[[], Any]) -> list[Callable[[], object]]:
    """Calls with an odd value as an id, a time, a list, a number, a mapping, within one, and as a field of a link."""
    decision = forge.decisions.create("Moor here").id
    link: dict[str, Any] = {"goal": odd(), "sensory_details": odd(), "note": odd()}
    return [
        lambda: forge.get(odd()),
        lambda: forge.memories(since=odd()),
        lambda: forge.memories(recorded_since=odd(), mode="evolution"),
        lambda: forge.memories(tags=odd(), limit=odd()),
        lambda: forge.remember("The tide is out.", metadata=odd()),
        lambda: forge.remember("The tide is out.", metadata={"a": odd()}, confidence=odd()),
        lambda: forge.remember("The tide is out.", attachments=[Attachment("a", "a/b", sha256=odd())]),
        lambda: forge.remember(
            "The tide is out.", attachments=[{"name": "a", "media_type": odd(), "caption": odd()}]
        ),
        lambda: forge.link(*ids, "CAUSES", **link),
        lambda: forge.lineage.link("talk", "talk on", local_ids=odd()),
        lambda: forge.lineage.link("talk", "talk on", local_ids={decision: odd()}),
        lambda: forge.lineage.link("talk", "talk on", local_ids={decision: [odd()]}),
    ]


def test_every_odd_value_in_each_kind_of_argument(tmp_path: Path) -> None:
    faults = []
    with engramforge.open(tmp_path) as forge:
        ids = forge.remember("The ferry is late.").id, forge.remember("The pier is wet.").id
        for name, odd in ODD.items():
            for number, call in enumerate(_each_kind(forge, ids, odd)):
                try:
                    with at_once((name, number)):
                        call()
                except EngramforgeError as error:
                    if isinstance(error, InternalError) or not _is_told(error.fault, error.mend):
                        faults.append(f"{name} {number}: {error}")
                except Exception as error:  # noqa: BLE001 - that is the fault
                    faults.append(f"{name} {number}: {type(error).__name__}")
    assert faults == []


def _commands() -> dict[str, click.Command]:
    """Every command and subcommand by its words."""
    group = LazyGroup(COMMANDS)
    context = click.Context(group)
    found: dict[str, click.Command] = {}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            found |= {f"{name} {sub}": each for sub, each in command.commands.items()}
        elif command is not None and name not in SLOW_COMMANDS:
            found[name] = command
    return found


def _words(rng: random.Random, command: click.Command, held: Held) -> list[str]:
    """Arguments and options of a command, odd ones among them."""
    odd, sound = odd_texts(), held.arguments(rng)
    words = []
    for parameter in command.params:
        given = sound(str(parameter.name)) if rng.random() < 0.6 else None
        value = str(given) if given is not None else rng.choice(odd)
        if isinstance(parameter, click.Argument):
            words.append(value)
        elif parameter.required or rng.random() < held.likely:
            words.append(parameter.opts[0])
            if isinstance(parameter, click.Option) and not parameter.is_flag and not parameter.count:
                words.append(value)
    return words


@contextmanager
def _odd_setting(rng: random.Random, home: Path) -> Iterator[None]:
    """At times a setting that is odd, in the environment or in a home's file."""
    name, value = rng.choice([each.name for each in fields(Settings)]), rng.choice(odd_texts())
    file = home / "engramforge.toml"
    with pytest.MonkeyPatch.context() as patch:
        if rng.random() < 0.1 and value.isprintable():
            patch.setenv(f"ENGRAMFORGE_{name.upper()}", value)
        elif rng.random() < 0.1 and home.is_dir():
            said = rng.choice((f"{name} = {json.dumps(value)}", f"{name} = [1, {{a = nan}}]", value))
            file.write_text(said, encoding="utf-8", errors="surrogatepass")
        try:
            yield
        finally:
            file.unlink(missing_ok=True)


def _told(error: str) -> dict[str, str]:
    said = json.loads(error) if error.startswith("{") else {}
    return {"fault": said.get("fault", ""), "mend": said.get("mend", "")}


def test_command_line(
    held: Held, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, faults = random.Random(SEED), []
    is_url = held.place.startswith("postgresql")
    monkeypatch.setenv("ENGRAMFORGE_URL" if is_url else "ENGRAMFORGE_HOME", held.place)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"From standard input."), encoding="utf-8"))
    commands = held.chosen(_commands())
    assert len(commands) > (3 if held.only else 45)
    for _ in range(CALLS // 8):
        name = rng.choice(list(commands))
        words = [*name.split(), *_words(rng, commands[name], held), "--json"]
        capsys.readouterr()
        with at_once(words), _odd_setting(rng, Path(held.place)):
            code = run(words)
        answer = capsys.readouterr()
        # A run of sync tells of its sources in its answer; its code is that of the worst.
        is_told = code < 2 or bool(answer.out) or _is_told(**_told(answer.err))
        if code not in (0, 1, 2, 3, 4, 5) or not is_told:
            faults.append(f"{[word[:100] for word in words]}: {answer.err[:500]}")
    assert faults == []


def _tool_call(rng: random.Random, tool: Any, held: Held) -> dict[str, Any]:
    """Arguments of a tool, odd ones among them."""
    odd, sound = odd_json(), held.arguments(rng)
    given: dict[str, Any] = {}
    for name, schema in tool.input_schema["properties"].items():
        if rng.random() < 0.25:
            given[name] = rng.choice(odd)
        elif name == "action" and rng.random() < 0.9:
            given[name] = rng.choice(schema["enum"])
        elif name in tool.input_schema.get("required", ()) or rng.random() < held.likely:
            given[name] = sound(name) or "a"
    return given


async def _tools(held: Held) -> None:
    rng, faults = random.Random(SEED), []

    async def call(client: Client, name: str, given: dict[str, Any]) -> None:
        answer = await client.call_tool(name, given)
        said = "".join(part.text for part in answer.content if part.type == "text")
        if not said or "InternalError" in said:
            faults.append(f"{name} {str(given)[:500]}: {said[:500]}")

    async with client_of(held.place) as client:
        tools = list(held.chosen({tool.name: tool for tool in (await client.list_tools()).tools}).values())
        assert len(tools) >= (3 if held.only else 10)
        for _ in range(CALLS // 20):
            calls = [(tool.name, _tool_call(rng, tool, held)) for tool in rng.choices(tools, k=4)]
            began = time.monotonic()
            async with anyio.create_task_group() as several:
                for name, given in calls:
                    several.start_soon(call, client, name, given)
            if (taken := time.monotonic() - began) > 4 * LONGEST_S:
                faults.append(f"{str(calls)[:2_000]} took {taken:.1f} s together")
    assert faults == []


def test_tools(held: Held) -> None:
    anyio.run(_tools, held)
