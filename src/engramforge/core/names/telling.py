"""What tells of somebody or something in a text wherever it stands: numbers to call, addresses, and rare names."""

from __future__ import annotations

from typing import Final

from engramforge.core.text.late_pattern import late

_NUMBER: Final = late(r"(?<![\w.,/-])\+?(?:\(\d{1,5}\) ?)?\d(?:[ ./()-]{0,2}\d){5,15}(?![\w]|[.,-]\d)")
_DATE: Final = late(r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}")
_MAIL: Final = late(r"(?<![\w.+-])[\w.+-]{1,60}@[\w-]{1,60}(?:\.[\w-]{1,30}){1,4}")
_STREET: Final = late(
    r"(?<!\w)(?:[^\W\d_][\w-]{2,30}(?:stra(?:ss|\u00df)e|gasse|weg|platz|allee) \d{1,4}[a-z]?"
    r"|\d{1,5} [A-Z][\w'-]{2,30}(?: [A-Z][\w'-]{2,30})? (?:[Ss]treet|[Rr]oad|[Aa]venue|[Ll]ane|St|Rd|Ave))(?!\w)"
)
_TITLED: Final = late(
    r"(?<!\w)(?:[Ff]rau|[Hh]err[n]?|[Mm]rs?|[Mm]s|[Dd]r|[Mm]adame|[Mm]onsieur|[Mm]me|[Ss]e\u00f1ora?|[Pp]rof)\.? "
    r"(?P<name>[A-Z\u00c0-\u00dd][\w'\u2019-]{2,30})"
)
_FULL: Final = late(
    r"(?<![\w.])[A-Z\u00c0-\u00dd][a-z\u00df-\u00ff]{2,20} "
    r"(?P<name>[A-Z\u00c0-\u00dd][a-z\u00df-\u00ff'\u2019-]{3,30})(?!\w)"
)
_MOST: Final = 12
_LAST_DIGITS: Final = 7
"""Digits by which a number is known, with its country's before it or without."""
_FEWEST_DIGITS: Final = 6


def telling_parts(text: str) -> tuple[str, ...]:
    """The numbers, addresses and names of a text, as it writes them.

    >>> telling_parts("call Frau Zgraggen, 079 555 01 23, or ines@pier.example on 2026-05-02")
    ('079 555 01 23', 'ines@pier.example', 'Zgraggen')
    >>> telling_parts("we use 16 crates since 2026-05-02")
    ()
    """
    numbers = (hit[0] for hit in _NUMBER.finditer(text) if _DATE.match(hit[0]) is None)
    found = [each.strip(" -./") for each in numbers]
    found += [hit[0] for pattern in (_MAIL, _STREET) for hit in pattern.finditer(text)]
    found += [hit["name"] for pattern in (_TITLED, _FULL) for hit in pattern.finditer(text)]
    return tuple(dict.fromkeys(found))[:_MOST]


def tells(text: str, part: str) -> bool:
    """Whether a text has such a part, however a number is written in it.

    >>> tells("Frau Zgraggen, +41 79 555 01 23.", "079 555 01 23"), tells("the zgraggens", "Zgraggen")
    (True, False)
    """
    if len(digits := _digits(part)) >= _FEWEST_DIGITS and not any(map(str.isalpha, part)):
        key = digits[-_LAST_DIGITS:]
        return any(key in _digits(hit[0]) for hit in _NUMBER.finditer(text))
    plain, wanted = text.casefold(), part.casefold()
    at = plain.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not (plain[at - 1 : at].isalnum() or plain[end : end + 1].isalnum()):
            return True
        at = plain.find(wanted, end)
    return False


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))
