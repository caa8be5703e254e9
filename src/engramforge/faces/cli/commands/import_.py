"""`engramforge import`: files, folders, archives and other memories, with what was found said first."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import PortionBar, megabytes, remark, say, shortened, show_json, show_pairs
from engramforge.faces.views.shape import numbered, plain
from engramforge.model.storing.live import SWITCHED_OFF

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engramforge.model.storing.import_survey import FoundFormat, ImportProgress, ImportSurvey
    from engramforge.model.storing.record import ImportReport

_FAULTS_SHOWN: Final = 20
_UNREAD_SHOWN: Final = 5
_ENTRY_COLUMNS: Final = 60
_BECAME: Final = {
    "remembered": "remembered",
    "duplicate": "there already",
    "nothing": "nothing to remember",
    "faulty": "broken",
}
"""What becomes of a record, each of exactly one, and how it is told."""


@click.command("import")
@click.argument("path")
@click.option("--project", metavar="NAME", help="The project it goes to (from the source when left out).")
@click.option("--format", "format_", metavar="NAME", help="The format (recognised when left out).")
@click.option("--since", metavar="TIME", help="Only what became true at or after this time (valid time).")
@click.option(
    "--assign",
    "rules",
    multiple=True,
    metavar="RULE",
    help="PATTERN=PROJECT for conversations without a project; title:... or text:...; @FILE (repeatable).",
)
@click.option(
    "--map",
    "fields",
    metavar="FIELDS",
    help="content=body,id=key,time=at,speaker=who,session=chat,... of a stranger's JSONL.",
)
@click.option("--no-assign", is_flag=True, help="Forget the rules that were given before.")
@click.option("--switched-off", is_flag=True, help="Also what was said while capture was switched off.")
@click.option("--dry-run", is_flag=True, help="Say what is there and import nothing.")
@store_options
def command(
    call: Call,
    path: str,
    project: str | None,
    format_: str | None,
    since: str | None,
    rules: tuple[str, ...],
    fields: str | None,
    no_assign: bool,
    switched_off: bool,
    dry_run: bool,
) -> None:
    """Import PATH: chat exports, transcripts, notes, vaults, decision records, other memories, own exports.

    The format is recognised; what was found is said before anything is read. Running it again brings in only what is
    new. A broken record is reported and skipped, the rest goes in. An interrupted import goes on where it stopped when
    it is started again. Exit code 1 where every record is broken.
    """
    if rules and no_assign:
        raise InvalidValue("--assign and --no-assign were both given", "Give one of them")
    with call.open() as forge:
        if dry_run:
            survey = forge.survey(path, **given(project=project, format=format_, fields=_fields(fields)))
            if call.as_json:
                show_json({"path": survey.path, "size_bytes": survey.size_bytes, **plain(survey)})
            else:
                show_survey(survey)
            return
        wishes = given(project=project, format=format_, since=since, assign=rules, fields=_fields(fields))
        if no_assign:
            wishes["assign"] = ()
        wishes["switched_off"] = switched_off
        begun = None if call.as_json else _tell_survey
        with Bar() as bar:
            try:
                report = forge.import_path(path, progress=bar.show, begun=begun, **wishes)
            except KeyboardInterrupt:
                raise click.Abort(
                    f"Written, and kept: {numbered(bar.kept, 'memory')}. Run the same command again to go on"
                ) from None
    if call.as_json:
        show_json(report)
    else:
        show_report(report)
    if is_all_broken(report):
        raise click.exceptions.Exit(1)


def _fields(given: str | None) -> dict[str, str] | None:
    """A map of fields, written `ours=theirs,...`; empty for none from now on."""
    if given is None:
        return None
    pairs = [pair.partition("=") for pair in given.split(",") if pair]
    if any(not sign for _, sign, _ in pairs):
        raise InvalidValue(f"--map is {given[:100]!r}", "Write OURS=THEIRS, as in --map content=body,time=at")
    names = [ours.strip() for ours, _, _ in pairs]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InvalidValue(f"--map names {twice[:100]!r} twice", "Map each field once")
    return {ours.strip(): theirs.strip() for ours, _, theirs in pairs}


def _tell_survey(survey: ImportSurvey) -> None:
    """Say on standard error what was found, before it is read; the answer itself comes on standard output."""
    for found in survey.formats:
        remark(f"found {_said(found)}")


def show_survey(survey: ImportSurvey) -> None:
    """What an import would read."""
    say(f"{survey.path}, {megabytes(survey.size_bytes)}:")
    for found in survey.formats:
        say(f"  {_said(found)}")
        if found.projects:
            say(f"    projects: {', '.join(found.projects)}")
    if survey.unrecognised:
        say(f"  {numbered(survey.unrecognised, 'file')} of no known format")
    for fault in survey.faults[:_FAULTS_SHOWN]:
        say(f"  {fault}")
    if survey.first:
        say("The first record would be read as:")
        show_pairs((f"  {name.removesuffix('_id')}", value) for name, value in survey.first.items())
    say("Nothing was imported.")


def _said(found: FoundFormat) -> str:
    """A format's numbers in a line; records and times are estimates."""
    read = _places(found.sources - found.folders, found.folders)
    said = [f"{found.title} ({found.format}): {read}", megabytes(found.size_bytes)]
    if found.records is not None:
        said.append(f"about {numbered(found.records, 'record')}")
    if found.first_at is not None and found.last_at is not None:
        said.append(f"times from about {found.first_at:%Y-%m-%d} to about {found.last_at:%Y-%m-%d}")
    return ", ".join(said)


