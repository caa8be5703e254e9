"""`engramforge bench`: run one of the source repository's benchmarks."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import faint, on_terminal, remark, say, show_json, show_table
from engramforge.faces.cli.program import BENCHMARKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType


@click.command("bench")
@click.argument("name")
@click.option(
    "--data", "paths", multiple=True, metavar="FILE...", help="The benchmark's files, in any order."
)
@click.argument("more", nargs=-1, metavar="")
@click.option("--limit", type=int, metavar="N", help="Only the first N cases.")
@click.option(
    "--memories",
    type=int,
    metavar="N",
    help="How many memories `scale`, `lenses` and `hooks` make, or decisions `registry`.",
)
@click.option("--links", type=int, metavar="N", help="`scale`: measure streams in a graph of so many links.")
@click.option("--seed", type=int, metavar="N", help="Which texts `poisoning`, or users `bandit`, makes up.")
@click.option(
    "--engine", metavar="URL", help="Use this database, in a fresh tenant, and no temporary folder."
)
@click.option("--bare", is_flag=True, help="`locomo` remembers content and project alone.")
@store_options
def command(
    call: Call,
    name: str,
    paths: tuple[str, ...],
    more: tuple[str, ...],
    limit: int | None,
    memories: int | None,
    links: int | None,
    seed: int | None,
    engine: str | None,
    bare: bool,
) -> None:
    """Run the benchmark NAME in a temporary store, beside its baselines.

    \b
    engramforge bench locomo --data FILE [FILE ...]
    engramforge bench scale --memories 100000
    """
    harness = _load()
    counts = given(memories=memories, links=links, seed=seed)
    options = harness.Options(limit=limit, engine=engine, bare=bare, home=call.home, say=_tell, **counts)
    outcome = harness.run(name, [Path(path) for path in (*paths, *more)], options).as_dict()
    if call.as_json:
        show_json(outcome)
        return
    _show(outcome)


def _load() -> ModuleType:
    """The benchmarks' harness: the folder `bench` beside `src` in a clone of the repository."""
    root = str(BENCHMARKS.parent)
    if root not in sys.path:
        sys.path.append(root)
    return importlib.import_module("bench.harness")


def _tell(sentence: str) -> None:
    """Say on standard error what is being done, when somebody watches."""
    if on_terminal(sys.stderr):
        remark(f"{sentence} ...")


def _show(outcome: Mapping[str, Any]) -> None:
    say(f"{outcome['bench']}: n = {outcome['n']}, {outcome['seconds']:.1f} s")
    ours = dict(_flat(outcome["metrics"]))
    others = {name: dict(_flat(metrics)) for name, metrics in outcome["baselines"].items()}
    names = dict.fromkeys([*ours, *(key for metrics in others.values() for key in metrics)])
    show_table(
        ("metric", "engramforge", *others),
        [(key, *(_number(metrics.get(key)) for metrics in (ours, *others.values()))) for key in names],
    )
    settings = outcome["settings"]
    faint(f"{settings['cores']} cores, Python {settings['python']}, SQLite {settings['sqlite']}")


def _flat(metrics: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, object]]:
    """Nested metrics as dotted names."""
    for name, value in metrics.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _number(value: object) -> str:
    if isinstance(value, list):
        return "; ".join(str(each) for each in value)
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 100 else f"{value:,.0f}"
    return "" if value is None else str(value)
