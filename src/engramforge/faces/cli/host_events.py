"""Commands that a host calls for its events: the event comes as JSON on standard input, the answer goes to it.

Whatever happens, they end with 0 and say nothing to the model: no session may fail because of its memory. What went
wrong is told on standard error, which the host keeps for whoever looks for it.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Final

from engramforge.faces.cli.output import remark, say, show_json
from engramforge.faces.views.injection import InjectionView

if TYPE_CHECKING:
    from engramforge.faces.cli.options import Call

_MOST_BYTES: Final = 2_000_000


def inject(call: Call, event: str) -> None:
    """Print what to put before the model at the event on standard input; `event`: its name where it says none."""
    try:
        said = _event_on_input()
        with call.open() as forge:
            found = forge.injections.for_event({"hook_event_name": event, **said})
    except Exception as error:  # noqa: BLE001 - nothing may reach the host
        remark(f"engramforge: {type(error).__name__}: {error}")
        return
    if call.as_json:
        show_json({"injection": None if found is None else InjectionView.of(found)})
    elif found is not None:
        answer = {"hookEventName": found.event, "additionalContext": found.text}
        say(json.dumps({"hookSpecificOutput": answer}, ensure_ascii=False))


def _event_on_input() -> dict[str, Any]:
    raw = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(raw) > _MOST_BYTES:
        raise ValueError("the event is larger than 2 MB")
    said = json.loads(raw)
    if not isinstance(said, dict):
        raise ValueError("the event is no JSON object")
    return said
