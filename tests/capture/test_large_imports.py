"""Large exports: memory stays bounded, and an import that is killed comes to the same end."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.capture.test_claude_ai_import import conversation, message

import engramforge

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
PEAK = """
import resource, sys, engramforge
with engramforge.open(sys.argv[1]) as forge:
    report = forge.import_path(sys.argv[2])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(report.found, report.written, len(report.faults), peak // 1024)
"""
IMPORT = "import sys, engramforge; f = engramforge.open(sys.argv[1]); f.import_path(sys.argv[2]); f.close()"
MEGABYTES = 200


def _peak_of(home: Path, path: Path) -> list[int]:
    """Messages found, memories, faults, and the most memory that the import had, in MB."""
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


def test_memory_is_bounded_however_large_the_file(tmp_path: Path) -> None:
    _write(tmp_path / "small.json", MEGABYTES, 9)
    _write(tmp_path / "large.json", MEGABYTES, 1_000_000)
    assert (tmp_path / "large.json").stat().st_size > MEGABYTES * 1_000_000
    small = _peak_of(tmp_path / "small", tmp_path / "small.json")
    large = _peak_of(tmp_path / "large", tmp_path / "large.json")
    assert small[:3] == large[:3] == [MEGABYTES, MEGABYTES, 0]
    # Most of it is the program and its models; the file may add a few of its objects.
    assert large[3] - small[3] < 40 and large[3] < 400


def _shown(forge: Any, sessions: int) -> list[tuple[Any, ...]]:
    memories = [one for n in range(sessions) for one in forge.memories(session_id=f"c{n}", limit=1_000)]
    return sorted(
        (m.content, m.session_id, m.sequence, m.project, str(m.metadata), m.valid_at, m.created_at)
        for m in memories
    )


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
        for talk in range(6)
    ]
    path.write_text(json.dumps(talks))
    with engramforge.open(tmp_path / "calm") as calm:
        assert calm.import_path(path).written == 1_500
        expected = _shown(calm, 6)
    running = subprocess.Popen(
        [sys.executable, "-c", IMPORT, str(tmp_path / "struck"), str(path)], env=ENVIRONMENT
    )
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
        assert 500 <= before < 1_500 and report.written == 1_500 - before and report.found == 1_500
        assert _shown(struck, 6) == expected and struck.check() == []
        assert struck.import_path(path).written == 0
