"""Whether two texts say the same in the same words: by a key that both have, so that nothing is compared in pairs.

    the same: case at the beginning of a sentence, punctuation behind words, spaces, "the", "please" and greetings,
        "don't" and "do not"
    not the same: any other word, its form or its place; a number, a name, a negation, code, a question

An embedding cannot tell "the pier is open" from "the pier is closed"; what near cosines merge is in
docs/measurements/topics.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from engramforge.core.text.words import STOP_WORDS, word_set

_QUOTES: Final = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00a0": " "}
)
_BEHIND: Final = '.,;:!?"\u2026\u3002\uff0c\uff01\uff1f'
_ENDS: Final = ".!?:\u3002\uff01\uff1f"
_ASKS: Final = "?\uff1f"
_BULLET: Final = re.compile(r"(?m)^[ \t]*[-*\u2022][ \t]+")
_LAID_OUT: Final = re.compile(r"```|~~~|(?m:^(?: {4}|\t)\S)|(?m:^[ \t]*\|)")
"""Code, tables and what is indented: there every sign counts."""
_PLAIN: Final = re.compile(r"[A-Z][a-z']*")
_ASKING: Final = word_set(
    "how what why when where who whom whose which is are am was were do does did can could will would should shall may"
    " might has have had"
)
_DROPPED: Final = word_set("the please pls plz kindly")
_GREETINGS: Final = word_set("hi hello hey")
_THANKS: Final = word_set("thanks thx")
_NOT: Final = {"can't": "can", "cant": "can", "cannot": "can", "won't": "will", "shan't": "shall"} | {
    f"{each}nt": each for each in word_set("do does did is are was were would could should have has had")
}
_SHORT: Final = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
_FEW: Final = 2


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
    >>> same("Please don't restart the pier server.", "do not restart pier server")
    True
    >>> same("Deploy on Friday.", "Deploy on friday."), same("Keep 3 copies.", "Keep 4 copies.")
    (False, False)
    >>> same("It is open.", "Is it open?"), same("Ada calls Bob", "Bob calls Ada"), same("It works.", "It works?")
    (False, False, False)
    """
    said = unicodedata.normalize("NFC", text).translate(_QUOTES).strip()
    if not said:
        return None
    if _LAID_OUT.search(text):
        lines = "\n".join(each.rstrip() for each in text.strip("\n").splitlines())
        return Wording(_digest("laid out", lines), _meaning(said.split()), asks=False)
    words = _without_courtesy(list(_words(said)))
    if not words:
        return Wording(_digest("signs", said), 0, asks=False)
    asks = said[-1] in _ASKS or words[0] in _ASKING
    # Of several sentences each that asks counts: which one it is cannot be told from the words.
    inside = str(sum(said.count(each) for each in _ASKS)) if any(each in said[:-1] for each in _ASKS) else ""
    return Wording(_digest("asks" if asks else "says", inside, *words), _meaning(words), asks)


def _digest(*parts: str) -> bytes:
    return blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _meaning(words: list[str]) -> int:
    return sum(any(map(str.isalpha, each)) and each.casefold() not in STOP_WORDS for each in words)


def _words(said: str) -> Iterator[str]:
    begins = True
    for piece in _BULLET.sub("", said).split():
        word = piece.lstrip('"').rstrip(_BEHIND)
        if word:
            if begins and _PLAIN.fullmatch(word):
                word = word.lower()
            yield from _taken_apart(word)
            begins = False
        if piece[-1] in _ENDS or piece.rstrip('"')[-1:] in tuple(_ENDS):
            begins = True


def _taken_apart(word: str) -> Iterator[str]:
    """A word without its short form: don't -> do, not."""
    if word in _NOT:
        yield from (_NOT[word], "not")
    elif word.endswith("n't"):
        yield from (word[:-3], "not")
    elif word.lower() in ("i'm", "im", "i"):
        yield "i"
        if word.lower() != "i":
            yield "am"
    else:
        tail = next((each for each in _SHORT if word.endswith(each)), None)
        yield word if tail is None else word[: -len(tail)].replace("I", "i")
        if tail is not None:
            yield _SHORT[tail]


def _without_courtesy(words: list[str]) -> list[str]:
    kept = [each for each in words if each not in _DROPPED]
    if len(kept) > _FEW and kept[0] in _GREETINGS:
        kept = kept[1:]
    if len(kept) > _FEW and kept[-1] in _THANKS:
        kept = kept[:-1]
    elif len(kept) > _FEW + 1 and kept[-2:] == ["thank", "you"]:
        kept = kept[:-2]
    return kept or words
