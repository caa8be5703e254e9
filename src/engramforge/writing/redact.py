"""Removes secrets, private parts and injected context before anything is stored.

In this order: marked injected blocks (core/text/injection_marks) and `<private>...</private>` are dropped, then secrets
(core/secrets) are replaced by `[REDACTED:<type>]`, private key blocks whole. The rules are loaded when a text first
looks as if it could hold a secret. Texts are never logged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from engramforge.core.secrets.fields import as_said, called_fields, called_items, command_line, is_arguments
from engramforge.core.secrets.made_up import DIGIT, PASSWORDS_ABROAD, SIGN_WITHIN
from engramforge.core.text.injection_marks import strip_injected
from engramforge.core.text.layers import may_be_layered, views

if TYPE_CHECKING:
    from engramforge.model.memory import Draft
    from engramforge.writing.secret_patterns import SecretPatterns

_PRIVATE: Final = re.compile(r"<(/?)private\b[^<>]*>", re.IGNORECASE)
_MENTION: Final = re.compile(
    r"(?i)\b(?:an?|the|an? empty|any|each|every|your|my|our|no|this|that|in|inside|within|between|of|with|by)[ ]"
    r"(?=<private[ ]{0,2}>[ ](?:tags?|marks?|markers?|blocks?|sections?|parts?|elements?|spans?|regions?)\b)"
    r"|[`\"'(](?=<private[ ]{0,2}>[`\"')])"
)
"""What stands before the mark where a text speaks of it."""
_LONG: Final = 20
_SHORT: Final = 32
_MOST_SHORT: Final = 1_024
_RUN: Final = re.compile(rf"(?<![\w.+/=:$~-])[\w.+/=:$~-]{{{_LONG}}}")
_NUMBERS: Final = re.compile(r"\d{4}[ -]\d{4,6}[ -]\d|\d{13}|:\d{4,5}:")
_ADDRESS: Final = re.compile(r"://[^\s/]{0,400}@|@[\w.-]+(?:[:\n]|\s[|/])|:[^\s:@/\"']{6,100}@")
_CLUE_WORDS = (
    'pass|=|token|key|secret|auth|user|log|("|code|, "| *|ssh|x-|connect|backup|cookie|sess|bearer'
    "|print|rotat|cred|account|jwt.|pw|verif|vpn| ask|('|wallet|postgres:|echo|seed|denied"
    "|contrase|schl|-----begin|prompt|wachtw|recovery|clave|zugang|question|konto|sudo|confirm|, '|clé"
    "|jeton|plus|sign in|anmeld|admin /|otp|kennwort|signin|2fa|puk|client(|option |ledger|root /|rand "
    "|deploy:|entrar|código|demande|setup|qr |:::|334 |identifiant|cvv|cvc|mnemonic|begin(|mysqli("
    "|fernet(|identified|ubuntu:|ops:|guest:|istrator:|psw|mdp|psk|combin|enable |cuenta|compte|root:"
    "|mac(|kombin|frage|pregunta|wifi|admin/|root/|snmp|obscure|wlan|http-basic|wi-fi|signed in|bip|trezor"
    "|metamask|récup|recup|wiederherst|codice|fragt|pide |chiede|pede |vraagt|unlock|decrypt|sperr|melde "
    "|acced|sblocc|verrouil|alarm|mfa|qr-|rtmp|identify|ghost |\"-p|'-p|alias set|config host|scram|scrypt"
    "|pbkdf|eenmalig|btoa|getbytes|attach |pragma |schtasks|signtool|entra |{plain|{clear|steam |monouso"
    '|usage unique|un solo uso| md5|"md5|vérif|%3d|/p:|{sha|{smd5|{crypt|{md5|assword'
    "|phrase|my words|2 words|4 words|5 words|8 words|1 words|wörter|palabras|(aes|(sha|(des|combo"
)
_SIGNS: Final = tuple("({:\"'")
_CLUES: Final = (*_CLUE_WORDS.split("|"), *(word for word in PASSWORDS_ABROAD if "code" not in word))
"""Every text in which a secret is found has a long run, an address with a user, an option, one of these in small
letters, or one of `_BESIDE_DIGITS`.

