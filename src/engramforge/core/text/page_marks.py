"""The marks in Markdown pages by which edited texts are recognised: an export writes them, an import reads them.

A mark is an HTML comment that names the entry, its version and a hash of the text as it was written. Comments within a
text are escaped, so no content can pretend to be a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

MANIFEST: Final = "engramforge-export.json"
"""The file that lists the other files of an exported folder."""
SIDECAR: Final = "memory.jsonl"
"""The complete content of the pages, as JSON lines."""
DECISIONS_PAGE: Final = "decisions.md"
TEXT: Final = "decision"
RATIONALE: Final = "rationale"
_REGION: Final = re.compile(
    r"(?ms)^<!-- (decision|rationale) (dec_[0-9a-f]{12}) version (\d{1,9}) ([0-9a-f]{16}) -->[ \t]*\r?\n(.*?)"
    r"^<!-- end -->[ \t]*\r?$"
)


@dataclass(frozen=True, slots=True)
class Region:
    """A marked text.

    `what`: decision or rationale. `entry_id`, `version`: whose it is, and of which version. `text`: as it stands there
    now. `is_edited`: whether it differs from what was written. `line`: where it begins, from 1.
    """

    what: str
    entry_id: str
    version: int
    text: str
    is_edited: bool
    line: int


def marked(what: str, entry_id: str, version: int, text: str) -> str:
    """A text between its marks, as lines."""
    shown = escaped(text)
    return f"<!-- {what} {entry_id} version {version} {_hash(text)} -->\n{shown}\n<!-- end -->\n"


def regions_in(page: str) -> Iterator[Region]:
    """The marked texts of a page, in order."""
    line = position = 0
    for match in _REGION.finditer(page):
        line += page.count("\n", position, match.start())
        position = match.start()
        what, entry_id, version, digest, shown = match.groups()
        text = unescaped(shown.replace("\r\n", "\n").removesuffix("\n"))
        yield Region(what, entry_id, int(version), text, _hash(text) != digest, line + 1)


def escaped(text: str) -> str:
    """A text in which nothing begins a comment; `unescaped` gives it back."""
    return text.replace("&", "&amp;").replace("<!--", "&lt;!--") if "<!--" in text or "&" in text else text


def unescaped(text: str) -> str:
    """The inverse of `escaped`, also for text that a person wrote."""
    return text.replace("&lt;!--", "<!--").replace("&amp;", "&")


def _hash(text: str) -> str:
    """A hash that ignores spaces at the ends of lines."""
    plain = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return blake2b(plain.encode("utf-8", "replace"), digest_size=8).hexdigest()
