"""An exported folder of pages: restored from its JSON lines, then from the decisions whose texts were edited."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from engramforge.capture.reading.format import Context, Format, Way
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import Listing, Source
from engramforge.core.text.page_marks import MANIFEST, SIDECAR
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from engramforge.capture.writers.batch import FileCount
    from engramforge.model.scope import Scope


def _claims(listing: Listing) -> bool:
    return {MANIFEST, SIDECAR} <= set(listing.files)


def _read(source: Source, context: Context) -> Iterator[Item]:
    """Never asked: the format writes by itself."""
    del context
    raise InvalidSource(f"{source.place} is brought back as a whole", "Import it without a format")


def _write(
    importing: Any, scope: Scope, source: Source, context: Context, count: FileCount
) -> Iterator[Item]:
    from engramforge.capture.writers.edited_pages import bring_back

    return bring_back(importing, scope, source, context, count)


FORMAT: Final = Format(
    name="engramforge_pages",
    title="folders of engramforge's own pages",
    read=_read,
    claims=_claims,
    way=Way.OWN,
    digest=lambda _: None,
    write=_write,
)
