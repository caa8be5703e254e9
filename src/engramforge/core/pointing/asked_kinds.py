"""What kind of value a question asks for, so that a figure behind it is not taken for one of another kind.

Behind "how many reminders do we send?" a "make it 7" is of how many there are, and not of the hours before which they
go out.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.injection.inputs.slots import amounts_in, may_be_of
from engramforge.core.oracle.units import UNITS
from engramforge.core.text.late_pattern import late

_HOW_MANY: Final = late(r"(?i)\bhow many(?: more| other)? (?P<what>[a-z]{1,20})\b")
_WHEN: Final = late(
    r"(?i)\b(?:when|how (?:long|often|early|late|soon)|(?:what|which) (?:day|time|date|hour))\b"
)
_OF_TIME: Final = frozenset(("", "x", "times"))
_CLOCK: Final = late(r"(?i)\b\d{1,2}(?::\d\d|\s?[ap]m\b|\s?o['\u2019]?clock\b)")


def may_answer(question: str, statement: str) -> bool:
    """Whether a statement may have a value of the kind that a question asks for; any may where it asks for none.

    >>> [may_answer(each, "mails go out 48 hours before") for each in ("how many mails go out?", "when do mails go?")]
    [False, True]
    >>> may_answer("how many hours before?", "mails go out 48 hours before"), may_answer("how many?", "3 mails a visit")
    (True, True)
    >>> may_answer("when do mails go out?", "3 mails a visit")
    False
    """
    units = [unit for _, unit in amounts_in(statement)]
    if not units:
        return True
    if (counted := _HOW_MANY.search(question)) is not None:
        what = counted["what"].lower()
        if what in UNITS:
            return any(may_be_of(what, unit) for unit in units)
        counts = (unit for _, unit in amounts_in(_CLOCK.sub(" ", statement)))
        return not all(unit in UNITS for unit in counts)
    if _WHEN.search(question) is not None:
        return any(unit in _OF_TIME or unit in UNITS for unit in units)
    return True
