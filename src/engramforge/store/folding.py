"""Names compared without case in SQL, by the one rule of `str.casefold` that search goes by.

`lower` of a database is another rule: SQLite's knows ASCII alone, PostgreSQL's depends on how the database was made,
and neither makes "STRASSE" of "Straße".
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import sqlalchemy as sa

_LAST_WITH_CASE: Final = 0x1FFFF
"""Behind the last letter that has case."""


def says_name(column: sa.Column[Any], name: str) -> sa.ColumnElement[bool]:
    """Whether a column says a name, in whatever case.

    Of the column only letters are folded that the name may be written with: a letter that stays as it is then has none
    of its own in the name, so nothing else becomes equal to it.
    """
    wanted = name.casefold()
    written: sa.ColumnElement[Any] = column
    for letter, folded in _foldings().items():
        if folded in wanted:
            written = sa.func.replace(written, letter, folded)
    return written == wanted


@cache
def _foldings() -> dict[str, str]:
    """Every letter that case folding changes, and to what."""
    letters = map(chr, range(_LAST_WITH_CASE))
    return {letter: folded for letter in letters if (folded := letter.casefold()) != letter}
