"""One HTTP endpoint: calls with a deadline, repeated where that can help, and errors that name the setting.

Repeated: 408, 425, 429, 5xx, a broken connection, no answer in time; after Retry-After where the endpoint sends one,
else after a growing, random pause (exponential backoff with full jitter). Never repeated: any other 4xx, and an answer
that makes no sense. The key goes into one header and nowhere else.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, NoReturn
from urllib.parse import urlsplit

from engramforge.errors import ModelUnavailable, SpendingCapReached
from engramforge.model.embeddings.reembedding import Spending
from engramforge.spaces.chosen.choice import EndpointOptions

if TYPE_CHECKING:
    import httpx2

_REPEATED: Final = frozenset({408, 425, 429})
_FIRST_PAUSE_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 30.0
_LONGEST_ASKED_PAUSE_S: Final = 120.0
_MOST_BYTES: Final = 256_000_000


class Endpoint:
    """Posts JSON and reads JSON; safe to share between threads. Its repr shows no key.

    `base_url`: the provider's own address, where the options give none. `name`: of the provider, for errors and for the
    variable of its key. `pause`: waits for this many seconds; tests pass their own.
    """

    def __init__(
        self, options: EndpointOptions, base_url: str, name: str, pause: Callable[[float], None] = time.sleep
    ) -> None:
        self._options, self._name, self._pause = options, name, pause
        self._base = (options.base_url or base_url).rstrip("/")
        self.ledger = Ledger(options.price, options.cap)
        self._client: httpx2.Client | None = None
        self._lock = threading.Lock()
        self._random = random.Random()  # noqa: S311 - jitter, not a secret

    def __repr__(self) -> str:
        return f"Endpoint({self._place})"

    @property
    def _place(self) -> str:
        """The address without user, password or query, for people."""
        parts = urlsplit(self._base)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"

    def post(
        self, path: str, body: Mapping[str, Any], most_tokens: int, setting: str, retries: int | None = None
    ) -> tuple[dict[str, Any], float]:
        """The answer, and the money that was reserved for it: settle or release it with the ledger.

        `most_tokens`: the most that the call may use, by which the cap is kept. `retries`: how often at most it is
        repeated; None: as the options say.

        Raises ModelUnavailable, SpendingCapReached: see the module.
        """
        self._check_key(setting)
        reserved = self.ledger.reserve(most_tokens)
        try:
            attempts = 1 + (self._options.retries if retries is None else retries)
            return self._repeated(path, body, setting, attempts), reserved
        except BaseException:
            self.ledger.release(reserved)
            raise

    def _repeated(self, path: str, body: Mapping[str, Any], setting: str, attempts: int) -> dict[str, Any]:
        client = self._made(setting)
        import httpx2

        fault = ""
        for attempt in range(attempts):
            asked: float | None = None
            try:
                status, headers, content = self._once(client, path, body)
            except (httpx2.TimeoutException, _TooLate):
                fault = f"{self._place} did not answer within {self._options.timeout_s:g} s"
            except httpx2.TransportError as error:
                fault = f"{self._place} cannot be reached or broke off ({type(error).__name__})"
            except httpx2.HTTPError as error:
                fault = f"{self._place} did not speak HTTP as it should ({type(error).__name__})"
            else:
                if 200 <= status < 300:
                    return self._read(content, setting)
                if status not in _REPEATED and status < 500:
                    self._refused(status, content, setting)
                fault = f"{self._place} answered {status}"
                asked = _asked_pause(headers.get("retry-after"))
            if attempt + 1 < attempts:
                self._pause(self._pause_before(attempt, asked))
        raise ModelUnavailable(
            f"{fault}, after {attempts} attempts, for the model of {setting}",
            "Check the network, embedding_base_url and embedding_timeout_s, or try again later",
        )

    def _check_key(self, setting: str) -> None:
        """Refuse to ask the provider itself without a key; an address of one's own may need none."""
        if self._options.api_key is None and self._options.base_url is None:
            address = "voyage_base_url" if self._name == "voyage" else "embedding_base_url"
            raise ModelUnavailable(
                f"The model of {setting} is at {self._place}, and no key for it is set",
                f"Set embedding_api_key, or the variable {self._name.upper()}_API_KEY;"
                f" or {address} for an endpoint that needs none",
            )

    def _once(
        self, client: httpx2.Client, path: str, body: Mapping[str, Any]
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body. A body that arrives in drips is abandoned at the deadline too."""
        deadline = time.monotonic() + self._options.timeout_s
        with client.stream("POST", f"{self._base}{path}", json=dict(body)) as answer:
            content = bytearray()
            for piece in answer.iter_bytes():
                content += piece
                if time.monotonic() > deadline or len(content) > _MOST_BYTES:
                    raise _TooLate
            return answer.status_code, answer.headers, bytes(content)

    def _made(self, setting: str) -> httpx2.Client:
        with self._lock:
            if self._client is None:
                try:
                    import httpx2
                except ImportError as error:
                    raise ModelUnavailable(
                        f"The model of {setting} is behind an endpoint, and the HTTP client is not installed",
                        "Run pip install 'engramforge[provider]'",
                    ) from error
                key = self._options.api_key
                self._client = httpx2.Client(
                    timeout=self._options.timeout_s,
                    headers={"Authorization": f"Bearer {key}"} if key else {},
                    follow_redirects=False,
                )
            return self._client

    def close(self) -> None:
        """Release connections."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _pause_before(self, attempt: int, asked: float | None) -> float:
        if asked is not None:
            return min(asked, _LONGEST_ASKED_PAUSE_S)
        return self._random.uniform(0, min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2**attempt)) + 0.05

    def _read(self, content: bytes, setting: str) -> dict[str, Any]:
        try:
            answer = json.loads(content)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise ModelUnavailable(
                f"{self._place} sent no complete JSON object for the model of {setting} ({len(content)} bytes)",
                "Check that embedding_base_url is an embedding endpoint, up to and without /embeddings",
            )
        return answer

    def _refused(self, status: int, content: bytes, setting: str) -> NoReturn:
        """A refusal that a repetition would not change."""
        if status in (401, 403):
            given = "was refused" if self._options.api_key else "is missing"
            # The endpoint's message about a wrong key may contain a part of it.
            raise ModelUnavailable(
                f"{self._place} answered {status}: the key for the model of {setting} {given}",
                f"Set embedding_api_key, or the variable {self._name.upper()}_API_KEY",
            )
        said = self._said(content)
        raise ModelUnavailable(
            f"{self._place} answered {status} for the model of {setting}{said}",
            f"Check the model's name in {setting}, embedding_dimensions and embedding_base_url",
        )

    def _said(self, content: bytes) -> str:
        """The beginning of the endpoint's message, without a key."""
        text = content[:2_000].decode("utf-8", "replace")
        try:
            answer = json.loads(content)
            told = answer.get("error", answer.get("detail", text)) if isinstance(answer, dict) else text
            text = str(told.get("message", told) if isinstance(told, dict) else told)
        except (ValueError, RecursionError):
            pass
        if self._options.api_key:
            text = text.replace(self._options.api_key, "***")
        text = " ".join(text.split())[:200]
        return f": {text}" if text else ""


