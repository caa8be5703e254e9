"""The tool with which a model says whether what was put before it was of use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from engramforge.faces.arguments import FEEDBACK
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.tool import Answered, Tool
from engramforge.faces.views.injection import InjectionView

if TYPE_CHECKING:
    from engramforge.forge import Forge


class Feedback(BaseModel):
    """What was noted."""

    injection: InjectionView


def _note(forge: Forge, asked: dict[str, Any]) -> Answered:
    view = InjectionView.of(forge.injections.feedback(asked.pop("id"), **asked))
    said = "of use" if asked["useful"] else "of no use"
    return Feedback(injection=view), f"Noted that it was {said}: injection {view.id}."


TOOLS: Final = (Tool("forge_feedback", descriptions.FEEDBACK, FEEDBACK, Feedback, _note),)
