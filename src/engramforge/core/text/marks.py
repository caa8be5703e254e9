"""One spelling of a text's marks, so that a mark is known in any of its disguises, and copies of a text as the same.

Fullwidth letters, letters of another script among Latin ones, the quotation marks of any language, brackets that look
like those of tags and escaped characters become their plain ASCII form; signs that nobody sees are left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from html import unescape
from typing import Final

from engramforge.core.text.late_pattern import late
from engramforge.model.fence import UNSEEN

WHOLE_MARK: Final = late(r"\[REDACTED:[\w-]{1,60}\]")
"""What stands in the place of a secret."""
_ESCAPED: Final = re.compile(
    r"&(?:amp;)*(?:#x?[0-9A-Fa-f]{1,6}|lt|gt|quot|apos|nbsp|[lr][sd]?aquo|[lrb][sd]quo|shy|zwn?j);?"
    r"|\\(?:u00|x)(?:3c|3e|22|27)|%(?:3c|3e|22)|(?<!\\)\\{1,8}[<>\x22']|(?<!`)`{2}(?=[^\s`])|(?<=[^\s`'])'{2}(?!')|(?<!['\w])'{2}(?=\w)",
    re.I,
)
_ESCAPES: Final = ("&", "\\", "%", "``", "''")
_DOUBLE: Final = (
    "\u201c\u201d\u201e\u201f\u00ab\u00bb\u301d\u301e\u301f\u275d\u275e\u2e42\uff02\u2033\u2036\u02ba\u05f4"
)
_SINGLE: Final = (
    "\u2018\u2019\u201a\u201b\u2039\u203a\u275b\u275c\uff07\u2032\u2035\u02b9\u02bb\u02bc\u00b4\uff40\u02cb"
)
_SPACED_OPEN: Final = "\u231c\u231e\u300c\u300e\u300a\u3010\u27ea\u3016\ufe41\ufe43\uff62"
_SPACED_CLOSE: Final = "\u231d\u231f\u300d\u300f\u300b\u3011\u27eb\u3017\ufe42\ufe44\uff63"
_LEFT: Final = "\u2329\u27e8\u3008\u276e\u2770\u02c2\u1438\uff1c\ufe64\u29fc"
_RIGHT: Final = "\u232a\u27e9\u3009\u276f\u2771\u02c3\u1433\uff1e\ufe65\u29fd"
_ALIKE: Final = (
    "\u0430a\u0435e\u043eo\u0440p\u0441c\u0445x\u0443y\u0456i\u0458j\u0455s\u0501d\u04bbh\u0410A\u0412B\u0415E\u041aK"
    "\u041cM\u041dH\u041eO\u0420P\u0421C\u0422T\u0425X\u0406I\u0405S\u03bfo\u03b1a\u03bdv\u03b9i\u03c1p\u0391A\u0392B"
    "\u0395E\u0397H\u0399I\u039aK\u039cM\u039dN\u039fO\u03a1P\u03a4T\u03a5Y\u03a7X\u0396Z\u0131i\u0261g"
)
_TWO_SCRIPTS: Final = re.compile(r"[a-zA-Z][\u0370-\u0501\u0131\u0261]|[\u0370-\u0501\u0131\u0261][a-zA-Z]")
_LOOKS_LIKE: Final = dict(zip(_ALIKE[::2], _ALIKE[1::2], strict=True))

_HIDDEN: Final = re.compile(f"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f{UNSEEN}\U000e0000-\U000e0fff]+")
_QUOTE: Final = re.compile(
    '["`\u00ab\u00b4\u00bb\u02b9-\u02bd\u02ca\u02cb\u02ee\u2018-\u201f\u2032-\u2037\u2039\u203a\u2057\u275b-\u2760'
    "\u276e\u276f\u2e42\u300c-\u300f\u301d-\u301f\ufe41-\ufe44\uff02\uff07\uff40\uff62\uff63\U0001f676-\U0001f678]"
)
_DASH: Final = re.compile(
    "[\u02d7\u058a\u2010-\u2015\u2043\u2212\u2796\u2e3a\u2e3b\u301c\u3030\ufe31\ufe32\ufe58\ufe63\uff0d]"
)
_RUNS: Final = tuple((sign, re.compile(f"{sign}[ {sign}]+")) for sign in "'-")
_ENDING: Final = "!?:;,.%)"

_BRACKETS: Final = {"Ps": ' "', "Pi": ' "', "Pe": '" ', "Pf": '" '}
_RARE: Final = "".join(
    map(chr, (0x169B, 0x169C, 0x2045, 0x2046, *range(0x2308, 0x230C), *range(0x2768, 0x2776)))
) + "".join(map(chr, (*range(0x27E6, 0x27F0), *range(0x2983, 0x2999), *range(0x3014, 0x301C))))
QUOTES: Final = (f'"{_DOUBLE}{_SPACED_OPEN}{_SPACED_CLOSE}{_RARE}', f"'{_SINGLE}")
"""Quotation marks that look like double and like single ones."""


class _Signs(dict[str, str]):
    """Each character's plain form, found when it is first asked for."""

    def __missing__(self, sign: str) -> str:
        if sign.isascii():
            plain = sign
        elif unicodedata.category(sign) == "Cf" or sign == "\u2800" or _HIDDEN.match(sign):
            plain = ""
        else:
            plain = " " if sign.isspace() else unicodedata.normalize("NFKC", sign)
            # Brackets of other scripts and of mathematics quote as well as the marks for it do.
            plain = plain if plain.isascii() else _BRACKETS.get(unicodedata.category(sign), plain)
        self[sign] = plain
        return plain


