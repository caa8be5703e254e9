"""`import engramforge` is light: it brings neither database nor array libraries, and takes under 100 ms."""

from __future__ import annotations

import subprocess
import sys

import pytest

MOST_MS = 100.0
HEAVY = (
    "sqlalchemy", "alembic", "numpy", "sqlite3", "mcp", "click", "rich", "tokenizers", "safetensors",
    "numkong", "dateparser", "detect_secrets", "wordllama", "Stemmer", "pydantic", "asyncio",
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


def _run(code: str, *arguments: str) -> str:
    ran = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


@pytest.mark.parametrize("package", HEAVY)
def test_importing_brings_nothing_heavy(package: str) -> None:
    assert _run(f"import sys, engramforge; print({package!r} in sys.modules)") == "False"


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
