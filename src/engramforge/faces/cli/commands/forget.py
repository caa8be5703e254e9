"""`engramforge forget`: the one true deletion."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from engramforge.errors import EngramforgeError, InvalidValue, NotConfirmed
from engramforge.faces.cli.options import Call, ask_first, conversation_option, given, store_options
from engramforge.faces.cli.output import remark, shortened
from engramforge.faces.views.memory import ForgottenView
from engramforge.faces.views.shape import numbered
from engramforge.forge.asking.repeats import Repeat, parts_of, repeats

if TYPE_CHECKING:
    from engramforge.forge import Forge
    from engramforge.model.memory import Memory

_LOOKED_AT: Final = 100
_MOST: Final = 500
_NAMED: Final = 8
"""How many memories that repeat something are named."""


@click.command("forget")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@conversation_option("What was said and recorded in this conversation.")
@click.option("--file", metavar="PATH", help="What was imported from this file or folder.")
@click.option("--project", metavar="NAME", help="The whole project; with another option, only what is in it.")
@click.option(
    "--reason", default="", metavar="TEXT", help="Kept in the audit log, without distinctive words of it."
)
@click.option("--yes", is_flag=True, help="Do not ask, however many memories go.")
@store_options
def command(call: Call, ids: tuple[str, ...], reason: str, yes: bool, **fields: Any) -> None:
    """Remove memories from the disk, all their versions, with proof. It cannot be undone.

    Those with these IDs, or all of a conversation, a file or a project. On a terminal it says how many memories go, and
    asks. The answer says what was searched afterwards, what is left where, which other memories have a number, address
    or rare name of it, and how many its conversation has, which may repeat it in other words.
    """
    asked: dict[str, Any] = {"memory_id": ids, "reason": reason, **given(**fields)}
    with call.open() as forge:
        gone = _asked_for(forge, ids, fields.get("conversation"))
        conversations = list(dict.fromkeys(each.session_id for each in gone if ids and each.session_id))
        parts = parts_of(each.content for each in gone)
        try:
            proof = forge.forget(**asked, confirmed=yes, unasked=0)
        except NotConfirmed as error:
            if not sys.stdin.isatty():
                raise InvalidValue(
                    f"{error.fault}. It was not confirmed; nothing was removed", "Add --yes"
                ) from None
            if len(ids) == 1:
                asked_for = forge.get(ids[0])
                remark(f"{asked_for.id}  {shortened(asked_for.content, 90)}")
            ask_first(f"{error.fault}. Go ahead?", "Nothing was removed.")
            proof = forge.forget(**asked, confirmed=True)
        others = _others(forge, conversations)
        repeated = repeats(forge.memories, parts)
    view = ForgottenView.of(proof)
    call.tell(
        {
            "forgotten": view,
            "others": others,
            "repeated": [{"id": each.id, "repeats": list(each.parts)} for each in repeated],
        },
        f"Forgotten: {view.named(ids)}, {numbered(proof.versions, 'version')} and {numbered(proof.links, 'link')}, at "
        f"{proof.at:%Y-%m-%d %H:%M:%S} UTC. {view.told(reason, is_repeated=bool(repeated))}."
        + _repeated(repeated)
        + "".join(
            f"\nThe conversation {name} has {numbered(count, 'other memory')}, which may repeat it; "
            f"forget --conversation {name} removes {'them' if count > 1 else 'it'}, too."
            for name, count in others.items()
        ),
    )


def _asked_for(forge: Forge, ids: Sequence[str], conversation: str | None) -> list[Memory]:
    """What is named by its id or was said in a conversation; whatever is wrong is told by the forget."""
    try:
        named = [forge.get(each) for each in ids[:_LOOKED_AT]]
        return named + (forge.memories(session_id=conversation, limit=_MOST) if conversation else [])
    except EngramforgeError:
        return []


def _repeated(found: Sequence[Repeat]) -> str:
    """Which other memories repeat what tells most, and how they are forgotten, too; empty for none."""
    if not found:
        return ""
    parts = ", ".join(dict.fromkeys(part for each in found for part in each.parts))
    lines = "".join(f"\n  {each.id}  {shortened(each.content, 70)}" for each in found[:_NAMED])
    more = f"\n  ... and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    too = " ".join(each.id for each in found[:_NAMED])
    has = "memories have" if len(found) > 1 else "memory has"
    return f"\n{len(found)} other {has} {parts}, which it had:{lines}{more}\nforget {too} removes that, too."


def _others(forge: Forge, conversations: Sequence[str]) -> dict[str, int]:
    """How many memories conversations still have, without those that have none."""
    counts = {name: len(forge.memories(session_id=name, limit=_MOST)) for name in conversations}
    return {name: count for name, count in counts.items() if count}
