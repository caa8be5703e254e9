"""model and core read no clock, draw no unseeded randomness, do no I/O; nothing uses naive time."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import Module

PURE = ("engramforge.model", "engramforge.core", "engramforge.errors")
CLOCKS = {
    "datetime.now",
    "datetime.utcnow",
    "datetime.today",
    "date.today",
    "time.time",
    "time.time_ns",
    "time.monotonic",
    "time.perf_counter",
    "time.localtime",
    "time.gmtime",
    "perf_counter",
    "monotonic",
    "uuid.uuid1",
    "uuid.uuid4",
    "uuid4",
    "uuid7",
}
RANDOMNESS = {
    "random",
    "randint",
    "rand",
    "randn",
    "choice",
    "shuffle",
    "normal",
    "permutation",
    "uniform",
    "seed",
}
INPUT_OUTPUT = {"open", "print", "input", "exec", "eval", "breakpoint", "__import__"}


def _dotted(node: ast.expr) -> str:
    """`a.b.c` of an attribute chain, or an empty text."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(names)])


def find_impurities(tree: ast.Module) -> list[str]:
    """Calls that read a clock, draw unseeded randomness or do I/O, each as `line: call`."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = _dotted(node.func)
        last_two = ".".join(name.split(".")[-2:])
        seedless = last_two.endswith("default_rng") and not node.args and not node.keywords
        module_random = (
            name.startswith(("np.random.", "numpy.random.", "random.")) and name.split(".")[-1] in RANDOMNESS
        )
        if last_two in CLOCKS or seedless or module_random or name in INPUT_OUTPUT:
            found.append(f"{node.lineno}: {name}()")
    return found


def test_model_and_core_are_pure(modules: list[Module]) -> None:
    found = {
        module.name: impure
        for module in modules
        if module.name.startswith(PURE) and (impure := find_impurities(module.tree))
    }
    assert found == {}


def test_no_module_takes_naive_time(modules: list[Module]) -> None:
    naive = []
    for module in modules:
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Call):
                continue
            name = ".".join(_dotted(node.func).split(".")[-2:])
            if name in {"datetime.utcnow", "datetime.utcfromtimestamp"} or (
                name in {"datetime.now", "datetime.fromtimestamp"}
                and len(node.args) + len(node.keywords) < (1 if name.endswith("now") else 2)
            ):
                naive.append(f"{module.name}:{node.lineno} {name}")
    assert naive == []


@pytest.mark.parametrize(
    "code",
    [
        "from datetime import datetime\nmoment = datetime.now()",
        "import datetime\nmoment = datetime.datetime.utcnow()",
        "import time\nmoment = time.time()",
        "from time import perf_counter\nmoment = perf_counter()",
        "import numpy as np\nrng = np.random.default_rng()",
        "import numpy as np\nvalues = np.random.rand(3)",
        "import random\nvalue = random.random()",
        "import uuid\nname = uuid.uuid4()",
        "text = open('x').read()",
        "print('x')",
    ],
)
def test_an_impurity_is_found(code: str) -> None:
    assert find_impurities(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        "import numpy as np\nrng = np.random.default_rng(7)",
        "def draw(rng):\n    return rng.random()",
        "def age(now, then):\n    return now - then",
        "times = [m.time() for m in moments]",
    ],
)
def test_a_pure_function_is_left_alone(code: str) -> None:
    assert find_impurities(ast.parse(code)) == []


def test_the_glossary_needs_no_third_party_package(modules: list[Module]) -> None:
    names = [
        module.name
        for module in modules
        if module.name.startswith(("engramforge.model", "engramforge.errors"))
    ]
    code = (
        "import sys, importlib\n"
        f"[importlib.import_module(name) for name in {names!r}]\n"
        "roots = {name.partition('.')[0] for name in sys.modules}\n"
        "print(*sorted(roots & {'numpy', 'sqlalchemy', 'alembic', 'click', 'mcp', 'rich', 'tokenizers'}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""
