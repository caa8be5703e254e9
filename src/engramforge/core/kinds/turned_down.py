"""What a text says is not to be used: it was rejected, or is out."""

from __future__ import annotations

from typing import Final

from engramforge.core.lenses.rejections import rejections_in
from engramforge.core.text.late_pattern import late

_OUT: Final = late(
    r"(?i)(?:\A|[.,;:\u2014(] ?|\b(?:that|and|but|so|because) )(?P<what>[\w+#./'-]{2,30}(?: [\w+#./'-]{2,30}){0,2}?)"
    r" (?:is|are|was|were|has been|have been|got) (?:now |still )?"
    r"(?:out|off the table|(?:not|no) an? option|no option|dropped|abandoned|discarded|banned|forbidden|prohibited"
    r"|removed|gone)(?=[,;:.()\u2014]|\Z|\s)"
)
"""What is not to be used, before the words that say so."""
_READ: Final = 4_000


def turned_down_in(text: str) -> tuple[str, ...]:
    """What a text says was rejected, or is not to be used.

    >>> turned_down_in("Sheds are built of oak; tar paper is out because it rots. We rejected tin.")
    ('tin', 'tar paper')
    """
    out = [each["what"] for each in _OUT.finditer(text[:_READ])]
    return tuple(dict.fromkeys((*(each.what for each in rejections_in(text)), *out)))
