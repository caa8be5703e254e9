"""Arguments that no verb can have been written for, one by one, and calls of verbs with some of them."""

from __future__ import annotations

import inspect
import itertools
import random
from collections import UserDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from engramforge.forge import Forge
from engramforge.model.memory import Attachment, Chunk, Draft, Kind

FIELDS = ("tags", "metadata", "chunk", "attachments", "emotion_vector", "valid_at", "origin", "nonsense")
"""Of a draft or a link: what a verb takes that takes any."""
NAMESPACES = (
    "", "decisions", "threads", "lineage", "review", "archives", "sync", "injections",
    "patterns", "priming", "flags", "scratch",
)  # fmt: skip


class Fault(Exception):
    """What an object of a caller raises."""


def _raises(*_: Any, **__: Any) -> Any:
    raise Fault("an object of the caller raised")


_EVERY_WAY = (
    "__str__", "__repr__", "__iter__", "__eq__", "__hash__", "__len__", "__bool__", "__getitem__", "__contains__",
    "__index__", "__int__", "__float__", "__fspath__", "__lt__", "__le__", "__gt__", "__ge__", "__format__",
    "__next__", "__call__", "__getattr__",
)  # fmt: skip
Raising = type("Raising", (), dict.fromkeys(_EVERY_WAY, _raises))
RaisingText = type(
    "RaisingText",
    (str,),
    dict.fromkeys(
        ("__str__", "__repr__", "strip", "encode", "__len__", "lower", "isascii", "__iter__"), _raises
    ),
)
RaisingNumber = type(
    "RaisingNumber", (int,), dict.fromkeys(("__int__", "__index__", "__repr__", "__lt__", "__gt__"), _raises)
)
RaisingList = type("RaisingList", (list,), dict.fromkeys(("__iter__", "__len__", "__getitem__"), _raises))
RaisingMapping = type("RaisingMapping", (UserDict,), dict.fromkeys(("__iter__", "__len__", "items"), _raises))
RaisingZone = type("RaisingZone", (tzinfo,), dict.fromkeys(("utcoffset", "dst", "tzname"), _raises))
RaisingMoment = type(
    "RaisingMoment", (datetime,), dict.fromkeys(("isoformat", "astimezone", "__lt__"), _raises)
)
RaisingType = type("RaisingType", (type,), {"__name__": property(_raises)})
Triples = type("Triples", (dict,), {"items": lambda _: [(1, 2, 3)]})
OddClass = type("OddClass", (), {"__class__": property(_raises)})


class EndlessMapping(UserDict[str, int]):
    """A mapping that has no end."""

    def __iter__(self) -> Iterator[str]:
        return map(str, itertools.count())

    def __getitem__(self, key: str) -> int:
        return 1


def _stops_short() -> Iterator[str]:
    yield "one"
    raise Fault("an iterable of the caller raised")


def _nested(depth: int, empty: Any, around: Callable[[Any], Any]) -> Any:
    value = empty
    for _ in range(depth):
        value = around(value)
    return value


def _itself() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


