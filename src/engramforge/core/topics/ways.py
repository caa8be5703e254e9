"""The ways that order what is put before a model beside priority, by the names that the settings know them by."""

from __future__ import annotations

from typing import Final

IMPORTANCE: Final = "importance"
DIVERSITY: Final = "diversity"
EXPLORATION: Final = "exploration"
ORDERED_BY: Final = (IMPORTANCE, EXPLORATION)
"""Those that help, or hurt nothing, where the truth is known (docs/measurements/topics.md)."""
