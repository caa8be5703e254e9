"""What models cost is counted once, whoever counts: threads, processes, processes that are killed."""

from __future__ import annotations

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.children import Child, finished
from tests.model_server import KEY, TOKENS, ModelServer

from engramforge.errors import ModelUnavailable, SpendingCapReached
from engramforge.llm.ledger import FILE_NAME, Ledger
from engramforge.llm.options import ModelOptions
from engramforge.model.language_models.spec import parse_model_spec

NOON = datetime(2026, 5, 30, 12, tzinfo=UTC)
CHILD = """
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from engramforge.errors import SpendingCapReached
from engramforge.llm.language_model import LanguageModel
from engramforge.llm.options import ModelOptions
from engramforge.llm.prompts import CONSULT
from engramforge.model.language_models.spec import parse_model_spec

@dataclass
class Word:
    word: str

home, url, key, cap = sys.argv[1:]
options = ModelOptions(
    parse_model_spec("openai:tiny", "x"), Path(home), url, key, output_tokens=256, cap_tokens=int(cap)
)
model = LanguageModel(options, str, lambda: datetime.now(UTC))
refused = 0
for _ in range(12):
    try:
        model.ask(CONSULT, "x", Word)
    except SpendingCapReached:
        refused += 1
print(refused)
"""


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def options(tmp_path: Path) -> ModelOptions:
    spec = parse_model_spec("openai:tiny", "x")
    return ModelOptions(spec, tmp_path / "home", price_input=1.0, price_output=1.0, timeout_s=30)


def test_two_processes_count_everything_and_keep_to_the_cap(tmp_path: Path) -> None:
    cap = 20 * sum(TOKENS)
    with ModelServer({"word": "red"}) as server:
        children = [Child(CHILD, tmp_path, server.url, KEY, cap) for _ in range(2)]
        refused = [int(finished(child)) for child in children]
        spent = json.loads((tmp_path / FILE_NAME).read_text())
        assert spent["calls"] == len(server.calls) == 24 - sum(refused)
        assert spent["input_tokens"] == TOKENS[0] * len(server.calls)
        assert spent["input_tokens"] + spent["output_tokens"] <= cap
        assert 10 <= len(server.calls) < 24 and not spent["reserved"]


def test_threads_lose_no_call(options: ModelOptions, clock: Clock) -> None:
    ledger = Ledger(options, clock)

    def one(_: int) -> None:
        ledger.settle(ledger.reserve(100, 100), 10, 5)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(80)))
    spent = ledger.spending()
    assert (spent.calls, spent.input_tokens, spent.output_tokens) == (80, 800, 400)


def test_what_is_under_way_counts_towards_the_cap(options: ModelOptions, clock: Clock) -> None:
    capped = replace(options, cap=0.001)
    ours, theirs = Ledger(capped, clock), Ledger(capped, clock)
    first = ours.reserve(400, 400)
    with pytest.raises(SpendingCapReached, match="model_cap"):
        theirs.reserve(400, 400)
    ours.release(first)
    theirs.reserve(400, 400)


def test_a_call_of_a_process_that_died_counts_as_spent_when_its_time_is_over(
    options: ModelOptions, clock: Clock
) -> None:
    Ledger(options, clock).reserve(400, 300)
    clock.now = NOON + timedelta(seconds=60)
    after = Ledger(options, clock)
    after.release(after.reserve(1, 1))
    assert after.spending().calls == 0
    clock.now = NOON + timedelta(seconds=120)
    after.release(after.reserve(1, 1))
    assert (after.spending().calls, after.spending().tokens) == (1, 700)


def test_one_that_is_settled_late_counts_once(options: ModelOptions, clock: Clock) -> None:
    ledger = Ledger(options, clock)
    reserved = ledger.reserve(400, 300)
    clock.now = NOON + timedelta(hours=1)
    ledger.release(ledger.reserve(1, 1))
    ledger.settle(reserved, 10, 10)
    assert (ledger.spending().calls, ledger.spending().tokens) == (1, 700)


def test_each_month_begins_at_nothing(options: ModelOptions, clock: Clock) -> None:
    ledger = Ledger(replace(options, cap_tokens=1_000), clock)
    ledger.settle(ledger.reserve(500, 400), 500, 400)
    with pytest.raises(SpendingCapReached, match="900 of model_cap_tokens = 1,000"):
        ledger.reserve(100, 100)
    clock.now = datetime(2026, 6, 1, tzinfo=UTC)
    assert ledger.spending().tokens == 0
    ledger.reserve(100, 100)


def test_a_clock_that_was_set_back_spends_no_month_twice(options: ModelOptions, clock: Clock) -> None:
    ledger = Ledger(replace(options, cap_tokens=1_000), clock)
    ledger.settle(ledger.reserve(500, 400), 500, 400)
    clock.now = NOON - timedelta(days=40)
    assert (ledger.spending().tokens, ledger.spending().month) == (900, "2026-05")
    with pytest.raises(SpendingCapReached, match="is of 2026-05: if a clock was wrong then, remove"):
        ledger.reserve(100, 100)
    clock.now = NOON
    assert ledger.spending().tokens == 900


def test_a_damaged_count_stops_calls_and_is_told(options: ModelOptions, clock: Clock) -> None:
    ledger = Ledger(options, clock)
    ledger.settle(ledger.reserve(1, 1), 1, 1)
    reserved = '{"reserved": {"a": {"input_tokens": %s, "output_tokens": 1, "until": %s}}}'
    for broken in (
        *("", "[]", '{"calls": 1, "more": 2}', '{"reserved": {"a": {}}}', '{"calls": "many"}', "[" * 100_000),
        *(
            '{"money": NaN}',
            '{"money": -1e18}',
            '{"money": Infinity}',
            '{"money": "1"}',
            '{"money": 1%s}' % ("0" * 400),
        ),
        *(
            '{"input_tokens": -5}',
            '{"output_tokens": 1.5}',
            '{"calls": true}',
            '{"month": 5}',
            '{"month": "z"}',
        ),
        *(reserved % each for each in (("-10", "1"), ("1", "NaN"), ('"x"', "1"), ("1", "9e99"))),
    ):
        (options.home / FILE_NAME).write_text(broken)
        with pytest.raises(ModelUnavailable, match="damaged"):
            ledger.reserve(1, 1)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_where_nothing_can_be_kept_nothing_is_asked(options: ModelOptions, clock: Clock) -> None:
    options.home.mkdir()
    options.home.chmod(0o500)
    with pytest.raises(ModelUnavailable, match="permissions"):
        Ledger(options, clock).reserve(1, 1)


def test_the_file_is_its_owner_s_alone(options: ModelOptions, clock: Clock) -> None:
    ledger = Ledger(options, clock)
    ledger.settle(ledger.reserve(1, 1), 1, 1)
    assert stat.S_IMODE((options.home / FILE_NAME).stat().st_mode) == 0o600
