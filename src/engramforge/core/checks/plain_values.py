"""Arguments of callers as plain Python: exact texts, numbers, lists and mappings, of a size that can be looked at.

What a caller passes may be anything: a text whose methods raise, an iterable without end, a list within itself. Checks
that come after may compare, count and print what they get. A type is asked for by `issubclass`, since `isinstance`
asks the object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from datetime import datetime, timezone
from itertools import islice
from math import inf
from numbers import Real
from operator import is_
from typing import Any, Final, TypeVar

from engramforge.core.checks.identities import quoted
from engramforge.errors import CallerError, EngramforgeError, InvalidContent, InvalidTime, InvalidValue
from engramforge.model.limits import METADATA_BYTES, METADATA_DEPTH, NAMES_PER_ARGUMENT
from engramforge.model.memory import Attachment, Chunk, Draft, Kind, ResolutionState, Source
from engramforge.model.registration import Registration
from engramforge.model.scope import Level

T = TypeVar("T")

LARGEST_INTEGER: Final = 2**63 - 1
_SHOWN: Final = 80
_DEEPEST: Final = METADATA_DEPTH + 4
"""The metadata of a draft in a list lie this much deeper than the list, at most; their own check says what is allowed.
"""
_NAME_OF_TYPE: Final = type.__dict__["__name__"].__get__
_PARTS_OF_MOMENTS: Final = tuple(
    getattr(datetime, name).__get__
    for name in ("year", "month", "day", "hour", "minute", "second", "microsecond")
)
_AS_THEY_ARE: Final = frozenset({bool, float, type(None), bytes, Kind, Source, Level, ResolutionState})
_RECORDS: Final = (Draft, Chunk, Attachment, Registration)


def shown(value: Any) -> str:
    """A value for a message: a plain one as it is written, cut; of any other its type."""
    kind = type(value)
    if kind is str:
        return quoted(value, _SHOWN)
    if kind is int and abs(value) > LARGEST_INTEGER:
        return f"a number of {value.bit_length()} bits"
    return repr(value) if kind in (int, float, bool, type(None)) else f"a {name_of(kind)}"


def name_of(kind: type) -> str:
    """The name of a type, cut; as it was made, since a type of a type may say anything else."""
    return str(_NAME_OF_TYPE(kind))[:_SHOWN]


def plain_text(value: str, what: str, error: type[CallerError] = InvalidValue) -> str:
    """A text of any subclass as one of `str`. Raises `error` if it has a NUL or a lone surrogate."""
    text = value if type(value) is str else str.__str__(value)
    if "\0" in text:
        raise error(
            f"The {what} has a NUL at character {text.index(chr(0))}", "Remove it: it is binary, not text"
        )
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as fault:
            raise error(
                f"The {what} has a lone surrogate U+{ord(text[fault.start]):04X} at character {fault.start}",
                "Decode the text again from its own encoding",
            ) from None
    return text


def plain_number(value: Any, what: str) -> float:
    """A real number; an integer stays one. Raises InvalidValue, also for booleans and integers of over 64 bits."""
    kind = type(value)
    number: float = value
    if kind is float:
        return number
    if kind is not bool and issubclass(kind, int):
        number = value if kind is int else int.__index__(value)
        if -LARGEST_INTEGER - 1 <= number <= LARGEST_INTEGER:
            return number
        value = number
    elif kind is not bool and issubclass(kind, Real):
        return obtained(lambda: float(value), what)
    least, most = -LARGEST_INTEGER - 1, LARGEST_INTEGER
    is_wide = kind is not bool and issubclass(kind, int)
    mend = f"Give a number from {least:,} to {most:,}" if is_wide else "Give a number"
    raise InvalidValue(f"The {what} is {shown(value)}", mend)


def within_floats(value: Any) -> Any:
    """An integer of over 64 bits as a float, an infinite one if need be: a check of a range refuses it, and shows it.
    Anything else as it is."""
    if type(value) is not int or abs(value) <= LARGEST_INTEGER:
        return value
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def plain_moment(value: Any, what: str) -> str | datetime:
    """A time as text or as a datetime, an aware one of a zone of Python's own. Raises InvalidTime."""
    kind = type(value)
    if issubclass(kind, str):
        return plain_text(value, what, InvalidTime)
    if not issubclass(kind, datetime):
        raise InvalidTime(f"The {what} is {shown(value)}", "Give an aware datetime, or ISO text")
    offset = obtained(lambda: datetime.utcoffset(value), what, InvalidTime)
    if kind is datetime and type(value.tzinfo) in (timezone, type(None)):
        return value  # type: ignore[no-any-return]
    # Somebody else's zone may answer differently the next time, and so may somebody else's datetime.
    year, month, day, hour, minute, second, microsecond = (part(value) for part in _PARTS_OF_MOMENTS)
    zone = None if offset is None else timezone(offset)
    return datetime(year, month, day, hour, minute, second, microsecond, zone)


