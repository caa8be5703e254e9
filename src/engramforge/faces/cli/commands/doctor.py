"""`engramforge doctor`: check everything that engramforge needs and say how to mend it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from engramforge import __version__
from engramforge.errors import EngramforgeError, WorldError
from engramforge.faces.cli.commands.reembed import difference
from engramforge.faces.cli.commands.stats import spent
from engramforge.faces.cli.connection_checks import examine_calls, examine_connections
from engramforge.faces.cli.daemon_checks import Check, examine_daemon
from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import (
    heading,
    megabytes,
    on_terminal,
    say,
    show_json,
    show_pairs,
    show_table,
    wrapped,
)
from engramforge.faces.views.shape import numbered
from engramforge.runtime.places import find_home

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engramforge.forge import Forge
    from engramforge.model.validation_report import KeptReport, SweepReport, ValidationReport

_LEAST_FREE_BYTES: Final = 200_000_000


@click.command("doctor")
@click.option("--sweep", "sweeping", is_flag=True, help="Look at every record too, and list repairs.")
@click.option("--every-agent", is_flag=True, help="With --sweep: the personal memories of all agents too.")
@click.option(
    "--limit", type=int, default=20, show_default=True, metavar="N", help="With --sweep: the most repairs."
)
@store_options
def command(call: Call, sweeping: bool, every_agent: bool, limit: int) -> None:
    """Check everything and say how to mend it. Exit code 1 when something is wrong.

    A sweep goes through all records of memories and links; a broken one counts as wrong, poor metadata does not.
    """
    checks = list(examine(call))
    found, before = _swept(call, every_agent, limit, checks) if sweeping else (None, [])
    sound = all(check.state != "fault" for check in checks) and (found is None or found.sound)
    if call.as_json:
        sweep = {} if found is None else {"sweep": _sweep_told(found, before)}
        show_json({"sound": sound, "checks": checks, **sweep})
    else:
        show_table(("check", "state", "found"), [(check.name, check.state, check.found) for check in checks])
        for check in checks:
            if check.mend:
                say(f"{check.name}: {check.mend}")
        if found is not None:
            _show_sweep(found, before)
        say("Everything is sound." if sound else "Something is wrong: see above how to mend it.")
    if not sound:
        raise click.exceptions.Exit(1)


def _swept(
    call: Call, every_agent: bool, limit: int, checks: list[Check]
) -> tuple[SweepReport | None, list[KeptReport]]:
    """A sweep and what is kept of those before, where the store opened; else one more check that says why not."""
    if not any(check.name == "integrity" for check in checks):
        checks.append(Check("sweep", "note", "there is no open store to sweep"))
        return None, []
    seen = on_terminal(sys.stderr)

    def tell(done: int, total: int) -> None:
        sys.stderr.write(f"\r{done:,} of {total:,} records")
        sys.stderr.flush()

    try:
        with call.open() as forge:
            before = forge.validation_history()
            report = forge.sweep(every_agent=every_agent, limit=limit, progress=tell if seen else None)
    except WorldError as error:
        checks.append(_fault("sweep", error))
        return None, []
    if seen:
        sys.stderr.write("\r\033[K")
    return report, before


def examine(call: Call) -> Iterator[Check]:
    """All checks in order; those that need an open store are left out when it does not open."""
    yield Check("versions", "ok", f"engramforge {__version__}, Python {platform.python_version()}")
    from engramforge.assembly import locate

    try:
        place = locate(call.store)
    except EngramforgeError as error:
        yield _fault("settings", error)
        return
    yield Check("settings", "ok", f"the store is {place}")
    if isinstance(place, Path):
        yield from _folder(place.parent)
        if not place.exists():
            yield Check(
                "store", "note", "there is no store yet", "engramforge init creates it, as does any write"
            )
            return
        yield Check("size", "ok", megabytes(place.stat().st_size))
    folder = None if call.url is not None else find_home(call.home, os.environ)
    home = None if folder is None else Path(folder)
    if home is not None:
        yield from examine_daemon(home, __version__)
        yield from examine_connections(home)
    try:
        with call.open() as forge:
            yield from _store(forge)
            yield from examine_calls(home, forge)
    except EngramforgeError as error:
        yield _fault("store", error)


def _folder(folder: Path) -> Iterator[Check]:
    """Permission to write, and free space, of the folder or of the nearest one above that exists."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    try:
        with tempfile.NamedTemporaryFile(dir=there, prefix=".engramforge-doctor-"):
            yield Check("permission", "ok", f"{there} can be written")
    except OSError as error:
        yield Check(
            "permission",
            "fault",
            f"{there} cannot be written ({error.strerror or error})",
            f"Give yourself the permission (ls -ld {there}), or choose another folder with ENGRAMFORGE_HOME",
        )
    free = shutil.disk_usage(there).free
    if free < _LEAST_FREE_BYTES:
        yield Check("space", "fault", f"{megabytes(free)} are free", "Free some space, or move the store")
    else:
        yield Check("space", "ok", f"{megabytes(free)} are free")


