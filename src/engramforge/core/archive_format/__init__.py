"""The text of an archive: written from an `ArchiveContent`, read back, recognised (spec chapter 7).

Markdown with a YAML head. Every free text stands in quoted lines, so nothing in it can be taken for structure: what is
written is read back exactly, and a person can still read and edit it. `writing` and `reading` are the two ways;
`shapes` says what entries and tables look like, `forms` how single values do; `older` reads archives of other tools.
What must not enter: clocks, stores, what becomes of an archive.
"""

from engramforge.core.archive_format.reading import read_archive
from engramforge.core.archive_format.recognition import is_archive
from engramforge.core.archive_format.writing import write_archive, write_entry

__all__ = ["is_archive", "read_archive", "write_archive", "write_entry"]
