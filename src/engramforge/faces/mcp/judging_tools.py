"""The tools by which memories are judged: what contradicts (list, detect, dismiss, check), and what helped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from engramforge.faces.arguments import CONFLICT, FEEDBACK
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.tool import DATA_NOTICE, Actions, Answered, Tool, block
from engramforge.faces.views.conflict import NOTHING_STORED, ConflictSideView, ConflictView, shown
from engramforge.faces.views.shape import numbered
from engramforge.forge.registries.conflicts import ConflictVerbs
from engramforge.model.fence import named
from engramforge.model.limits import RECALL_HITS

if TYPE_CHECKING:
    from engramforge.forge import Forge

_CONFLICTS: Final = Actions(
    {
        "list": ConflictVerbs.list,
        "detect": ConflictVerbs.detect,
        "dismiss": ConflictVerbs.dismiss,
        "check": ConflictVerbs.check,
    },
    default="list",
    namespace="conflicts",
)
_COMPARED: Final = 1_000
"""How many memories a call compares, which keeps it well within its deadline; the next one goes on."""


class Conflicts(BaseModel):
    """The answer of forge_conflicts: conflicts that were listed, found, dismissed or would be; `more` are not shown.
    `left`: memories that the next detection compares."""

    notice: str
    conflicts: list[ConflictView]
    more: int
    left: int | None = None


class Feedback(BaseModel):
    """What was noted of which injection."""

    injection: str


def _conflicts(forge: Forge, asked: dict[str, Any]) -> Answered:
    action = asked.pop("action")
    if action != "list":
        del asked["dismissed"], asked["replaced"]
    else:
        asked["limit"] = RECALL_HITS  # so that it is known how many there are beside
    if action == "detect" and asked.get("project") is None:
        asked["most"] = _COMPARED
    found = _CONFLICTS.do(forge, action, asked)
    left = found.left or None if action == "detect" else None
    several = found.found if action == "detect" else [found] if action == "dismiss" else found
    several, more = shown(several)
    views = ConflictView.list_of(several)
    said = {"list": "", "detect": "New: ", "dismiss": "Dismissed: ", "check": "It would contradict: "}[action]
    head = f"{said}{numbered(len(views), 'conflict')}{f', and {more:,} more' if more else ''}."
    if action == "check" and not views and not forge.memories(project=asked.get("project"), limit=1):
        head = NOTHING_STORED
    head += f" {numbered(left, 'memory')} left to compare: detect again." if left else ""
    answer = Conflicts(notice=DATA_NOTICE, conflicts=views, more=more, left=left)
    return answer, "\n\n".join([f"{head} {DATA_NOTICE}" if views else head, *map(_block, views)])


def _block(conflict: ConflictView) -> str:
    head = f"{conflict.signal}, {conflict.score:.2f}"
    told = [_side("newer", conflict.newer), _side("older", conflict.older), f"why: {conflict.why}"]
    if conflict.id:
        head = f"{named(conflict.id)}: {head}, since {conflict.since}"
    else:  # a text that was checked is no memory
        told[:1] = []
    if conflict.degraded:
        told.append(f"by rules alone: {conflict.degraded}")
    if conflict.dismissed is not None:
        told.append(f"dismissed: {conflict.dismissed}")
    return block(head, "\n".join(told))


def _side(which: str, side: ConflictSideView) -> str:
    because = f" Because: {side.rationale}" if side.rationale else ""
    known = f"{side.entry_id or side.id}, {side.project}, tier {side.epistemic_tier:g}, {side.at}"
    return f"{which} ({known}): {side.text}{because}"


def _note(forge: Forge, asked: dict[str, Any]) -> Answered:
    noted = forge.injections.feedback(asked.pop("id"), **asked).id
    said = "of use" if asked["useful"] else "of no use"
    return Feedback(injection=noted), f"Noted that it was {said}: injection {noted}."


TOOLS: Final = (
    Tool(
        "forge_conflicts", descriptions.CONFLICTS, _CONFLICTS.with_arguments(CONFLICT), Conflicts, _conflicts
    ),
    Tool("forge_feedback", descriptions.FEEDBACK, FEEDBACK, Feedback, _note),
)
