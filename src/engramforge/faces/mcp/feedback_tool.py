"""The tool with which a model says whether what was put before it was of use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from engramforge.faces.arguments import FEEDBACK
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.tool import Answered, Tool

if TYPE_CHECKING:
    from engramforge.forge import Forge


class Feedback(BaseModel):
    """What was noted of which injection."""

    injection: str


def _note(forge: Forge, asked: dict[str, Any]) -> Answered:
    noted = forge.injections.feedback(asked.pop("id"), **asked).id
    said = "of use" if asked["useful"] else "of no use"
    return Feedback(injection=noted), f"Noted that it was {said}: injection {noted}."


TOOLS: Final = (Tool("forge_feedback", descriptions.FEEDBACK, FEEDBACK, Feedback, _note),)
