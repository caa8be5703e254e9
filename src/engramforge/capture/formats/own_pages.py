"""An exported folder of pages: restored from its JSON lines, then from the decisions whose texts were edited."""

from __future__ import annotations

from typing import Final

from engramforge.capture.reading.format import Format
from engramforge.core.text.page_marks import MANIFEST, SIDECAR

FORMAT: Final = Format(
    name="engramforge_pages",
    title="engramforge's own pages",
    claims=lambda listing: {MANIFEST, SIDECAR} <= set(listing.files),
    digest=lambda _: None,
)
