"""`engramforge remember`: one text becomes one memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import (
    Call,
    change_options,
    content_of,
    conversation_option,
    given,
    refuse_repeated,
    store_options,
)
from engramforge.faces.cli.output import say, short, shortened
from engramforge.faces.cli.registries import called
from engramforge.faces.views.memory import MemoryView, secrets_told
from engramforge.faces.views.registry import done_and_waiting
from engramforge.model.registration import Act

if TYPE_CHECKING:
    from engramforge.model.memory import Memory

_MOST_TOLD: Final = 8
"""How many entries are told one by one."""


@click.command("remember")
@click.argument("content", required=False)
@click.option("--image", "images", multiple=True, metavar="FILE", help="An image of it (repeatable).")
@click.option(
    "--caption", "captions", multiple=True, metavar="TEXT", help="What the image shows, in the images' order."
)
@click.option("--project", metavar="NAME", help="The body of memories it belongs to.")
@conversation_option("The conversation it belongs to.", "session_id")
@click.option("--sequence", type=int, metavar="N", help="Its place in the conversation.")
@click.option("--speaker", metavar="NAME", help="Who said it.")
@click.option("--source", metavar="SOURCE", help="Which way it came in (api when left out).")
@click.option("--level", metavar="LEVEL", help="personal, collective or ecosystem.")
@click.option("--valid-at", metavar="TIME", help="Since when it is true (now when left out).")
@click.option("--invalid-at", metavar="TIME", help="Until when it is true.")
@click.option("--recorded-at", metavar="TIME", help="When it was learned (now when left out).")
@click.option(
    "--emotion", "emotions", multiple=True, metavar="NAME=0..1", help="A felt emotion (repeatable)."
)
@click.option("--origin", metavar="TEXT", help="A stable identity: a second memory of it is a duplicate.")
@click.option("--no-near", is_flag=True, help="Do not say what is there already that is near to it.")
@change_options
@store_options
def command(call: Call, content: str | None, emotions: tuple[str, ...], no_near: bool, **fields: Any) -> None:
    """Remember CONTENT, or standard input when CONTENT is - or left out.

    With --image CONTENT may be left out: then the captions, else the files' names, are the content. Times are ISO 8601:
    2026-05-01 or 2026-05-01T09:00:00Z.
    """
    text = None if content is None and fields.get("images") else content_of(content)
    refuse_repeated(emotions)
    fields["emotion_vector"] = dict(map(_emotion, emotions)) or None
    with call.open() as forge:
        memory = forge.remember(text, near=not no_near, **given(**fields))
    done = "There already:" if memory.is_duplicate else "Remembered"
    nothing = " Nothing was changed." if memory.is_duplicate else ""
    said = f"{done} {short(memory.id)} in project {memory.project}, as {memory.kind}.{nothing}"
    _tell_written(call, memory, said, is_duplicate=memory.is_duplicate, near=memory.near)
    for each in () if call.as_json else memory.near:
        how = f"Contradicts ({each.contradicts})" if each.contradicts else "Near to"
        say(f"{how} {short(each.id)} ({each.similarity:.2f}): {shortened(each.excerpt, 70)}")


def tell_changed(call: Call, memory: Memory, given_id: str, said: str) -> None:
    """An answer about a changed memory, with the id that stays whatever its version, unless that was given."""
    asked = given_id.strip().replace("-", "").lower()
    if not memory.logical_id.replace("-", "").startswith(asked):
        said += f" {short(memory.logical_id)} names it in every version."
    _tell_written(call, memory, said)


def _tell_written(call: Call, memory: Memory, said: str, **beside: object) -> None:
    """An answer about a memory, and what its words did to decisions and threads, a line each."""
    answer = {"memory": MemoryView.of(memory), "redacted": memory.redacted, **beside}
    call.tell({**answer, "consequences": memory.consequences}, f"{said}{secrets_told(memory)}")
    if call.as_json:
        return
    done, waiting = done_and_waiting(memory.consequences)
    for each in done[:_MOST_TOLD]:
        if each.act == Act.UNKNOWN:
            say(f"{each.text}.")
            continue
        stands = called(each, each.status)
        say(f"{each.act.capitalize()} {each.kind} {stands}: {shortened(each.text, 70)}")
    if more := len(done[_MOST_TOLD:]):
        say(f"{more} more: engramforge links {short(memory.id)}")
    if waiting:
        say(f"{waiting}.")


def _emotion(text: str) -> tuple[str, float]:
    name, sign, value = text.partition("=")
    try:
        if name and sign:
            return name, float(value)
    except ValueError:
        pass
    raise InvalidValue(f"--emotion {text!r} is not NAME=NUMBER", "Write it as joy=0.7")