_PLAIN: Final = _Signs(
    dict.fromkeys(_DOUBLE, '"')
    | dict.fromkeys(_SINGLE, "'")
    | dict.fromkeys(_SPACED_OPEN, ' "')
    | dict.fromkeys(_SPACED_CLOSE, '" ')
    | dict.fromkeys(_LEFT, "<")
    | dict.fromkeys(_RIGHT, ">")
)


def folded(text: str) -> tuple[str, Sequence[int]]:
    """A text in one spelling of its marks, and where each of its characters stands in the text, with the end.

    A text of plain ASCII without escaped characters comes back as it is.
    """
    if text.isascii() and not _may_be_escaped(text):
        return text, range(len(text) + 1)
    signs: list[str] = list(text)
    places: Sequence[int] = range(len(text) + 1)
    if not text.isascii():
        if _TWO_SCRIPTS.search(text):
            signs = [_LOOKS_LIKE.get(sign, sign) for sign in signs]
        signs, places = _joined([_PLAIN[sign] for sign in signs], places)
    plain = "".join(signs)
    if _may_be_escaped(plain):
        pieces: list[str] = []
        begins: list[int] = []
        end = 0
        for hit in _ESCAPED.finditer(plain):
            pieces += plain[end : hit.start()]
            begins += range(end, hit.start() + 1)
            pieces.append("".join(_PLAIN[sign] for sign in _unescaped(hit[0])))
            end = hit.end()
        pieces += plain[end:]
        begins += range(end, len(plain) + 1)
        signs, places = _joined(pieces, [places[begin] for begin in begins])
        plain = "".join(signs)
    return plain, places


def _may_be_escaped(text: str) -> bool:
    return any(sign in text for sign in _ESCAPES) and _ESCAPED.search(text) is not None


def _joined(pieces: Sequence[str], places: Sequence[int]) -> tuple[list[str], list[int]]:
    signs = [sign for piece in pieces for sign in piece]
    found = [place for piece, place in zip(pieces, places, strict=False) for _ in piece]
    return signs, [*found, places[-1]]


def _unescaped(escaped: str) -> str:
    if escaped[0] == "&":
        name = re.sub(r"(?i)&(?:amp;)*", "&", escaped)
        return unescape(name if name.endswith(";") else f"{name};")
    if escaped[0] in "`'":
        return '"'
    return escaped[-1] if escaped[-1] in "<>\"'" else chr(int(escaped[-2:], 16))


def seen(text: str) -> str:
    """The text in NFC without hidden characters, every run of white space one blank, none at its ends."""
    plain = " ".join(text.split())
    if plain.isascii() and plain.isprintable():
        return plain
    return " ".join(unicodedata.normalize("NFC", _HIDDEN.sub("", text)).split())


def alike(text: str) -> str:
    """What typographic variants of a text share: `seen`, in NFKC, with one sign for all quotation marks and one for all
    dashes, neither with blanks around, and no blank before a mark that ends something."""
    plain = seen(text)
    if plain.isascii():
        plain = plain.replace('"', "'").replace("`", "'")
    else:
        # Before NFKC, which takes an acute accent used as a quotation mark apart.
        plain = _DASH.sub("-", _QUOTE.sub("'", plain))
        plain = " ".join(unicodedata.normalize("NFKC", plain).split())
    for sign, run in _RUNS:
        plain = run.sub(sign, plain.replace(f" {sign}", sign))
    for mark in _ENDING:
        plain = plain.replace(f" {mark}", mark)
    return plain
