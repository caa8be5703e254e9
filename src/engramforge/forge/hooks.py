"""Verbs of hooks, as `forge.hooks`: what Claude Code's events tell is captured, and what is switched on and off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from engramforge.core.checks.validation import check_name, check_word
from engramforge.errors import EngramforgeError, InvalidValue, Stopped
from engramforge.forge.scoped import ScopedVerbs
from engramforge.model.storing.live import Switch

if TYPE_CHECKING:
    from engramforge.model.storing.live import SwitchedOff, TakenIn

Events = Sequence[Mapping[str, Any]]
"""Events as Claude Code gives them on standard input, or each as {"id", "received_at", "event"} around one."""
_LOOKED_AFTER: Final = 50
"""After so many memories old records are pruned, and it is looked whether calibrations are due, which counts all."""


class HookVerbs(ScopedVerbs):
    """What hooks tell becomes memories."""

    _captured = 0

    def take(self, events: Events) -> TakenIn:
        """Capture a batch of hook events, in their order; it is durable and searchable when this returns.

        Each is captured once, however often it comes, by hook or in an imported transcript. An event that cannot be
        read is told in the answer's `faults`, and keeps no other out.

        Raises StoreUnavailable, StoreFull: nothing is lost that comes again.
        """
        taken = self._stages.live_capture.take(self._scope, events)
        self._note_uses(events)
        if taken.consequences:
            self._place()
        self._captured += taken.captured
        if self._captured >= _LOOKED_AFTER:
            looked_after, self._captured = self._captured, 0
            # What was captured is durable, whoever gives up now.
            with suppress(Stopped):
                self._stages.injection_log.prune(self._scope, self._stages.clock())
                self._stages.calibrating.fit_when_due(self._scope, looked_after)
        return taken

    def _note_uses(self, events: Events) -> None:
        """Note what responses took up of what was injected into their sessions."""
        from engramforge.forge.injections import InjectionVerbs

        for each in events:
            event = each.get("event", each) if isinstance(each, Mapping) else {}
            if not isinstance(event, Mapping) or event.get("hook_event_name") != "Stop":
                continue
            session, said = event.get("session_id"), event.get("last_assistant_message")
            if isinstance(session, str) and session and isinstance(said, str) and said:
                # Whether something was of use is worth no failed capture.
                with suppress(EngramforgeError):
                    InjectionVerbs(self._stages, self._scope).used(session, said)

    def switch(self, what: str, on: bool, *, project: str | None = None, session: str | None = None) -> None:
        """Switch `capture` or `injection` on or off for a project or a session; a session's goes before its project's.

        Raises InvalidValue: there is no such switch, or neither a project nor a session is named.
        """
        from engramforge.capture.writers.switches import switch

        asked = check_word(Switch, what, "switch")
        if project is None and session is None:
            raise InvalidValue(f"Nobody says where {asked} is switched", "Name a project or a session")
        named = None if project is None else check_name(project, "project")
        whose = None if session is None else check_name(session, "session_id")
        at = self._stages.clock()
        switch(self._stages.door, self._scope, asked, on=on, at=at, project=named, session=whose)

    def is_on(self, what: str, project: str | None = None, session: str | None = None) -> bool:
        """Whether `capture` or `injection` is on for a session of a project; everything is, until it is switched off.

        Raises InvalidValue: there is no such switch.
        """
        from engramforge.capture.writers.switches import is_on, switches_of

        asked = check_word(Switch, what, "switch")
        return is_on(switches_of(self._stages.door, self._scope), asked, project, session)

    def switches(self) -> tuple[SwitchedOff, ...]:
        """What is switched off, and where."""
        from engramforge.capture.writers.switches import switched_off, switches_of

        return switched_off(switches_of(self._stages.door, self._scope))

    def project_of(self, folder: str) -> str:
        """The project of a session in this working folder, as imports of transcripts name it."""
        return self._stages.live_capture.sessions.project_of(self._scope, folder)
