"""`engramforge link`: connect two memories."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from engramforge.errors import InvalidValue, NotFound
from engramforge.faces.cli.options import Call, given, json_object, refuse_repeated, store_options
from engramforge.faces.cli.output import say, short, show_json
from engramforge.faces.views.link import LinkedView
from engramforge.faces.views.memory import secrets_told

if TYPE_CHECKING:
    from engramforge.model.memory import Memory


@click.command("link")
@click.argument("ends", nargs=-1, metavar="SOURCE TARGET --relation RELATION")
@click.option("--relation", metavar="RELATION", help="CAUSES, DEPENDS_ON or any upper-case words.")
@click.option("--energy", type=float, metavar="0..1", help="How strongly it is felt (the source's).")
@click.option("--confidence", type=float, metavar="0..1", help="How sure it is (the source's).")
@click.option(
    "--emotion",
    "emotions",
    multiple=True,
    metavar="NAME=0..1",
    help="An emotion and its strength (repeatable); none: nothing was felt (the source's).",
)
@click.option("--goal", metavar="TEXT", help="What it serves (the source's).")
@click.option("--mindstate", metavar="TEXT", help="The state of mind it was formed in (the source's).")
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
    ends: tuple[str, ...],
    relation: str | None,
    emotions: tuple[str, ...],
    metadata: dict[str, Any] | None,
    **fields: Any,
) -> None:
    """Connect the memory SOURCE to the memory TARGET; also written SOURCE RELATION TARGET.

    What is not said of energy, confidence, emotions, goal and state of mind is taken from SOURCE.
    """
    if relation is None and len(ends) == 3:
        ends, relation = (ends[0], ends[2]), ends[1]
    if relation is None or len(ends) != 2:
        raise InvalidValue(
            "A link needs a source, a target and a relation", "Write link SOURCE TARGET --relation RELATION"
        )
    asked = given(**fields)
    if twice := sorted((metadata or {}).keys() & {*asked, "source_id", "target_id", "relation"}):
        raise InvalidValue(f"--metadata names {', '.join(twice)} too", "Give each field once")
    if emotions:
        asked["emotion_vector"] = emotions_of(emotions)
    asked |= metadata or {}
    with call.open() as forge:
        taken: dict[str, Any] = {}
        with suppress(NotFound):  # told with all other faults
            taken = {name: value for name, value in _felt(forge.get(ends[0])).items() if name not in asked}
        linked = forge.link(ends[0], ends[1], relation, **taken, **asked)
    if call.as_json:
        show_json(LinkedView.of(linked))
        return
    link = linked.link
    done = "Linked" if linked.written else "Linked before"
    source, target, made = map(short, (link.source_id, link.target_id, link.id))
    say(f"{done}: {source} {link.relation} {target}, as {made}.{secrets_told(linked)}")
    if taken and linked.written:
        told = ", ".join(f"{name.replace('_', ' ')} {value or 'none'}" for name, value in taken.items())
        say(f"Taken from the source: {told}.")
    for warning in linked.warnings:
        say(f"warning: {warning}.")


def _felt(source: Memory) -> dict[str, Any]:
    """What a link takes from its source, as links that are made by rules do."""
    return {
        "energy": source.energy,
        "confidence": source.confidence,
        "emotion_vector": dict(source.emotion_vector),
        "goal": source.goal or "unstated",
        "mindstate": source.mindstate or "captured",
    }


def emotions_of(texts: tuple[str, ...]) -> dict[str, Any]:
    """NAME=0..1, several times, as an emotion vector; `none` alone is an empty one. The facade checks the shares."""
    if texts == ("none",):
        return {}
    refuse_repeated(texts)
    vector: dict[str, Any] = {}
    for text in texts:
        name, _, share = text.partition("=")
        try:
            vector[name] = float(share)
        except ValueError:
            # Left as it is, so that it is refused together with all other faults.
            vector[name] = share
    return vector
