"""What a person's message states in words of which no rule is sure: by models of wording, or the form of a setting."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Final

from engramforge.core.detection.cues.label_cues import is_of_life
from engramforge.core.detection.heard.settings import settings_in
from engramforge.core.detection.likelihood import BESIDE, LEAST, WAITS, WORDED, Likelihood
from engramforge.core.detection.whose.denials import denied
from engramforge.core.detection.whose.own_words import parted
from engramforge.core.detection.wording_weights import Weights
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection

WORDING: Final = "wording.json"
SURE: Final = 0.7
"""A rule that is as sure leaves no doubt about its sentence."""
_MOST_WAITING: Final = 0.59
"""How sure what waits is at most: below what makes an entry."""
_FEWEST_HEARD, _LONGEST_HEARD = 3, 160
"""Words, and characters, of a message of which something waits because it only sounds like a decision."""


def only_waits(found: Detection) -> bool:
    """Whether a model of wording hears something of which it is not sure."""
    return found.rule.startswith(WORDED) and found.confidence < SURE


def with_worded(text: str, found: Sequence[Detection]) -> list[Detection]:
    """What rules found, with the decisions and threads that a person's message states in words of which no rule is
    sure; of one that brings a text along only in the paragraphs before the one that hands it over.
    """
    worded = _worded(text, found)
    if worded and (parts := parted(text, is_person=True)).held:
        own = parts.own.strip()
        text = own.rpartition("\n\n")[0] if text.lstrip().startswith(own) else ""
        worded = _worded(text, found)
    if not worded or denied(text) is not None:
        return list(found)
    kept = [each for each in found if not any(_is_of(each, stated) for stated in worded)]
    return [*kept, *worded]


def _worded(text: str, found: Sequence[Detection]) -> Sequence[Detection]:
    """The surest reading of each sentence that states something, beside what rules are sure of. What a rule guesses and
    a model hears is as sure as both together.
    """
    sure = [each for each in found if each.confidence >= SURE]
    worded: dict[str, Detection] = {}
    for stated in learned_wording().stated_in(text):
        if is_of_life(stated.sentence):
            continue
        is_known = any(each.kind is stated.kind for each in sure)
        guess = next((each for each in found if _is_of(each, stated)), None)
        doubt = (1 - stated.confidence) * (1 - (guess.confidence if guess else 0))
        stated = replace(guess or stated, confidence=round(1 - doubt, 3))
        known = worded.get(stated.sentence)
        if stated.confidence < (BESIDE if is_known else LEAST) or any(
            each.sentence in stated.sentence
            or stated.sentence.rstrip(" .!") in f"{each.text}\n{each.content}"
            for each in sure
        ):
            continue
        if known is None or stated.confidence > known.confidence:
            worded[stated.sentence] = stated
    return tuple(worded.values())


def waiting(text: str) -> list[Detection]:
    """What a few words of a person state that sounds like a decision, and is not likely enough to be one: it waits."""
    if len(text) > _LONGEST_HEARD or len(text.split()) < _FEWEST_HEARD or denied(text) is not None:
        return []
    if is_of_life(text):
        return []
    likely = [each for each in learned_wording().stated_in(text) if each.kind is Kind.DECISION][:1]
    return [
        replace(each, confidence=round(each.confidence * _MOST_WAITING / LEAST, 3))
        for each in likely
        if WAITS <= each.confidence < LEAST
    ] or settings_in(text)


def _is_of(guess: Detection, stated: Detection) -> bool:
    """Whether a rule's guess is about the sentence that a model of wording hears."""
    is_new = guess.local_id is None and not guess.is_update and guess.kind is stated.kind
    return is_new and guess.confidence < SURE and guess.sentence in stated.sentence


@cache
def learned_wording() -> Likelihood:
    """The models that ship: words and numbers, made by scripts/fit_wording.py."""
    kept = json.loads((files(__package__) / WORDING).read_bytes())
    weights = Weights(kept["weights"], kept["step"])
    return Likelihood(weights, tuple(kept["bias"]), frozenset(kept["common"].split()))
