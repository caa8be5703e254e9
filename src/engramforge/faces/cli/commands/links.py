"""`engramforge links`: what a memory is connected to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import click

from engramforge.errors import NotFound
from engramforge.faces.cli.options import Call, given, point_options, store_options
from engramforge.faces.cli.output import say, short, shortened, show_json, show_table
from engramforge.faces.views.link import LinkView, WalkedLinkView, listed_links

if TYPE_CHECKING:
    from engramforge.forge import Forge

_MOST_TEXTS: Final = 100
_TEXT_COLUMNS: Final = 40
_HEADS = (
    "relation",
    "other end",
    "it says",
    "holds from",
    "until",
    "known from",
    "until",
    "energy",
    "complete",
    "link",
)


@click.command("links")
@click.argument("id_", metavar="ID")
@click.option("--relation", metavar="RELATION", help="Only this relation.")
@click.option(
    "--depth", type=int, metavar="N", help="Walk on from there, up to N links in a row: 1 (default) to 4."
)
@click.option(
    "--fan-out",
    type=int,
    metavar="N",
    help="Follow at most the N strongest links of a memory, 1 to 100 (20).",
)
@click.option("--mode", metavar="MODE", help="current (default), point_in_time, evolution or full_history.")
@point_options
@click.option("--recorded-since", metavar="TIME", help="With evolution: on record at or after this time.")
@click.option("--recorded-until", metavar="TIME", help="With evolution: on record before this time.")
@store_options
def command(call: Call, id_: str, **fields: Any) -> None:
    """List the links that begin or end at the memory ID, the oldest first.

    With --depth or --fan-out also what these lead to: by depth, the strongest first.
    """
    with call.open() as forge:
        logical_id = forge.get(id_).logical_id
        found = listed_links(forge.links(id_, **given(**fields)))
        ends = [] if call.as_json else [end for x in found for end in (x.source_id, x.target_id)]
        said = texts_of(forge, (each for each in ends if each != logical_id))
    if call.as_json:
        show_json({"logical_id": logical_id, "links": found})
    elif not found:
        say("No link fits that.")
    elif isinstance(found[0], WalkedLinkView):
        heads = ("depth", "from", "relation", "to", "holds from", "until", "energy", "link")
        show_table(heads, [_step(link) for link in found if isinstance(link, WalkedLinkView)])
    else:
        show_table(_HEADS, [_row(link, logical_id, said) for link in found])


def texts_of(forge: Forge, logical_ids: Iterable[str]) -> dict[str, str]:
    """The beginnings of memories' texts, of the first hundred; without those that nobody may see."""
    found: dict[str, str] = {}
    for each in list(dict.fromkeys(logical_ids))[:_MOST_TEXTS]:
        with suppress(NotFound):
            found[each] = shortened(forge.history(each)[-1].content, _TEXT_COLUMNS)
    return found


def _row(link: LinkView, logical_id: str, said: Mapping[str, str]) -> tuple[object, ...]:
    outward = link.source_id == logical_id
    other = link.target_id if outward else link.source_id
    return (
        f"{link.relation} ->" if outward else f"<- {link.relation}",
        short(other),
        said.get(other, ""),
        link.valid_at[:19],
        (link.invalid_at or "")[:19],
        link.created_at[:19],
        (link.expired_at or "")[:19],
        f"{link.energy:.2f}",
        f"{link.metadata_completeness:.0%}",
        short(link.id),
    )


def _step(link: WalkedLinkView) -> tuple[object, ...]:
    ends = link.valid_at[:19], (link.invalid_at or "")[:19]
    return (
        link.depth,
        short(link.source_id),
        f"{link.relation} ->",
        short(link.target_id),
        *ends,
        f"{link.energy:.2f}",
        short(link.id),
    )
