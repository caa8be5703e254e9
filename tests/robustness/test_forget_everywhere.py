"""Forgetting through the faces: no word of it is left in any file of the home, and no import brings it back."""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.children import ENVIRONMENT, Child, finished
from tests.robustness.conftest import every, traces
from tests.runtime.forked import FORKED

import engramforge
from engramforge.runtime.spool import Spool, line_of, read_spooled

PLANTED = {
    "content": "Quixotic zephyrs vexed a jubilant wombat.",
    "name": "Kaleidoscope heading",
    "tags": ("tangerinetag",),
    "metadata": {"whereabouts": {"city": ["Plovdivgrad", "Ünnepély"]}},
    "speaker": "Zephyrina",
    "session_id": "marzipansession",
    "goal": "befuddlement",
    "mindstate": "flabbergasted",
    "emotion_vector": {"schadenfreude": 0.5},
    "felt_quality": "effervescent",
    "body_sensation": "tinglysternum",
    "origin": "originwombatine",
    "kind": "chunk",
    "chunk": {"file_path": "notes/xylophonist.md", "chunk_index": 0, "total_chunks": 1, "word_offset": 0},
}
WORDS = [
    "quixotic",
    "zephyr",
    "jubilant",
    "wombat",
    "kaleidoscope",
    "tangerinetag",
    "whereabouts",
    "plovdivgrad",
    "nnepély",
    "marzipan",
    "befuddle",
    "flabbergasted",
    "schadenfreude",
    "effervescent",
    "tinglysternum",
    "xylophonist",
]
LATER = "Furthermore the obstreperous walrus abdicated."
LATER_WORDS = ["obstreperous", "walrus", "abdicated"]
LAST = "Ultimately a hullabaloo of narwhals."
LAST_WORDS = ["hullabaloo", "narwhal"]
ALL_WORDS = WORDS + LATER_WORDS + LAST_WORDS

IDLE = """
import sys, engramforge
forge = engramforge.open(sys.argv[1])
print(len(forge.recall("jubilant wombat").hits), forge.stats().memories, flush=True)
sys.stdin.readline()
found = forge.recall("jubilant wombat walrus narwhal pebbles", budget=None, limit=1_000).hits
print(sum("Ordinary" not in hit.memory.content for hit in found), len(found), flush=True)
"""


