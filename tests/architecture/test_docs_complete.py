"""Every command, tool, setting, space, error, benchmark and dependency appears in the documents."""

from __future__ import annotations

import ast
import re
import tomllib
from typing import TYPE_CHECKING

import click
import pytest

from engramforge import errors
from engramforge.model.spaces import REGISTRY
from engramforge.settings import SETTING_NAMES

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Module


def _page(repository: Path, name: str) -> str:
    return (repository / "docs" / name).read_text(encoding="utf-8")


def _first_cells(page: str) -> set[str]:
    """The code words that open the rows of a page's tables."""
    return {match.split()[0] for match in re.findall(r"^\| `([^`]+)`", page, re.MULTILINE)}


def _commands() -> dict[str, click.Command]:
    from engramforge.entry.console import COMMANDS as MOUNTED
    from engramforge.faces.cli.program import COMMANDS, LazyGroup

    group = LazyGroup({**COMMANDS, **MOUNTED})
    context = click.Context(group)
    found = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


def test_every_command_is_documented(repository: Path) -> None:
    assert set(_commands()) == _first_cells(_page(repository, "how-to/cli.md"))


@pytest.mark.parametrize("name", sorted(_commands()))
def test_every_option_that_the_documents_name_exists(name: str, repository: Path) -> None:
    command = _commands()[name]
    every = [command, *(command.commands.values() if isinstance(command, click.Group) else ())]
    known = {
        text
        for memory in every
        for parameter in memory.params
        for text in parameter.opts + parameter.secondary_opts
    }
    pages = [repository / "README.md", *sorted((repository / "docs" / "how-to").glob("*.md"))]
    for page in pages:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        for line in re.findall(rf"^\s*(?:\$ )?engramforge {name}\b(.*)$", text, re.MULTILINE):
            used = set(re.findall(r"(?<=\s)--[a-z][a-z-]+", re.sub(r"#.*$", "", line)))
            assert used <= known | {"--help"}, f"{page.name}: engramforge {name}{line}"


@pytest.mark.anyio
async def test_every_tool_is_documented(repository: Path) -> None:
    from engramforge.faces.mcp.calls import Calls
    from engramforge.faces.mcp.server import build_server

    server = build_server(Calls(None, "default", 1.0))
    tools = {tool.name for tool in await server.list_tools()}
    assert tools == _first_cells(_page(repository, "how-to/mcp.md"))
    readme = (repository / "README.md").read_text(encoding="utf-8")
    assert {tool for tool in tools if tool not in readme} == set()


def test_every_setting_is_documented(repository: Path, source: Path) -> None:
    documented = _first_cells(_page(repository, "how-to/configuration.md"))
    settings = {f"ENGRAMFORGE_{name.upper()}" for name in SETTING_NAMES}
    code = "\n".join(path.read_text(encoding="utf-8") for path in source.rglob("*.py"))
    named = set(re.findall(r"\bENGRAMFORGE_[A-Z]+(?:_[A-Z]+)*\b", code))
    assert settings | named == {name for name in documented if name.startswith("ENGRAMFORGE_")}


def test_every_type_of_the_glossary_is_a_class(repository: Path, modules: list[Module]) -> None:
    classes = {
        node.name for module in modules for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)
    }
    listed = re.findall(r"\bTypes? ((?:`\w+`(?:, )?)+)", _page(repository, "glossary.md"))
    types = set(re.findall(r"\w+", " ".join(listed)))
    assert len(types) > 40
    assert types - classes == set()


def test_every_space_is_documented(repository: Path) -> None:
    rows = re.findall(r"^\| (E\d+) \| `(\w+)` \|", _page(repository, "spaces.md"), re.MULTILINE)
    assert rows == [(row.number, str(row.space)) for row in REGISTRY]


