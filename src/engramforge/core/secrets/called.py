"""Fields of what a tool is asked or answers whose names say that their values are secret, whatever these look like.

In a text a word after "token" may be speech; the value of a field that is called `token` is nothing but that. Names
are judged by `nature_of`, and so `max_tokens`, `token_count` and `password_hint` call nothing a secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from engramforge.core.secrets.chance import KIND, MARK
from engramforge.core.secrets.names import Nature, nature_of
from engramforge.core.text.late_pattern import late

REMOVED: Final = f"{MARK}{KIND}]"
_WORD: Final = late(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LONGEST_NAME: Final = 60
_LAST_WORDS: Final = frozenset(
    ["auth", "authorization", "authorisation", "bearer", "cookie", "jwt", "otp", "totp", "dsn"]
)
_ENDINGS: Final = (
    "connection string",
    "conn string",
    "conn str",
    "access key id",
    "accesskey id",
    "access keyid",
)
_WHOLE: Final = ("connectionstring", "connstr", "accesskeyid")
_NOT_OF: Final = frozenset(
    ["is", "has", "no", "needs", "need", "requires", "require", "required", "use", "uses", "with", "without"]
)
"""Words before those that ask whether there is one."""
_RESULTS: Final = frozenset({"pass", "passe"})
"""What tests do, too."""
_SETTING: Final = late(
    r"\s*|\W+|\$\{[\w.:-]+\}|\$[A-Z_][A-Z\d_]*|(?i:true|false|null|none|undefined|basic|bearer|oauth2?|required|optional)"
)
"""What stands for a value, or says of which kind it is."""
_SHORTEST_AGAIN: Final = 8
"""Characters of a value that is a secret in the other fields, too."""
_MOST_FIELDS: Final = 2_000
_DEEPEST: Final = 20
_LEAST_NUMBER: Final = 1_000
_LEAST_OF_MACHINES: Final = 10_000_000
"""Smaller numbers under such a name count something."""


@lru_cache(4_096)
def is_called_secret(name: str) -> bool:
    """Whether a field of this name holds a secret."""
    if len(name) > _LONGEST_NAME:
        return False
    words = [word.lower() for word in _WORD.findall(name)]
    if not words:
        return False
    if nature_of(name) is not None:
        return words[-1] not in _RESULTS
    if words[-1] in _LAST_WORDS or words[-1] in _WHOLE:
        return _NOT_OF.isdisjoint(words)
    return " ".join(words).endswith(_ENDINGS)


def is_secret_field(name: str, value: object) -> bool:
    """Whether the value of a field is a secret because of its name."""
    if isinstance(value, bool) or not isinstance(value, str | int) or not is_called_secret(name):
        return False
    if isinstance(value, int):
        return abs(value) >= (_LEAST_NUMBER if nature_of(name) is Nature.PASSWORD else _LEAST_OF_MACHINES)
    return _SETTING.fullmatch(value) is None and MARK not in value


def field_said(name: str, value: str | float, shown: str | None = None) -> str:
    """A field in words, without what its name calls a secret. `shown`: its value as it is to be shown."""
    if is_secret_field(name, value):
        return f"{name}: {REMOVED}"
    return f"{name}: {value if shown is None else shown}"


def without_values(text: str, values: Iterable[str]) -> str:
    """A text without values that fields beside it call secret."""
    for value in values:
        if value in text:
            text = text.replace(value, REMOVED)
    return text


def secret_values(fields: Any) -> Iterator[str]:
    """The longer values in structured data that are secret because of their names; of very large data, the first."""
    waiting: list[tuple[Any, int]] = [(fields, 0)]
    left = _MOST_FIELDS
    while waiting and left > 0:
        found, depth = waiting.pop()
        inner = found.items() if isinstance(found, Mapping) else ()
        for name, value in inner:
            left -= 1
            if left < 0:
                return
            if isinstance(value, str):
                if len(value) >= _SHORTEST_AGAIN and is_secret_field(str(name), value):
                    yield value
            elif depth < _DEEPEST:
                waiting.append((value, depth + 1))
        if isinstance(found, list) and depth < _DEEPEST:
            waiting += [(each, depth + 1) for each in found[:left] if isinstance(each, dict | list)]
            left -= len(found)
