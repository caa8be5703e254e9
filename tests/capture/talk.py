"""What is said in a project, and what stands in it then."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engramforge.forge import Forge


def say(em: Forge, project: str, *turns: str, session: str = "one") -> None:
    """Turns of one session; one that begins with "A: " is the assistant's."""
    for turn in turns:
        kind, speaker = ("response", "assistant") if turn.startswith("A: ") else ("prompt", "user")
        words = turn.removeprefix("A: ")
        em.remember(words, kind=kind, project=project, session_id=f"{project} {session}", speaker=speaker)


def say_apart(em: Forge, project: str, *turns: str) -> None:
    """The same, each turn in a session of its own."""
    for number, turn in enumerate(turns):
        say(em, project, turn, session=str(number))


def decisions(em: Forge, project: str, status: str | None = None) -> dict[str, str]:
    """The decisions of a project with their statuses."""
    return {each.decision: str(each.status) for each in em.decisions.browse(project=project, status=status)}


def holding(em: Forge, project: str) -> list[str]:
    """The decisions of a project that hold."""
    return list(decisions(em, project, "active"))


def threads(em: Forge, project: str) -> dict[str, str]:
    """The threads of a project with their statuses."""
    return {each.title: str(each.status) for each in em.threads.browse(project=project, status=None)}
