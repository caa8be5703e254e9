"""Removes secrets, private parts and injected context before anything is stored.

In this order: marked injected blocks (core/text/injection_marks) and `<private>...</private>` are dropped, then secrets
are replaced by `[REDACTED:<type>]`, private key blocks whole. The detector is detect-secrets with the plugins named in
`secret_patterns`; its entropy plugins (slow, with false alarms) and its public-address plugin (not a secret) are not
used, and no secret is ever verified over the network. The detector is loaded when a text first looks as if it could
hold a secret. Texts are never logged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from engramforge.core.text.injection_marks import strip_injected

if TYPE_CHECKING:
    from engramforge.model.memory import Draft
    from engramforge.writing.secret_patterns import SecretPatterns

_PRIVATE: Final = re.compile(r"<(/?)private\b[^<>]*>", re.IGNORECASE)
_CLUES: Final = ("private key", "putty-user-key-file", "eyj", "xox", "hooks.slack.com", "_authtoken")
_ASSIGNED_WORDS: Final = (
    "passw pwd secret contrase _pass dbpass databasepass keypass _key "
    "apikey authkey servicekey accountkey dbkey databasekey privkey privatekey clientkey"
)
_ASSIGNED_CLUES: Final = tuple(_ASSIGNED_WORDS.split())
_TOKEN_CLUE: Final = re.compile(
    r"[A-Za-z0-9_/+=-]{24}|A(?:3T|BIA|CCA|KIA|SIA)[A-Z0-9]{4}|A(?:KC|P[0-9A-F])[A-Za-z0-9]{8}|://[^\s/]{2,}@"
)
"""Every text in which a pattern finds a secret contains one of these or of the lower-case clues."""
_FELT = ("name", "goal", "mindstate", "felt_quality", "body_sensation")


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text that may be stored, and what was removed from it.

    `text`: what remains; empty (after stripping) when nothing does. `secrets`: type of secret -> how many were
    replaced. `private`: how many private parts were dropped. `injected`: how many injected blocks were dropped.
    """

    text: str
    secrets: Mapping[str, int] = field(default_factory=dict)
    private: int = 0
    injected: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left to store."""
        return not self.text.strip()


class Redactor:
    """Removes from texts what may not be stored; holds the detector's compiled patterns once they are needed."""

    def __init__(self) -> None:
        self._patterns: SecretPatterns | None = None

    def redact(self, text: str) -> Redaction:
        """The text without secrets, private parts and injected blocks.

        Costs a few microseconds for a text without any clue of a secret. Applying it twice changes nothing.
        """
        injected = private = 0
        if "<" in text:
            text, injected = strip_injected(text)
            text, private = _drop_private(text)
        if not may_hold_secret(text):
            return Redaction(text, {}, private, injected)
        if self._patterns is None:
            from engramforge.writing.secret_patterns import SecretPatterns

            self._patterns = SecretPatterns()
        text, secrets = self._patterns.replace(text)
        return Redaction(text, secrets, private, injected)

    def redact_draft(self, draft: Draft) -> tuple[Draft, Redaction]:
        """The draft with every free text redacted, and the redaction of its content with all secrets counted.

        In addition to the content: name, felt fields, tags, attachments' captions and locations, and the texts in the
        metadata (there a text under a key such as `password` counts as a secret).
        """
        main = self.redact(draft.content)
        secrets = Counter(main.secrets)
        changes: dict[str, Any] = {}
        for name in _FELT:
            value = getattr(draft, name)
            if value is not None:
                changes[name] = self._count(value, secrets).strip() or None
        if draft.tags:
            changes["tags"] = tuple(filter(None, (self._count(tag, secrets).strip() for tag in draft.tags)))
        if draft.attachments:
            changes["attachments"] = tuple(
                replace(
                    item,
                    caption=self._count(item.caption, secrets),
                    location=self._count(item.location, secrets),
                )
                for item in draft.attachments
            )
        if draft.metadata:
            changes["metadata"] = self._plain(draft.metadata, secrets)
        if draft.registration is not None:
            details = self._plain(draft.registration.details, secrets)
            changes["registration"] = replace(draft.registration, details=details)
        if main.text != draft.content:
            changes["content"] = main.text.strip()
        cleaned = replace(draft, **changes) if changes else draft
        return cleaned, Redaction(main.text, dict(secrets), main.private, main.injected)

    def redact_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """JSON values with every text in them redacted; a text under a key such as `password` counts as a secret."""
        cleaned = self._plain(values, Counter())
        assert isinstance(cleaned, dict)
        return cleaned

    def _count(self, text: str, secrets: Counter[str]) -> str:
        redaction = self.redact(text)
        secrets.update(redaction.secrets)
        return redaction.text

    def _plain(self, value: Any, secrets: Counter[str], key: str = "") -> Any:
        if isinstance(value, str):
            shown = f'{key} = "{value}"'
            if key and may_hold_secret(f'{key}="'):
                # Written as an assignment, so that the detector judges a value by its key.
                judged = self.redact(shown)
                if judged.text.startswith(f'{key} = "[REDACTED:'):
                    secrets.update(judged.secrets)
                    return judged.text[len(key) + 4 : -1]
            return self._count(value, secrets)
        if isinstance(value, Mapping):
            return {name: self._plain(item, secrets, str(name)) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._plain(item, secrets, key) for item in value]
        return value


def may_hold_secret(text: str) -> bool:
    """Whether a text has a clue of a secret; never False for one that a pattern would find."""
    if _TOKEN_CLUE.search(text):
        return True
    lowered = text.lower()
    return any(clue in lowered for clue in _CLUES) or (
        any(clue in lowered for clue in _ASSIGNED_CLUES) and any(mark in text for mark in "=:\"'`(")
    )


def _drop_private(text: str) -> tuple[str, int]:
    """The text without its private parts; nested ones go with the outer, an unclosed one runs to the end."""
    kept: list[str] = []
    dropped = depth = at = 0
    for mark in _PRIVATE.finditer(text):
        if mark[1]:
            if depth == 1:
                at = mark.end()
            depth = max(depth - 1, 0)
        else:
            if depth == 0:
                kept.append(text[at : mark.start()])
                dropped += 1
            depth += 1
    if not dropped:
        return text, 0
    if depth == 0:
        kept.append(text[at:])
    return "".join(kept), dropped
