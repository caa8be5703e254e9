"""The one way to a model's endpoint: an answer of any size, or packed so as to become one, is read up to a limit.

The time has its limit where a question is waited for (`waiting`); the libraries' own holds for each read alone.
"""

from __future__ import annotations

import zlib
from typing import Any, Final

import httpx2

MOST_BYTES: Final = 4 * 1024 * 1024
"""Of an answer, unpacked: the longest that a model gives has less than a tenth."""
_PACKED: Final = {"gzip": 47, "x-gzip": 47, "deflate": 47}
"""What zlib unpacks, and how it is told so; nothing else is asked for."""
_OF_BODY: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})
"""Headers that are not true of the body any more once it has been read."""


class TooLarge(httpx2.RequestError):
    """An answer has more bytes than any answer of a model."""


class BoundedClient(httpx2.AsyncClient):
    """Sends requests, by the proxies of the environment too, and reads each answer whole before it is given on.

    `timeout_s`: of each of its waits. Raises TooLarge.
    """

    def __init__(self, timeout_s: float, most: int = MOST_BYTES) -> None:
        super().__init__(timeout=timeout_s, follow_redirects=False, headers={"accept-encoding": "identity"})
        self._most = most

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """One request and its answer, which is there as a whole whether or not it was to be streamed."""
        # The client libraries have headers of their own.
        request.headers["accept-encoding"] = "identity"
        answer = await super().send(request, **(options | {"stream": True}))
        try:
            body = await self._read(answer)
        finally:
            await answer.aclose()
        headers = [each for each in answer.headers.multi_items() if each[0].lower() not in _OF_BODY]
        return httpx2.Response(answer.status_code, headers=headers, content=body, request=request)

    async def _read(self, answer: httpx2.Response) -> bytes:
        packed = answer.headers.get("content-encoding", "identity").strip().lower()
        if packed not in ("", "identity", *_PACKED):
            raise httpx2.DecodingError("the answer is packed in a way that was not asked for")
        unpack = zlib.decompressobj(_PACKED[packed]) if packed in _PACKED else None
        body = bytearray()
        async for piece in answer.aiter_raw():
            try:
                body += piece if unpack is None else unpack.decompress(piece, self._most + 1 - len(body))
            except zlib.error as error:
                raise httpx2.DecodingError(str(error)) from error
            if len(body) > self._most:
                raise TooLarge(f"the answer has more than {self._most:,} bytes")
        return bytes(body)
