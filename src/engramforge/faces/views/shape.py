"""The way from a model's value to an answer's shape, field by field; and numbers of things, as people read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, Generic, Self, TypeVar, get_args, get_origin, get_type_hints

M = TypeVar("M")
_DAY, _MINUTE = 10, 16


class Shape(Generic[M]):
    """A frozen dataclass of plain values whose fields are called as those of the model's type `M`.

    A field whose type is another shape, or a list of them, is filled by that shape.
    """

    __slots__ = ()

    @classmethod
    def of(cls, value: M, **more: object) -> Self:
        """A model's value in this shape; `more` are fields that the value alone does not say."""
        given = {**cls._derived(value), **more}
        fillers = _fillers(cls)  # type: ignore[arg-type]
        read = {name: fill(getattr(value, name)) for name, fill in fillers.items() if name not in given}
        return cls(**read, **given)

    @classmethod
    def list_of(cls, values: Iterable[M]) -> list[Self]:
        """Values in this shape."""
        return [cls.of(value) for value in values]

    @classmethod
    def _derived(cls, value: M) -> Mapping[str, object]:  # noqa: ARG003 - shapes that derive fields read it
        """Fields that the value has no attribute of that name for."""
        return {}


@cache
def _fillers(shape: Any) -> dict[str, Callable[[Any], object]]:
    """Field -> what makes its value of the model's."""
    hints = get_type_hints(shape)
    return {field.name: _filler(hints[field.name]) for field in fields(shape)}


def _filler(hint: Any) -> Callable[[Any], object]:
    inner = next(
        (each for each in (hint, *get_args(hint)) if isinstance(each, type) and issubclass(each, Shape)), None
    )
    if inner is None:
        return plain
    return (
        inner.list_of
        if get_origin(hint) is list
        else lambda value: None if value is None else inner.of(value)
    )


def plain(value: Any) -> Any:
    """A value as JSON has it: times as ISO 8601, words as texts, tuples as lists, types of fields as objects."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


def days_of(*times: str) -> list[str]:
    """Times in ISO 8601 as days, or as minutes where they are all of one day."""
    days = [each[:_DAY] for each in times]
    if len(times) > 1 and len(set(days)) == 1:
        return [each[:_MINUTE].replace("T", " ") for each in times]
    return days


def numbered(count: int, noun: str) -> str:
    """How many of what: "1 memory", "1,200 memories"."""
    if count == 1:
        return f"1 {noun}"
    if noun.endswith("ry"):
        return f"{count:,} {noun[:-1]}ies"
    return f"{count:,} {noun}{'es' if noun.endswith('s') else 's'}"