def test_the_spaces_page_has_the_registry_s_numbers(repository: Path) -> None:
    page = _page(repository, "spaces.md")
    for row in REGISTRY:
        cells = next(line for line in page.splitlines() if line.startswith(f"| {row.number} |")).split("|")
        category, weight, high, low = (cell.strip() for cell in cells[5:9])
        assert category == str(row.category)
        assert float(weight) == row.relevance_weight
        assert [high, low] == ["-" if value is None else f"{value:.2f}" for value in (row.high, row.low)]


def test_every_error_is_documented(repository: Path) -> None:
    page = _page(repository, "how-to/python.md")
    ours = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.EngramforgeError)
    }
    assert {name for name in ours if f"`{name}`" not in page} == {"EngramforgeError"} - set(
        re.findall(r"\w+", page)
    )


def test_every_exit_code_is_documented(repository: Path) -> None:
    codes = {
        str(value.exit_code)
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, errors.EngramforgeError)
    }
    documented = set(re.findall(r"^\| (\d+) \|", _page(repository, "how-to/cli.md"), re.MULTILINE))
    assert codes <= documented


def test_every_benchmark_is_documented(repository: Path) -> None:
    from bench.harness import BENCHMARKS

    assert set(BENCHMARKS) == _first_cells(_page(repository, "how-to/benchmarks.md"))


def test_every_dependency_has_its_reason(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    lines = [*project["project"]["dependencies"], *(line for extra in extras for line in extra)]
    needed = {re.split(r"[<>=!\[ ;]", line)[0] for line in lines}
    page = _page(repository, "decisions/0002-dependencies.md")
    assert needed == {
        row for row in re.findall(r"^\| ([a-z][a-z0-9-]+) \|", page, re.MULTILINE) if row != "package"
    }


def test_the_lock_pins_every_dependency_with_a_hash(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    wanted += project["build-system"]["requires"]
    names = {re.split(r"[<>=!\[ ;]", line)[0].lower() for line in wanted}
    lock = (repository / "requirements.lock").read_text(encoding="utf-8")
    pinned = re.findall(r"^([a-z0-9-]+)==\S+[^\n]*\\\n    --hash=sha256:[0-9a-f]{64}", lock, re.MULTILINE)
    assert names <= set(pinned)
    assert len(pinned) == len(re.findall(r"^[a-z0-9-]+==", lock, re.MULTILINE))


def test_the_changelog_knows_this_version(repository: Path) -> None:
    import engramforge

    assert f"## [{engramforge.__version__}]" in (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == engramforge.__version__


def test_every_row_of_the_coverage_says_its_state(repository: Path) -> None:
    rows = [line for line in _page(repository, "coverage.md").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    states = [row for row in cells if row[0] not in {"requirement", "chapter"} and not row[1].isdigit()]
    assert len(states) > 100
    for requirement, module, test, state in states:
        assert state in {"yes", "not yet"} or state.startswith("in part: "), requirement
        if state != "not yet":
            for path in re.findall(r"`([^`]+\.py|[^`]+/)`", f"{module} {test}"):
                base = (
                    repository
                    if path.startswith(("tests/", "bench/", "scripts/"))
                    else repository / "src/engramforge"
                )
                assert (base / path).exists(), f"{requirement}: {path}"
            assert module, f"{requirement}: no module"


def test_the_coverage_counts_its_rows(repository: Path) -> None:
    head, *chapters = _page(repository, "coverage.md").split("\n## ")
    counted = {
        title: tuple(int(number) for number in numbers.split(" | "))
        for title, numbers in re.findall(r"^\| \[([^]]+)\]\([^)]*\) \| ([\d |]+) \|$", head, re.MULTILINE)
    }
    found = {}
    for chapter in chapters:
        title, *lines = chapter.splitlines()
        states = [line.rstrip("| ").split("|")[-1].strip() for line in lines if line.startswith("| ")][1:]
        part = sum(state.startswith("in part: ") for state in states)
        found[title] = (states.count("yes"), part, states.count("not yet"))
    assert counted == found
