"""`engramforge link`: connect two memories."""

from __future__ import annotations

from typing import Any

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import Call, given, json_object, store_options
from engramforge.faces.cli.output import say, show_json
from engramforge.faces.views.link import LinkedView
from engramforge.faces.views.memory import secrets_told


@click.command("link")
@click.argument("source_id", metavar="SOURCE")
@click.argument("relation", metavar="RELATION")
@click.argument("target_id", metavar="TARGET")
@click.option("--energy", type=float, metavar="0..1", help="How strongly it is felt (required).")
@click.option("--confidence", type=float, metavar="0..1", help="How sure it is (required).")
@click.option(
    "--emotion",
    "emotions",
    multiple=True,
    metavar="NAME=0..1",
    help="An emotion and its strength (repeatable); none: nothing was felt (required).",
)
@click.option("--goal", metavar="TEXT", help="What it serves (required).")
@click.option("--mindstate", metavar="TEXT", help="The state of mind it was formed in (required).")
@click.option(
    "--energy-transfer-coefficient", type=float, metavar="0..1", help="How much energy passes along it (0.5)."
)
@click.option("--resolution-state", metavar="STATE", help="in_progress (default), blocked or resolved.")
@click.option("--formation-trigger", metavar="TEXT", help="What made it form.")
@click.option("--felt-quality", metavar="TEXT", help="How it feels.")
@click.option("--emotion-description", metavar="TEXT", help="The emotions in words.")
@click.option("--body-sensation", metavar="TEXT", help="Where in the body it is felt.")
@click.option("--spatial-context", metavar="TEXT", help="Where it was formed.")
@click.option("--sensory-details", metavar="TEXT", help="What was seen, heard, touched.")
@click.option("--valid-at", metavar="TIME", help="Since when it holds (now).")
@click.option("--invalid-at", metavar="TIME", help="Until when it holds.")
@click.option("--recorded-at", metavar="TIME", help="When it became known (now).")
@click.option("--metadata", metavar="JSON", callback=json_object, help="Any other fields, as a JSON object.")
@store_options
def command(
    call: Call,
    source_id: str,
    relation: str,
    target_id: str,
    emotions: tuple[str, ...],
    metadata: dict[str, Any] | None,
    **fields: Any,
) -> None:
    """Connect the memory SOURCE to the memory TARGET: RELATION is CAUSES, DEPENDS_ON or any upper-case words."""
    asked = given(**fields)
    if twice := sorted((metadata or {}).keys() & {*asked, "source_id", "target_id", "relation"}):
        raise InvalidValue(f"--metadata names {', '.join(twice)} too", "Give each field once")
    if emotions:
        asked["emotion_vector"] = emotions_of(emotions)
    with call.open() as forge:
        linked = forge.link(source_id, target_id, relation, **{**(metadata or {}), **asked})
    if call.as_json:
        show_json(LinkedView.of(linked))
        return
    link = linked.link
    done = "Linked" if linked.written else "Linked before"
    say(f"{done}: {link.source_id} {link.relation} {link.target_id}, as {link.id}.{secrets_told(linked)}")
    for warning in linked.warnings:
        say(f"warning: {warning}.")


def emotions_of(texts: tuple[str, ...]) -> dict[str, Any]:
    """NAME=0..1, several times, as an emotion vector; `none` alone is an empty one. The facade checks the shares."""
    if texts == ("none",):
        return {}
    vector: dict[str, Any] = {}
    for text in texts:
        name, _, share = text.partition("=")
        try:
            vector[name] = float(share)
        except ValueError:
            # Left as it is, so that it is refused together with all other faults.
            vector[name] = share
    return vector
