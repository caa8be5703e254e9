"""topicshift: whether alerts of a shift of activity come when the matter changes, and only then.

Two kinds of files make sessions in which the matter changes at known prompts:

- lines with `text`, `intent` and `domain`: a session is four runs of 8 to 15 prompts of one intent each, neighbours of
  different domains. Not runs of a domain: its intents have little in common, so that a shift within it is a true one.
- lines with `sessions` of `turns` with `speaker` and `text`: a session is the turns of one recorded session, then those
  of one of another conversation. Who speaks first in each is the person, whose turns are prompts; what the other says
  is answered to the prompt before it, and raises nothing itself.

All prompts come a minute apart, as a host sends them: first the event, whose injection is looked at for an alert, then
the memory, then those of its answers. Sessions are three hours apart, in one project. `limit` takes the first N
sessions. Conversations are sent once more with each turn of both as a prompt (`every_turn_`).

precision: of all alerts, those within three prompts of a shift (the first prompt of the new matter counts as one).
recall: of the shifts, those with an alert so near. false_per_100: alerts in 100 prompts that are in no such place.
delay: prompts from the shift to its alert, 0 for the first. spoken: share of prompts that say enough to be judged.

Baselines, the same sessions: `any_pair` (the source's rule: some memory of the last two hours is below the low
threshold in some space: cosine of mean word vectors .3, Jaccard of words .2), `cosine` (CUSUM of the shortfall of the
largest cosine of mean word vectors among the last twelve; the threshold, the usual and the alarm that are best on these
very sessions).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.records import read_records
from bench.static_model import mean_vectors
from engramforge.core.injection.layout import TITLES
from engramforge.core.text.words import content_words, words_of
from engramforge.core.topics.shift import FEWEST_WORDS
from engramforge.errors import EngramforgeError, InvalidSource
from engramforge.model.injection import ASKS, Section

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bench.records import Record
    from engramforge.forge import Forge

Said = Sequence[tuple[str, Sequence[str]]]
"""Prompts, and what was answered to each."""

NEAR: Final = 3
"""Within how many prompts of a shift an alert is right."""
_PROJECT: Final = "shifting"
_RUNS: Final = 4
_RUN: Final = (8, 15)
_SEED: Final = 20_261_201
_BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)
_PAUSE, _STEP = timedelta(hours=3), timedelta(minutes=1)
_RECENT: Final = 12
_LOW_COSINE, _LOW_JACCARD = 0.3, 0.2


@dataclass(frozen=True, slots=True)
class Session:
    """Prompts in order, of which matter each is, and what was answered to each, if anything was to any."""

    prompts: Sequence[str]
    matters: Sequence[str]
    answers: Sequence[Sequence[str]] = ()

    @property
    def shifts(self) -> list[int]:
        """Places of the first prompts of another matter."""
        return [at for at in range(1, len(self.matters)) if self.matters[at] != self.matters[at - 1]]

    def with_every_turn(self) -> Session:
        """The same with what was answered as prompts."""
        turns = [(text, matter) for text, matter, its in self._turns() for text in (text, *its)]
        return Session([text for text, _ in turns], [matter for _, matter in turns])

    def _turns(self) -> Iterator[tuple[str, str, Sequence[str]]]:
        return zip(self.prompts, self.matters, self.answers, strict=True)


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure."""
    sessions = read_sessions(paths)[: options.limit]
    prompts = sum(len(each.prompts) for each in sessions)
    options.say(f"Sending {prompts:,} prompts of {len(sessions)} sessions")
    alerts = _alerts_of(sessions, options)
    spoken = sum(len(_content(text)) >= FEWEST_WORDS for each in sessions for text in each.prompts)
    metrics = {**scored(sessions, alerts), "spoken": spoken / prompts}
    if all(each.answers for each in sessions):
        options.say("Sending each turn as a prompt")
        turns = [each.with_every_turn() for each in sessions]
        found = scored(turns, _alerts_of(turns, options))
        metrics |= {f"every_turn_{name}": value for name, value in found.items()}
    options.say("Measuring the baselines")
    baselines = {
        "any_pair": scored(sessions, list(map(_any_pair, sessions))),
        "cosine": _best_cosine(sessions),
    }
    shifts = sum(len(each.shifts) for each in sessions)
    return Measured(prompts, metrics, baselines, {"sessions": len(sessions), "shifts": shifts})


