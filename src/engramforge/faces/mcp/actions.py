"""Tools with several actions: which arguments each action needs and takes, checked before anything is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mcp_types import CallToolResult, TextContent

from engramforge.errors import InvalidValue

if TYPE_CHECKING:
    from pydantic import BaseModel

    from engramforge.forge import Forge

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Action(Generic[T]):
    """One thing that a tool does.

    Parameters
    ----------
    work : does it with the arguments that were given, and nothing else.
    needed, taken : names of arguments.
    """

    work: Callable[[Forge, dict[str, Any]], T]
    needed: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()


def act(forge: Forge, actions: Mapping[str, Action[T]], name: str, asked: Mapping[str, Any]) -> T:
    """Do one action. Raises InvalidValue for an unknown one, a missing argument, or one that it does not take."""
    if name not in actions:
        raise InvalidValue(f"There is no action {name[:100]!r}", f"Choose one of {', '.join(actions)}")
    action = actions[name]
    if missing := [each for each in action.needed if each not in asked]:
        raise InvalidValue(f"The action {name} needs {' and '.join(missing)}", "Give it with the action")
    if foreign := sorted(asked.keys() - {*action.needed, *action.taken}):
        raise InvalidValue(
            f"The action {name} takes no {', '.join(foreign)}", "Leave it out, or ask for another action"
        )
    return action.work(forge, dict(asked))


def arguments(values: Mapping[str, Any]) -> dict[str, Any]:
    """What the caller gave of a tool's local names."""
    inner = ("action", "calls", "server")
    return {name: value for name, value in values.items() if value is not None and name not in inner}


def answered(answer: BaseModel, text: str) -> CallToolResult:
    """An answer for a model, as text, and for a program, as its structure."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=answer.model_dump(mode="json")
    )


def fenced(head: str, body: str) -> str:
    """Recorded text as a marked block; a mark within it cannot end it."""
    guarded = body.replace("<memory", "&lt;memory").replace("</memory", "&lt;/memory")
    return f"{head}\n<memory>\n{guarded}\n</memory>"