The commonest come first; none holds another."""
_BESIDE_DIGITS: Final = ("pin", "tan", "community")
"""Codes are digits; shopping, importance and communities are not."""
_OPTION: Final = re.compile(r" -\S")
_ABROAD: Final = tuple(clue for clue in _CLUES if not clue.isascii())
_PLAIN: Final = tuple(clue for clue in _CLUES if clue.isascii() and not any(map(clue.__contains__, _SIGNS)))
_WITH_SIGNS: Final = tuple((sign, tuple(clue for clue in _CLUES if sign in clue)) for sign in _SIGNS)
"""The clues that need a sign that few texts have."""
_EVERYDAY: Final = re.compile(
    r"\b(?:incredibl[ey]|sacred|(?:com)?passion(?:ate|ately|s)?|pass(?:ed|ing|es)|(?:re)?connect(?:ed|ing|ions?|s)?|plus"
    r"|combin(?:ed?|es|ing|ations?)|print(?:ed|ing|s)?|authors?|authentic(?:ally|ity)?|sessions?"
    r"|(?:[bv]|techno|psycho|bio|eco|apo)log\w*|(?:ob|po|a)ssess\w*|monkeys?|turkey|keyboards?|accountab\w+|[bg]rand"
    r"|designing|cookies?)\b(?![-_=(]| ?[=:])"
)
"""Words of everyday talk with a clue in them, which is none where there is no digit."""
_NOTHING: Final[Mapping[str, str]] = {}
Feels = Callable[[str], Mapping[str, float]]
"""A text -> its emotions."""
_SHORTEST_KEY: Final = 16
"""Keys of metadata that are shorter hold no secret."""
_OF_DETECTIONS: Final = frozenset(
    ("sentence", "rule", "message_id", "priority", "kind", "status", "voice", "speaker", "why")
)
"""Names of fields that every detected entry has, which call nothing a secret."""
_TEXTS = ("name", "speaker", "goal", "mindstate", "felt_quality", "body_sensation")


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text that may be stored, and what was removed from it.

    `text`: what remains; empty (after stripping) when nothing does. `secrets`: type of secret -> how many were
    replaced. `private`: how many private parts were dropped. `injected`: how many injected blocks were dropped.
    `values`: what was replaced and is a secret wherever it is said again -> its type.
    """

    text: str
    secrets: Mapping[str, int] = field(default_factory=dict)
    private: int = 0
    injected: int = 0
    values: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left to store."""
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class _Found:
    """How many secrets of each type were replaced in the fields of a record, and which."""

    secrets: Counter[str] = field(default_factory=Counter)
    values: dict[str, str] = field(default_factory=dict)

    def add(self, redaction: Redaction) -> str:
        if redaction.secrets:  # Counting nothing takes a counter as long as counting.
            self.secrets.update(redaction.secrets)
            self.values.update(redaction.values)
        return redaction.text


class Redactor:
    """Removes from texts what may not be stored; holds the detector's compiled patterns once they are needed."""

    def __init__(self) -> None:
        self._patterns: SecretPatterns | None = None
        self._harmless: set[str] = set()
        """Short texts without a secret: speakers, tags and values of fields come again and again."""

    def redact(self, text: str, known: Mapping[str, str] = _NOTHING) -> Redaction:
        """The text without secrets, private parts and injected blocks.

        Costs a few microseconds for a text without any clue of a secret. Applying it twice changes nothing. `known`:
        what `find` gave of the other portions of a long text.
        """
        injected = private = 0
        if "<" in text or "; id 0" in text:
            text, injected = strip_injected(text)
        if "<" in text:
            text, private = _drop_private(text)
        found = self._without_secrets(text, known)
        return replace(found, private=private, injected=injected) if injected or private else found

    def find(self, text: str) -> Mapping[str, str]:
        """The values in a text that are secrets wherever they stand -> their types."""
        return self._loaded.find(text) if may_hold_secret(text) else _NOTHING

    def _without_secrets(self, text: str, known: Mapping[str, str] = _NOTHING) -> Redaction:
        if not known and (text in self._harmless or not may_hold_secret(text)):
            self._keep_harmless(text)
            return Redaction(text)
        cleaned, secrets, values = self._loaded.replace(text, known)
        if not known and not secrets:
            self._keep_harmless(text)
        return Redaction(cleaned, secrets, values=values)

    def _keep_harmless(self, text: str) -> None:
        if len(text) <= _SHORT:
            if len(self._harmless) >= _MOST_SHORT:
                self._harmless.clear()
            self._harmless.add(text)

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

    def redact_draft(
        self, draft: Draft, known: Mapping[str, str] = _NOTHING, feels: Feels | None = None
    ) -> tuple[Draft, Redaction]:
        """The draft with every free text redacted, and the redaction of its content with all secrets counted.

        In addition to the content: name, speaker, felt fields, tags, a chunk's file, all of its attachments' texts, and
        the keys and values in the metadata (there a value counts as a secret by what calls it one). What is a secret in
        one field goes from all. What others are known by (project, session, agent, local id) is never changed;
        core/checks refuses a secret there. `known`: what of the content answers a message before it (writing/intake).
        `feels`: reads the emotions of a draft without any in the content that is left.
        """
        main = self.redact(draft.content, known)
        found = _Found()
        found.add(main)
        text = main.text
        changes = _changes(
            draft, lambda each: found.add(self.redact(each)), partial(self._plain, found), found
        )
        if found.values:
            again = partial(self._again, found)
            text = again(text)
            changes |= _changes(replace(draft, **changes), again, partial(_in_all, again), found)
        if text != draft.content:
            changes["content"] = text.strip()
        if feels is not None and draft.emotion_vector is None:
            changes["emotion_vector"] = feels(changes.get("content", text))
        cleaned = replace(draft, **changes) if changes else draft
        return cleaned, Redaction(text, dict(found.secrets), main.private, main.injected)

    def redact_values(self, values: Mapping[str, Any], secrets: Counter[str] | None = None) -> dict[str, Any]:
        """JSON values with every text in them redacted; what a key calls a secret is one, and goes from all of them.

        `secrets`: counts them by type.
        """
        found = _Found()
        cleaned = self._plain(found, values)
        if found.values:
            cleaned = _in_all(partial(self._again, found), cleaned)
        if secrets is not None:
            secrets.update(found.secrets)
        assert isinstance(cleaned, dict)
        return cleaned

    def _again(self, found: _Found, text: str) -> str:
        cleaned, secrets = self._loaded.without(text, found.values)
        found.secrets.update(secrets)
        return cleaned

    def _plain(self, found: _Found, value: Any, names: Sequence[str] = ()) -> Any:
        """JSON values without secrets. `names`: what this one may be called."""
        if isinstance(value, str):
            return found.add(self.redact(self._judged(found, value, names)))
        if isinstance(value, int) and not isinstance(value, bool):
            said = self._judged(found, value, names)
            return value if said == str(value) else said
        if isinstance(value, Mapping):
            cleaned = {}
            for key, called in called_fields(value, names):
                item = value[key]
                if is_arguments(key) and isinstance(item, list | tuple):
                    item = self._typed(found, item, value)
                shown = (
                    found.add(self.redact(key)) if isinstance(key, str) and len(key) >= _SHORTEST_KEY else key
                )
                cleaned[shown] = self._plain(found, item, called)
            return cleaned
        if isinstance(value, list | tuple):
            called_each = called_items(value, names)
            typed = self._typed(found, value)
            return [self._plain(found, *each) for each in zip(typed, called_each, strict=True)]
        return value

    def _judged(self, found: _Found, value: str | int, names: Sequence[str]) -> str:
        """The value without what is a secret because of one of its names."""
        text = str(value)
        for name in names:
            if not name or name in _OF_DETECTIONS:
                continue
            # As an assignment, so that the rules judge a value by its name.
            for said, begin in as_said(name, value):
                cleaned = self._parted(found, said, [(begin, text)])[0]
                if cleaned != text:
                    return cleaned
        return text

    def _typed(
        self, found: _Found, items: Sequence[Any], entry: Mapping[Any, Any] = _NOTHING
    ) -> Sequence[Any]:
        """Arguments without the secrets that they are as parts of a command."""
        typed = command_line(items, entry)
        if typed is None or not may_hold_secret(typed[0]):
            return items
        parts = self._parted(
            found, typed[0], [(at, str(each)) for at, each in zip(typed[1], items, strict=True)]
        )
        return [each if str(each) == part else part for each, part in zip(items, parts, strict=True)]

    def _parted(self, found: _Found, said: str, parts: Sequence[tuple[int, str]]) -> list[str]:
        """Texts without what is a secret in the text that they are parts of. `parts`: where each begins in it."""
        if said in self._harmless:
            return [text for _, text in parts]
        if not (places := self._loaded.places(said)):
            self._keep_harmless(said)
        return [self._loaded.part(text, begin, places, found.secrets, found.values) for begin, text in parts]


