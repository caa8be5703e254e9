"""bandit: whether what orders injections beside priority helps, by a user whose truth is known.

A user works on topics for sixty days, twenty prompts a day. How much each topic interests them drifts, and how much
what was said of it is of use; new topics come, in which they are interested at first. A prompt is worded like one
topic; one in four means a neighbour of it that shares words, the likelier the more that interests them. Memories have a
topic, a matter in it, words of both, and a quality: how often they are of use where they fit, until they are
outdated, which happens to one in sixty a day. What is found are the twelve most similar; similarity tells topics and
matters, badly. The first six are shown. One is used as it fits and is good, less where another of its matter stands
above it, and less further down. Now and then a program opens one memory twenty times in a day.

Each way sees the same user: the same days, prompts, similarities and draws. They differ by what they show, and by what
they have learned from that: memories opened, shown, and the use of topics. Priority and order are the product's own
(`core.injection.priority`, `core.topics.ordering`).

use_rate: used of what was shown. used: per prompt. regret: expected uses per prompt that the best order has more.
new_interest: of prompts that mean a topic younger than two weeks, those that were shown something that fits.
new_days: days from a topic's first memory until one of it was used. diversity: different matters of what was shown.
topic_error: how far the believed use of topics is from what it was, on average. ci: half of the 95 % interval over
users; `against`: the difference to no bandit, user by user. order_us: what ordering one prompt takes.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bench.harness import Measured, Options
from engramforge.core.injection.priority import priority
from engramforge.core.topics.choice import Arm, mean_use, propensity_weight
from engramforge.core.topics.ordering import Chance, Offered, Ways, ordered
from engramforge.errors import InvalidValue

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

USERS: Final = 20
DAYS: Final = 60
PROMPTS: Final = 20
FOUND: Final = 12
SHOWN: Final = 6
_TOPICS, _MATTERS, _NEIGHBOURS, _EACH = 20, 4, 3, 10
_NEW_A_DAY, _WRITTEN, _BURSTS = 0.2, 0.4, 0.3
_DRIFT: Final = 0.15
_OUTDATED: Final = 1 / 60
_LEFT: Final = 0.1
"""How many memories are outdated in a day, and what is left of the quality of one."""
_YOUNG: Final = 14
_MEANS_OTHER: Final = 0.25
_FITS: Final = (1.0, 0.5, 0.05)
"""How much a memory fits that is of the matter meant, of its topic alone, of another."""
_AGAIN: Final = 0.4
"""What is left of it where another of the matter stands above it."""
_WORDS: Final = (6, 4, 5)
"""Words of the topic, of the matter, and of its own, that a memory has."""


@dataclass(frozen=True, slots=True)
class Way:
    """What a policy orders by beside priority. `weighed`: uses count by the inverse propensity of their topic."""

    ways: Ways = field(default_factory=Ways)
    explores: bool = False
    weighed: bool = False


WAYS: Final = {
    "none": Way(),
    "importance": Way(Ways(importance=True)),
    "diversity": Way(Ways(diversity=True)),
    "exploration": Way(explores=True),
    "propensity": Way(Ways(importance=True), weighed=True),
    "importance_exploration": Way(Ways(importance=True), explores=True),
    "all": Way(Ways(importance=True, diversity=True), explores=True, weighed=True),
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt and what is found for it.

    `young`: whether the topic meant is. `found`: memories. `offered`: the same, as far as no policy knows more.
    `worth`: how often each is of use by itself. `matters`: of which matter each is. `luck`: what each draws.
    `most`: the uses that the best order may expect.
    """

    day: float
    topic: int
    young: bool
    found: list[int]
    offered: list[Offered]
    worth: list[float]
    matters: list[int]
    luck: list[float]
    most: float = 0.0