def _store(forge: Forge) -> Iterator[Check]:
    """An open store: schema, soundness, files that cannot be written, and the model."""
    identity = forge.identity
    yield Check("store", "ok", f"{numbered(forge.stats().memories, 'memory')}, schema {identity.schema}")
    if identity.engine == "sqlite" and not os.access(identity.location, os.W_OK):
        yield Check(
            "writing",
            "fault",
            f"{identity.location} is read-only",
            f"Make it writable: chmod u+w {identity.location}",
        )
    faults = forge.check()
    for fault in faults:
        found, _, mend = fault.rpartition(". ")
        yield Check("integrity", "fault", found, mend)
    if not faults:
        sound = "every table and index" if identity.engine == "sqlite" else "every row"
        yield Check("integrity", "ok", f"{sound} is sound")
    for each in forge.encoders():
        if each.differs:
            yield Check(f"encoder of {each.space}", "note", difference(each), "Run engramforge reembed")
    lacking = forge.unfilled()
    if lacking is not None:
        spaces = ", ".join(lacking.spaces)
        found = f"without {spaces} yet, since older than that: {numbered(lacking.memories, 'memory')}"
        yield Check("spaces", "note", found, "Run engramforge reembed")
    try:
        yield Check("model", "ok", forge.encoder_id)
        words = forge.embed_query("a question about shipping").words
        yield Check("encoders", "ok", f"a query of {len(words)} content words was embedded")
        yield _calibrations(forge)
    except EngramforgeError as error:
        yield _fault("model", error)
    yield _topics(forge)
    yield from _language_model(forge)


def _topics(forge: Forge) -> Check:
    """Whether topics are kept up to date: none of it is a fault, for everything else works without."""
    held = forge.topics.standing()
    mend = "Run engramforge topics update; a daemon does it by itself (engramforge serve --background)"
    failed = next((each for each in held if each.failed_at is not None), None)
    if failed is not None:
        found = f"the update of {failed.failed_at:%Y-%m-%d} failed: {failed.fault}"
        return Check("topics", "note", found, "Run engramforge topics update, and see what it says")
    if outdated := [each.project for each in held if each.is_outdated]:
        return Check("topics", "note", f"of encoders before these in {', '.join(outdated)}", mend)
    if late := [each for each in held if each.is_late]:
        since = min(each.waiting_since for each in late if each.waiting_since is not None)
        count = numbered(sum(each.waiting for each in late), "memory")
        return Check("topics", "note", f"out of date since {since:%Y-%m-%d}: {count} not clustered", mend)
    waiting = sum(each.waiting for each in held)
    rest = f"{numbered(waiting, 'memory')} to be clustered yet" if waiting else "up to date"
    count = numbered(sum(each.topics for each in held), "topic")
    return Check("topics", "ok", f"{count}, {rest}")


def _language_model(forge: Forge) -> Iterator[Check]:
    """Whether one is configured and can be reached; everything works without, so neither is a fault."""
    try:
        state = forge.language_model()
    except EngramforgeError as error:
        yield _fault("language model", error)
        return
    if state is None:
        yield Check("language model", "ok", "none is configured, and none is needed")
        return
    found, reach = spent(state), forge.reach_language_model()
    if reach is not None and not reach.is_reached:
        yield Check("language model", "note", f"{found}; {reach.found}", reach.mend)
    elif reach is not None:
        yield Check("language model", "ok", f"{found}; {reach.found}")


def _calibrations(forge: Forge) -> Check:
    """Which calibrations are in use, and whether they are behind the store."""
    report = forge.calibration()
    found = "as shipped"
    if report.fitted_at is not None:
        memories = numbered(report.fitted_memories, "memory")
        found = f"fitted to {memories} on {report.fitted_at:%Y-%m-%d}, number {report.number}"
    if forge.calibration_is_due():
        return Check(
            "calibrations",
            "note",
            f"{found}; the store holds {report.memories} now",
            "engramforge calibrate fits them again",
        )
    return Check("calibrations", "ok", found)


def _fault(name: str, error: EngramforgeError) -> Check:
    return Check(name, "fault", f"{error.code}: {error.fault}", error.mend)


def _sweep_told(found: SweepReport, before: list[KeptReport]) -> dict[str, object]:
    names = ("at", "sound", "records", "memories", "links", "broken", "counts", "degraded")
    told = {name: getattr(found, name) for name in names}
    return {**told, "before": before, "seconds": found.seconds}


def _show_sweep(found: SweepReport, before: list[KeptReport]) -> None:
    heading("Sweep")
    show_pairs(
        [
            ("records", f"{found.records:,}, in {found.seconds:.1f} s"),
            ("memories", _line(found.memories)),
            ("links", _line(found.links)),
            ("before", _before(before[-1]) if before else None),
        ]
    )
    if not found.counts:
        say("No record is degraded.")
        return
    show_table(("degraded", "records"), list(found.counts.items()))
    for each in found.degraded:
        say(f"{'broken' if each.broken else 'poor'} {each.kind} {each.subject}: {each.fault}.")
        say(wrapped(f"{each.repair}.", "    "))
        if each.command:
            say(f"    {each.command}")
    left = sum(found.counts.values()) - len(found.degraded)
    if left > 0:
        say(f"{left:,} more are not listed; raise --limit to see them.")


def _line(report: ValidationReport) -> str:
    return (
        f"{report.grade}: {report.total:,} on record, {report.fully_valid:,} fully valid, "
        f"{report.with_warnings:,} with warnings, {report.with_errors:,} with errors, "
        f"completeness {report.average_completeness:.0%}"
    )


def _before(last: KeptReport) -> str:
    return (
        f"{last.at:%Y-%m-%d}: memories {last.memories.grade} ({last.memories.average_completeness:.0%}), "
        f"links {last.links.grade} ({last.links.average_completeness:.0%}), {last.broken} broken"
    )