def read_sessions(paths: Sequence[Path]) -> list[Session]:
    """The sessions that files make. Raises InvalidSource: a line is of neither kind."""
    intents: dict[tuple[str, str], list[str]] = {}
    talks: list[tuple[str, Said]] = []
    for record in read_records(paths):
        if record.has("sessions"):
            talks += _talks(record)
        elif record.has("text", "intent", "domain"):
            if record.fields["domain"] is not None:
                intents.setdefault((record.text("domain"), record.text("intent")), []).append(
                    record.text("text")
                )
        else:
            raise InvalidSource(
                f"{record.where} has no sessions, nor a text of an intent",
                'Give "text", "intent" and "domain"',
            )
    rng = random.Random(_SEED)
    chosen = _chained(sorted(intents), _RUNS, rng, lambda each: each[0])
    made = []
    for keys in chosen:
        runs = [
            (f"{key}", [(text, ()) for text in rng.sample(its, min(rng.randint(*_RUN), len(its)))])
            for key, its in ((key, intents[key]) for key in keys)
        ]
        made.append(_session(runs))
    places = _chained(list(range(len(talks))), 2, rng, lambda each: talks[each][0])
    return made + [_session([(f"{at}", talks[at][1]) for at in pair]) for pair in places]


def _talks(record: Record) -> Iterator[tuple[str, Said]]:
    """The conversation of each recorded session, and its prompts with their answers."""
    for each in record.items("sessions"):
        turns = each.get("turns", ()) if isinstance(each, dict) else ()
        said: list[tuple[str, list[str]]] = []
        person = None
        for turn in turns:
            if not isinstance(turn, dict) or not str(turn.get("text", "")).strip():
                continue
            if not said:
                person = turn.get("speaker")
            if turn.get("speaker") == person:
                said.append((turn["text"], []))
            else:
                said[-1][1].append(turn["text"])
        if said:
            yield record.where, said


def _chained(
    items: list[Any], length: int, rng: random.Random, kind: Callable[[Any], object]
) -> list[list[Any]]:
    """Items drawn by lot in chains of a length, neighbours of different kinds; what is left over is in none."""
    left = list(items)
    rng.shuffle(left)
    chains: list[list[Any]] = []
    while True:
        chain: list[Any] = []
        for each in list(left):
            if len(chain) < length and (not chain or kind(each) != kind(chain[-1])):
                chain.append(each)
                left.remove(each)
        if len(chain) < length:
            return chains
        chains.append(chain)


def _session(runs: Sequence[tuple[str, Said]]) -> Session:
    said = [(matter, text, answers) for matter, its in runs for text, answers in its]
    answers = [each for _, _, each in said]
    return Session(
        [text for _, text, _ in said], [each for each, _, _ in said], answers if any(answers) else ()
    )


def _alerts_of(sessions: Sequence[Session], options: Options) -> list[list[int]]:
    """The places at which each session was alerted."""
    with temporary_forge(options.engine) as forge:
        return [
            _alerts(forge, session, f"session-{number}", _BEGIN + number * _PAUSE)
            for number, session in enumerate(sessions, start=1)
        ]


