"""Large exports: memory is bounded to the end, and an import that is killed comes to the same end."""

import json
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.capture.test_claude_ai_import import conversation, message
from tests.children import ENVIRONMENT, Child

import engramforge
from engramforge.indexing.encode import TextEncoder
from engramforge.model.memory import Kind, Memory, Source
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Entry
from engramforge.store.sqlite.connection import FILE_NAME
from engramforge.store.sqlite.store import open_sqlite
from engramforge.writing.preparing import new_id

# Not ru_maxrss, which a child inherits from the process that began it.
PEAK = """
import re, sys, engramforge
with engramforge.open(sys.argv[1]) as forge:
    report = forge.import_path(sys.argv[2])
    peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
    fitted = forge.calibration().fitted_memories
print(report.found, report.written, len(report.faults), fitted, peak // 1024)
"""
READ = """
import re, sys
from datetime import UTC, datetime
from pathlib import Path
from engramforge.capture.formats.markdown import read_markdown
from engramforge.writing.redact import Redactor
peak = lambda: int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024
path, now, clean = Path(sys.argv[1]), datetime.now(UTC), lambda text, known=None: Redactor().redact(text).text
clean("password: hunter2hunter2")
before = peak()
item = read_markdown(path, "p", now, now, path.parent, clean)
print(len(item.drafts), peak() - before)
"""
IMPORT = "import sys, engramforge; f = engramforge.open(sys.argv[1]); f.import_path(sys.argv[2]); f.close()"
CONVERSATIONS, MEGABYTES = 100, 40
FEW, MANY = 1_000, 6_000
TALKS = 4
NAMES = ("Ada Brook", "Lake Como", "Postgres", "Berlin")


def _peak_of(home: Path, path: Path) -> list[int]:
    """Messages found, memories, faults, memories at the last calibration, and the most RSS of the import, in MB."""
    ran = subprocess.run(
        [sys.executable, "-c", PEAK, str(home), str(path)],
        check=True,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )
    return [int(word) for word in ran.stdout.split()]


def _write(path: Path, conversations: int, padding: int) -> None:
    """An export whose messages carry much that is no memory."""
    thought = {"type": "thinking", "thinking": "th\\u00f6ught " * (padding // 9)}
    with path.open("w") as file:
        for number in range(conversations):
            talk = conversation(
                message("a", "human", [thought, {"type": "text", "text": f"Ask {number}"}]), uuid=f"c{number}"
            )
            file.write(("," if number else "[") + json.dumps(talk, ensure_ascii=False))
        file.write("]")


def _fill(home: Path, memories: int) -> None:
    """A store of memories with many words, and with names that all of them mention."""
    home.mkdir()
    encoder, now = TextEncoder(), datetime.now(UTC)
    texts = [" ".join(f"word{at}" for at in range(n * 50, n * 50 + 1_000)) for n in range(20)]
    # Their tokens are few, so that comparing some of them is fast: it is the same in either store.
    short = encoder.encode(["Longer lines for the berth"])[0]
    embeddings = [
        replace(short, terms=item.terms, counts=item.counts, entities=NAMES) for item in encoder.encode(texts)
    ]

    def made(number: int) -> Entry:
        memory = Memory(
            id=new_id(),
            logical_id=new_id(),
            version=1,
            kind=Kind.NOTE,
            content=f"The harbour master of berth {number} asked for longer lines.",
            source=Source.IMPORT,
            project=f"p{number % 3}",
            valid_at=now,
            created_at=now,
        )
        return Entry(memory, embeddings[number % 20])

    with closing(open_sqlite(home / FILE_NAME, "default", lambda: encoder.id)) as store:
        for begin in range(0, memories, 1_000):
            entries = [made(begin + number) for number in range(1_000)]
            store.write(Scope(), lambda writes, batch=entries: writes.insert(batch))  # type: ignore[misc]


def test_memory_is_bounded_however_large_file_and_store(tmp_path: Path) -> None:
    """To the end, where the calibrations are fitted to the whole store."""
    _write(tmp_path / "small.json", CONVERSATIONS, 9)
    _write(tmp_path / "large.json", CONVERSATIONS, MEGABYTES * 1_000_000 // CONVERSATIONS)
    assert (tmp_path / "large.json").stat().st_size > MEGABYTES * 1_000_000
    peaks = {}
    for name, memories in (("small", FEW), ("large", MANY)):
        _fill(tmp_path / name, memories)
        *counts, peaks[name] = _peak_of(tmp_path / name, tmp_path / f"{name}.json")
        assert counts == [CONVERSATIONS, CONVERSATIONS, 0, CONVERSATIONS + memories]
    print("peaks in MB:", peaks)
    # Most of it is the program and its models; the file may add a few of its objects, the store its terms. As arrays,
    # the full store would add 50.
    assert peaks["large"] < min(peaks["small"] + 20, 400)


def test_a_long_text_is_read_in_little_more_than_its_bytes(tmp_path: Path) -> None:
    """Whatever it says: one emoji in a text makes four bytes of each character of a string."""
    paragraph = f"The harbour master of berth {'%d'} asked for longer lines \U0001f6a2.\n\n" * 20_000
    text = paragraph % tuple(range(20_000)) * 4
    (tmp_path / "long.md").write_text(text)
    assert (tmp_path / "long.md").stat().st_size > 5_000_000
    ran = subprocess.run(
        [sys.executable, "-c", READ, str(tmp_path / "long.md")],
        check=True,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )
    chunks, peak = map(int, ran.stdout.split())
    print("peak in MB:", peak)
    # Most of it is for a portion of a megabyte, whatever the size of the whole; read at once it takes 207.
    assert chunks > 6_000 and peak < 90


def _shown(forge: Any, sessions: int) -> list[tuple[Any, ...]]:
    memories = [memory for n in range(sessions) for memory in forge.memories(session_id=f"c{n}", limit=1_000)]
    return sorted(
        (m.content, m.session_id, m.sequence, m.project, str(m.metadata), m.valid_at, m.created_at)
        for m in memories
    )


@pytest.mark.on_disk
def test_a_killed_import_comes_to_the_same_end(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    talks = [
        conversation(
            *(
                message(f"m{n}", "human", f"Word {n} of talk {talk}", f"m{n // 2}" if n else None)
                for n in range(250)
            ),
            uuid=f"c{talk}",
        )
        for talk in range(TALKS)
    ]
    path.write_text(json.dumps(talks))
    with engramforge.open(tmp_path / "calm") as calm:
        assert calm.import_path(path).written == 250 * TALKS
        expected = _shown(calm, TALKS)
    running = Child(IMPORT, tmp_path / "struck", path)
    # Struck after the first batch was kept, before the last.
    for _ in range(600):
        time.sleep(0.05)
        if running.poll() is not None:
            pytest.fail("the import ended before it was struck")
        if (tmp_path / "struck" / "memory.db").exists():
            with engramforge.open(tmp_path / "struck") as looking:
                if looking.stats().memories >= 500:
                    break
    running.send_signal(signal.SIGKILL)
    running.wait()
    with engramforge.open(tmp_path / "struck") as struck:
        before = struck.stats().memories
        report = struck.import_path(path)
        assert 500 <= before < 250 * TALKS
        assert report.found == 250 * TALKS == report.written + before
        assert _shown(struck, TALKS) == expected and struck.check() == []
        assert struck.import_path(path).written == 0
