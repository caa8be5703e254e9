"""Linear algebra in one thread while a verb runs, and in as many as before afterwards.

Our products are of a few thousand numbers: handing them to other cores and waiting for these takes longer than the
product, most of all where other work keeps the cores busy (docs/decisions/0017-one-thread-for-linear-algebra.md).
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from itertools import product
from typing import Final, NamedTuple


class _Threads(NamedTuple):
    """How a library is asked for its number of threads, and told another."""

    number: Callable[[], int]
    put: Callable[[int], object]


_NAMES: Final = (
    *(
        (f"{before}openblas_get_num_threads{after}", f"{before}openblas_set_num_threads{after}")
        for before, after in product(("scipy_", ""), ("64_", "", "_64"))
    ),
    ("MKL_Get_Max_Threads", "MKL_Set_Num_Threads"),
    ("bli_thread_get_num_threads", "bli_thread_set_num_threads"),
)


class _OneThread:
    """A context that any number of threads may be in at once: the first one in sets the limit, the last one out
    gives the host program's setting back, unless somebody chose another meanwhile."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before = 1

    @cached_property
    def _numpys(self) -> _Threads | None:
        """The threads of the linear algebra that NumPy is linked with; None where it has none that we know."""
        from numpy.linalg import _umath_linalg

        with suppress(OSError):
            # Names are looked for in what a library is linked with, too.
            library = ctypes.CDLL(_umath_linalg.__file__)
            for number, put in _NAMES:
                with suppress(AttributeError):
                    return _Threads(getattr(library, number), getattr(library, put))
        return None

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1 and (threads := self._numpys) is not None:
                self._before = threads.number()
                if self._before > 1:
                    threads.put(1)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            threads = self._numpys
            if not self._inside and threads is not None and self._before > 1 and threads.number() == 1:
                threads.put(self._before)


ONE_THREAD: Final = _OneThread()
