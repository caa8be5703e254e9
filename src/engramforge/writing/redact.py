"""Removes secrets, private parts and injected context before anything is stored.

In this order: marked injected blocks (core/text/injection_marks) and `<private>...</private>` are dropped, then secrets
(core/secrets) are replaced by `[REDACTED:<type>]`, private key blocks whole. The rules are loaded when a text first
looks as if it could hold a secret. Texts are never logged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from engramforge.core.secrets.chance import is_technical
from engramforge.core.secrets.made_up import PASSWORDS_ABROAD, SIGN_WITHIN
from engramforge.core.text.injection_marks import strip_injected

if TYPE_CHECKING:
    from engramforge.model.memory import Draft
    from engramforge.writing.secret_patterns import SecretPatterns

_PRIVATE: Final = re.compile(r"<(/?)private\b[^<>]*>", re.IGNORECASE)
_RUN: Final = re.compile(
    r"(?<![\w.+/=:$~-])[\w.+/=:$~-]{20}|://[^\s/]{0,400}@|\d{4}[ -]\d{4,6}[ -]\d|@[\w.-]+(?:[:\n]|\s[|/])|\d{13}"
    r"|:\d{4,5}:"
    r"|:[^\s:@/\"']{6,100}@"
)
_CLUE_WORDS = (
    'pass|=|token|key| -|secret|auth|user|log|("|code|$|, "| *|ssh|x-|connect|backup|cookie|sess|bearer'
    "|print|rotat|pin|cred|account|jwt.|pw|verif|vpn| ask|('|wallet|postgres:|echo|tan|seed|denied"
    "|contrase|schl|-----begin|prompt|wachtw|recovery|clave|zugang|question|konto|sudo|confirm|, '|clé"
    "|jeton|plus|sign in|anmeld|admin /|otp|kennwort|signin|2fa|puk|client(|option |ledger|root /|rand "
    "|deploy:|entrar|código|demande|setup|qr |:::|334 |identifiant|cvv|cvc|mnemonic|begin(|mysqli("
    "|fernet(|identified|ubuntu:|ops:|guest:|istrator:|psw|mdp|psk|combin|enable |cuenta|compte|root:"
    "|mac(|kombin|frage|pregunta|wifi:|community|obscure|wlan|http-basic|wi-fi|signed in|bip|trezor"
    "|metamask|récup|recup|wiederherst|codice|fragt|pide |chiede|pede |vraagt|unlock|decrypt|sperr|melde "
    "|acced|sblocc|verrouil|alarm|mfa|qr-|rtmp|identify|ghost |\"-p|'-p|alias set|config host|scram|scrypt"
    "|pbkdf|eenmalig|btoa|getbytes|attach |pragma |schtasks|entra |{plain|{clear|steam |monouso"
    '|usage unique|un solo uso| md5|"md5|vérif|%3d|/p:|{ssha|{sha|{smd5|{crypt|{md5|assword'
    "|code|phrase|my words|2 words|4 words|5 words|8 words|1 words|wörter|palabras|keypad|key pad|(aes|(sha|(des|combo"
)
_CLUES: Final = (*_CLUE_WORDS.split("|"), *(word for word in PASSWORDS_ABROAD if "code" not in word))
"""Every text in which a secret is found has a long run, an address with a user, or one of these in small letters.

