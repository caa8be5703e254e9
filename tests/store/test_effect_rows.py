"""What a write did is read back from its row as it was written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from engramforge.model.storing.effect import Effect, LinkChange, Step, Use, UseChange
from engramforge.model.storing.record import AuditEntry
from engramforge.store.rows import audit_line_of, audit_row

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
TEXT = st.text('ab"\\é🙂', max_size=6)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
LINKS = st.lists(st.builds(LinkChange, TEXT, TEXT), max_size=2).map(tuple)
TIMES = st.none() | st.integers(0, 10**15).map(lambda micros: AT + timedelta(microseconds=micros))
USES = st.builds(Use, TIMES, st.integers(0, 10**6), st.integers(0, 10**6))
EFFECTS = st.builds(
    Effect,
    id=TEXT,
    step=st.sampled_from(Step),
    made=TEXTS,
    closed=TEXTS,
    linked=LINKS,
    unlinked=LINKS,
    uses=st.lists(st.builds(UseChange, TEXT, USES, USES, TEXTS, TEXTS), max_size=2).map(tuple),
    of=TEXT,
    takes_back=TEXT,
    stands_for=st.dictionaries(TEXT, TEXT, max_size=2),
)


@given(effect=st.none() | EFFECTS)
def test_a_line_is_read_back(effect: Effect | None) -> None:
    line = AuditEntry(AT, "revise", "subject", "agent", "reason", effect)
    assert audit_line_of(audit_row(line, "acme")) == line  # type: ignore[arg-type]