class _TooLate(Exception):
    """The answer's body was late, or endless."""


def _asked_pause(value: str | None) -> float | None:
    """Seconds that a Retry-After header asks for, as a number or a date (RFC 9110, 10.2.3); None for none."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


_MILLION = 1_000_000


class Ledger:
    """Counts one endpoint's calls; shared by all encoders of it, safe between threads.

    `price`: money per million tokens. `cap`: the most money that may be spent; None: no limit. A cap without a price
    would never stop anything, so the settings refuse it.
    """

    def __init__(self, price: float = 0.0, cap: float | None = None) -> None:
        self._price, self._cap = price, cap
        self._spent = Spending()
        self._reserved = 0.0
        self._lock = threading.Lock()

    @property
    def spent(self) -> Spending:
        """Calls, tokens and money so far."""
        return self._spent

    def reserve(self, most_tokens: int) -> float:
        """Reserve the most that a call may cost. Raises SpendingCapReached if that would exceed the cap.

        Returns
        -------
        money : what was reserved; `settle` or `release` gives it back.
        """
        money = most_tokens * self._price / _MILLION
        with self._lock:
            if self._cap is not None and self._spent.money + self._reserved + money > self._cap:
                raise SpendingCapReached(
                    f"{self._spent.money:.6g} of embedding_cap = {self._cap:g} is spent,"
                    f" and the next call may cost up to {money:.2g}",
                    "Raise embedding_cap, or let encoders be static",
                )
            self._reserved += money
        return money

    def release(self, money: float) -> None:
        """The call failed and is not billed."""
        with self._lock:
            self._reserved = max(0.0, self._reserved - money)

    def settle(self, money: float, tokens: int) -> None:
        """The call was answered and used these tokens."""
        with self._lock:
            self._reserved = max(0.0, self._reserved - money)
            self._spent = self._spent.plus(tokens, tokens * self._price / _MILLION)
