"""Writing links, and ending them: check -> find both ends -> redact -> recognise -> write.

Nothing is deleted: the recorded interval of a wrong link is closed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from engramforge.core.checks.link_validation import CheckedLink, Faults, check_link
from engramforge.core.checks.validation import check_name
from engramforge.errors import Conflict, InvalidContent, InvalidValue, NotFound
from engramforge.model.link import METADATA_FIELDS, REQUIRED_FIELDS, Link, Linked, Unlinked
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.time import InvalidationReason, from_micros, to_micros
from engramforge.store.door import Door, Transaction
from engramforge.writing.preparing import new_id
from engramforge.writing.redact import Redactor

_ID = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_LAST_MICROSECOND: Final = to_micros(datetime.max.replace(tzinfo=UTC))
_NOT_TEXT: Final = frozenset(
    {"energy", "confidence", "energy_transfer_coefficient", "resolution_state", "emotion_vector"}
)


@dataclass(frozen=True, slots=True)
class LinkRequest:
    """A requested link: its ends by version id or logical id, and fields by name."""

    source_id: str
    target_id: str
    relation: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Linkage:
    """Writes and ends links.

    `door`: where to. `redactor`: takes secrets out of the texts. `clock`: the time of the write, timezone-aware.
    """

    door: Door
    redactor: Redactor
    clock: Callable[[], datetime]

    def link(self, scope: Scope, request: LinkRequest) -> Linked:
        """Write one link; it is durable when this returns.

        Repeating the same link writes nothing. A different link with the same ends and relation may not hold at the
        same time.

        Raises InvalidValue, InvalidTime, NotFound: the link is not valid; every fault is named. Raises InvalidContent:
        nothing of a REQUIRED text is left after redaction. Raises Conflict: the ends have such a link already, with
        other metadata.
        """
        return self._linked(scope, {"The link": request})[0]

    def link_many(self, scope: Scope, requests: Sequence[LinkRequest]) -> list[Linked]:
        """Write many links in one transaction; as `link` for each. A fault in any changes nothing and is raised.

        A repeated link among them is written once.
        """
        return self._linked(scope, {f"Link {place}": each for place, each in enumerate(requests, 1)})

    def _linked(self, scope: Scope, requests: Mapping[str, LinkRequest]) -> list[Linked]:
        """Write links, named as errors name them, in one transaction."""
        now = self.clock()
        ends = {
            end
            for request in requests.values()
            for end in (request.source_id, request.target_id)
            if isinstance(end, str)
        }
        view = self.door.asking(scope)
        whole = {end: view.whole_id(end.strip()) for end in ends}
        known = view.fetch(whole.values())
        found = {end: known[its] for end, its in whole.items() if its in known}
        there: dict[str, list[Link]] = {}
        for other in view.links(sorted({memory.logical_id for memory in found.values()})):
            there.setdefault(other.source_id, []).append(other)
        answers: list[Linked] = []
        for name, request in requests.items():
            faults = Faults()
            checked = check_link(request.relation, request.fields, now, faults)
            source, target = _ends_among(found, request, faults)
            faults.refuse(name)
            assert checked is not None
            link, warnings, redacted = self._made(checked, source, target)
            same = _there(there.get(source, []), link, valid_given=request.fields.get("valid_at") is not None)
            if same is None:
                there.setdefault(source, []).append(link)
            answers.append(Linked(same or link, warnings, same is None, redacted))
        fresh = [answer.link for answer in answers if answer.written]

        def work(writes: Transaction) -> None:
            writes.link(fresh)
            for link in fresh:
                writes.audit("link", link.id, f"from {link.source_id} to {link.target_id}", now)

        if fresh:
            self.door.write(scope, work)
        return answers

    def unlink(self, scope: Scope, link_id: str, reason: str) -> Unlinked:
        """Close a link's recorded interval now, as discovered_false. Raises NotFound if it is not open."""
        asked = self.door.asking(scope).whole_id(link_id.strip(), of_link=True)
        if not _ID.fullmatch(asked):
            raise NotFound(
                f"There is no open link {link_id[:100]!r}", "List the links of one of its memories"
            )
        said = self.redactor.redact(check_name(reason, "reason")).text if reason else ""
        now = max(self.clock(), _after_making(asked))

        def work(writes: Transaction) -> None:
            writes.expire_link(asked, now, InvalidationReason.DISCOVERED_FALSE)
            writes.audit("unlink", asked, said, now)

        self.door.write(scope, work)
        return Unlinked(asked, now, said)

    def _made(self, checked: CheckedLink, source: str, target: str) -> tuple[Link, tuple[str, ...], int]:
        """The link with its texts redacted, its warnings, and how many secrets were replaced."""
        secrets = Counter[str]()
        cleaned = redacted_texts(checked, self.redactor, secrets)
        emptied = [name for name, text in cleaned.items() if isinstance(text, str) and not text.strip()]
        if lost := [name for name in emptied if name in REQUIRED_FIELDS]:
            raise InvalidContent(
                f"Nothing of {', '.join(lost)} is left to store: it is private or was injected",
                "Write something outside <private>",
            )
        kept = {name: text for name, text in cleaned.items() if name not in emptied}
        dropped = tuple(f"{name} was left out: it is private or was injected" for name in emptied)
        link = new_link(checked, source, target, kept)
        return link, checked.warnings + dropped, secrets.total()


