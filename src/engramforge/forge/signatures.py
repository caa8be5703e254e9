"""Checks the arguments of every public verb against the verb's own signature, before the verb begins.

A verb says in its annotations what it takes; the table here says, for each word of an annotation, which types are that
and how others are read or refused. So a verb gets plain values of the types that it names, and no face nor verb checks
types again; ranges, lengths and vocabularies are the verbs' own to check. What is no argument of the verb, and what it
misses, is Python's own TypeError, as of any function.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial, wraps
from types import CodeType, FunctionType
from typing import Any, Final, TypeVar

from engramforge.core.checks.plain_values import (
    members,
    obtained,
    plain_mapping,
    plain_moment,
    plain_names,
    plain_number,
    plain_text,
    plain_value,
    shown,
    within_floats,
)
from engramforge.core.checks.validation import check_content
from engramforge.errors import InvalidContent, InvalidValue
from engramforge.forge.one_thread import ONE_THREAD
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.limits import MEMORIES_PER_CALL

V = TypeVar("V", bound=Callable[..., Any])
Check = Callable[[Any, str], Any]
"""An argument and its name; what the verb gets."""


def _text(value: Any, what: str) -> str:
    if not issubclass(type(value), str):
        raise InvalidValue(f"The {what} is {shown(value)}", "Give a text")
    return plain_text(value, what)


def _texts(value: Any, what: str) -> dict[str, str]:
    return {name: _text(each, f"value in the {what}") for name, each in plain_mapping(value, what).items()}


def _content(value: Any, what: str) -> str:
    """The content of a memory; bytes are read as UTF-8."""
    if issubclass(type(value), bytes | bytearray):
        return check_content(bytes(memoryview(value)))
    if not issubclass(type(value), str):
        raise InvalidContent(f"The {what} is {shown(value)}, not text", "Pass a str")
    return plain_text(value, what, InvalidContent)


def _switch(value: Any, what: str) -> bool:
    if type(value) is not bool:
        raise InvalidValue(f"The {what} is {shown(value)}", "Give True or False")
    return value


def _whole(value: Any, what: str) -> int:
    number = plain_number(value, what)
    if type(number) is float and number.is_integer():
        return plain_number(int(number), what)  # type: ignore[return-value]
    if type(number) is float:
        raise InvalidValue(f"The {what} is {shown(number)}", "Give a whole number")
    return number  # type: ignore[return-value]


def _ranged(value: Any, what: str) -> int:
    """A whole number whose verb says from where to where it may be: also of one that is no integer of 64 bits."""
    wide = within_floats(value)
    return _whole(value, what) if wide is value else wide


def _share(value: Any, what: str) -> float:
    return plain_number(within_floats(value), what)


def _path(value: object, what: str) -> str:
    """A path as text that the system can take. Raises InvalidValue, which does not show it: it may be a URL."""
    kind = type(value)
    if not issubclass(kind, str | os.PathLike):
        raise InvalidValue(f"The {what} is {shown(value)}", "Name a file or a folder; . is the current one")
    path = obtained(lambda: os.fspath(value), what)  # type: ignore[call-overload]
    if not issubclass(type(path), str):
        raise InvalidValue(f"The {what} is {shown(path)}", "Give a path of text")
    text = path if type(path) is str else str.__str__(path)
    try:
        is_usable = bool(text) and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        is_usable = False
    if not is_usable:
        raise InvalidValue(f"The {what} is no path", "Name a file or a folder; . is the current one")
    return text


def _called(value: Any, what: str) -> Any:
    if not callable(value):
        raise InvalidValue(f"The {what} is {shown(value)}", "Give a function, or leave it out")
    return value


def _stop(value: Any, what: str) -> Any:
    if not all(obtained(lambda: callable(getattr(value, name, None)), what) for name in ("is_set", "wait")):  # noqa: B023
        raise InvalidValue(f"The {what} is {shown(value)}", "Give a threading.Event")
    return value


def _stream(value: Any, what: str) -> Any:
    if issubclass(type(value), str) or not obtained(lambda: callable(getattr(value, "write", None)), what):
        return _path(value, what)
    return value


def _image(value: Any, what: str) -> str | bytes:
    if issubclass(type(value), bytes | bytearray):
        return bytes(memoryview(value))
    return _path(value, what)


def _images(value: Any, what: str) -> list[str | bytes]:
    return [_image(each, what) for each in members(value, what)]


def _embedding(value: Any, what: str) -> QueryEmbedding:
    if type(value) is not QueryEmbedding:
        raise InvalidValue(f"The {what} is {shown(value)}", "Pass what embed_query returned, or leave it out")
    return value


def _pair(value: Any, what: str) -> tuple[int, int]:
    ends = [_whole(each, what) for each in members(value, what)]
    if len(ends) != 2:
        raise InvalidValue(f"The {what} has {len(ends)} members", "Give [start, end) in characters")
    return ends[0], ends[1]


def _statements(values: Any, what: str) -> list[tuple[str, str]]:
    pairs = [
        [_text(each, f"text in the {what}") for each in members(value, what)]
        for value in members(values, what, _PAIRS)
    ]
    if any(len(pair) != 2 for pair in pairs):
        raise InvalidValue(f"An item of {what} is no pair of texts", "Give two texts each")
    return [(one, other) for one, other in pairs]


def _numbers(value: Any, what: str) -> list[int]:
    return [_whole(each, what) for each in members(value, what)]


def _records(values: Any, what: str, each: Check) -> Iterator[Any]:
    """Records one by one, so that more can be written than fit into memory."""
    kind = type(values)
    if not issubclass(kind, Iterable) or issubclass(kind, str | Mapping | bytes | bytearray | memoryview):
        raise InvalidValue(f"The {what} are {shown(values)}", "Give a list of mappings")
    return _each_record(obtained(lambda: iter(values), what), what, each)


def _each_record(records: Iterator[Any], what: str, each: Check) -> Iterator[Any]:
    for _ in range(MEMORIES_PER_CALL):
        record = obtained(lambda: next(records, records), what)
        if record is records:
            return
        yield each(record, what)
    if obtained(lambda: next(records, records), what) is not records:
        raise InvalidValue(
            f"There are more than {MEMORIES_PER_CALL:,} {what}; that many were written",
            "Give the others in further calls",
        )


def _lenses(value: Any, what: str) -> str | list[Mapping[str, Any]]:
    """Projects in a lens, or such a list as JSON."""
    if issubclass(type(value), str):
        return plain_text(value, what)
    return list(_records(value, what, plain_mapping))


def _as_it_is(value: Any, what: str) -> Any:  # noqa: ARG001 - one of the checks
    return value


_EVENT_FIELDS: Final = 20_000
_PAIRS: Final = 100_000


def _event(value: Any, what: str) -> Mapping[str, Any]:
    """What a host says of an event; whatever is not sound in it, its verb passes over."""
    if not issubclass(type(value), Mapping):
        raise InvalidValue(f"The {what} is {shown(value)}", "Give what the host said, as a mapping")
    names = members(obtained(lambda: iter(value), what), what, _EVENT_FIELDS)
    return obtained(lambda: {str(name): value[name] for name in names}, what)


_CHECKS: Final[Mapping[str, Check]] = {
    "bool": _switch,
    "int": _ranged,
    "float": _share,
    **dict.fromkeys(
        ("str", "TemporalMode | str", "Level | str", "DecisionStatus | str", "CompressionMode | str"), _text
    ),
    "Content": _content,
    "Moment": plain_moment,
    **dict.fromkeys(("Ids", "Sequence[str]", "str | Sequence[str]"), plain_names),
    "Sequence[int]": _numbers,
    "tuple[int, int]": _pair,
    "Sequence[tuple[str, str]]": _statements,
    **dict.fromkeys(("str | os.PathLike[str]", "Place"), _path),
    "str | os.PathLike[str] | IO[bytes]": _stream,
    "str | os.PathLike[str] | bytes": _image,
    "Sequence[Image]": _images,
    "QueryEmbedding": _embedding,
    "Mapping[str, str]": _texts,
    "Iterable[Draft | DraftMapping]": partial(_records, each=plain_value),
    "Iterable[Mapping[str, Any]]": partial(_records, each=plain_mapping),
    **dict.fromkeys(("Callable", "Progress"), _called),
    **dict.fromkeys(("Share", "Said", "Emotions", "Senses", "Any"), plain_value),
    **dict.fromkeys(("Unpack[ChangedFields]", "Unpack[DraftFields]"), plain_value),
    "Stop": _stop,
    **dict.fromkeys(("Environment", "Events"), _as_it_is),
    "Event": _event,
    "Lenses": _lenses,
}
"""Annotation without ` | None` -> what reads or refuses an argument."""
_OPTIONAL: Final = " | None"
_NONE_TOO: Final = frozenset(
    {"Moment", "Share", "Said", "Emotions", "Senses", "Any", "Unpack[ChangedFields]", "Unpack[DraftFields]"}
)
_STARRED: Final = 0x04, 0x08
"""The flags of a function that takes *args, and **kwargs (the inspect module has them by name)."""


def checked(verb: V) -> V:
    """The verb, whose arguments are checked first, in one thread of linear algebra."""
    if not isinstance(verb, FunctionType):
        raise TypeError(verb)
    plan: list[_Plan] = []

    @wraps(verb)
    def call(*given: Any, **named: Any) -> Any:
        if not plan:
            plan.append(_Plan(verb.__code__, verb.__annotations__))
        with ONE_THREAD:
            return verb(*plan[0].placed(given), **plan[0].by_name(named))

    return call  # type: ignore[return-value]


class _Plan:
    """What is done with the arguments of a verb; made at its first call, since most verbs are never called."""

    def __init__(self, code: CodeType, annotations: Mapping[str, str]) -> None:
        named = code.co_argcount + code.co_kwonlyargcount
        starred = [name for name in code.co_varnames[named : named + 2] if name in annotations]
        self._checks = {
            name: check_of(annotations[name]) for name in code.co_varnames[:named] if name in annotations
        }
        self._order = code.co_varnames[: code.co_argcount]
        self._rest = starred[0] if code.co_flags & _STARRED[0] else None
        self._others = starred[-1] if code.co_flags & _STARRED[1] else None
        self._of_starred = {name: check_of(annotations[name]) for name in starred}

    def placed(self, given: tuple[Any, ...]) -> list[Any]:
        """Arguments by place."""
        checks = self._checks
        found = [
            check(value, name) if (check := checks.get(name)) else value
            for name, value in zip(self._order, given, strict=False)
        ]
        rest = given[len(found) :]
        if rest and self._rest is not None:
            check = self._of_starred[self._rest]
            found += [check(value, self._rest) for value in members(rest, self._rest)]
        else:
            found += rest
        return found

    def by_name(self, named: dict[str, Any]) -> dict[str, Any]:
        """Arguments by name."""
        for name, value in named.items():
            check = self._checks.get(name)
            if check is None and self._others is not None:
                check = self._of_starred[self._others]
            if check is not None:
                named[name] = check(value, name)
        return named


def check_of(annotation: str) -> Check:
    """The check of an argument with this annotation. Raises KeyError if the table has none."""
    word = annotation.removesuffix(_OPTIONAL)
    check = _CHECKS["Callable" if word.startswith("Callable[") else word]
    if word == annotation and word not in _NONE_TOO:
        return check
    return lambda value, what: None if value is None else check(value, what)