def _alerts(forge: Forge, session: Session, name: str, at: datetime) -> list[int]:
    alerted = []
    sequence = 0
    for place, text in enumerate(session.prompts):
        at += _STEP
        event = {"hook_event_name": ASKS, "session_id": name, "project": _PROJECT, "prompt": text}
        found = forge.injections.for_event(event, now=at)
        if found is not None and TITLES[Section.SHIFT] in found.text:
            alerted.append(place)
        said = [
            ("prompt", text),
            *(("response", each) for each in (session.answers or ((),) * (place + 1))[place]),
        ]
        for number, (kind, content) in enumerate(said):
            moment = at + number * _STEP / 60
            sequence += 1
            try:
                forge.remember(
                    content=content,
                    kind=kind,
                    project=_PROJECT,
                    session_id=name,
                    sequence=sequence,
                    valid_at=moment,
                    recorded_at=moment,
                )
            except EngramforgeError:
                continue  # What is refused is in no later prompt's past, as in use.
    return alerted


def scored(sessions: Sequence[Session], alerts: Sequence[Sequence[int]]) -> dict[str, float]:
    """The figures of alerts; 0 where there is nothing to divide by.

    >>> session = Session(["a"] * 10, ["x"] * 5 + ["y"] * 5)
    >>> scored([session], [[6, 9]])
    {'precision': 0.5, 'recall': 1.0, 'false_per_100': 14.285714285714286, 'delay': 1.0}
    """
    right = told = found = shifts = quiet = 0
    delays = []
    for session, its in zip(sessions, alerts, strict=True):
        near = {at + after: at for at in session.shifts for after in range(NEAR)}
        hits = [(near[each], each) for each in its if each in near]
        right, told = right + len(hits), told + len(its)
        found, shifts = found + len({shift for shift, _ in hits}), shifts + len(session.shifts)
        quiet += sum(place not in near for place in range(len(session.prompts)))
        delays += [each - shift for shift, each in hits]
    return {
        "precision": right / told if told else 0.0,
        "recall": found / shifts if shifts else 0.0,
        "false_per_100": 100 * (told - right) / quiet if quiet else 0.0,
        "delay": sum(delays) / len(delays) if delays else 0.0,
    }


def _content(text: str) -> list[str]:
    return content_words(words_of(text.casefold()))


def _any_pair(session: Session) -> list[int]:
    """Where some recent prompt is unlike in some space."""
    vectors = mean_vectors(session.prompts)
    words = [set(_content(text)) for text in session.prompts]
    alerted = []
    for place in range(1, len(words)):
        before = range(max(0, place - int(timedelta(hours=2) / _STEP)), place)
        is_unlike = any(
            vectors[place] @ vectors[each] < _LOW_COSINE
            or len(words[place] & words[each]) < _LOW_JACCARD * max(len(words[place] | words[each]), 1)
            for each in before
        )
        alerted += [place] if is_unlike else []
    return alerted


def _best_cosine(sessions: Sequence[Session]) -> dict[str, float]:
    """The figures of the plain sum at its best by the harmonic mean of precision and recall."""
    nearest = []
    for session in sessions:
        vectors = mean_vectors(session.prompts)
        nearest.append(
            [
                float((vectors[max(0, at - _RECENT) : at] @ vectors[at]).max()) if at else 1.0
                for at in range(len(vectors))
            ]
        )
    best = {"precision": 0.0, "recall": 0.0}
    lows, sums = (0.3, 0.4, 0.5, 0.6, 0.7), (0.1, 0.2, 0.3, 0.4, 0.6)
    for low, usual, alarm in product(lows, sums, sums):
        told = scored(sessions, [_summed(each, low, usual, alarm) for each in nearest])
        best = max(best, told, key=_f1)
    return best


def _f1(told: dict[str, float]) -> float:
    both = told["precision"] + told["recall"]
    return 2 * told["precision"] * told["recall"] / both if both else 0.0


def _summed(nearest: Sequence[float], low: float, usual: float, alarm: float) -> list[int]:
    total, is_silent, alerted = 0.0, False, []
    for place, cosine in enumerate(nearest):
        missing = max(low - cosine, 0.0) / low
        is_silent = is_silent and missing >= usual
        if not is_silent:
            total = max(total + missing - usual, 0.0)
        if total >= alarm:
            alerted.append(place)
            total, is_silent = 0.0, True
    return alerted
