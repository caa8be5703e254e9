"""Verbs of the scratchpad, as `forge.scratch`."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from engramforge.core.checks.validation import check_name, check_text
from engramforge.errors import InvalidContent, InvalidValue
from engramforge.forge.scoped import ScopedVerbs
from engramforge.model.limits import QUERY_CHARACTERS
from engramforge.model.registries.learned import ScratchEntry

LEAST_TTL_HOURS: Final = 1 / 60
MOST_TTL_HOURS: Final = 24 * 30
USUAL_TTL_HOURS: Final = 24.0


class ScratchVerbs(ScopedVerbs):
    """Notes for a while, of this agent alone: no recall finds them, no other agent reads them, no export has them."""

    def put(
        self, key: str, text: str, *, session: str | None = None, ttl_hours: float = USUAL_TTL_HOURS
    ) -> ScratchEntry:
        """Keep a text until it expires, in place of the session's one of that key.

        `text`: up to 10,000 characters. `session`: of which it is. `ttl_hours`: how long it lives, a minute to 30 days.
        An agent has up to 100 entries. Secrets are replaced.

        Raises InvalidValue, InvalidContent: nothing was kept.
        """
        checked = check_text(text, "text", QUERY_CHARACTERS) or ""
        if not LEAST_TTL_HOURS <= ttl_hours <= MOST_TTL_HOURS:
            raise InvalidValue(f"ttl_hours is {ttl_hours:g}", f"Give 1/60 to {MOST_TTL_HOURS} hours")
        redaction = self._stages.preparation.redactor.redact(checked)
        if redaction.is_empty:
            raise InvalidContent(
                "Nothing of the text is left to keep: it is private", "Write more than <private>"
            )
        kept = self._stages.scratchpad.put(
            self._scope,
            check_name(key, "key"),
            redaction.text,
            _session(session),
            timedelta(hours=ttl_hours),
        )
        return replace(kept, redacted=sum(redaction.secrets.values()))

    def get(self, key: str, *, session: str | None = None) -> ScratchEntry:
        """The session's entry of a key. Raises NotFound: there is none, or it has expired."""
        return self._stages.scratchpad.entry(self._scope, check_name(key, "key"), _session(session))

    def list(self, session: str | None = None) -> list[ScratchEntry]:
        """This agent's entries, or those of a session, the newest first."""
        asked = _session(session)
        found = self._stages.scratchpad.entries(self._scope)
        return [each for each in found if asked is None or each.session == asked]

    def remove(self, key: str, *, session: str | None = None) -> ScratchEntry:
        """Take an entry away before it expires; the entry as it was. Raises NotFound."""
        return self._stages.scratchpad.remove(self._scope, check_name(key, "key"), _session(session))


def _session(session: str | None) -> str | None:
    return None if session is None else check_name(session, "session")