def _places(files: int, folders: int) -> str:
    """What an import reads: files, and folders that are read as a whole."""
    said = [numbered(count, noun) for count, noun in ((folders, "folder"), (files, "file")) if count]
    return " and ".join(said) or "nothing"


class Bar(PortionBar):
    """The bar of an import; it also keeps how many memories were written, for who interrupts it."""

    def __init__(self) -> None:
        super().__init__("reading")
        self.kept = 0

    def show(self, step: ImportProgress) -> None:
        """Move the bar; bytes measure it, because files and records differ in size."""
        self.kept = step.written
        read = f"{megabytes(step.bytes_done)} of {megabytes(step.bytes_total)}"
        said = f"{step.files_done}/{numbered(step.files_total, 'file')}, {read}, {numbered(step.written, 'memory')}"
        self.move(said, step.bytes_done, step.bytes_total)


def show_report(report: ImportReport) -> None:
    """The report in words: what became of the records, whose sum they are, then of memories; what is zero is left
    out."""
    files = report.details.get("files", {})
    became = {name: sum(_became(each)[name] for each in files.values()) for name in _BECAME}
    counted = [
        ("records found", report.found),
        *((f"  {said}", became[name]) for name, said in _BECAME.items()),
        ("memories written", report.written),
        ("superseded", report.superseded),
        ("ended", report.invalidated),
        ("forgotten before, and kept out", report.forgotten),
        ("secrets replaced", report.redacted),
    ]
    say(f"Imported {report.source} ({report.format}) in {report.seconds:.1f} s.")
    shown = [(name, f"{count:,}") for name, count in counted if count or name == "memories written"]
    folders = report.details.get("folders", 0)
    read = _places(report.files - folders, folders)
    projects = report.details.get("projects", ())
    spread = ("projects", ", ".join(projects) if len(projects) > 1 else None)
    show_pairs([("project", report.project), spread, ("read", read), *shown])
    changed = became["remembered"] + became["faulty"] + report.superseded + report.invalidated
    if became["duplicate"] and not changed:
        say("Nothing is new: all of it was imported before.")
    _show_registered(report.details.get("registered", {}), report.project)
    before = sum(counts["faults"] for counts in files.values() if counts.get("unchanged"))
    for is_note, told in ((False, "Broken, and skipped"), (True, "With a note")):
        faults = [fault for fault in report.faults if fault.is_note == is_note]
        if faults:
            more = report.details.get("faults", len(report.faults)) - before - len(report.faults)
            say(f"{told}: {numbered(len(faults), 'record')}{' and more' if more > 0 else ''}")
            for fault in faults[:_FAULTS_SHOWN]:
                say(f"  {fault}")
            if len(faults) > _FAULTS_SHOWN:
                say(
                    f"  ... and {len(faults) - _FAULTS_SHOWN} more (--json lists all, at the first import of a file)"
                )
    if before:
        told = "1 fault or note" if before == 1 else f"{before:,} faults and notes"
        say(f"Told when their files were read, which have not changed since: {told}")
    if off := sum(each.get("skipped", {}).get(SWITCHED_OFF, 0) for each in files.values()):
        say(
            f"Left out, said while capture was switched off: {numbered(off, 'record')} (--switched-off takes them)"
        )
    if unread := report.details.get("unrecognised", ()):
        named = ", ".join(Path(each).name for each in unread[:_UNREAD_SHOWN])
        more = f" and {len(unread) - _UNREAD_SHOWN:,} more" if len(unread) > _UNREAD_SHOWN else ""
        say(f"Not read, since they are of no known format: {numbered(len(unread), 'file')}: {named}{more}")
    for hint in report.details.get("hints", ()):
        say(hint)


def _became(counts: Mapping[str, Any]) -> dict[str, int]:
    """What became of a file's records in this import: of one that has not changed they were there already."""
    said = {name: counts.get(name, 0) for name in _BECAME}
    if counts.get("unchanged"):
        said |= {"remembered": 0, "duplicate": said["remembered"] + said["duplicate"]}
    return said


def _show_registered(registered: Mapping[str, Any], project: str | None) -> None:
    """What it did to the registries, with the first entries, and where the others are seen."""
    within = "" if project is None else f" --project {shlex.quote(project)}"
    for kind in ("decision", "thread"):
        number = registered.get(f"{kind}s", 0)
        if not number:
            continue
        say(f"Registered {numbered(number, kind)} (engramforge {kind}s{within}):")
        first = [each for each in registered["first"] if each["kind"] == kind]
        for each in first:
            say(f"  {each['local_id'] or each['id']}  {shortened(each['text'], _ENTRY_COLUMNS)}")
        if number > len(first):
            say(f"  ... and {number - len(first):,} more")
    if changed := registered.get("changed"):
        say(f"Changed {numbered(changed, 'entry')} that {'was' if changed == 1 else 'were'} there before.")
    if waiting := registered.get("waiting"):
        verb = "waits" if waiting == 1 else "wait"
        say(f"{numbered(waiting, 'statement')} {verb} for review: engramforge review{within}")


def is_all_broken(report: ImportReport) -> bool:
    """Whether there were records, and every one of them is broken."""
    files = report.details.get("files", {}).values()
    return report.found > 0 and sum(each.get("faulty", 0) for each in files) == report.found
