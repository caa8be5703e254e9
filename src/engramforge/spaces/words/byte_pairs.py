"""Byte pair encoding of single words, by the vocabulary and merges of a `tokenizer.json`.

A word begins with the word mark; characters that the vocabulary lacks are spelt in bytes; then the neighbours whose
merge ranks first are joined until none can be (Sennrich, Haddow and Birch 2016, doi:10.18653/v1/P16-1162). Splitting
texts and special tokens are no part of it: words come one by one, and each is encoded once per process.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Final

WORD_MARK: Final = "\u2581"


class BytePairs:
    """The tokens of words.

    `definition`: the content of a `tokenizer.json` with a byte pair model. `vocabulary`: piece -> token.

    Raises ValueError, KeyError, TypeError: the definition is no such file.
    """

    def __init__(self, definition: bytes) -> None:
        model = json.loads(definition)["model"]
        self.vocabulary: dict[str, int] = dict(model["vocab"])
        self._ranks: dict[str, int] = {pair: rank for rank, pair in enumerate(model["merges"])}

    def tokens_of(self, word: str) -> list[int]:
        """The tokens of a word, the first of which begins it; never empty."""
        vocabulary, ranks = self.vocabulary, self._ranks
        pieces: list[str] = []
        for character in WORD_MARK + word.replace(" ", WORD_MARK):
            if character in vocabulary:
                pieces.append(character)
            else:
                pieces.extend(f"<0x{byte:02X}>" for byte in character.encode())
        unranked = len(ranks)
        while len(pieces) > 1:
            found = [ranks.get(f"{left} {right}", unranked) for left, right in pairwise(pieces)]
            first = min(found)
            if first == unranked:
                break
            place = found.index(first)
            pieces[place : place + 2] = [pieces[place] + pieces[place + 1]]
        return [vocabulary[piece] for piece in pieces]