def _changes(
    draft: Draft, clean: Callable[[str], str], plain: Callable[[Any], Any], found: _Found
) -> dict[str, Any]:
    """The fields of a draft, but for its content, with each text cleaned."""
    changes: dict[str, Any] = {}
    said = (draft.content, *(draft.registration.details.values() if draft.registration else ()))
    for name in _TEXTS:
        value = getattr(draft, name)
        if value is not None:
            counted = dict(found.secrets)
            changes[name] = clean(value).strip() or None
            if value in said and counted != found.secrets:  # what stands in two fields was given once
                found.secrets.clear()
                found.secrets.update(counted)
    if draft.tags:
        changes["tags"] = tuple(filter(None, (clean(tag).strip() for tag in draft.tags)))
    if draft.attachments:
        changes["attachments"] = tuple(
            replace(
                item,
                name=clean(item.name).strip() or "attachment",
                media_type=clean(item.media_type).strip(),
                caption=clean(item.caption),
                location=clean(item.location),
            )
            for item in draft.attachments
        )
    if draft.chunk is not None:
        changes["chunk"] = replace(draft.chunk, file_path=clean(draft.chunk.file_path))
    if draft.metadata:
        changes["metadata"] = plain(draft.metadata)
    if draft.registration is not None:
        changes["registration"] = replace(draft.registration, details=plain(draft.registration.details))
    return changes