def cli(home: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The command line in a process of its own."""
    return FORKED.run([*arguments, "--home", str(home), "--json"], b"", ENVIRONMENT)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A store with some hundred other memories."""
    folder = tmp_path / "home"
    rng = random.Random(3)
    with engramforge.open(folder) as forge:
        forge.remember_many(
            {
                "content": f"Ordinary note {number} on pebbles {rng.random()}",
                "session_id": f"plain{number % 9}",
            }
            for number in range(300)
        )
    yield folder


@pytest.mark.parametrize("through", ["python", "cli"])
def test_no_word_is_left_in_the_home(home: Path, through: str) -> None:
    with engramforge.open(home) as forge:
        planted = forge.remember(**PLANTED)  # type: ignore[arg-type]
        forge.revise(planted.id, LATER)
        forge.supersede(planted.id, LAST)
        forge.recall("jubilant wombat")
    assert traces(home, ALL_WORDS) == set(ALL_WORDS), "the search finds what is there"
    idle = Child(IDLE, home, stdin=True)
    assert idle.stdout is not None and idle.stdin is not None
    assert idle.stdout.readline().split()[1] == "301"
    if through == "python":
        with engramforge.open(home) as forge:
            proof = forge.forget(planted.id, reason="they asked")
            assert proof.versions == 4 and proof.verified
            # Neither with this process's files still open nor afterwards.
            assert traces(home, ALL_WORDS) == set()
    else:
        done = cli(home, "forget", planted.id, "--yes", "--reason", "they asked")
        assert done.returncode == 0, done.stderr
    assert traces(home, ALL_WORDS) == set()
    idle.stdin.write("\n")
    idle.stdin.flush()
    assert finished(idle) == "0 300\n"
    assert traces(home, ALL_WORDS) == set()
    with engramforge.open(home) as forge:
        assert forge.check() == []
        assert forge.stats().memories == 300
        entry = forge.audit_log(1)[0]
        assert (entry.action, entry.subject, entry.reason) == ("forget", planted.logical_id, "they asked")


def test_an_import_does_not_bring_it_back(home: Path, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    secret = vault / "xylophonist.md"
    secret.write_text(f"---\ntags: tangerinetag\n---\n# Kaleidoscope\n\n{PLANTED['content']}\n")
    (vault / "plain.md").write_text("# Plain\n\nNothing of note.\n")
    records = tmp_path / "marzipan.jsonl"
    records.write_text('{"content": "Obstreperous walrus of the marzipan.", "speaker": "Zephyrina"}\n')
    with engramforge.open(home) as forge:
        for path in (vault, records):
            assert forge.import_path(path, project="kept").written
        chosen = [memory for memory in every(forge, project="kept") if traces_of(memory.content)]
        assert len(chosen) == 2
        for record in chosen:
            forge.forget(record.id)
        assert traces(home, ALL_WORDS) == set()
        # Unchanged, then with another time and a change elsewhere: read again and still not back.
        assert forge.import_path(vault, project="kept").written == 0
        (vault / "plain.md").write_text("# Plain\n\nSomething of note.\n")
        secret.write_text(secret.read_text() + "\n")
        records.write_text(records.read_text() + '{"content": "Another record."}\n')
        written = [forge.import_path(path, project="kept").written for path in (vault, records)]
        assert written == [0, 1], "the one new record, and no more"
        assert traces(home, ALL_WORDS) == set()
    done = cli(home, "import", str(vault), "--project", "kept")
    assert done.returncode == 0, done.stderr
    assert traces(home, ALL_WORDS) == set()
    with engramforge.open(home) as forge:
        revived = forge.remember(str(PLANTED["content"]), project="kept")
        assert forge.get(revived.id).content == PLANTED["content"]
        assert revived.logical_id in {hit.memory.logical_id for hit in forge.recall("jubilant wombat").hits}
        forge.forget(revived.id)
        assert traces(home, ALL_WORDS) == set()


def traces_of(text: str) -> bool:
    """Whether a text says what is to be forgotten."""
    return any(word in text.lower() for word in ALL_WORDS)


def test_no_field_is_left_in_a_full_page(tmp_path: Path) -> None:
    """Rows of many sizes move through the pages; none leaves a copy behind."""
    home = tmp_path / "home"
    rng = random.Random(8)
    fields = ("content", "name", "speaker", "session", "tag", "metadata", "goal", "path")
    with engramforge.open(home) as forge:
        marked = []
        for batch in range(4):
            drafts = []
            for number in range(80):
                key = f"q{batch}x{number}z"
                padding = "pebble " * rng.randrange(1, 120)
                drafts.append(
                    {
                        "content": f"content{key} {padding}",
                        "name": f"name{key}",
                        "speaker": f"speaker{key}",
                        "session_id": f"session{key}",
                        "tags": (f"tag{key}", "shared"),
                        "metadata": {"k": f"metadata{key}", "p": padding[: rng.randrange(400)]},
                        "goal": f"goal{key}",
                        "chunk": {
                            "file_path": f"path{key}",
                            "chunk_index": 0,
                            "total_chunks": 1,
                            "word_offset": 0,
                        },
                    }
                )
            marked += list(zip(forge.remember_many(drafts), (d["name"][4:] for d in drafts), strict=True))
            for memory, _ in rng.sample(marked, 10):
                forge.revise(memory.logical_id, energy=rng.random())
            for memory, key in rng.sample(marked, 4):
                forge.forget(memory.logical_id)
                marked = [pair for pair in marked if pair[0].id != memory.id]
                assert traces(home, [field + key for field in fields]) == set()
        assert forge.check() == []


def test_a_forget_that_died_before_clearing_the_files_is_finished_by_the_next_to_open(tmp_path: Path) -> None:
    home = tmp_path / "home"
    held = engramforge.open(home)
    memory = held.remember("The planted jubilant wombat.")
    held.recall("anything")
    program = (
        "import os, sys, engramforge\n"
        "from engramforge.model.storing.record import Extent\n"
        "from engramforge.store.sqlite.connection import write_transaction\n"
        "from engramforge.store.schema import PENDING_ERASURE\n"
        "from engramforge.store.sqlite.ledger import SqliteLedger\n"
        "from engramforge.store.writing.ledger import Write\n"
        "from engramforge.store.writing.transaction import StoreTransaction\n"
        "forge = engramforge.open(sys.argv[1])\n"
        "store, scope = forge._stages.door, forge._scope\n"
        "with write_transaction(store._engine, store._path) as connection:\n"
        "    writes = StoreTransaction(Write(SqliteLedger(connection, scope), scope))\n"
        "    writes.forget(Extent([sys.argv[2]]), forge._stages.clock())\n"
        "    writes.save_mark(PENDING_ERASURE, {'store': store.identity.store_id})\n"
        "    writes.write.finish()\n"
        "os._exit(9)\n"
    )
    assert Child(program, home, memory.logical_id).wait(60) == 9

    def left() -> list[str]:
        return [path.name for path in home.iterdir() if b"wombat" in path.read_bytes()]

    assert left()
    with engramforge.open(home) as again:
        assert left() == []
        assert again.stats().memories == 0
        assert again.check() == []
    held.close()


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_events_that_wait_or_were_refused_and_logs_are_cleared(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    if engine == "postgresql":
        url = request.getfixturevalue("postgres_url")
        (home / "engramforge.toml").write_text(f"url = {json.dumps(url)}\n")
    said = f'{PLANTED["content"]}\n"Ünnepély", said the walrus in Plovdivgrad of the marzipan.'
    spool = Spool(home / "spool")
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "prompt": said}
    (home / "spool").mkdir(mode=0o700)
    (planted := home / "spool" / "live.jsonl").write_bytes(line_of(event, datetime.now(UTC)))
    planted.chmod(0o666)
    spool.append(event)
    ((aside, _),) = spool.left_alone()
    spool.append({**event, "prompt": "What else is on the quay?"})
    spool.refuse(json.dumps({"id": "1", "event": event}), "its time is none")
    (home / "log").mkdir()
    (home / "log" / "daemon.log").write_text(f"before\nrefused: {PLANTED['content']}\nbehind\n")
    with engramforge.open(home) as forge:
        proof = forge.forget(forge.remember(said).id)
        assert proof.verified
        spooled = ("live.jsonl", aside.name, "refused.jsonl")
        assert sorted(proof.cleared) == ["log/daemon.log", *(f"spool/{name}" for name in spooled)]
        assert traces(home, ["wombat", "walrus", "nnep"]) == set()
        spool.append({**event, "prompt": "And who keeps the light?"})
        spool.close()
        (live,) = spool.take_files(time.time())
        waiting = read_spooled(live)
        assert waiting.unread == ()
        assert [each["event"]["prompt"] for each in waiting.events] == [
            "What else is on the quay?",
            "And who keeps the light?",
        ]
        assert [line.strip() for line in (home / "log" / "daemon.log").read_text().split("\n")] == [
            *("before", "", "behind", ""),
        ]


def test_a_closed_forge_says_so(tmp_path: Path) -> None:
    forge = engramforge.open(tmp_path)
    forge.close()
    forge.close()
    for call in (lambda: forge.remember("Too late."), lambda: forge.recall("x"), forge.stats, forge.check):
        with pytest.raises(engramforge.StoreUnavailable, match="closed"):
            call()
