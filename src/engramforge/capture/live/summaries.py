"""The summary of a session: its first prompt and the sentences that say most, nothing rewritten.

There is one for each session. It is made when the session ends and before it is compacted, and gets a new version when
there is more to say. Detection does not read it: what it repeats was read where it was said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.core.text.summarising import choose_sentences, sentences_of
from engramforge.model.memory import SUMMARISES, Draft, Kind, Memory, Source
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.effect import Step
from engramforge.model.time import AsOf
from engramforge.store.door import Door
from engramforge.writing.intake import Intake
from engramforge.writing.revision import Revision

_READ: Final = 400
"""How many of the session's newest turns are read."""
_ROOM: Final = 1_200
_FIRST: Final = 300
"""Characters of the sentence with which the session began."""


@dataclass(frozen=True, slots=True)
class Summaries:
    """Writes summaries. `intake`: a first one; `revision`: its later versions."""

    door: Door
    intake: Intake
    revision: Revision

    def write(self, scope: Scope, project: str, session: str, at: datetime, now: datetime) -> bool:
        """Write the summary of a session as it stands `now`, said at a time; whether there was anything new."""
        own = scope.within(project)
        turns = self._of(own, now, session, Kind.PROMPT, Kind.RESPONSE)
        text = summary_of([each for each in turns if "agent_id" not in each.metadata])
        if not text:
            return False
        there = [
            each for each in self._of(own, now, session, Kind.SESSION_SUMMARY) if SUMMARISES in each.metadata
        ]
        if there:
            if there[-1].content == text:
                return False
            # The session went on, so there is more to say: what was said of it until then held until then.
            self.revision.supersede(scope, there[-1].logical_id, text, step=Step.UPKEEP)
            return True
        draft = Draft(
            content=text,
            kind=Kind.SESSION_SUMMARY,
            source=Source.HOOK_DESCRIPTION,
            project=project,
            session_id=session,
            metadata={SUMMARISES: "session"},
            valid_at=at,
            recorded_at=at,
            origin=f"session summary:{session}",
        )
        return self.intake.write(scope, [draft], revive_forgotten=False, step=Step.UPKEEP).written > 0

    def _of(self, scope: Scope, now: datetime, session: str, *kinds: Kind) -> list[Memory]:
        """The newest current memories of these kinds, in the order in which they were said."""
        selection = Selection(kinds=kinds, session_id=session, as_of=AsOf(now, now))
        found = self.door.asking(scope).browse(selection, _READ)
        return sorted(found, key=lambda memory: (memory.sequence or 0, memory.valid_at, memory.id))


def summary_of(turns: Sequence[Memory]) -> str:
    """A text of a few lines about the turns of a session, in their order; empty where nobody said anything."""
    prompts = [turn for turn in turns if turn.kind is Kind.PROMPT]
    if not prompts:
        return ""
    began = next(iter(sentences_of(prompts[0].content)), "")[:_FIRST]
    chosen = [
        each for each in choose_sentences([turn.content for turn in turns], _ROOM) if each.text != began
    ]
    lines = [f"- {turns[each.place].speaker or turns[each.place].kind}: {each.text}" for each in chosen]
    head = f"Session of {len(prompts)} prompts" if len(prompts) > 1 else "Session of one prompt"
    return "\n".join((f"{head}; it began with: {began}" if began else f"{head}.", *lines))
