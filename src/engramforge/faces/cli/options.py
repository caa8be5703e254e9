"""Options that several commands share, and the call they describe. No command of its own is here."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

from engramforge.errors import InvalidContent, InvalidValue, NotFound
from engramforge.faces.cli.output import remark, say, show_json, show_table
from engramforge.faces.cli.surroundings import lent, standard_input
from engramforge.model.limits import CONTENT_BYTES
from engramforge.model.texts.visible import on_screen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from engramforge.forge import Forge

F = TypeVar("F", bound="Callable[..., Any]")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Call:
    """Which store, for whom, and how to answer."""

    home: str | None
    url: str | None
    agent: str | None
    as_json: bool

    @property
    def store(self) -> str | None:
        """The home folder or the URL that was given, or neither; both together are refused."""
        if self.home is not None and self.url is not None:
            raise InvalidValue(
                "--home and --url were both given, and each names a store",
                "Give --url alone; ENGRAMFORGE_HOME says where engramforge.toml is",
            )
        return self.home if self.url is None else self.url

    @property
    def daemon_home(self) -> Path:
        """The home folder, which a daemon may serve. Raises InvalidValue: a database is named, or no usable home."""
        from engramforge.runtime.places import find_home

        if self.url is not None:
            raise InvalidValue(
                "A daemon serves a home, and --url names a store",
                "Write url = ... into engramforge.toml of a home, and give --home",
            )
        home = find_home(self.home, os.environ)
        if home is None:
            raise InvalidValue("The home folder has no usable name", "Set ENGRAMFORGE_HOME to a folder")
        return Path(home)

    def open(self) -> Forge:
        """Open the store; the caller closes it."""
        place = self.store
        if (here := lent()) is not None:
            return here.opens(self.home, self.url, self.agent)
        import engramforge

        return engramforge.open(place, agent=self.agent)

    def tell(self, answer: object, said: str) -> None:
        """Print what was done: one JSON object, or a sentence."""
        if self.as_json:
            show_json(answer)
        else:
            say(said)

    def tell_list(
        self,
        name: str,
        values: Sequence[V],
        columns: Sequence[str],
        row: Callable[[V], Sequence[object]],
        empty: str = "",
    ) -> None:
        """Print values: one JSON object that calls them `name`, or a table; without any, `empty`."""
        if self.as_json:
            show_json({name: values})
        elif values:
            show_table(columns, map(row, values))
        else:
            say(empty)


def together(*options: Callable[[Callable[..., Any]], object]) -> Callable[[F], F]:
    """A decorator that adds options, which --help shows in this order."""

    def add(function: F) -> F:
        for option in reversed(options):
            option(function)
        return function

    return add


def _gather(ctx: click.Context, _: click.Parameter, as_json: bool) -> Call:
    above = ctx.find_root().params
    home, url, agent = (
        above.get(name) if (own := ctx.params.pop(name, None)) is None else own
        for name in ("home", "url", "agent")
    )
    return Call(home, url, agent, as_json)


def json_object(_: click.Context, option: click.Parameter, text: str | None) -> dict[str, Any] | None:
    """The callback of an option that has to be a JSON object."""
    if text is None:
        return None
    import json

    what = option.opts[0]
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidValue(f"{what} is not JSON ({error})", 'Write it as \'{"name": "value"}\'') from error
    if not isinstance(value, dict):
        raise InvalidValue(
            f"{what} is {type(value).__name__}, not a JSON object", "Write it as '{\"name\": 1}'"
        )
    return value


def conversation_option(help: str, name: str = "conversation", **more: Any) -> Callable[[F], F]:  # noqa: A002
    """A conversation by either of its words; the command receives it as `name`."""
    return click.option("--conversation", "--session", name, metavar="ID", help=help, **more)


store_options = together(
    click.option("--json", "call", is_flag=True, callback=_gather, help="Answer with one JSON object."),
    click.option("--home", metavar="FOLDER", is_eager=True, help="The store's folder."),
    click.option("--url", metavar="URL", is_eager=True, help="The store's URL: postgresql:// or sqlite:///."),
    click.option("--agent", metavar="NAME", is_eager=True, help="Whose personal memories take part."),
)
"""Which store, for whom and how to answer; the command receives them as one `call`."""
filter_options = together(
    click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only this kind (repeatable)."),
    conversation_option("Only this conversation.", "session_id"),
    click.option("--since", metavar="TIME", help="Only what holds since this time or later (valid time)."),
    click.option(
        "--until",
        metavar="TIME",
        help="Only what holds since before this time; --as-of-valid: what held then.",
    ),
    click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag (repeatable)."),
)
point_options = together(
    click.option("--as-of", metavar="TIME", help="What we knew at this time of what held at this time."),
    click.option("--as-of-valid", metavar="TIME", help="What held at this time."),
    click.option("--as-of-recorded", metavar="TIME", help="What we knew at this time."),
)
held_options = together(
    click.option("--as-of", metavar="TIME", help="What held then, as it was known then."),
    click.option("--as-of-valid", metavar="TIME", help="What held then, as it is known now."),
)
mode_options = together(
    point_options,
    click.option(
        "--mode",
        metavar="MODE",
        help="current, point_in_time (as of a time), evolution (every version on record during a range) or "
        "full_history (every version).",
    ),
    click.option(
        "--recorded-since", metavar="TIME", help="With --mode evolution: on record at or after this time."
    ),
    click.option(
        "--recorded-until", metavar="TIME", help="With --mode evolution: on record before this time."
    ),
)
at_version = click.option(
    "--expected-version", type=int, metavar="N", help="Refuse when the memory is at another version."
)
change_options = together(
    click.option("--name", metavar="TEXT", help="A short name."),
    click.option("--kind", metavar="KIND", help="What it is."),
    click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag (repeatable)."),
    click.option("--metadata", metavar="JSON", callback=json_object, help="Open fields, as a JSON object."),
    click.option("--energy", type=float, metavar="0..1", help="How strongly it is felt."),
    click.option("--confidence", type=float, metavar="0..1", help="How sure it is."),
    click.option("--epistemic-tier", type=float, metavar="0..1", help="How well founded it is."),
    click.option("--goal", metavar="TEXT", help="What it serves."),
    click.option("--mindstate", metavar="TEXT", help="In which state of mind it was formed."),
    click.option("--resolution-state", metavar="STATE", help="in_progress, blocked or resolved."),
)
"""What a new version of a memory may change besides its content."""


level_option = click.option(
    "--level", metavar="LEVEL", help="personal, or what all agents see: collective, ecosystem."
)


def given(**values: Any) -> dict[str, Any]:
    """The values that the caller gave: neither None nor empty tuples."""
    return {name: value for name, value in values.items() if value is not None and value != ()}


NO_UNDO: Final = "undo does not take this back."
"""What a change says that is none of a memory, an entry or a link."""

NOTHING_KNOWN: Final = (
    "Nothing was known yet at that time: it lies before the first record. --as-of-valid TIME asks what held then, as "
    "it is known now."
)


KNOWN_LATER: Final = (
    "What answers this was not on record yet at that time. --as-of-valid TIME asks what held then, as it is known "
    "now."
)


def as_known_now(asked: Mapping[str, Any]) -> dict[str, Any] | None:
    """The same question of what held then, as it is known now; None where no time of knowing is asked."""
    times = given(as_of=asked.get("as_of"), as_of_recorded=asked.get("as_of_recorded"))
    if not times:
        return None
    others = {name: value for name, value in asked.items() if name not in ("as_of", "as_of_recorded", "mode")}
    return {**others, **given(as_of_valid=asked.get("as_of_valid") or asked.get("as_of"))}


def nothing_known(forge: Forge, asked: Mapping[str, Any]) -> bool:
    """Whether a time was asked for at which nothing was on record."""
    times = given(as_of=asked.get("as_of"), as_of_recorded=asked.get("as_of_recorded"))
    known = next(iter(times.values()), None)
    return known is not None and not forge.memories(as_of_recorded=known, limit=1)


def end_without_project(call: Call, note: str) -> NoReturn:
    """End as where something is not there: an answer is empty, and notes that its project is not there.

    The JSON was printed: it has the note.
    """
    if not call.as_json:
        remark(f"error: {note}")
    raise click.exceptions.Exit(NotFound.exit_code)


def ask_first(question: str, left: str) -> None:
    """Ask the person at the terminal; where the answer is no, say what was left alone, and end: no is an answer."""
    if not click.confirm(on_screen(question), err=True):
        remark(left)
        raise click.exceptions.Exit(0)


def content_of(argument: str | None) -> str:
    """A content given as an argument, or on standard input for `-` (or without one, when input is piped)."""
    if argument is not None and argument != "-":
        return argument
    stdin = standard_input()
    if argument is None and stdin.isatty():
        raise InvalidContent("There is no content", "Give a text, or - and the text on standard input")
    raw: bytes = stdin.buffer.read(CONTENT_BYTES + 1)
    if len(raw) > CONTENT_BYTES:
        raise InvalidContent(
            f"The content on standard input is larger than {CONTENT_BYTES:,} bytes",
            "Split it, or import it as a file",
        )
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidContent(
            f"The content on standard input is not UTF-8 (byte {error.start})", "Convert it to UTF-8 first"
        ) from error


def refuse_repeated(emotions: Iterable[str]) -> None:
    """Raise InvalidValue where NAME=0..1 says twice how strong an emotion is: one of them would be lost."""
    names = [name.strip().casefold() for name, sign, _ in (each.partition("=") for each in emotions) if sign]
    if repeated := next((name for at, name in enumerate(names) if name in names[:at]), None):
        raise InvalidValue(f"--emotion {repeated[:60]!r} is given more than once", "Give each emotion once")
