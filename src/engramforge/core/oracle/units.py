"""Questions that only convert one unit into another: they ask the world, and no project's statement answers them."""

from __future__ import annotations

from typing import Final

from engramforge.core.text.late_pattern import late

_UNIT_WORDS: Final = """
mm cm dm m km inch inches foot feet ft yard yards mile miles mg g gram grams kg kilo kilos kilogram kilograms ton tons
tonne tonnes lb lbs pound pounds oz ounce ounces ml cl l liter liters litre litres gallon gallons pint pints cup cups
celsius fahrenheit kelvin degree degrees bar psi pascal kpa mph kmh knot knots second seconds sec minute minutes min
hour hours day days week weeks month months year years bit bits byte bytes kb mb gb tb kib mib gib kilobyte kilobytes
megabyte megabytes gigabyte gigabytes watt watts kw kwh hp volt volts amp amps euro euros eur dollar dollars usd hex
decimal binary percent radians rad
"""
UNITS: Final = frozenset(_UNIT_WORDS.split())
_UNIT: Final = rf"(?:{'|'.join(sorted(UNITS, key=len, reverse=True))})"
_AMOUNT: Final = r"(?:an?|one|(?<![\d.])[\d.,]{1,12})"
_CONVERTS: Final = late(
    r"(?i)\W*(?:(?:ok(?:ay)?|so|and|hey|btw|quick(?: question)?)\b\W{0,3}){0,2}(?:"
    rf"how (?:many|much) {_UNIT} (?:is|are|in|make|makes|has|have|per|fit in(?:to)?|(?:are )?there in|does|do)"
    rf" (?:{_AMOUNT} ?)?{_UNIT}(?: have| make)?"
    r"|(?:(?:what(?:['\u2019]?s| is| are)?|how (?:much|many|long|far) (?:is|are)|(?:can you )?convert"
    rf"|turn|translate) )?{_AMOUNT} ?{_UNIT} (?:in|to|into|as) {_UNIT}"
    r")(?: please| pls| again)?\W*\Z"
)


def asks_the_world(prompt: str) -> bool:
    """Whether a prompt only asks to convert one unit into another.

    >>> [asks_the_world(each) for each in ("how many feet are 3 miles?", "2 bar in psi", "how many bar are in tank 3?")]
    [True, True, False]
    """
    return _CONVERTS.match(prompt) is not None
