"""Forgotten words where nobody could remove them: in the reasons of forgets, and in links that were ended.

Who may still say something is told by the proof; these are nobody's to forget, so a forget takes the words out of them.
What counts as telling is what counts for the proof.
"""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

from engramforge.store import schema
from engramforge.store.erasing.finding import Finder
from engramforge.store.erasing.holders import Saying
from engramforge.store.reading.predicates import both_ends, portions
from engramforge.store.rows import dump, text_id
from engramforge.store.writing.ledger import Write

_UNSAID: Final = dump({"emotion_vector": {}, "goal": "unstated", "mindstate": "captured"})
"""What a link has to say of itself, when nothing is said."""


def clear_words(write: Write, reason: str) -> str:
    """Take what was forgotten in this write out of the reasons of earlier forgets and out of ended links; the reason of
    this one, or none if it says it, too."""
    finder = Finder(parts := write.forgotten.said())
    link, audit = schema.link, schema.audit
    links = sa.select(link.c.seq, link.c.id, link.c.felt)
    links = links.where(*both_ends(write.scope), link.c.expired_at.is_not(None))
    lines = sa.select(audit.c.seq, audit.c.subject, audit.c.reason)
    lines = lines.where(audit.c.tenant == write.tenant, audit.c.action == "forget", audit.c.reason != "")
    ended, said = _having(write, links, finder), _having(write, lines, finder)
    own = [(part, reason) for _, part in finder.places(reason.encode())] if reason else []
    if not (ended or said or own):
        return reason
    saying = Saying(write.connection, write.scope, write.forgotten.contents)
    told = saying.told(parts)
    its = [row for row in ended if text_id(row[1]) in told["link"]]
    for portion in portions(row[0] for row in its):
        of_them = (link.c.tenant == write.tenant, link.c.seq.in_(portion))
        write.connection.execute(sa.update(link).where(*of_them).values(felt=_UNSAID))
    # What was said when they were ended, too.
    its += [row for row in said if row[1] in told["reason"]]
    for portion in portions(each if isinstance(each, str) else text_id(each) for _, each, _ in its):
        where = (audit.c.tenant == write.tenant, audit.c.subject.in_(portion), audit.c.reason != "")
        write.connection.execute(sa.update(audit).where(*where).values(reason=""))
    write.forgotten.labels.add(text for *_, text in its)
    return "" if own and saying.is_told_by(own) else reason


def _having(write: Write, statement: sa.Select[Any], finder: Finder) -> list[Any]:
    """The rows whose last column has a part."""
    rows = write.connection.execute(statement) if finder else ()
    return [row for batch in finder.among(rows, lambda row: str(row[-1])) for row, _ in batch]
