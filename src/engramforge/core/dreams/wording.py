"""Whether two texts say the same in the same words: by a key that both have, so that nothing is compared in pairs.

    nothing: how many spaces part two words, one full stop at the end behind a plain word, the shape of quotation marks
        and dashes, and a capital at the beginning where it cannot be a name's
    something: all else, as every other sign ("don't! stop", "don't stop"), a word ("the", "please"), a line's end

What is merged by mistake misleads whoever trusts what stays; what is not merged costs a line. No embedding can tell
"the pier is open" from "the pier is closed"; what near cosines merge is in docs/measurements/topics.md.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from engramforge.core.text.words import STOP_WORDS, word_set

_SHAPES: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e", '"'),
        **dict.fromkeys("\u2010\u2011\u2013\u2014", "-"),
    }
)
_ASKS: Final = ("?", "\uff1f")
_COUNTED: Final = re.compile(r"""["`]|~~~|(?<!\w)'|'(?!\w)|(?m:^(?: {2,}|\t+)\S)|(?m:^[ \t]*\|)""")
"""Code, tables, what is indented or quoted: there spaces count."""
_SPACES: Final = re.compile(r"[^\S\n]+")
_LINE_ENDS: Final = re.compile(r" ?(?:\r?\n ?)+")
_STOP: Final = re.compile(r"(?:(?<=\s)|^)([^\W\d_]{2,}(?:['-][^\W\d_]+)*)[.\u3002]$")
_BEGINNING: Final = re.compile(r"\A[A-Z][a-z]*(?= (\S+))")
_SMALL: Final = word_set(
    "the a this that these those it its he she they we you our your their my there if when while where how what why"
    " which is are was were do does did can could should would has have had not no never always please in on at for"
    " from with without to after before and or but"
)
"""Words that are no names."""
_BEFORE_THINGS: Final = word_set("the a an my your our their this that these those all every")
"""What stands before one of them does something, or is no name: "Mark the file", "Ada the dog"."""
_ASKING: Final = word_set(
    "how what why when where who whom whose which is are am was were do does did can could will would should shall may"
    " might has have had"
)


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a text.

    `key`: equal where two say the same. `content`: how many words mean something by themselves. `asks`: whether it is a
    question.
    """

    key: bytes
    content: int
    asks: bool


def wording_of(text: str) -> Wording | None:
    """The words of a text; None where it has none.

    >>> def same(one: str, other: str) -> bool:
    ...     return wording_of(one).key == wording_of(other).key
    >>> same("Don\u2019t restart the  server.", "Don't restart the server"), same("Use the pier", "use the pier.")
    (True, True)
    >>> same("Keep 3 copies.", "Keep 4 copies."), same("No, delete it.", "No delete it.")
    (False, False)
    >>> same("Will owns it", "will owns it"), same("It works.", "It works?"), same("Run git add .", "Run git add")
    (False, False, False)
    """
    said = unicodedata.normalize("NFC", text).translate(_SHAPES)
    if not said.strip():
        return None
    if _COUNTED.search(said):
        said = "\n".join(each.rstrip() for each in said.strip("\r\n").splitlines())
    else:
        said = _LINE_ENDS.sub("\n", _SPACES.sub(" ", said)).strip()
        said = _BEGINNING.sub(_beginning, _STOP.sub(r"\1", said))
    words = said.split()
    asks = said.rstrip().endswith(_ASKS) or words[0].casefold() in _ASKING
    content = sum(any(map(str.isalpha, each)) and each.casefold() not in STOP_WORDS for each in words)
    return Wording(blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest(), content, asks)


def _beginning(found: re.Match[str]) -> str:
    """The first word without its capital, where it is no name."""
    word = found[0].lower()
    return word if word in _SMALL or found[1] in _BEFORE_THINGS else found[0]