The commonest come first; none holds another."""
_NOTHING: Final[Mapping[str, str]] = {}
_SHORTEST_KEY: Final = 16
"""Keys of metadata that are shorter hold no secret."""
_NAMES: Final = ("name", "key", "Name", "Key", "variable", "field", "setting", "parameter", "label")
_VALUES: Final = ("value", "Value", "val")
"""Keys of an entry of a list of settings, for its name and for its value."""
_TEXTS = ("name", "speaker", "goal", "mindstate", "felt_quality", "body_sensation")


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

    def redact(self, text: str, known: Mapping[str, str] = _NOTHING) -> Redaction:
        """The text without secrets, private parts and injected blocks.

        Costs a few microseconds for a text without any clue of a secret. Applying it twice changes nothing. `known`:
        what `find` gave of the other portions of a long text.
        """
        injected = private = 0
        if "<" in text:
            text, injected = strip_injected(text)
            text, private = _drop_private(text)
        return replace(self._without_secrets(text, known), private=private, injected=injected)

    def find(self, text: str) -> Mapping[str, str]:
        """The values in a text that are secrets wherever they stand -> their types; the first of very many."""
        return self._loaded.find(text) if may_hold_secret(text) else _NOTHING

    def _without_secrets(self, text: str, known: Mapping[str, str] = _NOTHING) -> Redaction:
        if not known and not may_hold_secret(text):
            return Redaction(text)
        return Redaction(*self._loaded.replace(text, known))

    @property
    def _loaded(self) -> SecretPatterns:
        if self._patterns is None:
            from engramforge.writing.secret_patterns import SecretPatterns

            self._patterns = SecretPatterns()
        return self._patterns

    def redact_archive(self, text: str) -> Redaction:
        """As `redact`, but blocks marked as injected stay: an archive may have been given back in one."""
        text, private = _drop_private(text) if "<" in text else (text, 0)
        return replace(self._without_secrets(text), private=private)

    def redact_draft(self, draft: Draft) -> tuple[Draft, Redaction]:
        """The draft with every free text redacted, and the redaction of its content with all secrets counted.

        In addition to the content: name, speaker, felt fields, tags, a chunk's file, all of its attachments' texts, and
        the keys and texts in the metadata (there a text under a key such as `password` counts as a secret). What others
        are known by (project, session, agent, local id) is never changed; core/checks refuses a secret there.
        """
        main = self.redact(draft.content)
        secrets = Counter(main.secrets)
        changes: dict[str, Any] = {}
        said = (draft.content, *(draft.registration.details.values() if draft.registration else ()))
        for name in _TEXTS:
            value = getattr(draft, name)
            if value is not None:
                # What stands in two fields was given once.
                counted = Counter[str]() if value in said else secrets
                changes[name] = self._count(value, counted).strip() or None
        if draft.tags:
            changes["tags"] = tuple(filter(None, (self._count(tag, secrets).strip() for tag in draft.tags)))
        if draft.attachments:
            changes["attachments"] = tuple(
                replace(
                    item,
                    name=self._count(item.name, secrets).strip() or "attachment",
                    media_type=self._count(item.media_type, secrets).strip(),
                    caption=self._count(item.caption, secrets),
                    location=self._count(item.location, secrets),
                )
                for item in draft.attachments
            )
        if draft.chunk is not None:
            file_path = self._count(draft.chunk.file_path, secrets)
            changes["chunk"] = replace(draft.chunk, file_path=file_path)
        if draft.metadata:
            changes["metadata"] = self._plain(draft.metadata, secrets)
        if draft.registration is not None:
            details = self._plain(draft.registration.details, secrets)
            changes["registration"] = replace(draft.registration, details=details)
        if main.text != draft.content:
            changes["content"] = main.text.strip()
        cleaned = replace(draft, **changes) if changes else draft
        return cleaned, Redaction(main.text, dict(secrets), main.private, main.injected)

    def redact_values(self, values: Mapping[str, Any], secrets: Counter[str] | None = None) -> dict[str, Any]:
        """JSON values with every text in them redacted; a text under a key such as `password` counts as a secret.

        `secrets`: counts them by type.
        """
        cleaned = self._plain(values, Counter() if secrets is None else secrets)
        assert isinstance(cleaned, dict)
        return cleaned

    def _count(self, text: str, secrets: Counter[str]) -> str:
        redaction = self.redact(text)
        secrets.update(redaction.secrets)
        return redaction.text

    def _key(self, name: Any, secrets: Counter[str]) -> Any:
        return self._count(name, secrets) if isinstance(name, str) and len(name) >= _SHORTEST_KEY else name

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
            called = _called(value)
            return {
                self._key(name, secrets): self._plain(
                    item, secrets, called if called and name in _VALUES else str(name)
                )
                for name, item in value.items()
            }
        if isinstance(value, list | tuple):
            called = _called_first(value)
            return [
                self._plain(item, secrets, called if called and place else key)
                for place, item in enumerate(value)
            ]
        return value


def _called(entry: Mapping[Any, Any]) -> str:
    """What an entry of a list of settings is about: `DB_PASSWORD` of `{"name": "DB_PASSWORD", "value": "..."}`."""
    names = (entry[name] for name in _NAMES if isinstance(entry.get(name), str))
    return next(names, "") if any(name in entry for name in _VALUES) else ""


def _called_first(pair: Sequence[Any]) -> str:
    """The first of two texts where it is the name of the second, as of a setting."""
    if len(pair) == 2 and all(isinstance(each, str) for each in pair):
        name, value = pair
        if name.isupper() or (
            not value.replace("-", "").replace("_", "").isalpha() and not is_technical(value)
        ):
            return str(name)
    return ""


def may_hold_secret(text: str) -> bool:
    """Whether a text has a clue of a secret; never False for one that a pattern would find."""
    if _RUN.search(text) or SIGN_WITHIN.search(text):
        return True
    lowered = text.lower()
    return any(map(lowered.__contains__, _CLUES))


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