def _in_all(clean: Callable[[str], str], value: Any) -> Any:
    """JSON values with each text, key and number cleaned."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {
            clean(key) if isinstance(key, str) else key: _in_all(clean, item) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_in_all(clean, item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool):
        said = clean(str(value))
        return value if said == str(value) else said
    return value


def may_hold_secret(text: str) -> bool:
    """Whether a text has a clue of a secret; never False for one that a pattern would find."""
    if _has_clue(text):
        return True
    return may_be_layered(text) and any(_has_clue(view.text) for view in views(text)[1:])


def _has_clue(text: str) -> bool:
    if len(max(text.split(), key=len, default="")) >= _LONG and _RUN.search(text):
        return True
    has_digit = DIGIT.search(text) is not None
    if SIGN_WITHIN.search(text) or (has_digit and _NUMBERS.search(text)) or _OPTION.search(text):
        return True
    if "@" in text and _ADDRESS.search(text):
        return True
    lowered = text.lower()
    if has_digit and any(map(lowered.__contains__, _BESIDE_DIGITS)):
        return True
    return _has_word(lowered) and (has_digit or _has_word(_EVERYDAY.sub("", lowered)))


def _has_word(lowered: str) -> bool:
    has = lowered.__contains__
    return (
        any(map(has, _PLAIN))
        or any(has(sign) and any(map(has, clues)) for sign, clues in _WITH_SIGNS)
        or (not lowered.isascii() and any(map(has, _ABROAD)))
    )


def _drop_private(text: str) -> tuple[str, int]:
    """The text without its private parts; nested ones go with the outer, an unclosed one runs to the end, unless it is
    no more than mentioned."""
    kept: list[str] = []
    dropped = depth = at = 0
    for mark in _private_marks(text):
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


def _private_marks(text: str) -> list[re.Match[str]]:
    """The marks in their order, without those that a text only speaks of ("in a <private> tag") and nothing closes."""
    marks = list(_PRIVATE.finditer(text))
    if not marks or not (spoken_of := {hit.end() for hit in _MENTION.finditer(text)}):
        return marks
    kept = []
    unopened = 0
    for mark in reversed(marks):
        if not mark[1] and mark.start() in spoken_of and not unopened:
            continue
        unopened = unopened + 1 if mark[1] else max(unopened - 1, 0)
        kept.append(mark)
    return kept[::-1]
