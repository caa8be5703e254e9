"""What is wrong with the arguments of a call, in the words of the tool that was called."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from engramforge.errors import InvalidValue

if TYPE_CHECKING:
    from pydantic import ValidationError

Json = Mapping[str, Any]

_KINDS: Final = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "an object",
}
_SHOWN: Final = 100
_FAULTS: Final = 5


def foreign(tool: str, known: Json, arguments: Json) -> InvalidValue | None:
    """The error for arguments that a tool does not have; `known`: the schemas of those that it has, by name."""
    named = ", ".join(repr(each[:_SHOWN]) for each in sorted(arguments.keys() - known.keys())[:10])
    if not named:
        return None
    return InvalidValue(f"{tool} has no argument {named}", f"Leave it out, or choose of {', '.join(known)}")


def wrong(tool: str, known: Json, arguments: Json, found: ValidationError) -> InvalidValue:
    """The error for arguments that are missing or of another type; parameters as in `foreign`."""
    # An argument that may be of several types has a fault for each; the deepest is the one that was meant.
    faults = {str(each["loc"][0]): each for each in sorted(found.errors(), key=lambda each: len(each["loc"]))}
    if missing := sorted(name for name, fault in faults.items() if fault["type"] == "missing"):
        told = ", and ".join(f"{name}: {known[name].get('description', '')}" for name in missing)
        return InvalidValue(f"{tool} needs {' and '.join(missing)}", f"Give {told}")
    names = sorted(faults)[:_FAULTS]
    values = [
        f"{_shown(faults[name]['input'])} as {_place(faults[name]['loc'], arguments)}" for name in names
    ]
    mends = [f"{name} as {_kind(known[name])}" for name in names]
    return InvalidValue(f"{tool} cannot take {' and '.join(values)}", f"Give {', and '.join(mends)}")


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} [...]"


def _place(loc: tuple[int | str, ...], arguments: Json) -> str:
    """The argument, and where in it the fault is; names of types, which stand between, are left out."""
    place, value = str(loc[0]), arguments.get(str(loc[0]))
    for part in loc[1:]:
        if isinstance(part, int) or (isinstance(value, dict) and part in value):
            place += f"[{_shown(part)}]"
    return place


def _kind(schema: Json) -> str:
    """What a value of a schema is, in words."""
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"] if each != {"type": "null"})
    if schema["type"] == "array":
        return f"a list of {_kind(schema['items']).removeprefix('a ')}s"
    if isinstance(values := schema.get("additionalProperties"), dict):
        return f"an object of {_kind(values).removeprefix('a ')}s"
    return _KINDS[schema["type"]]