def redacted_texts(
    checked: CheckedLink, redactor: Redactor, secrets: Counter[str] | None = None
) -> dict[str, Any]:
    """The texts of a link's metadata and its `extra` after redaction, which may leave nothing; `secrets` counts."""
    texts = {name: value for name, value in checked.metadata.items() if name not in _NOT_TEXT}
    return redactor.redact_values({**texts, "extra": checked.extra}, secrets)


def new_link(checked: CheckedLink, source: str, target: str, texts: Mapping[str, Any]) -> Link:
    """The link between two logical ids, with these texts in its metadata."""
    return Link(
        id=new_id(),
        source_id=source,
        target_id=target,
        relation=checked.relation,
        valid_at=checked.valid_at,
        invalid_at=checked.invalid_at,
        created_at=checked.recorded_at,
        **{name: value for name, value in checked.metadata.items() if name in _NOT_TEXT},
        **texts,
    )


def _ends_among(found: Mapping[str, Memory], request: LinkRequest, faults: Faults) -> tuple[str, str]:
    """The logical ids of both ends; a missing one, and a link to itself, are faults."""
    asked = {"source": request.source_id, "target": request.target_id}
    ends: dict[str, str] = {}
    for role, end in asked.items():
        if not isinstance(end, str) or not end.strip():
            said = f"{role}_id is missing" if end is None else f"{role}_id is {str(end)[:40]!r}"
            faults.add(InvalidValue(said, "Give the ids of two memories as source_id and target_id"))
        elif end not in found:
            faults.add(
                NotFound(f"There is no memory {end[:100]!r} ({role})", "Find its id with recall or list")
            )
        else:
            ends[role] = found[end].logical_id
    if len(ends) == len(asked) and ends["source"] == ends["target"]:
        faults.add(
            InvalidValue(
                f"The link goes from the memory {ends['source']} to itself",
                "Link two memories; a new version is linked by revise and supersede",
            )
        )
    return ends.get("source", ""), ends.get("target", "")


def _there(others: Sequence[Link], link: Link, valid_given: bool) -> Link | None:
    """The same link if it is on record; raises Conflict for a different one that holds at the same time.

    `others`: links from the same source.
    """
    for other in others:
        same_place = (other.target_id, other.relation) == (link.target_id, link.relation)
        begins_too_late = other.invalid_at is not None and link.valid_at >= other.invalid_at
        ends_too_early = link.invalid_at is not None and other.valid_at >= link.invalid_at
        if not same_place or begins_too_late or ends_too_early:
            continue
        if _says_the_same(other, link, valid_given):
            return other
        raise Conflict(
            f"{link.source_id} is linked {link.relation} to {link.target_id} already, by {other.id}",
            "Unlink that one first, or give valid_at and invalid_at that do not overlap with its own",
        )
    return None


def _after_making(link_id: str) -> datetime:
    """The first millisecond after a link's id was made: a link ends after it began, even when the clock was set back.

    A UUIDv7 begins with the milliseconds since 1970 (RFC 9562, section 5.7); another id tells no time.
    """
    number = UUID(link_id)
    made_ms = number.int >> 80 if number.version == 7 else 0
    return from_micros(min((made_ms + 1) * 1_000, _LAST_MICROSECOND))


def _says_the_same(old: Link, new: Link, valid_given: bool) -> bool:
    # Without a given valid time a repeated call has a later one; it is still the same link.
    if valid_given and old.valid_at != new.valid_at:
        return False
    names = ("invalid_at", "extra", *METADATA_FIELDS)
    return all(getattr(old, name) == getattr(new, name) for name in names)
