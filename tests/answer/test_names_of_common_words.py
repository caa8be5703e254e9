"""Of the many memories that have a common word those are told that come first: decisions, then the newest."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import engramforge
from engramforge.answer.injection.naming import Asked, with_names
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf

BEGAN = datetime(2026, 3, 1, tzinfo=UTC)
NOTES = 40


def test_decisions_and_then_the_newest(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as em:
        em.decisions.create("The harbour has one gate", project="port", valid_at=BEGAN)
        # Two of each time, and not in the order of their times.
        for number in sorted(range(NOTES), key=lambda each: each * 7 % NOTES):
            at = BEGAN + timedelta(days=1 + number // 2)
            em.remember(f"The harbour was dredged, part {number}.", project="port", valid_at=at)
        now = datetime.now(UTC)
        with em._stages.door.asking(em._scope.within("port")) as view:
            found, _ = with_names(view, Selection(as_of=AsOf(now, now)), Asked(["harbour"], 6))
    first, *notes = found
    assert first.content == "The harbour has one gate"
    days = [(each.valid_at - BEGAN).days for each in notes]
    assert days == [20, 20, 19, 19, 18]