@dataclass(slots=True)
class User:
    """Sixty days of one user. `topic_of`: of each memory. `born`: the day of each topic's first one. `bursts`: day ->
    memory."""

    prompts: list[Prompt]
    topic_of: list[int]
    born: list[float]
    bursts: dict[int, int]


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` is the number of users, 20 without one."""
    if paths:
        raise InvalidValue("The benchmark bandit makes its own users", "Leave --data out")
    count = min(options.limit or USERS, 1_000)
    results: dict[str, list[dict[str, float]]] = {name: [] for name in WAYS}
    for number in range(count):
        options.say(f"User {number + 1} of {count}")
        user = made(np.random.default_rng([options.seed, number]))
        for name, way in WAYS.items():
            results[name].append(lived(user, way, np.random.default_rng([options.seed, number, 1])))
    told = {name: summed(its, results["none"]) for name, its in results.items()}
    metrics = {name: its for name, its in told.items() if name != "none"}
    settings = {"seed": options.seed, "users": count, "days": DAYS, "prompts_a_day": PROMPTS}
    return Measured(count * DAYS * PROMPTS, metrics, {"none": told["none"]}, settings)


def made(rng: np.random.Generator) -> User:
    """A user by lot."""
    return _Life(rng).lived()


class _Life:
    """A user's days, as they come."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._interest = list(rng.normal(0, 1, _TOPICS))
        self._use = list(rng.normal(1, 1, _TOPICS))
        self._born = [-60.0] * _TOPICS
        self._topic: list[int] = []
        self._matter: list[int] = []
        self._quality: list[float] = []
        self._at: list[float] = []
        self._words: list[frozenset[str]] = []
        for topic in range(_TOPICS):
            for _ in range(_EACH):
                self._write(topic, -60 * rng.random())

    def _write(self, topic: int, at: float) -> None:
        rng, matter = self._rng, int(self._rng.integers(_MATTERS))
        of_topic, of_matter, own = _WORDS
        words = {f"t{topic}.{each}" for each in rng.choice(10, of_topic, replace=False)}
        words |= {f"m{topic}.{matter}.{each}" for each in rng.choice(5, of_matter, replace=False)}
        words |= {f"o{len(self._topic)}.{each}" for each in range(own)}
        self._topic.append(topic)
        self._matter.append(matter)
        self._quality.append(float(rng.beta(2, 2)))
        self._at.append(at)
        self._words.append(frozenset(words))

    def lived(self) -> User:
        rng, prompts, bursts = self._rng, [], {}
        for day in range(DAYS):
            self._interest = [each + float(rng.normal(0, _DRIFT)) for each in self._interest]
            self._use = [each + float(rng.normal(0, _DRIFT)) for each in self._use]
            old = rng.random(len(self._quality)) < _OUTDATED
            self._quality = [
                each * (_LEFT if is_old else 1) for each, is_old in zip(self._quality, old, strict=True)
            ]
            if rng.random() < _NEW_A_DAY:
                self._born.append(float(day))
                self._use.append(float(rng.normal(1, 1)))
                self._interest.append(max(self._interest))
                for _ in range(3):
                    self._write(len(self._born) - 1, float(day))
            if rng.random() < _BURSTS:
                bursts[day] = int(rng.integers(len(self._topic)))
            prompts += [self._prompt(day + number / PROMPTS) for number in range(PROMPTS)]
        return User(prompts, self._topic, self._born, bursts)

    def _prompt(self, day: float) -> Prompt:
        rng = self._rng
        worded = self._drawn(range(len(self._born)))
        near = [(worded + step) % len(self._born) for step in range(1, _NEIGHBOURS + 1)]
        meant = self._drawn(near) if rng.random() < _MEANS_OTHER else worded
        matter = int(rng.integers(_MATTERS))
        topics, matters = np.array(self._topic), np.array(self._matter)
        own, beside = topics == worded, np.isin(topics, near)
        similar = 0.45 + 0.2 * own + 0.12 * beside + 0.08 * ((own | beside) & (matters == matter))
        similar = np.clip(similar + rng.normal(0, 0.07, len(similar)), 0.0, 1.0)
        found = np.argsort(-similar)[:FOUND].tolist()
        offered, worth = [], []
        for each in found:
            agreement = 3.0 if similar[each] > 0.65 else 1.5
            worth_ = priority(float(similar[each]), max(day - self._at[each], 0.0), agreement)
            offered.append(Offered(worth_, topic=str(topics[each]), words=self._words[each]))
            fits = _FITS[0 if matters[each] == matter else 1] if topics[each] == meant else _FITS[2]
            worth.append(fits * self._quality[each] / (1 + math.exp(-self._use[topics[each]])))
        young = 0 <= day - self._born[meant] < _YOUNG
        prompt = Prompt(
            day,
            meant,
            young,
            found,
            offered,
            worth,
            [int(topics[each] * _MATTERS + matters[each]) for each in found],
            rng.random(len(found)).tolist(),
        )
        if rng.random() < _WRITTEN:
            self._write(meant, day)
        return replace(prompt, most=best(prompt))

    def _drawn(self, topics: Sequence[int]) -> int:
        """One of these topics, the likelier the more it interests."""
        weights = np.exp([self._interest[each] for each in topics])
        return int(self._rng.choice(topics, p=weights / weights.sum()))


def expected(prompt: Prompt, order: Sequence[int]) -> list[float]:
    """How often each of those shown is used, in their order."""
    told: set[int] = set()
    found = []
    for rank, place in enumerate(order[:SHOWN]):
        again = _AGAIN if prompt.matters[place] in told else 1.0
        found.append(prompt.worth[place] * again / (1 + 0.1 * rank))
        told.add(prompt.matters[place])
    return found


def best(prompt: Prompt) -> float:
    """The most uses that an order may expect, found greedily."""
    left = list(range(len(prompt.found)))
    order: list[int] = []
    for _ in range(min(SHOWN, len(left))):
        order.append(max(left, key=lambda each: expected(prompt, [*order, each])[-1]))
        left.remove(order[-1])
    return sum(expected(prompt, order))


@dataclass(slots=True)
class _Learned:
    """What a policy knows by what it has shown."""

    opened: dict[int, int] = field(default_factory=dict)
    opened_at: dict[int, float] = field(default_factory=dict)
    shown: dict[int, int] = field(default_factory=dict)
    arms: dict[str, Arm] = field(default_factory=dict)
    truth: dict[str, list[float]] = field(default_factory=dict)
    asked: int = 0

    def open(self, memory: int, day: float, times: int = 1) -> None:
        self.opened[memory] = self.opened.get(memory, 0) + times
        self.opened_at[memory] = day

    def told(self, memory: int, offered: Offered, day: float, weight: float) -> Offered:
        """What is offered, with what is known of it."""
        return replace(
            offered,
            accesses=round(self.opened.get(memory, 0) * weight),
            exposures=self.shown.get(memory, 0),
            days=max(day - self.opened_at.get(memory, day), 0.0),
        )


def lived(user: User, way: Way, rng: np.random.Generator) -> dict[str, float]:
    """The figures of one policy with one user."""
    known = _Learned()
    first_used: dict[int, float] = {}
    used = shown = gained = missed = varied = young = met = 0.0
    seconds, uses, weights = 0.0, [], []
    for number, prompt in enumerate(user.prompts):
        if number % PROMPTS == 0 and (memory := user.bursts.get(int(prompt.day))) is not None:
            known.open(memory, prompt.day, 20)
        known.asked += 1
        share = {
            each: _weight(known, each) if way.weighed else 1.0 for each in {x.topic for x in prompt.offered}
        }
        offered = [
            known.told(memory, each, prompt.day, share[each.topic])
            for memory, each in zip(prompt.found, prompt.offered, strict=True)
        ]
        began = time.perf_counter()
        order = ordered(offered, way.ways, Chance(rng, known.arms) if way.explores else None, SHOWN)
        seconds += time.perf_counter() - began
        chances = expected(prompt, order)
        gained, missed = gained + sum(chances), missed + prompt.most - sum(chances)
        fits = False
        for place, chance in zip(order, chances, strict=False):
            memory, topic = prompt.found[place], prompt.offered[place].topic
            is_used = prompt.luck[place] < chance
            used, shown = used + is_used, shown + 1
            known.shown[memory] = known.shown.get(memory, 0) + 1
            known.arms[topic] = known.arms.get(topic, Arm()).after(used=is_used)
            known.truth.setdefault(topic, []).append(chance)
            uses.append(is_used)
            weights.append(share[topic])
            if is_used:
                known.open(memory, prompt.day)
                first_used.setdefault(int(topic), prompt.day)
            fits |= user.topic_of[memory] == prompt.topic
        varied += len({prompt.matters[place] for place in order[:SHOWN]})
        young, met = young + prompt.young, met + (prompt.young and fits)
    count = len(user.prompts)
    return {
        "use_rate": used / shown,
        "used": gained / count,
        "regret": missed / count,
        "new_interest": met / young if young else 1.0,
        "new_days": _first(user, first_used),
        "diversity": varied / shown,
        "topic_error": _error(known),
        "weighed_use": mean_use(uses, weights),
        "order_us": 1e6 * seconds / count,
    }


def _weight(known: _Learned, topic: str) -> float:
    arm = known.arms.get(topic, Arm())
    return propensity_weight(arm.used + arm.unused, known.asked * SHOWN)


def _first(user: User, used: dict[int, float]) -> float:
    """Days until a new topic was of use, on average; of one that never was, all days that were left."""
    new = [(topic, born) for topic, born in enumerate(user.born) if born >= 0]
    return sum(used.get(topic, DAYS) - born for topic, born in new) / max(len(new), 1)


def _error(known: _Learned) -> float:
    errors = [
        abs((arm.used + 1) / (arm.used + arm.unused + 2) - float(np.mean(known.truth[topic])))
        for topic, arm in known.arms.items()
    ]
    return float(np.mean(errors))


def summed(its: Sequence[dict[str, float]], without: Sequence[dict[str, float]]) -> dict[str, Any]:
    """Means over users, with the half of their 95 % intervals, and the same of the difference to no bandit."""
    names = list(its[0])
    means = {name: float(np.mean([each[name] for each in its])) for name in names}
    differences = {
        name: [each[name] - other[name] for each, other in zip(its, without, strict=True)]
        for name in names
        if name != "order_us"
    }
    return {
        **means,
        "ci": {name: _half([each[name] for each in its]) for name in names},
        "against": {name: [float(np.mean(each)), _half(each)] for name, each in differences.items()},
    }


def _half(values: Sequence[float]) -> float:
    """Half of the 95 % interval of a mean, by the normal distribution."""
    return 1.96 * float(np.std(values, ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0
