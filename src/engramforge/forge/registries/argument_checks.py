"""Checks the arguments of the registries' verbs: ids, texts, tags, numbers of days."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from enum import StrEnum
from math import isfinite
from typing import Final

from engramforge.core.checks.validation import check_name, check_tags, check_text, check_word
from engramforge.errors import InvalidValue
from engramforge.forge.scoped import Ids
from engramforge.model.limits import CONTENT_BYTES, LISTED_PER_ENTRY, QUERY_CHARACTERS, RECALL_HITS
from engramforge.model.memory import Kind
from engramforge.model.registries.entry import EntryQuery
from engramforge.recall.request import listed, whole

_MOST_DAYS: Final = 36_500
_LETTERS: Final = {"D": Kind.DECISION, "T": Kind.THREAD}
"""What the local ids of a kind begin with."""


def rationale_of(rationale: str) -> str:
    """A rationale as text; empty for none. Raises InvalidValue."""
    return check_text(rationale, "rationale", CONTENT_BYTES) or "" if rationale else ""


def alternatives_of(alternatives: Ids) -> tuple[str, ...]:
    """Rejected alternatives, a text each. Raises InvalidValue."""
    given = several(alternatives, "rejected alternative")
    checked = (check_text(each, "rejected alternative", QUERY_CHARACTERS) for each in given)
    return tuple(each for each in checked if each is not None)


def names_of(named: Ids, what: str) -> tuple[str, ...]:
    """One or several ids. Raises InvalidValue."""
    return tuple(check_name(each, what) for each in several(named, what))


def several(values: Ids, what: str) -> tuple[str, ...]:
    """One or several values, within the limit of an entry. Raises InvalidValue."""
    given = (values,) if isinstance(values, str) else listed(values, what)
    if len(given) > LISTED_PER_ENTRY:
        raise InvalidValue(
            f"There are {len(given)} of what is a {what}, more than {LISTED_PER_ENTRY}",
            "Keep what matters most",
        )
    return given


def tags_of(tags: Ids) -> tuple[str, ...]:
    """One or several tags, each once. Raises InvalidValue."""
    return check_tags((tags,) if isinstance(tags, str) else listed(tags, "tag"))


def conversation_of(conversation: str | None) -> str | None:
    """The name of a conversation, if given. Raises InvalidValue."""
    return None if conversation is None else check_name(conversation, "conversation")


def local_id_of(local_id: str | None, kind: Kind, conversation: str | None) -> str | None:
    """What a conversation calls a decision (D001) or thread (T001), if given.

    Raises InvalidValue: it is without its conversation, or calls an entry of another kind so.
    """
    if local_id is None:
        return None
    name = check_name(local_id, "local_id")
    if conversation is None:
        raise InvalidValue(
            f"The local id {name!r} is given without its conversation"[:200], "Name the conversation"
        )
    others = "".join(letter for letter, its in _LETTERS.items() if its is not kind)
    if re.fullmatch(rf"[{others}]\d+", name, re.IGNORECASE):
        own = next(letter for letter, its in _LETTERS.items() if its is kind)
        raise InvalidValue(
            f"The local id {name!r} is that of a {_LETTERS[name[0].upper()]}, and this is a {kind}",
            f"Call it {own}{name[1:]}",
        )
    return name


def conversations_of(conversation: str | None) -> tuple[str, ...]:
    """The conversation to which a list is narrowed, if given. Raises InvalidValue."""
    return () if conversation is None else (check_name(conversation, "conversation"),)


def statuses_of(known: type[StrEnum], status: str | None) -> tuple[str, ...]:
    """The status to which a list is narrowed, if given. Raises InvalidValue."""
    if status is None or status == "all":
        return ()
    try:
        return (str(check_word(known, status, "status")),)
    except InvalidValue as error:
        raise InvalidValue(error.fault, f"{error.mend}; all is any of them") from None


def listing_of(
    kind: Kind,
    statuses: tuple[str, ...],
    conversation: str | None,
    local_id: str | None,
    tags: Ids,
    limit: int,
    offset: int,
) -> EntryQuery:
    """What a list of a registry asks for, ended entries included. Raises InvalidValue."""
    return EntryQuery(
        kind=kind,
        statuses=statuses,
        conversations=conversations_of(conversation),
        local_ids=() if local_id is None else (check_name(local_id, "local_id"),),
        tags=tags_of(tags),
        ended=True,
        limit=whole(limit, "limit", 1, RECALL_HITS),
        offset=whole(offset, "offset", 0, 2**62),
    )


def days_before(now: datetime, days: float) -> datetime:
    """The time this many days before now. Raises InvalidValue."""
    is_number = isinstance(days, int | float) and not isinstance(days, bool)
    if not is_number or not isfinite(days) or not 0 <= days <= _MOST_DAYS:
        raise InvalidValue(f"days is {days!r}"[:200], f"Give a number of days from 0 to {_MOST_DAYS:,}")
    return now - timedelta(days=days)
