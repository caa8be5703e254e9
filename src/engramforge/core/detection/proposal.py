"""A detection as the JSON values of a flag that waits for review, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, Final

from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection, Voice
from engramforge.model.registries.entry import Priority

_LISTS: Final = ("alternatives_rejected", "blocked_by")


def proposal_of(detection: Detection) -> dict[str, Any]:
    """The values of a detection; what is empty is left out."""
    said = asdict(replace(detection, talk=None))
    values = {name: value for name, value in said.items() if value not in ("", None, (), False)}
    plain = {name: str(values[name]) for name in ("kind", "priority", "voice")}
    return {**values, **plain, **{name: list(values[name]) for name in _LISTS if name in values}}


def detection_of(values: Mapping[str, Any]) -> Detection:
    """The inverse of `proposal_of`."""
    lists = {name: tuple(values[name]) for name in _LISTS if name in values}
    return Detection(
        **{
            **values,
            **lists,
            "kind": Kind(values["kind"]),
            "priority": Priority(values.get("priority", Priority.MEDIUM)),
            "voice": Voice(values.get("voice", Voice.OWN)),
        }
    )