ODD: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "true": lambda: True,
    "false": lambda: False,
    "no": lambda: "no",
    "zero": lambda: 0,
    "minus": lambda: -1,
    "five": lambda: 5,
    "huge": lambda: 10**400,
    "unprintable": lambda: 10**5_000,
    "minus huge": lambda: -(10**400),
    "past 64 bits": lambda: 2**63,
    "32 bits": lambda: 2**31,
    "one and a half": lambda: 1.5,
    "nan": lambda: float("nan"),
    "infinite": lambda: float("-inf"),
    "complex": lambda: 1j,
    "decimal": lambda: Decimal("NaN"),
    "fraction": lambda: Fraction(1, 3),
    "numpy": lambda: np.float32(0.5),
    "array": lambda: np.zeros(3),
    "empty": lambda: "",
    "blank": lambda: " \t\u200b",
    "surrogate": lambda: "a\ud800b",
    "nul": lambda: "a\x00b",
    "control": lambda: "a\x1b[31m\r\nb",
    "long": lambda: "x" * 100_000,
    "quotes": lambda: "' OR 1=1 --; %s ? :x \\ \" {0}",
    "percent": lambda: "%",
    "url": lambda: "http://[::1",
    "data": lambda: "data:image/png;base64,!!!",
    "bytes": lambda: b"half \xc3",
    "bytearray": lambda: bytearray(b"x"),
    "memoryview": lambda: memoryview(b"x"),
    "list": lambda: [],
    "tuple": lambda: (),
    "mapping": dict,
    "set": lambda: {1, "a"},
    "mixed": lambda: ["a", 5, None, b"x"],
    "nones": lambda: [None],
    "lists": lambda: [["a"]],
    "many": lambda: [f"name {number}" for number in range(300_000)],
    "endless": lambda: itertools.repeat("a"),
    "counting": itertools.count,
    "endless mapping": EndlessMapping,
    "stops short": _stops_short,
    "deep list": lambda: _nested(5_000, [], lambda value: [value]),
    "deep mapping": lambda: _nested(5_000, {}, lambda value: {"a": value}),
    "itself": _itself,
    "odd keys": lambda: {1: 2, None: 3, "a\ud800": float("nan"), Raising: Raising()},
    "odd items": lambda: {"content": Raising(), "a": Raising()},
    "object": object,
    "class": lambda: Raising,
    "raising": Raising,
    "raisings": lambda: [Raising()],
    "raising text": lambda: RaisingText("a"),
    "raising number": lambda: RaisingNumber(5),
    "raising list": lambda: RaisingList(["a"]),
    "raising mapping": lambda: RaisingMapping({"content": "a"}),
    "odd class": OddClass,
    "raising type": RaisingType("RaisingType", (), {}),
    "triples": lambda: Triples(a=1),
    "function": lambda: lambda *_: None,
    "naive": lambda: datetime(2026, 5, 1),  # noqa: DTZ001 - that is the fault
    "first": lambda: datetime(1, 1, 1, tzinfo=UTC),
    "last": lambda: datetime.max.replace(tzinfo=UTC),
    "raising zone": lambda: datetime(2026, 5, 1, tzinfo=RaisingZone()),
    "raising moment": lambda: RaisingMoment(2026, 5, 1, tzinfo=UTC),
    "date": lambda: date(2026, 5, 1),
    "span": lambda: timedelta(days=1),
    "draft": lambda: Draft(content="A draft."),
    "odd draft": lambda: Draft(content=Raising(), tags=Raising(), metadata=Raising()),
    "drafts": lambda: [{"content": "A draft."}, {"content": Raising()}],
    "chunk": lambda: Chunk(Raising(), Raising(), 1, 10**400),
    "attachments": lambda: [Attachment(Raising()), Attachment("a", size_bytes=10**5_000)],
    "kind": lambda: Kind.DECISION,
    "path": lambda: Path("nowhere"),
    "exception": lambda: Fault("x"),
    "no such name": lambda: "nowhere",
}
"""Name -> a value of which no verb can take much. None is the path of anything that there is: verbs write to paths."""


_PLAIN = (str, int, float, bool, type(None))


@lru_cache(maxsize=1)
def odd_texts() -> list[str]:
    """The odd values that a command line can be given."""
    made = [make() for make in ODD.values()]
    # The system lets no program be called with a NUL.
    return [each for each in made if type(each) is str and "\0" not in each] + [
        "5",
        "-1",
        "nan",
        "inf",
        "1e400",
        "9" * 5_000,
        "[]",
        "{}",
        "{",
    ]


@lru_cache(maxsize=1)
def odd_json() -> list[Any]:
    """The odd values that a tool can be given, JSON."""
    made = {name: make() for name, make in ODD.items()}
    plain = [
        each for each in made.values() if type(each) in _PLAIN or (type(each) in (list, dict) and not each)
    ]
    return [each for each in plain if each != each or each not in (10**400, -(10**400), 10**5_000)] + [
        ["a", 5, None], [None], [["a"]], {"a": {"b": [1]}}, {"content": 5}, made["many"],
    ]  # fmt: skip


