"""What nobody sees in a text told by its number, where a person or a model reads it.

Control characters drive a terminal; signs of direction show letters in another order than the one in which they stand;
signs without width hide what a model reads all the same. Some of them are letters' own: a joiner within an emoji, a
non-joiner in Persian, a mark of direction beside Hebrew. These stay where they stand for that.

Nothing but rules of text may enter.
"""

from __future__ import annotations

import re
from typing import Final
from unicodedata import bidirectional

_JOINER: Final = "\u200d"
_JOINERS: Final = f"\u200c{_JOINER}"
_MARKS: Final = "\u200e\u200f\u061c"
"""Marks of direction, which move nothing but what stands beside them."""
_SPACE: Final = "\u200b"
"""Where a word ends in scripts that write no space."""
_VARIANTS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""What chooses a form of the letter before, such as an emoji in colour."""
_LINES: Final = "\u2028\u2029"
UNSEEN: Final = (
    f"{_LINES}\u202a-\u202e\u2060-\u206f\ufeff\u180e\u3164\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e007f\u034f\u115f\u1160\u17b4\u17b5"
)
"""What no text needs to be read, for a class of characters: separators of lines, what turns the direction of writing,
what has no width, fillers, and the invisible block of tags."""
_NOT_SEEN: Final = re.compile(
    # Three flags are written in tags: of England, Scotland and Wales.
    "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    f"|\U000e0077\U000e006c\U000e0073)\U000e007f|[\x00-\x08\x0b-\x1f\x7f-\x9f{UNSEEN}{_MARKS}{_JOINERS}{_SPACE}{_VARIANTS}]"
)
_CONTROL: Final = {code: f"\\x{code:02x}" for code in (*range(32), 127) if chr(code) not in "\n\t"}
_JOINED: Final = re.compile(
    "[\u0600-\u08ff\u0900-\u109f\u1780-\u18af\ua840-\ua9df\uaa60-\uaadf\ufb50-\ufdff\ufe70-\ufefc\U00010ac0-\U00011fff\U0001e900-\U0001e95f]"
)
"""Scripts in which letters join, or words are not set apart."""
_SYLLABLE: Final = re.compile("[\u1100-\u115e\u1161-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
"""Parts of Korean syllables, of which a filler takes the place of one that is not there."""
_FILLERS: Final = "\u115f\u1160"
_PARTING: Final = re.compile(r"(?<=[^\W\d_])\u00ad(?=[^\W\d_])")
_PICTURE: Final = re.compile("[\u00a9\u00ae\u203c-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]")
CUT_BEFORE: Final = f" {_JOINERS}"
"""What does not stand at the end of a text that was cut."""
_NEAR: Final = 24
"""Letters on each side among which a mark of direction has one that is written from the right."""


def visible(text: str) -> str:
    """The text with what nobody sees as `\\x1b`, `\\u202e` or `\\U000e0061`; line ends and tabs stay.

    >>> print(visible("a\\u202eb \\x1b[2J c\\u200bd"))
    a\\u202eb \\x1b[2J c\\u200bd
    >>> visible("\\U0001f469\\u200d\\U0001f680") == "\\U0001f469\\u200d\\U0001f680"
    True
    """
    return text.translate(_CONTROL) if text.isascii() else _NOT_SEEN.sub(_told, text)


def on_screen(text: str) -> str:
    """The same for a terminal, which draws a soft hyphen within a line or leaves a gap for it: where one only says how
    a word may be parted it is left out, and elsewhere it is told by its number.

    >>> print(on_screen("syl\\u00adla\\u00adble \\u00ad 1\\u00ad2"))
    syllable \\xad 1\\xad2
    """
    seen = visible(text)
    return _PARTING.sub("", seen).replace("\u00ad", "\\xad") if "\u00ad" in seen else seen


def is_seen(text: str, at: int) -> bool:
    """Whether a line shows the letter at a place of a text, or it is meant where it stands."""
    letter = text[at]
    return is_meant(text, at) if _NOT_SEEN.match(letter) else letter.isprintable()


def is_meant(text: str, at: int) -> bool:
    """Whether a sign that nobody sees is a letter's own where it stands in a text."""
    letter, before, after = text[at], text[max(at - 1, 0) : at], text[at + 1 : at + 2]
    if not before:
        return False
    if letter in _MARKS:
        beside = text[max(at - _NEAR, 0) : at] + text[at + 1 : at + 1 + _NEAR]
        is_alone = _NOT_SEEN.match(before) is None and _NOT_SEEN.match(after) is None
        return is_alone and any(bidirectional(each) in ("R", "AL") for each in beside if each not in _MARKS)
    if letter == _SPACE:
        return bool(_JOINED.match(before) and _JOINED.match(after))
    if letter in _FILLERS:
        return bool(_SYLLABLE.match(before) or _SYLLABLE.match(after))
    if letter in _JOINERS:
        is_picture = letter == _JOINER and _is_picture(text, at) and bool(_PICTURE.match(after))
        return is_picture or bool(_JOINED.match(before))
    is_variant = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return is_variant and not before.isspace() and _NOT_SEEN.match(before) is None


def _is_picture(text: str, at: int) -> bool:
    """Whether a picture ends at a place, with or without what chooses its form."""
    return _PICTURE.match(text[at - 1]) is not None or (
        text[at - 1] == "\ufe0f" and at > 1 and _PICTURE.match(text[at - 2]) is not None
    )


def _told(found: re.Match[str]) -> str:
    sign = found[0]
    if len(sign) > 1 or is_meant(found.string, found.start()):
        return sign
    code = ord(sign)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
