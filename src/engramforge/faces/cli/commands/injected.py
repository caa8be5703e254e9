"""`engramforge injected`: what was put before the model, why, and whether it was of use."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import click

from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import say, shortened, show_json, show_pairs, show_table
from engramforge.faces.views.injection import InjectionView
from engramforge.model.injection import ACTS, ASKS
from engramforge.model.memory import Kind

if TYPE_CHECKING:
    from engramforge.forge import Forge
    from engramforge.model.injection import Injection

_COLUMNS: Final = ("id", "at", "event", "project", "memories", "tokens", "ms", "used")
_LINE: Final = 100
_CAUSED_BY: Final = {ASKS: Kind.PROMPT, ACTS: Kind.TOOL_USE}
_NEAR: Final = timedelta(seconds=5)
"""How far apart the capture of an event and what was injected at it are at most."""
_LOOKED_AT: Final = 50


@click.command("injected")
@click.argument("id_", metavar="[ID]", required=False)
@click.option("--session", metavar="ID", help="Only of this session.")
@click.option("--project", metavar="NAME", help="Only of this project.")
@click.option("--limit", type=int, metavar="N", help="At most so many (20).")
@click.option("--offset", type=int, metavar="N", help="Skip so many of the newest.")
@store_options
def command(call: Call, id_: str | None, **fields: Any) -> None:
    """List what was put before the model, newest first; with ID what went in, why, and what became of it."""
    with call.open() as forge:
        if id_ is not None:
            found = forge.injections.get(id_)
            view = InjectionView.of(found).with_texts(forge.injections.contents(found.id))
            asked = _asked(forge, found)
        else:
            listed = InjectionView.list_of(forge.injections.list(**given(**fields)))
    if id_ is None:
        call.tell_list("injections", listed, _COLUMNS, _row, "Nothing was injected yet.")
    elif call.as_json:
        show_json({"injection": view, "asked": asked})
    else:
        _show(view, asked)


def _row(view: InjectionView) -> tuple[object, ...]:
    count, took = len(view.memories), f"{view.latency_ms:.0f}"
    return (view.id, view.at[:19], _event(view), view.project, count, view.tokens, took, _told(view.used))


def _asked(forge: Forge, found: Injection) -> str | None:
    """The beginning of the prompt or tool use that caused an injection, as it was captured: the store keeps no copy of
    it. None where it was not, or is forgotten, and where a session starts."""
    kind = _CAUSED_BY.get(found.event)
    if kind is None or found.session is None:
        return None
    begin, end = found.at - _NEAR, found.at + _NEAR
    near = forge.memories(session_id=found.session, kinds=(kind,), since=begin, until=end, limit=_LOOKED_AT)
    if not near:
        return None
    return shortened(min(near, key=lambda each: abs(each.valid_at - found.at)).content, 2 * _LINE)


def _show(view: InjectionView, asked: str | None) -> None:
    show_pairs(
        [
            ("id", view.id),
            ("at", view.at),
            ("event", _event(view)),
            ("session", view.session),
            ("project", view.project),
            ("asked", asked),
            ("tokens", view.tokens),
            ("milliseconds", f"{view.latency_ms:.1f}"),
            ("used", _told(view.used)),
            ("note", view.note or None),
        ]
    )
    say()
    rows = [
        (
            each.memory_id,
            each.section,
            each.reason,
            f"{each.priority:.2f}",
            _told(each.used),
            _told(each.useful),
            "(gone)" if each.text is None else shortened(each.text, _LINE),
        )
        for each in view.memories
    ]
    show_table(("memory", "section", "reason", "priority", "used", "useful", "text"), rows)


def _event(view: InjectionView) -> str:
    return " ".join(filter(None, (view.event, view.cause)))


def _told(value: bool | None) -> str:
    return "-" if value is None else "yes" if value else "no"
