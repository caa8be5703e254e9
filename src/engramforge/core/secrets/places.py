"""All places of secrets in a text, private key blocks among them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engramforge.core.secrets.apart import apart
from engramforge.core.secrets.arguments import arguments
from engramforge.core.secrets.codes import codes
from engramforge.core.secrets.commands import commands
from engramforge.core.secrets.credentials import credentials
from engramforge.core.secrets.lists import lists
from engramforge.core.secrets.made_up import made_up
from engramforge.core.secrets.named_values import named_values
from engramforge.core.secrets.service_tokens import Span, tokens
from engramforge.core.secrets.speech.nearby import nearby
from engramforge.core.secrets.speech.phrases import phrases
from engramforge.core.secrets.tables import tables
from engramforge.core.text.late_pattern import late

_KEY_BEGIN = late(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----"
    r"|PuTTY-User-Key-File-\d"
)
_KEY_END = late(
    r"-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|---- END SSH2 (?:ENCRYPTED )?PRIVATE KEY ----"
    r"|Private-MAC: *\w+"
)
_KEY_LINE = late(
    r"[ \t>]*+(?:[A-Za-z0-9+/=_-]{16,}+|[A-Za-z-]++: .*|[A-Za-z0-9+/]*+={1,2}|)[ \t]*+\r?(?:\n|\Z)"
)
_KEY_BODY = late(r"[^\n]{0,3}(?:\\n|\r?\n|[ \t])[ \t>]*+[A-Za-z0-9+/=:_-]{16}|\Z|\r?\n|: \d")
_PRIVATE_LINES = late(r"Private-Lines:[ \t]*(?P<lines>\d{1,3})[ \t\r]{0,9}(?=\n|\\n)")
_LINE_OF_KEY = late(r"(?:\\n|\n)[^\n\\]{0,100}?[A-Za-z0-9+/]{8,200}+={0,2}[ \t\r\"']{0,9}(?=\n|\\n|\Z)")
_ABOVE = late(
    r"(?<![A-Za-z0-9+/=])=?(?P<key>[A-Za-z0-9+/]{2,200}={0,2})[\"' \t\r+,]{0,9}(?:\\r)?(?:\\n|\n)[^\n]{0,60}\Z"
)
"""A line of a key above a place."""
_LONGEST_ABOVE = 300
_SURE = 32
"""So many characters has a line of a key at least, except for the last."""
_BLOCK_CHARACTERS = 100_000
"""A key block not closed within this length counts as unclosed."""


def secret_places(text: str) -> Iterator[Span]:
    """Spans of secrets with their kinds, in no order; some may overlap."""
    found = list(_key_blocks(text)) if "-" in text else []
    for rules in (tokens, credentials, named_values, arguments, codes):
        found += rules(text)
    yield from found
    yield from nearby(text, found)
    yield from made_up(text)
    yield from tables(text)
    yield from commands(text)
    yield from apart(text)
    yield from lists(text)
    yield from phrases(text)


def _key_blocks(text: str) -> Iterator[Span]:
    """Private key blocks from their first to their last line; an unclosed one as far as it looks like a key."""
    at = 0
    closing: re.Match[str] | None = None
    is_last = False
    while begin := _KEY_BEGIN.search(text, at):
        if not is_last and (closing is None or closing.start() < begin.end()):
            closing = _KEY_END.search(text, begin.end())
            is_last = closing is None
        if closing is not None and closing.start() - begin.end() < _BLOCK_CHARACTERS:
            at = closing.end()
        else:
            at = begin.end()
            if not _KEY_BODY.match(text, at):
                continue  # speech about a key
            line_end = text.find("\n", at)
            at = len(text) if line_end < 0 else line_end + 1
            while at < len(text) and (line := _KEY_LINE.match(text, at)):
                at = line.end()
            at -= text[at - 1] == "\n"
        yield begin.start(), at, "private-key"
    yield from _key_tails(text)
    for counted in _PRIVATE_LINES.finditer(text) if "Private-Lines:" in text else ():
        at = counted.end()
        for _ in range(int(counted["lines"])):
            if (line := _LINE_OF_KEY.match(text, at)) is None:
                break
            at = line.end()
        if at > counted.end():
            yield counted.start(), at, "private-key"


def _key_tails(text: str) -> Iterator[Span]:
    """Last lines of private keys, as far up as they look like lines of a key: the first one may be missing."""
    least = 0
    for closing in _KEY_END.finditer(text):
        at, longest = closing.start(), 0
        while line := _ABOVE.search(text[max(at - _LONGEST_ABOVE, least) : at]):
            key = len(line["key"])
            if longest and key < _SURE:
                break
            longest = max(longest, key, 1)
            at += line.start() - min(_LONGEST_ABOVE, at - least)
        least = closing.end()
        if longest >= _SURE:
            yield at, least, "private-key"
