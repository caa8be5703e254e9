"""Whether a daemon can write: what went wrong last, and since when it is well again."""

from __future__ import annotations

import errno

from engramforge.errors import EngramforgeError, StoreCorrupt, StoreFull, StoreTooNew, StoreUnavailable

_LASTING = (StoreFull, StoreCorrupt, StoreTooNew, StoreUnavailable)
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG)


class Condition:
    """What /health tells of writing; shared between threads. `fault`: why nothing can be written; None where it can."""

    def __init__(self) -> None:
        self.fault: EngramforgeError | None = None

    def failed(self, error: Exception) -> None:
        """Tell of a failure; only what lasts until somebody mends it counts."""
        if isinstance(error, OSError) and error.errno in _NO_SPACE:
            error = StoreFull(f"The system refused a write: {error}", "Free some disk space")
        if isinstance(error, _LASTING):
            self.fault = error

    def worked(self) -> None:
        """Tell that something was written."""
        self.fault = None
