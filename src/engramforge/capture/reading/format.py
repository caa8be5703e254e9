"""What a format is: how it is recognised, how it is read, and which project its memories get.

To add a format, write a module with a generator of `Item` (see records) and a recogniser, and add its `Format` to
formats/table. A format whose records are not plain memories also needs a writer (imports/importing maps formats to
writers).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol

from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource, Listing, Sample
from engramforge.model.memory import DEFAULT_PROJECT


class Naming(StrEnum):
    """Where the project of a source comes from if the caller names none.

    RECORDS: from each record, by the reader; FOLDER: the name of the imported folder; WORKING_FOLDER: the folder that
    the session ran in (`Format.working_folder`), under a name that never changes.
    """

    RECORDS = "records"
    FOLDER = "folder"
    WORKING_FOLDER = "working_folder"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What a rule sees of a conversation without a project; texts may be empty.

    `source` is the place of its file, `session` its id, as its memories have it.
    """

    title: str
    first_text: str
    source: str
    session: str = ""


Assign = Callable[[Conversation], str | None]
"""The caller's rules: a conversation -> its project, or None if no rule matches."""


NOTHING_FOUND: Final[Mapping[str, str]] = {}
NO_FIELDS: Final[Mapping[str, str]] = {}
"""Where a caller maps none."""


class Clean(Protocol):
    """Takes secrets and private parts out of a text."""

    def __call__(self, text: str, known: Mapping[str, str] = NOTHING_FOUND, /) -> str:
        """The text without them, and without what is `known` of its other portions."""


Find = Callable[[str], Mapping[str, str]]
"""A portion of a text -> the secrets that are to be taken out of its other portions, too."""


def found_nothing(_: str) -> Mapping[str, str]:
    """No secrets."""
    return NOTHING_FOUND


def unchanged(text: str, _: Mapping[str, str] = NOTHING_FOUND, /) -> str:
    """The text itself."""
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a reader knows in addition to its source.

    `project`: the project found by `Format.naming`; None if the records say it, or nothing does. `asked_project`: the
    caller's project for everything, if any. `now`: the latest time of any memory. `mtime`: when the source was last
    written; used for records without a time. `root`: the path that is imported, a folder or a file. `assign`: the
    caller's rules for conversations without a project. `clean`: takes secrets and private parts out of a text, whole,
    before it is cut: half a secret does not look like one; `find`: what of a portion has to go
    from the others of its text. `sources`: everything that is imported together. `since`:
    leave out what became true before this time; None for all. The import itself leaves out records with a time of their
    own. `fields`: field of `Draft` -> its name in a stranger's JSONL; empty where it has our names.
    """

    project: str | None
    asked_project: str | None
    now: datetime
    mtime: datetime
    root: Path
    assign: Assign = lambda _: None
    clean: Clean = unchanged
    find: Find = found_nothing
    sources: tuple[ImportSource, ...] = ()
    since: datetime | None = None
    fields: Mapping[str, str] = field(default_factory=dict)

    def project_of(self, conversation: Conversation, otherwise: str) -> str:
        """The project of a conversation: the caller's, else by the rules, else the given one."""
        return self.asked_project or self.assign(conversation) or self.project or otherwise

    @property
    def own_project(self) -> str:
        """The project of records without one."""
        return self.project or DEFAULT_PROJECT

    def dated(self, at: datetime | None) -> datetime:
        """A time, else the source's; never later than now."""
        return min(at or self.mtime, self.now)


Reader = Callable[[ImportSource, Context], Iterator[Item]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format.

    Parameters
    ----------
    name : for callers and reports, in lower-case letters and underscores.
    title : its name in a sentence, in the plural.
    read : the generator of its items; of none if its writer reads it.
    recognises : whether a file is of this format; None if only folders are.
    claims : whether a folder as a whole is a source of this format, and is then not walked; None if only files are.
    naming : see `Naming`.
    is_text : whether each source is a text that gives a single item, whose drafts replace its stored chunks.
    is_conversation : whether its records are messages (`messages_found` in reports).
    is_in_zip : whether it is read by `ImportSource.open`, so that it may lie in a zip.
    only_alone : left out if a path holds other formats (images belong to the texts beside them).
    working_folder : the folder in which a session ran; None if it does not say.
    project_without : a session's project if it does not say.
    digest : 16 or more hexadecimal digits that change with the source, or None to read it again each time; by default
        the hash of a file, or of the names, sizes and times in a folder.
    parts : the names of other files that a file of this format stands for; if it is imported alone, those beside it are
        imported too. May raise InvalidSource.
    comes_last : whether it is read after all others, since it leaves out what these contain.
    """

    name: str
    title: str
    read: Reader = lambda *_: iter(())
    recognises: Callable[[Sample], bool] | None = None
    claims: Callable[[Listing], bool] | None = None
    naming: Naming = Naming.RECORDS
    is_text: bool = False
    is_conversation: bool = False
    is_in_zip: bool = False
    only_alone: bool = False
    working_folder: Callable[[ImportSource], str | None] = lambda _: None
    project_without: Callable[[ImportSource], str] | None = None
    digest: Callable[[ImportSource], str | None] | None = None
    parts: Callable[[ImportSource], Sequence[str]] | None = None
    comes_last: bool = False