def odd_files(folder: Path, sound: Path) -> list[str]:
    """Names of files of which no reader can take much, and of what is no file; `sound`: a file to spoil."""
    folder.mkdir()
    whole = sound.read_bytes()
    made = {
        "empty.md": b"",
        "nul.txt": b"\0" * 5_000,
        "half.md": b"# A\n\nhalf \xc3",
        "long.md": b"x" * 1_000_000,
        "deep.json": b"[" * 50_000,
        "number.jsonl": b'{"content": "a", "valid_at": ' + b"9" * 5_000 + b"}\n",
        "cut.jsonl": whole[: len(whole) // 2],
        "spoilt.jsonl": whole.replace(b'"', b"'", 40),
        "twice.jsonl": whole + whole[::-1],
        "archive.zip": b"PK\x03\x04" + whole,
        "store.db": b"SQLite format 3\0" + whole,
        "picture.png": b"\x89PNG\r\n\x1a\n" + whole,
        "table.csv": b'a,b\n"\n1',
        "rules.toml": b"[[rule]]\nnever = 5",
        "-n": b"a name like an option",
        "a\nb.md": b"a name of two lines",
        "n" * 250: b"a long name",
    }
    for name, content in made.items():
        (folder / name).write_bytes(content)
    (folder / "loop").symlink_to("loop")
    (folder / "nowhere").symlink_to("missing")
    (folder / "up").symlink_to("..")
    (folder / "folder.md").mkdir()
    names = [*made, "loop", "nowhere", "up", "folder.md", "missing/further", "empty.md/below"]
    return [str(folder / name) for name in names] + ["/dev/null", "/dev/full", "/proc/self/mem", ".", "~", ""]


@dataclass(frozen=True)
class Call:
    """A call of a verb: `odd` names the arguments that are odd, and how."""

    verb: str
    given: tuple[Any, ...]
    named: dict[str, Any]
    odd: dict[str, str]

    def __str__(self) -> str:
        return f"{self.verb} with {self.odd}"

    def on(self, forge: Forge) -> Any:
        """Make the call."""
        namespace, _, name = self.verb.rpartition(".")
        answer = getattr(getattr(forge, namespace) if namespace else forge, name)
        return answer(*self.given, **self.named) if callable(answer) else answer


def verbs_of(forge: Forge) -> dict[str, inspect.Signature]:
    """Every public verb but `close`, with its signature."""
    found = {}
    for namespace in NAMESPACES:
        holder = type(getattr(forge, namespace)) if namespace else type(forge)
        for name in dir(holder):
            verb = getattr(holder, name)
            if name.startswith("_") or name in (*NAMESPACES, "close") or not callable(verb):
                continue
            found[f"{namespace}.{name}".lstrip(".")] = inspect.signature(verb)
    return found


def random_call(
    rng: random.Random, verbs: dict[str, inspect.Signature], sound: Callable[[str], Any], likely: float = 0.2
) -> Call:
    """A call with one odd argument at least; the others are sound ones by their names, or left out.

    `likely`: how likely one that may be left out is given.
    """
    verb = rng.choice(list(verbs))
    parameters = list(verbs[verb].parameters.values())[1:]
    chosen = rng.sample(parameters, min(len(parameters), rng.choice((1, 1, 2))))
    given: list[Any] = []
    named: dict[str, Any] = {}
    odd: dict[str, str] = {}
    for parameter in parameters:
        is_several = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        needed = parameter.default is parameter.empty and not is_several
        name = "epistemic_tier" if parameter.kind is parameter.VAR_KEYWORD else parameter.name
        if parameter in chosen or rng.random() < 0.08:
            odd[parameter.name] = rng.choice(list(ODD))
            value = ODD[odd[parameter.name]]()
            if parameter.kind is parameter.VAR_KEYWORD:
                name = rng.choice(FIELDS)
        elif needed or is_several or rng.random() < likely:
            value = sound(name)
        else:
            continue
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            given.append(value)
        else:
            named[name] = value
    return Call(verb, tuple(given), named, odd)
