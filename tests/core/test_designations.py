"""Names with numbers that name one thing."""

from __future__ import annotations

import pytest

from engramforge.core.ranking.designations import designations, spellings

REAL = frozenset(["day", "in", "about", "windows", "top", "room"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("what is RFC 9999?", [("rfc", "9999")]),
        ("what is rfc 9999", [("rfc", "9999")]),
        ("RFC9999, rfc9999 and RFC-9999", [("rfc", "9999")]),
        ("PEP 0008 or ADR-32.", [("pep", "8"), ("adr", "32")]),
        ("python3, an mp3 and a room 12", []),  # joined to small letters, words of the language
        ("day 9 in May 12, MAY 12, CES 2024", []),  # days and years
        ("USD 500, at 8 PM 20, EUR 3.5, ABC 1.2.3, ABC 12/3, 50 ABC 20%", []),
        ("CVE-2024-3094 or cve-2024-77, INV-2040", [("2024", "3094"), ("2024", "77"), ("inv", "2040")]),
        ("DD-2024-05-12", []),
        ("see x.RFC-7 and /ADR-12", []),  # parts of paths
    ],
)
def test_designations_of_a_question(text: str, found: list[tuple[str, str]]) -> None:
    assert list(designations(text, REAL.__contains__)) == found


def test_spellings_with_zeros() -> None:
    numbers, joined = spellings(("adr", "32"))
    assert {"32", "0032"} <= set(numbers) and {"adr32", "adr0032"} <= set(joined)
    assert spellings(("cve", "123456")) == (["123456"], ["cve123456"])
