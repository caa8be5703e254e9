"""Reading the head of an archive, as YAML or, where a person broke it, line by line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from engramforge.core.archive_format.clues import HEAD_KEY
from engramforge.core.archive_format.forms import read_instant, read_text
from engramforge.core.archive_format.shapes import FORMAT_VERSION
from engramforge.model.memory import DEFAULT_PROJECT
from engramforge.model.registries.lineage import CompressionMode

UNKNOWN_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of an archive that does not say when it was written."""
_LONGEST_LINES: Final = 2_000
_DEEPEST: Final = 40
_LOOSE: Final = re.compile(
    r"^(?P<name>[A-Za-z_][A-Za-z0-9_]*+(?>(?: ++[A-Za-z0-9_]++)*))[ \t]*+:[ \t]*+(?P<value>.*)$"
)
_NAMES: Final = {
    **dict.fromkeys(("source_conversation", "source_conversation_id", "conversation_id"), "conversation"),
    **dict.fromkeys(("date", "timestamp"), "compressed_at"),
    "project_name": "project",
    "compression_tag": "tag",
    "compression_mode": "mode",
}
"""Other names of keys, as older tools and people write them."""


@dataclass(slots=True)
class Head:
    """What the head says, and its faults.

    `values`: fields of `ArchiveContent`. `counts`: how many entries of each field the writer wrote. `is_known`: whether
    it says no version that is unknown here.
    """

    values: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    is_known: bool = True


def read_head(lines: Sequence[str], first: int) -> Head:
    """Read the lines between the two fences. `first`: the number of the first of them in the text, for problems."""
    head = Head()
    shown = list(lines[:_LONGEST_LINES])
    if len(lines) > len(shown):
        head.problems.append(f"line {first + len(shown)}: the head is very long; the rest of it was left out")
    said, places = _as_yaml(shown, first, head) or _line_by_line(shown, first)
    _take(head, said, places)
    return head


def complete(values: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Fill in the fields that every archive must have, noting what was assumed."""
    filled, problems = dict(values), []
    if not filled.get("conversation_id"):
        filled["conversation_id"] = ""
        problems.append("the archive does not say which conversation it is of")
    if "compressed_at" not in filled:
        filled["compressed_at"] = UNKNOWN_TIME
        problems.append("the archive does not say when it was written")
    filled.setdefault("project", DEFAULT_PROJECT)
    return filled, problems


def _as_yaml(lines: Sequence[str], first: int, head: Head) -> tuple[dict[str, Any], dict[str, int]] | None:
    """The head's keys with their values, texts as they are written, and their lines; None where it is no YAML."""
    import yaml

    try:
        _check_tokens("\n".join(lines))
        node = yaml.compose("\n".join(lines), Loader=yaml.SafeLoader)
        if not isinstance(node, yaml.MappingNode):
            raise yaml.YAMLError("no keys and values")
        said: dict[str, Any] = {}
        places: dict[str, int] = {}
        for key, value in node.value:
            name, place = str(key.value), first + key.start_mark.line
            if name in said:
                head.problems.append(
                    f"line {place}: {name[:40]!r} comes twice in the head; the last was taken"
                )
            is_text = isinstance(value, yaml.ScalarNode) and name != "external_store"
            said[name] = (
                value.value
                if is_text
                else _plain(yaml.constructor.SafeConstructor().construct_document(value))
            )
            places[name] = place
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        mark = getattr(error, "problem_mark", None)
        place = first if mark is None else first + mark.line
        why = getattr(error, "problem", None) or str(error).split("\n")[0]
        head.problems.append(f"line {place}: the head is no YAML ({why}); it was read line by line")
        return None
    return said, places


def _check_tokens(text: str) -> None:
    """Raise YAMLError for references and for deep nesting before either is followed."""
    import yaml

    depth = 0
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        if isinstance(token, yaml.AliasToken):
            raise yaml.YAMLError("it has a reference")
        depth += isinstance(token, yaml.FlowSequenceStartToken | yaml.FlowMappingStartToken)
        depth -= isinstance(token, yaml.FlowSequenceEndToken | yaml.FlowMappingEndToken)
        if depth > _DEEPEST:
            raise yaml.YAMLError("it nests too deep")


def _plain(value: Any, depth: int = 0) -> Any:
    """A value as JSON knows it; ValueError where it nests too deep."""
    if depth > _DEEPEST:
        raise ValueError("it nests too deep")
    if isinstance(value, dict):
        return {str(name): _plain(each, depth + 1) for name, each in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(each, depth + 1) for each in value]
    known = value is None or isinstance(value, bool | int | float | str)
    return value if known else str(value)


def _line_by_line(lines: Sequence[str], first: int) -> tuple[dict[str, Any], dict[str, int]]:
    said: dict[str, Any] = {}
    places: dict[str, int] = {}
    for number, line in enumerate(lines, first):
        match = _LOOSE.match(line)
        if match is not None and match["value"].strip():
            value = read_text(match["value"].strip().strip("'"))
            said.setdefault(match["name"], value)
            places.setdefault(match["name"], number)
    return said, places


def _take(head: Head, said: Mapping[str, Any], places: Mapping[str, int]) -> None:
    for name, value in said.items():
        known = name.strip().lower().replace(" ", "_")
        known = _NAMES.get(known, known)
        try:
            _take_one(head, known, value)
        except (ValueError, TypeError) as error:
            head.problems.append(
                f"line {places[name]}: {name}: {str(value)[:60]!r} is {error}; it was left out"
            )


def _take_one(head: Head, name: str, value: Any) -> None:
    if name == HEAD_KEY:
        _check_version(head, value)
    elif name in ("conversation", "project", "tag", "context", "lineage_id") and isinstance(value, str):
        field_name = {"conversation": "conversation_id", "tag": "compression_tag"}.get(name, name)
        head.values[field_name] = value
    elif name == "mode":
        head.values["compression_mode"] = _mode(str(value))
    elif name == "compressed_at":
        if (at := read_instant(str(value))) is not None:
            head.values["compressed_at"] = at
    elif name == "turn_range":
        head.values["turn_range"] = _turn_range(value)
    elif name == "external_store" and isinstance(value, dict):
        head.values["external_store"] = value
    elif name == "counts" and isinstance(value, dict):
        head.counts.update({key: each for key, each in value.items() if isinstance(each, int)})


def _check_version(head: Head, value: Any) -> None:
    try:
        version = int(str(value))
    except ValueError:
        raise ValueError("no version of the format") from None
    if version != FORMAT_VERSION:
        head.is_known = False
        head.problems.append(
            f"the archive has the format version {version}, and this engramforge knows {FORMAT_VERSION}: what is new "
            "in it is left out. Upgrade engramforge to read it whole"
        )


def _mode(value: str) -> CompressionMode:
    try:
        return CompressionMode(value.strip().lower().lstrip("-"))
    except ValueError:
        raise ValueError(f"none of {', '.join(CompressionMode)}") from None


def _turn_range(value: Any) -> tuple[int, int] | None:
    if value in ("null", "", "~", "all", None):
        return None
    numbers = re.findall(r"-?\d+", value) if isinstance(value, str) else list(value)
    if len(numbers) != 2 or not all(isinstance(number, int | str) for number in numbers):
        raise ValueError("no pair of turns")
    first, last = (int(number) for number in numbers)
    return first, last
