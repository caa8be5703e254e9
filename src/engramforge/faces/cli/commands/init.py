"""`engramforge init`: create the store and say what to do next. Connects nothing by itself."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import heading, say, show_json
from engramforge.faces.views.shape import numbered


@click.command("init")
@store_options
def command(call: Call) -> None:
    """Create the store and say what to do next."""
    from engramforge.assembly import locate

    place = locate(call.store)
    # Whether a database holds a store already, only opening it tells, and that makes one.
    created = not place.exists() if isinstance(place, Path) else None
    with call.open() as forge:
        identity, memories = forge.identity, forge.stats().memories
    claude_code = _claude_code()
    steps = [
        'engramforge remember "We ship on Thursdays." --project shop',
        'engramforge recall "when do we ship?"',
        "engramforge import FOLDER --project NAME",
    ]
    if claude_code["transcripts"]:
        steps.append(f"engramforge import {shlex.quote(claude_code['folder'])}")
    if call.as_json:
        show_json(
            {
                "created": created,
                "location": identity.location,
                "store_id": identity.store_id,
                "schema": identity.schema,
                "memories": memories,
                "claude_code": claude_code,
                "next": steps,
            }
        )
        return
    if created is None:
        say(f"The store is ready, with {numbered(memories, 'memory')}: {identity.location}")
    elif created:
        say(f"The store was created: {identity.location}")
    else:
        say(f"The store is there already, with {numbered(memories, 'memory')}: {identity.location}")
    say("ENGRAMFORGE_HOME or --home puts it elsewhere, ENGRAMFORGE_URL or --url into a database.")
    say()
    heading("Next")
    for step in steps[:3]:
        say(f"  {step}")
    if claude_code["transcripts"]:
        say()
        heading("Claude Code")
        say(f"  {claude_code['transcripts']} transcripts are in {claude_code['folder']}.")
        say("  Claude Code deletes them after 30 days. To keep what was said:")
        say(f"  {steps[3]}")


def _claude_code() -> dict[str, Any]:
    """Where Claude Code keeps its transcripts, and how many there are now."""
    root = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude") / "projects"
    try:
        count = sum(1 for _ in root.glob("*/*.jsonl"))
    except OSError:
        count = 0
    return {"folder": str(root), "transcripts": count}
