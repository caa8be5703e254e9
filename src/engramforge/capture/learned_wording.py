"""How people word decisions and threads, learned once from labelled sentences (core/detection/likelihood).

Words and numbers only, made by scripts/fit_wording.py (docs/measurements/detection.md).
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

from engramforge.core.detection.likelihood import Likelihood
from engramforge.model.memory import Kind

FILES: Final = {Kind.DECISION: "decisions.json", Kind.THREAD: "threads.json"}


@cache
def learned_wording(kind: Kind) -> Likelihood:
    """The model that ships for decisions, or for threads."""
    kept = json.loads((files(__package__) / FILES[kind]).read_bytes())
    return Likelihood(
        {name: weight * kept["step"] for name, weight in kept["weights"].items()}, kept["bias"], kind
    )
