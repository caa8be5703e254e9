"""What can be imported from a path, and in which formats, recognised by content before anything is imported.

Folders are walked in a fixed order; one that a format claims as a whole is one source, zips are looked into. Left out:
hidden files and folders, `node_modules`, virtual environments, and every symbolic link below the root, so that nothing
outside the root is ever read.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Final

from engramforge.capture.formats import jsonl
from engramforge.capture.formats.table import FORMATS
from engramforge.capture.reading.format import NO_FIELDS, Format
from engramforge.capture.reading.json_stream import fault_of
from engramforge.capture.reading.packed import bare, unpacked_size
from engramforge.capture.reading.records import is_utf16, read_json_lines
from engramforge.capture.reading.sources import LINES, ImportSource, Listing, Sample, is_left_out, is_utf8
from engramforge.capture.reading.zips import holding_zips, list_zip, looks_like_zip
from engramforge.core.checks.store_files import is_of_store
from engramforge.errors import InvalidSource, InvalidValue, NotFound, StoreUnavailable
from engramforge.model.stopping import check_wanted
from engramforge.model.storing.record import Fault

_BLANKS: Final = "nothing but blanks and line ends"
_UTF16: Final = "UTF-16, not UTF-8"
_MENDS: Final = {
    "longer than": "Split it into smaller files",
    _BLANKS: "Leave it out",
    _UTF16: "Save it as UTF-8 and import it again",
}
"""What a fault of a file says -> how to mend it."""
MARKDOWN_GLOBS: Final = ("**/*.md", "**/*.markdown", "**/*.txt")


@dataclass(frozen=True, slots=True)
class Survey:
    """What a path holds: the sources to import in order, what is in no format known, and what cannot be read at all,
    such as files whose names are not UTF-8 (written with escapes), by which no memory could be stored. `hints` name
    what else can be imported on request."""

    root: Path
    is_folder: bool
    sources: tuple[ImportSource, ...]
    unrecognised: tuple[str, ...]
    faults: tuple[Fault, ...] = ()
    hints: tuple[str, ...] = ()

    @property
    def format(self) -> str:
        """The formats found, joined by `+`, in alphabetical order."""
        return "+".join(sorted({source.format for source in self.sources}))

    @property
    def files_by_format(self) -> dict[str, int]:
        """Format -> number of sources."""
        return dict(sorted(Counter(source.format for source in self.sources).items()))


def survey(
    path: Path,
    format: str | None,  # noqa: A002 - the word a user expects
    globs: Sequence[str] = MARKDOWN_GLOBS,
    fields: Mapping[str, str] = NO_FIELDS,
) -> Survey:
    """Look at a file or folder and say what can be imported from it.

    `format`: import only this; a single file is then assumed to have it, and so is a folder without anything in a
    format that takes whole folders. `globs`: which files of a folder count as Markdown. `fields`: as in `Context`;
    every file of lines or JSON is then taken for a stranger's JSONL.

    Raises NotFound: there is no such path; InvalidValue: there is no such format, or field in the files; InvalidSource:
    nothing there can be imported.
    """
    if fields and format not in (None, jsonl.FORMAT.name):
        raise InvalidValue(f"Fields are mapped, of the format {format[:100]!r}", "Map those of JSONL alone")
    if format is not None and format not in FORMATS:
        raise InvalidValue(
            f"There is no import format {format[:100]!r}", f"Choose one of {', '.join(FORMATS)}"
        )
    try:
        root = path.expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise NotFound(f"There is no file or folder {str(path)[:500]!r}", "Check the path") from error
    if not root.is_dir() and not root.is_file():
        raise InvalidSource(f"{root} is neither a file nor a folder", "Name a file or a folder")
    if is_of_store(root.name):
        raise InvalidSource(
            f"{root} is a file of a store, not an export of it",
            "Write the store with engramforge export, then import what that wrote",
        )
    if not is_utf8(str(root)):
        raise InvalidSource(f"The path {_escaped(str(root))} is not UTF-8", "Rename it")
    asked = jsonl.FORMAT.name if fields else format
    looking = _Looking(root, root.is_dir(), asked, tuple(globs), is_mapped=bool(fields))
    with holding_zips():
        looking.look()
    found = looking.found()
    if fields:
        jsonl.check_there(fields, found.sources)
    return found


@dataclass(slots=True)
class _Looking:
    """A survey in progress."""

    root: Path
    is_folder: bool
    asked: str | None
    globs: tuple[str, ...]
    is_mapped: bool = False
    sources: list[ImportSource] = field(default_factory=list)
    unrecognised: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def look(self) -> None:
        if self.is_folder:
            for file in self._walked():
                self._look_at_found(file)
            self._check_manifests()
            if not self.sources and self.asked is not None and FORMATS[self.asked].claims is not None:
                self.sources.append(_folder_source(self.root, FORMATS[self.asked]))
            return
        try:
            self._look_at(self.root)
            self._look_beside()
            self._check_manifests()
        except OSError as error:
            fault = f"{self.root} cannot be read ({error.strerror})"
            raise StoreUnavailable(fault, "Mend its permissions") from error

    def _manifests(self) -> list[tuple[ImportSource, Callable[[ImportSource], Sequence[str]]]]:
        """The manifests found so far, each with what tells the files that it lists."""
        asked = [(source, FORMATS[source.format].parts) for source in self.sources]
        return [(source, parts) for source, parts in asked if parts is not None]

    def _look_beside(self) -> None:
        """Look at the files that a manifest, named alone, lists: those that lie in its folder."""
        for manifest, parts in self._manifests():
            for name in parts(manifest) if not manifest.member else ():
                beside = self.root.parent / PurePath(name)
                file = beside if beside.is_file() else self.root.parent / PurePath(name).name
                real = Path(os.path.realpath(file))
                inside = real.is_relative_to(self.root.parent) and not file.is_symlink()
                if inside and file.is_file() and file != self.root:
                    self._look_at_found(file)

    def _check_manifests(self) -> None:
        """Leave out what belongs to a manifest that cannot be followed, as of a version that is not known."""
        for manifest, parts in self._manifests():
            try:
                parts(manifest)
            except InvalidSource as error:
                if not self.is_folder:
                    raise
                self.faults.append(Fault(manifest.place, None, str(error)))
                folder = Path(manifest.place).parent
                self.sources = [
                    each
                    for each in self.sources
                    if each != manifest
                    and (Path(each.place).parent != folder or not FORMATS[each.format].is_conversation)
                ]

    def found(self) -> Survey:
        """What was found. Raises InvalidSource where there is nothing."""
        if self.asked is None and any(not FORMATS[each.format].only_alone for each in self.sources):
            beside = [each for each in self.sources if FORMATS[each.format].only_alone]
            self.unrecognised = sorted({*self.unrecognised, *(each.place for each in beside)})
            self.sources = [each for each in self.sources if each not in beside]
        if not self.sources:
            self._refuse()
        self.sources.sort(key=lambda each: FORMATS[each.format].comes_last)
        return Survey(
            self.root,
            self.is_folder,
            tuple(self.sources),
            tuple(self.unrecognised),
            tuple(self.faults),
            self._hints(),
        )

    def _hints(self) -> tuple[str, ...]:
        """What else a folder holds: its git history, which is a separate import."""
        has_history = self.is_folder and (self.root / ".git").exists()
        if not has_history or any(each.format == "git" for each in self.sources):
            return ()
        return ("The folder has a git history; import it with the format git.",)

    def _refuse(self) -> None:
        said = f" ({self.faults[0]})" if self.faults else ""
        if self.asked is not None and self.is_folder and self.unrecognised:
            raise InvalidSource(
                f"Nothing in {self.root} is {self.asked}{said}", "Leave the format out to have it recognised"
            )
        if not self.is_folder and (fault := _fault_of(ImportSource.of(self.root))):
            mends = (each for said, each in _MENDS.items() if said in fault)
            raise InvalidSource(f"{self.root}: {fault}", next(mends, "Save it whole and import it again"))
        known = ", ".join(each.title for each in FORMATS.values())
        raise InvalidSource(f"Nothing in {self.root} can be imported{said}", f"Known are {known}")

    def _walked(self) -> Iterator[Path]:
        """The files of the folder; folders that a format claims are taken on the way."""
        for folder, inner, names in os.walk(self.root, followlinks=False):
            check_wanted()
            here = Path(folder)
            if (claimed := self._claimed(here, inner, names)) is not None:
                self.sources.append(_folder_source(here, claimed))
                inner[:] = []
                continue
            inner[:] = sorted(name for name in inner if not is_left_out(here, name))
            for name in sorted(names):
                file = here / name
                if not name.startswith(".") and _is_regular(file):
                    yield file

    def _claimed(self, folder: Path, inner: Sequence[str], names: Sequence[str]) -> Format | None:
        listing = Listing(folder, folder == self.root, tuple(sorted(names)), tuple(sorted(inner)))
        asked = [FORMATS[self.asked]] if self.asked is not None else FORMATS.values()
        return next((each for each in asked if each.claims is not None and each.claims(listing)), None)

    def _look_at_found(self, file: Path) -> None:
        """Look at a file of the folder; unreadable ones are skipped or reported."""
        if not is_utf8(str(file)):
            self.faults.append(Fault(_escaped(str(file)), None, "The file's name is not UTF-8. Rename it."))
            return
        try:
            self._look_at(file)
        except OSError:
            self.unrecognised.append(str(file))
        except InvalidSource as error:
            self.faults.append(Fault(str(file), None, str(error)))

    def _look_at(self, file: Path) -> None:
        """Look at one file. Raises OSError, or InvalidSource for a zip that cannot be read."""
        source = ImportSource.of(file)
        if (file.suffix.lower() == ".zip" or not self.is_folder) and looks_like_zip(file):
            self._look_into(source)
            return
        relative = bare(PurePath(file.relative_to(self.root)) if self.is_folder else PurePath(file.name))
        is_text = is_markdown(relative, self.globs if self.is_folder else MARKDOWN_GLOBS)
        self._take(source, Sample(relative, source, is_alone=not self.is_folder, is_markdown=is_text))

    def _look_into(self, zipped: ImportSource) -> None:
        listing = list_zip(zipped.path)
        self.faults += [Fault(f"{zipped.path}/{name}", None, said) for name, said in listing.faults]
        for member in listing.members:
            source = replace(zipped, size=member.size, member=member.name)
            sample = Sample(PurePath(member.name), source)
            if sample.suffix == ".zip":
                said = "a zip in a zip; it was not read: unpack the outer one and import the folder"
                self.faults.append(Fault(source.place, None, said))
                continue
            try:
                self._take(source, sample, in_zip=True)
            except InvalidSource as error:
                self.faults.append(Fault(source.place, None, str(error)))

    def _take(self, source: ImportSource, sample: Sample, in_zip: bool = False) -> None:
        """Take a file as what recognises it; a requested format is assumed for a single file."""
        found: str | None
        is_named = sample.is_alone or (self.is_mapped and sample.may_be_json and not in_zip)
        if is_named and self.asked is not None and FORMATS[self.asked].recognises is not None:
            found = self.asked
        else:
            readable = (each for each in FORMATS.values() if each.is_in_zip or not in_zip)
            fitting = (each.name for each in readable if each.recognises and each.recognises(sample))
            found = next(fitting, None)
        if found is None or self.asked not in (None, found):
            self.unrecognised.append(source.place)
        else:
            size = source.size if in_zip or not source.is_packed else unpacked_size(source.path)
            self.sources.append(replace(source, format=found, size=size))


def is_markdown(relative: PurePath, globs: Sequence[str]) -> bool:
    """Whether a file of a folder counts as Markdown, by its path in there."""
    # `**/` also stands for no folder at all, which PurePath.match knows from Python 3.13 on.
    return any(relative.match(glob) or relative.match(glob.removeprefix("**/")) for glob in globs)


def is_recognised(source: ImportSource) -> bool:
    """Whether a source is of its format by what it says, not only because somebody said so."""
    recognises = FORMATS[source.format].recognises
    name = bare(PurePath(source.member or source.path.name))
    return recognises is None or recognises(Sample(name, source, is_alone=True))


def _fault_of(source: ImportSource) -> str:
    """What is wrong with a file that is in no format known: it is empty, blank, UTF-16, or JSON that cannot be read."""
    begin = source.head()
    head = begin.removeprefix(b"\xef\xbb\xbf").strip()
    suffix = bare(source.path).suffix.lower()
    if not begin:
        return "the file is empty"
    if not head:
        return f"{_BLANKS} in its first {len(begin):,} bytes"
    if is_utf16(begin):
        return _UTF16
    if suffix in LINES:
        faulty = next((line for line in read_json_lines(source.path) if line.fault), None)
        return "" if faulty is None else f"line {faulty.number}: {faulty.fault}"
    return fault_of(source) if suffix == ".json" or head[:1] in b"{[" else ""


def _folder_source(folder: Path, found: Format) -> ImportSource:
    """A folder as a whole; its size and times are those of everything in it."""
    size = mtime_ns = ctime_ns = 0
    for here, _, names in os.walk(folder, followlinks=False):
        for path in (here, *(os.path.join(here, name) for name in names)):  # noqa: PTH118 - many files
            try:
                stat = os.lstat(path)
            except OSError:
                continue
            size += stat.st_size if path != here else 0
            mtime_ns, ctime_ns = max(mtime_ns, stat.st_mtime_ns), max(ctime_ns, stat.st_ctime_ns)
    return ImportSource(folder, found.name, size, mtime_ns, ctime_ns, is_folder=True)


def _is_regular(file: Path) -> bool:
    """Whether it is a file itself, no link, that we may look at."""
    try:
        return stat.S_ISREG(file.lstat().st_mode)
    except OSError:  # gone, or in a folder that may not be entered
        return False


def _escaped(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()