def members(values: Any, what: str, most: int = NAMES_PER_ARGUMENT) -> list[Any]:
    """The members of an iterable, which may have no end; of a set, in order. Raises InvalidValue: too many, or none."""
    kind = type(values)
    if not issubclass(kind, Iterable) or issubclass(kind, str | Mapping | bytes | bytearray | memoryview):
        raise InvalidValue(f"The {what} is {shown(values)}", "Give a list")
    found: list[Any] = obtained(lambda: list(islice(iter(values), most + 1)), what)
    if len(found) > most:
        raise InvalidValue(f"The {what} has more than {most:,} members", "Give fewer in one call")
    is_unordered = issubclass(kind, set | frozenset) and all(type(each) is str for each in found)
    return sorted(found) if is_unordered else found


def plain_names(values: Any, what: str) -> str | tuple[str, ...]:
    """A name, or several. Raises InvalidValue."""
    if issubclass(type(values), str):
        return plain_text(values, what)
    several = members(values, what)
    for each in several:
        if not issubclass(type(each), str):
            raise InvalidValue(f"The {what} has {shown(each)} in it", "Give a name, or a list of names")
    return tuple(plain_text(each, what) for each in several)


def plain_mapping(value: Any, what: str, depth: int = 0) -> dict[Any, Any]:
    """A mapping with all that it holds. Raises InvalidValue: it is none, or nests too deep."""
    kind = type(value)
    if not issubclass(kind, Mapping):
        raise InvalidValue(f"The {what} is {shown(value)}", "Give a mapping")
    pairs = obtained(lambda: [(key, each) for key, each in islice(value.items(), METADATA_BYTES + 1)], what)
    if len(pairs) > METADATA_BYTES:
        raise InvalidValue(f"The {what} has more than {METADATA_BYTES:,} fields", "Give fewer")
    plain = {}
    for key, each in pairs:
        if not issubclass(type(key), str):
            raise InvalidValue(f"The {what} has the key {shown(key)}, which is not text", "Use texts as keys")
        name = plain_text(key, what)
        plain[name] = plain_value(each, name[:_SHOWN], depth + 1)
    is_plain = kind is dict and all(plain.get(name, pairs) is each for name, each in pairs)
    return value if is_plain else plain


def plain_value(value: Any, what: str, depth: int = 0) -> Any:
    """Anything that a field may hold. Raises InvalidValue: it is of a type that no field has, or nests too deep."""
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if depth > _DEEPEST:
        raise InvalidValue(f"The {what} nests deeper than {METADATA_DEPTH} levels", "Flatten it")
    if issubclass(kind, str):
        # What a text may hold depends on its field, whose own check says it.
        return value if kind is str else str.__str__(value)
    if issubclass(kind, Real):
        return plain_number(value, what)
    if issubclass(kind, datetime):
        return plain_moment(value, what)
    if issubclass(kind, Mapping):
        return plain_mapping(value, what, depth)
    if issubclass(kind, _RECORDS):
        held = {field.name: getattr(value, field.name) for field in fields(value)}
        if type(held.get("registration")) not in (Registration, type(None)):
            raise InvalidValue("The registration of a draft is none", "Leave it out: the registries set it")
        changed = {
            name: each
            for name, before in held.items()
            if type(before) is not str and (each := plain_value(before, name, depth + 1)) is not before
        }
        return replace(value, **changed) if changed else value
    if issubclass(kind, bytes | bytearray):
        return bytes(memoryview(value))
    if issubclass(kind, list | tuple | set | frozenset):
        several = members(value, what, METADATA_BYTES)
        plain = [plain_value(each, what, depth + 1) for each in several]
        if kind in (list, tuple) and all(map(is_, several, plain)):
            return value
        if issubclass(kind, set | frozenset):
            return frozenset(plain)
        return plain if issubclass(kind, list) else tuple(plain)
    if hasattr(kind, "__fspath__"):
        path = obtained(lambda: kind.__fspath__(value), what)
        if issubclass(type(path), str):
            return str.__str__(path)
    error = InvalidContent if what == "content" else InvalidTime if what.endswith("_at") else InvalidValue
    raise error(f"The {what} is {shown(value)}", "Use texts, numbers, booleans, lists and mappings")


def obtained(ask: Callable[[], T], what: str, error: type[CallerError] = InvalidValue) -> T:
    """What an object of the caller's answers. Raises `error` if it raises, whatever that is."""
    try:
        return ask()
    except EngramforgeError:
        raise
    except Exception as fault:
        raise error(
            f"The {what} cannot be read: it raised a {name_of(type(fault))}", "Pass another"
        ) from fault
