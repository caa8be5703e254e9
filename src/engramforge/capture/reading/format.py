"""What a format is: how it is recognised, how it is read, and whose its memories become.

To add a format, write a module with a generator of `Item` (see records) and a recogniser, and add its `Format` to
formats/table. One whose records are no plain memories has a writer, too (imports/importing maps formats to writers).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource, Listing, Sample
from engramforge.model.memory import DEFAULT_PROJECT


class Naming(StrEnum):
    """Where the project of a source comes from, when the caller names none.

    RECORDS: from each record, by the reader; FOLDER: the name of the imported folder; WORKING_FOLDER: the folder that
    the session ran in (`Format.working_folder`), by a name that stays the same for ever.
    """

    RECORDS = "records"
    FOLDER = "folder"
    WORKING_FOLDER = "working_folder"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What a rule sees of a conversation that says no project; texts may be empty.

    `source` is the place of its file, `session` its id, as its memories have it.
    """

    title: str
    first_text: str
    source: str
    session: str = ""


Assign = Callable[[Conversation], str | None]
"""Rules of the caller: a conversation -> its project, or None where no rule fits."""


def unassigned(_: Conversation) -> str | None:
    """No rule fits."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a reader knows beside its source.

    Parameters
    ----------
    project : whose memories these become, as `Format.naming` found it; None where the records say, or nobody does.
    asked_project : the one that the caller named for everything, if any.
    now : no memory is later than this.
    mtime : when the source was last written; stands in where a record has no time.
    root : the path that is imported, a folder or a file.
    assign : the caller's rules for conversations without a project.
    sources : everything that is imported together.
    since : what became true before this time is not wanted; None for all. Records with a time of their own are left
        out by the import itself.
    """

    project: str | None
    asked_project: str | None
    now: datetime
    mtime: datetime
    root: Path
    assign: Assign = unassigned
    sources: tuple[ImportSource, ...] = ()
    since: datetime | None = None

    def project_of(self, conversation: Conversation, otherwise: str) -> str:
        """The project of a conversation: as the caller named it, else by the rules, else the other."""
        return self.asked_project or self.assign(conversation) or self.project or otherwise

    @property
    def own_project(self) -> str:
        """The project of what says none itself."""
        return self.project or DEFAULT_PROJECT

    def dated(self, at: datetime | None) -> datetime:
        """A time, else the source's; no later than now."""
        return min(at or self.mtime, self.now)


Reader = Callable[[ImportSource, Context], Iterator[Item]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format.

    Parameters
    ----------
    name : what the caller says, and reports: small letters and underscores.
    title : what it is called in a sentence, in the plural.
    read : the generator of its items; None where its writer reads it.
    recognises : whether a file is of this format; None where only folders are.
    claims : whether a folder is one source of this format as a whole; it is then not walked. None where files are.
    naming : see there.
    is_text : whether each source is a text and gives one item, whose drafts replace the chunks of it in the store.
    is_conversation : whether what is found are messages (`messages_found` in reports).
    is_in_zip : whether it is read by `ImportSource.open`, so that it may lie in a zip.
    only_alone : left out where a path holds other formats (images belong to the texts beside them).
    working_folder : the folder in which a session ran; None where it does not say.
    project_without : a session's project where it does not say.
    digest : 16 or more hexadecimal digits that change when the source does, None where it cannot be told, so that it is
        read again each time; left out: of a file its hash, of a folder the names, sizes and times in it.
    parts : the names of other files that a file of this format stands for: where it is named alone, those of them that
        lie beside it are imported with it. May raise InvalidSource.
    comes_last : whether it is read after all that does not, since it leaves out what these bring.
    """

    name: str
    title: str
    read: Reader | None = None
    recognises: Callable[[Sample], bool] | None = None
    claims: Callable[[Listing], bool] | None = None
    naming: Naming = Naming.RECORDS
    is_text: bool = False
    is_conversation: bool = False
    is_in_zip: bool = False
    only_alone: bool = False
    working_folder: Callable[[ImportSource], str | None] | None = None
    project_without: Callable[[ImportSource], str] | None = None
    digest: Callable[[ImportSource], str | None] | None = None
    parts: Callable[[ImportSource], Sequence[str]] | None = None
    comes_last: bool = False
