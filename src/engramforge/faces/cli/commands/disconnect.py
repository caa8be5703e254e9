"""`engramforge disconnect`: take a connection back, whole; with --purge all that lies beside the store too."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.commands.connect import RESTART, TARGETS, can_answer, confirm, show_edits
from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import heading, remark, say, show_json
from engramforge.runtime.places import Places
from engramforge.runtime.starting import stop

_STORE_ENDS = ("", "-wal", "-shm", "-journal")


@click.command("disconnect")
@click.argument("target", type=TARGETS)
@click.option("--user", is_flag=True, help="Only the connection of all projects.")
@click.option("--project", metavar="FOLDER", help="Only the connection of this folder.")
@click.option(
    "--purge", count=True, help="Remove what lies beside the store too; given twice, the store as well."
)
@click.option("--dry-run", is_flag=True, help="Show what would be taken back, and change nothing.")
@click.option("--yes", is_flag=True, help="Change without asking.")
@store_options
def command(
    call: Call, target: str, user: bool, project: str | None, purge: int, dry_run: bool, yes: bool
) -> None:
    """Disconnect TARGET: all its connections of this home, or one.

    A file that nobody else changed since is as it was before to the byte; of others only our entries go.
    """
    if user and project is not None:
        raise InvalidValue("--user and --project were both given", "Give one of them")
    if purge and (user or project is not None):
        raise InvalidValue("--purge takes all connections back", "Leave --user and --project out")
    from engramforge.faces.connections.connecting import disconnect, plan_back

    home = call.daemon_home
    only = [str(Path(project).expanduser().resolve())] if project is not None else [None] if user else None
    planned = plan_back(home, only)
    changed = [str(edit.path) for _, edits in planned for edit in edits if edit.changes]
    # What is taken back as a connection is named there.
    goes = [path for path in _purged(call, home, purge) if str(path) not in changed]
    if not planned and not goes:
        call.tell({"disconnected": True, "changed": [], "removed": []}, f"{target} is not connected.")
        return
    if not call.as_json:
        is_whole = dry_run or can_answer(yes)
        for _, edits in planned:
            show_edits(edits, "remove", whole=is_whole)
        for path in goes:
            heading(f"remove {path}")
        if any(path.name == "spool" and any(path.iterdir()) for path in goes):
            remark("The spool holds events that are in no memory yet: engramforge serve takes them in.")
    if not dry_run:
        unasked = f"engramforge disconnect claude-code{' --purge' * purge} --yes"
        confirm("Take this back?", yes, unasked, "Nothing was changed.")
        if purge > 1:
            confirm("The memories go too, for good. Remove them?", yes, unasked, "Nothing was changed.")
        disconnect(home, planned)
        if goes:
            stop(Places(str(home)))
            # What the daemon wrote as it ended goes too.
            _remove(home, _purged(call, home, purge))
    if call.as_json:
        removed = [str(path) for path in goes]
        show_json({"disconnected": not dry_run, "changed": changed, "removed": removed})
    else:
        say("Nothing was changed." if dry_run else f"{target} is disconnected. {RESTART}")


def _purged(call: Call, home: Path, purge: int) -> list[Path]:
    """What a purge removes of a home, those that exist."""
    if not purge:
        return []
    from engramforge.faces.connections.connecting import OURS_IN_HOME

    # Of a home with a long path the run folder lies elsewhere.
    paths = [*dict.fromkeys([*(home / name for name in OURS_IN_HOME), Path(Places(str(home)).run)])]
    if purge > 1:
        from engramforge.assembly import locate

        store = locate(call.store)
        if isinstance(store, Path):
            paths += [store.with_name(store.name + end) for end in _STORE_ENDS]
            paths += sorted([*home.glob(f"{store.name}.*"), *store.parent.glob(f"{store.name}-columns*")])
        paths.append(home / "engramforge.toml")
    return [path for path in paths if path.exists() or path.is_symlink()]


def _remove(home: Path, goes: list[Path]) -> None:
    """Remove files and folders, and the home where nothing else is in it."""
    for path in goes:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    for folder in (Path(Places(str(home)).run).parent, home):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
