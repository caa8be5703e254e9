"""Every pattern of the package takes time by the length of its text, at the texts that are unfavourable to it."""

import json
import subprocess
import sys
from typing import Final

from tests.robustness import pumping

BOUNDS: Final[dict[str, tuple[bool, int | None]]] = {
    # Sentences are cut: _LONGEST_SENTENCE of causation.py, LONGEST_SENTENCE of passages.py.
    "core/causes/causation.py": (False, 1_000),
    "core/detection/": (False, 1_000),
    "core/detection/answers/wording.py": (False, 90),  # _LONGEST of chosen.py and of dialogue_choices.py
    "core/detection/cues/settling_cues.py": (True, 160),  # LONGEST_CLAUSE of settling.py
    "core/detection/whose/containers.py": (True, 400),  # _HEAD
    "core/detection/whose/speakers.py": (False, 200),  # _voice_of_name
    "core/secrets/places.py": (True, None),  # at the ends of lines
    "spaces/code/languages.py": (True, 4_000),  # guess_languages
    "spaces/hyperdimensional.py": (True, 200),  # _shape_of_line
}
"""Where patterns stand that are only tried at a place that is known, or that get no more characters than so many."""
MADE_OF_VALUES: Final = [
    # Of a rule that a person wrote for imports, and that is tried on 10,000 characters.
    "core/checks/assignment.py: ''.join(parts)",
    "core/checks/assignment.py: pattern[1:-1]",
    # A name and its number, both escaped or digits.
    "core/conflicts/replacement.py: f'(?i)\\\\b{re.escape(name[0])}[ -]?0{{0,6}}{name[1]}\\\\b'",
    "core/detection/cues/cue_rule.py: wording",  # each is tried here
    # A name in a question, escaped.
    "core/entities/known_names.py: f'(?<!\\\\w){re.escape(each.said)}(?!\\\\w)'",
    # A day or month that a text names: letters.
    "core/registries/changed/turned_values.py: f'(?i)\\\\b{root}s?\\\\b'",
    "core/text/late_pattern.py: self._wording",  # each is compiled where it is written here
    # Names of options.
    "forge/registries/argument_checks.py: f'[{others}]\\\\d+'",
    # Words of a reason: letters and digits.
    "store/erasing/holders.py: f'\\\\b(?:{own})\\\\b(?:\\\\W+(?:{own})\\\\b)*'",
    "store/postgres/connection.py: f'\\\\b{each[0]}\\\\s*='",
]
"""Patterns in functions that are not known before these run."""


def test_every_pattern_takes_time_by_the_length_of_its_text() -> None:
    ran = subprocess.run(
        [sys.executable, pumping.__file__],
        input=json.dumps(BOUNDS),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    said = json.loads(ran.stdout)
    assert said["slow"] == {}
    assert said["unknown"] == MADE_OF_VALUES
    assert said["patterns"] > 500
