"""Brings what the store has of a watched folder up to date with what is there, at and beneath some paths.

Files are written as an import writes them (`capture/imports/importing`): many in a transaction, an unchanged one is not
read, a changed one changes only the chunks that changed. What moved is written in one transaction with what it left, so
that it keeps its memories; what is gone ends last, after all that may say the same elsewhere. A file that changes while
it is read, cannot be read yet, or has just become empty is left for another look.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from engramforge.capture.formats.markdown import FORMAT, read_markdown
from engramforge.capture.formats.obsidian import read_chunks
from engramforge.capture.imports.importing import Importing, TextFiles
from engramforge.capture.imports.run import ImportOptions, ImportRun
from engramforge.capture.imports.survey import Survey
from engramforge.capture.reading.format import Context
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.watching.looking import Looking
from engramforge.capture.watching.pending import is_asked, is_in, moves
from engramforge.capture.writers.marks import ImportMarks, mark_key
from engramforge.model.scope import Scope
from engramforge.model.storing.import_survey import ImportProgress
from engramforge.model.storing.record import Fault, StoredChunk
from engramforge.model.storing.watching import Became, FileNews, WatchedFolder

_YOUNG: Final = timedelta(seconds=2)
"""Of a file that was written this recently it is not believed that it is broken, or empty."""
_LINKS: Final = ("links", "links_ended")
_ASKED_SINGLY: Final = 8
"""Of so many paths the store is asked one by one; of more, what lies beneath the folder that has all of them."""
Known = Mapping[str, Sequence[StoredChunk]]


@dataclass(slots=True)
class Taken:
    """What was done. `again`: paths to look at again soon. `wholes`: folder -> its format, to be read as wholes.
    `written`: memories that are new or ended, by which it is told whether what depends on them is due."""

    files: list[FileNews] = field(default_factory=list)
    again: set[str] = field(default_factory=set)
    wholes: dict[str, str] = field(default_factory=dict)
    written: int = 0


@dataclass(frozen=True, slots=True)
class Taking:
    """Takes what is in watched folders into the store.

    `inner`: all watched folders, of which those inside another are left to themselves. `wholes`: see `Looking`; kept
    between looks. `wanted`: asked between files; False ends early, what was taken is kept.
    """

    importing: Importing
    scope: Scope
    folders: Sequence[WatchedFolder]
    wholes: dict[str, str] = field(default_factory=dict)
    wanted: Callable[[], bool] = lambda: True

    def take(
        self,
        folder: WatchedFolder,
        asked: Collection[str],
        believes: Callable[[str], bool] = lambda _: True,
        progress: Callable[[ImportProgress], None] | None = None,
    ) -> Taken:
        """Look at paths of a folder, absolute, and beneath them, and write what changed.

        `believes`: whether a path that is missing is taken for gone now, or looked at again.

        Raises WorldError and Conflict: what was written before it stays, and the same call goes on.
        """
        taken = Taken()
        if folder.project in self.importing.stages.excluded:
            return taken
        globs = self.importing.globs
        look = Looking(Path(folder.path), [each.path for each in self.folders], globs, self.wholes)
        sources = self._sources(look, asked, taken)
        known = self._known(folder, asked, sources)
        gone = {
            path: known[path]
            for path in sorted(known)
            if path not in sources and (look.is_gone(path) or self._is_anothers(folder, path))
        }
        survey = Survey(Path(folder.path), True, tuple(sources.values()), ())
        run = ImportRun(self.scope, folder.project, survey, progress, self.importing.redacted)
        run.tell()
        _Round(self, folder, run, known, taken).write(sources, gone, believes)
        for fault in look.faults if look.root in asked else ():
            said = replace(fault, reason=run.redact(fault.reason))
            path = os.path.relpath(fault.path, look.root)
            taken.files.append(FileNews(path=path, became=Became.FAULTY, faults=(said,)))
        return taken

    def end_all(self, folder: WatchedFolder) -> Taken:
        """End what came from a folder that is no more."""
        taken = Taken()
        known = self.importing.stages.door.asking(self.scope).known_files(folder.project, f"{folder.path}/")
        run = ImportRun(
            self.scope, folder.project, Survey(Path(folder.path), True, (), ()), None, self.importing.redacted
        )
        _Round(self, folder, run, known, taken).write({}, known, lambda _: True)
        return taken

    def take_whole(
        self,
        folder: WatchedFolder,
        path: str,
        format_: str,
        progress: Callable[[ImportProgress], None] | None = None,
    ) -> Taken:
        """Read a folder that is read as a whole. Raises as an import."""
        report = self.importing.import_path(self.scope, Path(path), folder.project, format_, progress)
        changed = report.written + report.superseded + report.invalidated
        taken = Taken(written=changed)
        links = sum(counts.get(name, 0) for counts in report.details["files"].values() for name in _LINKS)
        if changed or links:
            news = FileNews(
                path=os.path.relpath(path, folder.path),
                became=Became.CHANGED,
                written=report.written,
                superseded=report.superseded,
                ended=report.invalidated,
                faults=report.faults,
            )
            taken.files.append(news)
        return taken

    def _sources(self, look: Looking, asked: Collection[str], taken: Taken) -> dict[str, ImportSource]:
        """The texts to read, by path; notes which wholes are concerned."""
        sources: dict[str, ImportSource] = {}
        for source in look.files_at(asked):
            path = str(source.path)
            whole, format_ = look.whole(path)
            if whole:
                taken.wholes[whole] = format_
            if format_ in ("", "obsidian"):
                sources[path] = replace(source, format=format_) if format_ else source
        return sources

    def _known(self, folder: WatchedFolder, asked: Collection[str], sources: Collection[str]) -> Known:
        """The stored chunks of the files at and beneath paths."""
        view = self.importing.stages.door.asking(self.scope)
        if not asked:
            return {}
        whole = list(asked) if len(asked) <= _ASKED_SINGLY else [os.path.commonpath(list(asked))]
        found: dict[str, list[StoredChunk]] = {}
        for prefix in whole:
            found |= view.known_files(folder.project, prefix)
        wanted = set(asked)
        return {
            path: chunks
            for path, chunks in found.items()
            if path in sources or (is_in(path, folder.path) and is_asked(path, wanted))
        }

    def _is_anothers(self, folder: WatchedFolder, path: str) -> bool:
        """Whether a file belongs to a watched folder inside this one, and to another project."""
        return any(
            is_in(path, each.path) and is_in(each.path, folder.path) and each.project != folder.project
            for each in self.folders
        )


class _Round:
    """The writing of one look."""

    def __init__(
        self, taking: Taking, folder: WatchedFolder, run: ImportRun, known: Known, taken: Taken
    ) -> None:
        self._taking = taking
        self._importing = taking.importing
        self._folder = folder
        self._run = run
        self._known = known
        self._taken = taken
        self._marks = ImportMarks(self._importing.stages, taking.scope)
        self._texts = TextFiles(run, self._importing.chunks, self._marks)

    def write(
        self, sources: Mapping[str, ImportSource], gone: Known, believes: Callable[[str], bool]
    ) -> None:
        """Write files that are there, each followed by that from which it moved, and end the others that are gone."""
        moved = self._moved(sources, gone) if gone else {}
        self._gone = {os.path.relpath(path, self._folder.path) for path in gone}
        for path, source in sources.items():
            if not self._taking.wanted():
                break
            if self._taken_in(source) and path in moved:
                self._end(moved[path], gone[moved[path]])
        else:
            for path, chunks in gone.items():
                if path in moved.values():
                    continue
                if believes(path):
                    self._end(path, chunks)
                else:
                    self._taken.again.add(path)
        self._texts.write()
        self._tell(moved)

    def _moved(self, sources: Mapping[str, ImportSource], gone: Known) -> dict[str, str]:
        digests = {path: self._marks.hash_of(path, self._folder.project) for path in gone}
        before = {path: digest for path, digest in digests.items() if digest is not None}
        come: dict[str, str] = {}
        for path, source in sources.items() if before else ():
            if path not in self._known:
                try:
                    come[path] = self._marks.digest_of(source) or ""
                except OSError:
                    continue
        return moves(come, before)

    def _taken_in(self, source: ImportSource) -> bool:
        """Take a file; returns whether the store will have it as it is now."""
        path, project, run = str(source.path), self._folder.project, self._run
        try:
            if (kept := self._marks.unchanged(source, project)) is not None:
                run.file_done(source, kept[0], is_unchanged=True)
                run.tell()
                return True
            context = self._importing.context(run, source, project, ImportOptions())
            item = self._read(source, context)
            now = ImportSource.of(source.path, source.format)
        except OSError:
            self._taken.again.add(path)
            return False
        stored = self._known.get(path, ())
        is_young = abs(self._importing.stages.clock() - now.mtime) < _YOUNG
        is_odd = bool(item.fault) or not item.drafts
        if now != source or (is_odd and is_young and stored):
            self._taken.again.add(path)
            return False
        self._texts.take(source, item, context, stored)
        return not item.fault

    def _read(self, source: ImportSource, context: Context) -> Item:
        how = context.own_project, context.mtime, context.now
        told = self._run.telling(context)
        if source.format == FORMAT.name:
            return read_markdown(source.path, *how, context.root, told.clean, told.find)
        whole = next(
            path for path, name in self._taking.wholes.items() if name and is_in(str(source.path), path)
        )
        return read_chunks(source.path, Path(whole), *how, told.clean, told.find)

    def _end(self, path: str, chunks: Sequence[StoredChunk]) -> None:
        key = mark_key(self._taking.scope, path, self._folder.project)
        self._texts.end(Path(path), FORMAT.name, chunks, self._importing.stages.clock(), key)

    def _tell(self, moved: Mapping[str, str]) -> None:
        """What became of the files, from the run's account."""
        root = self._folder.path
        before = {os.path.relpath(new, root): os.path.relpath(old, root) for new, old in moved.items()}
        faults: dict[str, list[Fault]] = {}
        for fault in self._run.faults:
            faults.setdefault(os.path.relpath(fault.path, root), []).append(fault)
        for path, counts in self._run.files.items():
            if counts.get("unchanged") or path in before.values():
                continue
            written = counts["memories"] - counts.get("superseded", 0)
            superseded, ended = counts.get("superseded", 0), counts.get("invalidated", 0)
            self._taken.written += written + superseded + ended
            is_known = os.path.join(root, path) in self._known
            became = Became.CHANGED if is_known else Became.ADDED
            if path in before:
                became = Became.MOVED
            elif counts["faulty"]:
                became = Became.FAULTY
            elif path in self._gone:
                became = Became.DELETED
            elif not (written or superseded or ended or faults.get(path)) and is_known:
                continue
            news = FileNews(
                path=path,
                became=became,
                before=before.get(path, ""),
                written=written,
                superseded=superseded,
                ended=ended,
                faults=tuple(faults.get(path, ())),
            )
            self._taken.files.append(news)
