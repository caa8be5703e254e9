"""How people word decisions, learned once from labelled sentences: the weights of core/detection/likelihood.

Words and numbers only, made by scripts/fit_decisions.py (docs/measurements/detection.md).
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Final

from engramforge.core.detection.likelihood import Likelihood

FILE: Final = "decisions.json"


@lru_cache(maxsize=1)
def learned_decisions() -> Likelihood:
    """The model that ships."""
    kept = json.loads((files(__package__) / FILE).read_bytes())
    return Likelihood({name: weight * kept["step"] for name, weight in kept["weights"].items()}, kept["bias"])
