"""What models cost, counted in one file of the home by all processes that share it, and the caps on it.

A call is reserved at the most it may cost before it is made, and settled when it is answered. A reservation whose
process is gone counts as spent when its time is over, since nobody knows what the provider did. Counts begin anew each
calendar month (UTC); where the clock was set back, that of the later month goes on.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from engramforge.errors import ModelUnavailable, SpendingCapReached
from engramforge.llm.options import ModelOptions
from engramforge.model.language_models.reports import ModelSpending

FILE_NAME: Final = "model-spending.json"
_ENDLESS: Final = 10**18
_MARGIN: Final = timedelta(seconds=60)
"""How much longer than its own time limit a call is waited for before its reservation counts as spent."""


@dataclass(frozen=True, slots=True)
class Reserved:
    """A call that is under way: the most tokens it may use, and until when (seconds since 1970) it can be answered."""

    input_tokens: int
    output_tokens: int
    until: float
    id: str = field(default_factory=lambda: uuid.uuid4().hex)


@dataclass(slots=True)
class _Count:
    """The file's content."""

    month: str = ""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    money: float = 0.0
    reserved: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, options: ModelOptions, input_tokens: int, output_tokens: int) -> None:
        self.calls += 1
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens
        self.money += options.money(input_tokens, output_tokens)

    def still_reserved(self) -> list[Reserved]:
        return [Reserved(**each) for each in self.reserved.values()]

    def check(self) -> None:
        """Raise ValueError: numbers that no count has, by which a cap would never be reached."""
        counts: list[object] = [self.calls, self.input_tokens, self.output_tokens]
        for each in self.still_reserved():
            counts += [each.input_tokens, each.output_tokens]
            _check_amount(each.until)
        _check_amount(self.money)
        if any(type(count) is not int or not 0 <= count < _ENDLESS for count in counts):
            raise ValueError("a number of calls or tokens that there cannot be")
        if not isinstance(self.month, str) or not re.fullmatch(r"(?:\d{4}-\d\d)?", self.month):
            raise ValueError("a month that is none")


def _check_amount(value: object) -> None:
    if type(value) not in (int, float) or not 0 <= float(value) < _ENDLESS:  # type: ignore[arg-type]
        raise ValueError("an amount that there cannot be")


class Ledger:
    """Counts the calls of one home. `clock`: the time, timezone-aware."""

    def __init__(self, options: ModelOptions, clock: Callable[[], datetime]) -> None:
        self._options, self._clock = options, clock
        self._path = options.home / FILE_NAME

    def spending(self) -> ModelSpending:
        """What was spent this month, what is under way left out. Raises ModelUnavailable: the file is damaged."""
        count = self._read()
        fresh = count if count.month >= self._month() else _Count(self._month())
        return ModelSpending(
            fresh.month,
            fresh.calls,
            fresh.input_tokens,
            fresh.output_tokens,
            fresh.money,
            self._options.cap,
            self._options.cap_tokens,
        )

    def reserve(self, input_tokens: int, output_tokens: int) -> Reserved:
        """Reserve the most that a call may use.

        Raises SpendingCapReached: it could pass a cap; ModelUnavailable: the count can be neither read nor kept.
        """
        options, now = self._options, self._clock()
        until = now + timedelta(seconds=options.timeout_s) + _MARGIN
        asked = Reserved(input_tokens, output_tokens, until.timestamp())
        with self._locked() as count:
            under_way = count.still_reserved()
            tokens = sum(each.input_tokens + each.output_tokens for each in under_way)
            money = sum(options.money(each.input_tokens, each.output_tokens) for each in under_way)
            spent = count.input_tokens + count.output_tokens
            most = input_tokens + output_tokens
            if options.cap_tokens is not None and spent + tokens + most > options.cap_tokens:
                told = f"{spent:,}", f"{options.cap_tokens:,}", f"{most:,} tokens"
                raise self._reached(count, "model_cap_tokens", *told)
            most_money = options.money(input_tokens, output_tokens)
            if options.cap is not None and count.money + money + most_money > options.cap:
                told = f"{count.money:.6g}", f"{options.cap:g}", f"{most_money:.2g}"
                raise self._reached(count, "model_cap", *told)
            count.reserved[asked.id] = asdict(asked)
        return asked

    def settle(self, reserved: Reserved, input_tokens: int, output_tokens: int) -> None:
        """The call was answered and used these tokens."""
        with self._locked() as count:
            # Where it is no longer reserved, its time was over, and it was counted in full.
            if count.reserved.pop(reserved.id, None) is not None:
                count.add(self._options, input_tokens, output_tokens)

    def release(self, reserved: Reserved) -> None:
        """The call was refused, or never got there: it costs nothing."""
        with self._locked() as count:
            count.reserved.pop(reserved.id, None)

    @contextmanager
    def _locked(self) -> Iterator[_Count]:
        """The count, which no other process changes meanwhile; kept at the end of the block."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise self._unkept(error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            count = self._of_this_month(self._read())
            yield count
            self._keep(count)
        finally:
            os.close(lock)

    def _of_this_month(self, count: _Count) -> _Count:
        """The count with what is over counted as spent; of an earlier month only what is still under way."""
        now = self._clock().timestamp()
        month = self._month()
        if count.month < month:
            count = _Count(month, reserved=count.reserved)
        for each in count.still_reserved():
            if each.until < now:
                del count.reserved[each.id]
                count.add(self._options, each.input_tokens, each.output_tokens)
        return count

    def _read(self) -> _Count:
        try:
            count = _Count(**json.loads(self._path.read_bytes()))
            count.check()
            return replace(count, money=float(count.money))
        except FileNotFoundError:
            return _Count()
        except OSError as error:
            raise self._unkept(error) from error
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise ModelUnavailable(
                f"{self._path} is damaged, so nobody knows what models have cost this month",
                "Remove it to count from zero",
            ) from error

    def _keep(self, count: _Count) -> None:
        """Replace the file as a whole: a process that dies leaves the old one or the new one."""
        draft = f"{self._path}.{os.getpid()}"
        try:
            # With a mode of its own, which Path.open does not take.
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:  # noqa: PTH123
                json.dump(asdict(count), file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, self._path)  # noqa: PTH105 - both are plain names here
        except OSError as error:
            raise self._unkept(error) from error

    def _unkept(self, error: OSError) -> ModelUnavailable:
        return ModelUnavailable(
            f"What models cost cannot be counted in {self._path} ({error.strerror or error}), so none is asked",
            "Mend the permissions of that folder",
        )

    def _month(self) -> str:
        return f"{self._clock():%Y-%m}"

    def _reached(self, count: _Count, setting: str, spent: str, cap: str, most: str) -> SpendingCapReached:
        mend = f"Raise {setting}, or wait for the next month"
        if count.month > self._month():
            mend = f"The count is of {count.month}: if a clock was wrong then, remove {self._path}"
        return SpendingCapReached(
            f"{spent} of {setting} = {cap} is spent this month, and the next call may cost up to {most}", mend
        )
