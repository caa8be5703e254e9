"""What calls a value of structured data a secret: keys, what stands beside it, its place in a command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engramforge.core.secrets.chance import is_technical
from engramforge.core.secrets.names import ABOUT, STEM, Nature, nature_of
from engramforge.core.text.late_pattern import late

_NAME_WORDS = (
    "name key variable var env field setting parameter param label id type option header title kind attribute property "
    "item k"
)
_NAMES: Final = tuple(_NAME_WORDS.split())
_VALUE_WORDS = "value val v content text data default current new old plaintext stringvalue secretvalue"
_VALUES: Final = frozenset(_VALUE_WORDS.split())
"""Keys of an entry of a list of settings, for its name and for its value, in small letters."""
_OPEN: Final = (ABOUT | {"user", "username", "login", "email", "mail", "host", "hostname", "port"}) - {
    "input",
    "output",
}
_OPEN_BESIDE: Final = _OPEN | {"server", "db", "database", "realm", "account", "client", "provider"}
"""Last words of keys that a secret has beside it, the second where a key beside them is that of the secret."""
_PROGRAMS: Final = ("command", "cmd", "program", "executable", "bin")
_ARGUMENTS: Final = frozenset({"args", "arguments", "argv"})
_LONGEST_NAME: Final = 60
_WORD: Final = late(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OTHER_SIGNS: Final = str.maketrans({'"': "'", "\\": "/"})
"""Instead of those that would end a value, or mean another sign."""
_TIME: Final = late(r"1\d{9}(?:\d{3}){0,2}")
"""Seconds since 1970, or parts of them."""


def called_fields(entry: Mapping[Any, Any], names: Sequence[str]) -> Iterator[tuple[Any, list[str]]]:
    """The keys of an entry, each with what its value may be called. `names`: what the entry itself may be called."""
    above = next((name for name in names if STEM.search(name.lower())), "")
    small = {str(key).lower(): value for key, value in entry.items()}
    shown = [small[name] for name in _NAMES if isinstance(small.get(name), str)]
    called = [name for name in shown if len(name) <= _LONGEST_NAME and not _is_about_one(name)]
    is_beside = above and any(key in _VALUES or nature_of(key) for key in small)
    for key, value in entry.items():
        own = str(key)
        is_value = own.lower() in _VALUES
        given = [own, *(called if is_value else ())]
        if names and STEM.search(own.lower()):
            given.append(f"{names[0]}_{own}")
        is_group = isinstance(value, Mapping | list | tuple)
        closed = ABOUT if is_group else _OPEN_BESIDE if is_beside else _OPEN
        if above and (is_value or closed.isdisjoint(word.lower() for word in _WORD.findall(own)[-1:])):
            given.append(above)
        yield key, given


def _is_about_one(name: str) -> bool:
    """Whether it speaks of a secret without naming one: `Password rotation`."""
    return STEM.search(name.lower()) is not None and nature_of(name) is None


def called_items(items: Sequence[Any], names: Sequence[str]) -> Iterator[list[str]]:
    """What each item of a list may be called: as the list, and the second of two texts by the first."""
    first = ""
    if len(items) == 2 and all(isinstance(each, str) for each in items):
        name, value = items
        if name.isupper() or (
            not value.replace("-", "").replace("_", "").isalpha() and not is_technical(value)
        ):
            first = name
    for place in range(len(items)):
        yield [*names, first] if first and place else list(names)


def as_said(name: str, value: str | int) -> Iterator[tuple[str, int]]:
    """How a text says that this is the value of this name, and where the value begins in it: it is as long there."""
    if isinstance(value, str):
        yield f'{name} = "{value.translate(_OTHER_SIGNS)}"', len(name) + 4
        if " " not in value.strip():
            yield f"{name}={value}", len(name) + 1
            return
    elif _is_secret_number(name, str(value)):
        yield f'{name} = "{value}"', len(name) + 4
    yield f"{name}: {value}", len(name) + 2


def _is_secret_number(name: str, number: str) -> bool:
    """Whether a number of a key may be what it says; a count of what passed is not."""
    nature = nature_of(name)
    return (nature is Nature.PASSWORD and name.lower() != "pass") or (
        nature is Nature.TOKEN and _TIME.fullmatch(number) is None
    )


def command_line(items: Sequence[Any], entry: Mapping[Any, Any]) -> tuple[str, list[int]] | None:
    """The arguments of a command as they are typed, and where each begins; None if a list is none.

    `entry`: the entry that the list stands in, which may name the program.
    """
    if not all(isinstance(each, str | int) for each in items):
        return None
    given = [str(each) for each in items]
    if not any(each.startswith(("-", "/")) for each in given):
        return None
    line = next((str(entry[name]) for name in _PROGRAMS if isinstance(entry.get(name), str)), "")
    begins: list[int] = []
    for each in given:
        quote = '"' if " " in each and '"' not in each else ""
        begins.append(len(line) + 1 + len(quote))
        line += f" {quote}{each}{quote}"
    return line, begins


def is_arguments(key: Any) -> bool:
    """Whether a key is that of the arguments of a program beside it."""
    return str(key).lower() in _ARGUMENTS
