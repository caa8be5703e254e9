"""What loads when: `import engramforge` brings neither database nor array libraries, and takes under 100 ms; a command
brings the stages that it runs, and no more.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import engramforge

MOST_MS = 100.0
HEAVY = (
    "sqlalchemy", "alembic", "numpy", "sqlite3", "mcp", "click", "rich", "tokenizers", "safetensors",
    "simsimd", "dateparser", "detect_secrets", "wordllama", "Stemmer", "pydantic", "asyncio",
)  # fmt: skip
_TIME_IMPORT = """
import sys, time
start = time.perf_counter()
import engramforge
print((time.perf_counter() - start) * 1000)
"""
_TIME_PROCESS = """
import subprocess, sys, time
start = time.perf_counter()
subprocess.run([sys.executable, "-c", sys.argv[1]], check=True)
print((time.perf_counter() - start) * 1000)
"""


_RUN_COMMAND = """
import contextlib, io, sys
from engramforge.entry.console import main
with contextlib.redirect_stdout(io.StringIO()) as said:
    code = main()
assert code == 0 and said.getvalue().strip(), (code, said.getvalue())
print(*sys.modules)
"""
_IMPORTERS = (
    *(f"engramforge.capture.{name}" for name in ("reading", "formats", "writers", "imports", "sync")),
    *("engramforge.upkeep", "ijson", "yaml", "alembic"),
)
_WRITING = (
    "engramforge.capture",
    "engramforge.writing",
    "engramforge.core.detection",
    "detect_secrets",
    *_IMPORTERS,
)
_CHANGES = tuple(
    f"engramforge.registries.{name}"
    for name in ("decisions.decision_changes", "threads.thread_changes", "detected")
)
_MODEL = ("tokenizers", "safetensors", "wordllama")
NEEDLESS = {
    ("recall", "queue"): (*_WRITING, "engramforge.registries", "engramforge.answer"),
    ("context", "queue"): (*_WRITING, *_CHANGES),
    ("decisions",): (*_WRITING, *_CHANGES, *_MODEL, "engramforge.answer"),
    ("threads",): (*_WRITING, *_CHANGES, *_MODEL, "engramforge.answer"),
    ("lineage",): (*_WRITING, *_CHANGES, *_MODEL, "engramforge.answer"),
    ("list",): (*_WRITING, *_MODEL, "engramforge.registries", "engramforge.answer"),
    ("remember", "The queue is durable."): (
        *_IMPORTERS,
        "engramforge.answer",
        "engramforge.registries",
        *(f"engramforge.core.archive_format.{name}" for name in ("reader", "recognition", "writer", "forms")),
    ),
}
"""Command -> packages that it must not load: a cold command waits for each."""


def _run(code: str, *arguments: str) -> str:
    ran = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


@pytest.fixture(scope="module")
def imported() -> list[str]:
    """The modules that are loaded once the package is imported."""
    return _run("import sys, engramforge; print(*sys.modules)").split()


@pytest.mark.parametrize("package", HEAVY)
def test_importing_brings_nothing_heavy(package: str, imported: list[str]) -> None:
    assert "engramforge" in imported and package not in imported


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a memory and an entry in each registry."""
    folder = tmp_path_factory.mktemp("costs")
    with engramforge.open(folder) as em:
        em.remember("The queue is in Postgres.", session_id="c1", sequence=0)
        em.decisions.create("Keep the queue in Postgres", rationale="one store", conversation="c1")
        em.threads.create("Measure the queue", conversation="c1")
        em.lineage.link("c1", "c2")
    return folder


@pytest.mark.parametrize("command", NEEDLESS, ids=lambda command: command[0])
def test_a_command_loads_what_it_needs(command: tuple[str, ...], home: Path) -> None:
    loaded = _run(_RUN_COMMAND, "--home", str(home), *command).splitlines()[-1].split()
    needless = [
        name for name in loaded if any(f"{name}.".startswith(f"{item}.") for item in NEEDLESS[command])
    ]
    assert needless == [] and "engramforge.assembly" in loaded


def test_who_starts_a_daemon_loads_only_what_the_settings_say(home: Path) -> None:
    code = "import sys, engramforge.assembly as a; print(a.daemon_options(sys.argv[1])[0], *sys.modules)"
    is_on, *loaded = _run(code, str(home)).split()
    assert is_on == "True" and not {*HEAVY}.intersection(loaded)


@pytest.mark.timed
def test_import_time(record_property: pytest.RecordProperty) -> None:
    _run(_TIME_IMPORT)  # compiles the modules once
    import_ms = min(float(_run(_TIME_IMPORT)) for _ in range(7))
    bare_ms = min(float(_run(_TIME_PROCESS, "pass")) for _ in range(5))
    ours_ms = min(float(_run(_TIME_PROCESS, "import engramforge")) for _ in range(5))
    print(
        f"import engramforge: {import_ms:.1f} ms;",
        f"whole process {ours_ms:.0f} ms = {ours_ms / bare_ms:.2f} x bare Python",
    )
    record_property("import_ms", round(import_ms, 1))
    assert import_ms < MOST_MS


def test_the_package_says_its_version() -> None:
    assert _run("import engramforge; print(engramforge.__version__)").count(".") == 2
