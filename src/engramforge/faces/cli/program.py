"""Finding and running a command: lazily, with every fault told in one place.

A command's module is imported when the command is asked for and not before, because a recall from a cold
process has to answer within 700 ms. Exit codes (errors.py): 0 done, 1 the doctor found something or every record of
an import is broken, 2 the
caller's fault, 3 not found, 4 conflict, 5 the machine's fault, 70 ours, 130 interrupted.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import click

from engramforge import __version__
from engramforge.errors import EngramforgeError, InternalError, InvalidContent, InvalidValue, StoreUnavailable
from engramforge.faces.cli.output import remark, show_error
from engramforge.faces.cli.surroundings import environment, standard_error, standard_output

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from click.shell_completion import CompletionItem

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "init": ("engramforge.faces.cli.commands.init", "Create the store and say what to do next."),
    "connect": ("engramforge.faces.cli.commands.connect", "Let Claude Code capture and be told by itself."),
    "disconnect": ("engramforge.faces.cli.commands.disconnect", "Take a connection back, whole."),
    "remember": ("engramforge.faces.cli.commands.remember", "Remember one text."),
    "recall": ("engramforge.faces.cli.commands.recall", "Ask, and see why each answer is there."),
    "import": ("engramforge.faces.cli.commands.import_", "Bring in chats, notes, folders, other memories."),
    "sync": ("engramforge.faces.cli.commands.sync", "Bring in what is new in remembered sources."),
    "watch": ("engramforge.faces.cli.commands.watch", "Remember what changes in folders, as it happens."),
    "session": (
        "engramforge.faces.cli.commands.session",
        "Begin, end and switch off sessions of Claude Code.",
    ),
    "capture-memory": ("engramforge.faces.cli.commands.capture_memory", "Capture a hook event."),
    "capture-response": (
        "engramforge.faces.cli.commands.capture_response",
        "Capture a Stop hook's response.",
    ),
    "show": ("engramforge.faces.cli.commands.show", "Show one memory and its links."),
    "history": ("engramforge.faces.cli.commands.history", "Show every version of a memory."),
    "timeline": ("engramforge.faces.cli.commands.timeline", "Show what changed, and which beliefs."),
    "revise": ("engramforge.faces.cli.commands.revise", "Correct a memory: we were wrong."),
    "supersede": ("engramforge.faces.cli.commands.supersede", "Replace a memory: the world changed."),
    "link": ("engramforge.faces.cli.commands.link", "Connect two memories."),
    "links": ("engramforge.faces.cli.commands.links", "List the links of a memory."),
    "unlink": ("engramforge.faces.cli.commands.unlink", "Take a wrong link off the record."),
    "invalidate": ("engramforge.faces.cli.commands.invalidate", "End a memory: it holds no more."),
    "undo": ("engramforge.faces.cli.commands.undo", "Take back the last change, and the one before it."),
    "redo": ("engramforge.faces.cli.commands.redo", "Bring again what was undone last."),
    "forget": ("engramforge.faces.cli.commands.forget", "Remove a memory for good, with proof."),
    "decisions": (
        "engramforge.faces.cli.commands.decisions",
        "What was decided, why, and if it still holds.",
    ),
    "threads": ("engramforge.faces.cli.commands.threads", "What is open, and what blocks it."),
    "lineage": ("engramforge.faces.cli.commands.lineage", "Which conversation goes on from which."),
    "review": ("engramforge.faces.cli.commands.review", "Accept or reject what was read from talks."),
    "patterns": ("engramforge.faces.cli.commands.patterns", "Ways that keep coming back, how they work."),
    "priming": ("engramforge.faces.cli.commands.priming", "Texts that prepare for a territory."),
    "flags": ("engramforge.faces.cli.commands.flags", "What was noticed, until it is compiled."),
    "scratch": ("engramforge.faces.cli.commands.scratch", "Notes for a while, of this agent alone."),
    "extract": (
        "engramforge.faces.cli.commands.extract",
        "Have the language model read messages.",
    ),
    "consult": (
        "engramforge.faces.cli.commands.consult",
        "An answer with citations, or that nothing is known.",
    ),
    "orchestrate": ("engramforge.faces.cli.commands.orchestrate", "Ask several projects, each in its role."),
    "roles": ("engramforge.faces.cli.commands.roles", "What each project looks for among several."),
    "topics": ("engramforge.faces.cli.commands.topics", "What memories are about as they gather."),
    "dream": ("engramforge.faces.cli.commands.dream", "Tidy up: merge, fade, find patterns."),
    "scan": ("engramforge.faces.cli.commands.scan", "Memories of different projects that resonate."),
    "conflicts": ("engramforge.faces.cli.commands.conflicts", "Statements that contradict each other."),
    "lenses": ("engramforge.faces.cli.commands.lenses", "Saved lists of projects with their roles."),
    "compress": ("engramforge.faces.cli.commands.compress", "A conversation as an archive to carry on."),
    "continue": ("engramforge.faces.cli.commands.continue_", "Go on from an archive, as things stand now."),
    "context": ("engramforge.faces.cli.commands.context", "What bears on a matter, or on how you are."),
    "stream": ("engramforge.faces.cli.commands.stream", "One cycle of an agent that wakes by itself."),
    "injected": ("engramforge.faces.cli.commands.injected", "What was put before the model, and its use."),
    "feedback": ("engramforge.faces.cli.commands.feedback", "Say whether what was injected helped."),
    "inject-context": (
        "engramforge.faces.cli.commands.inject_context",
        "For a host: memories for its prompt.",
    ),
    "inject-brief": ("engramforge.faces.cli.commands.inject_brief", "For a host: what to know of a file."),
    "list": ("engramforge.faces.cli.commands.list_", "List memories, newest first."),
    "conversations": ("engramforge.faces.cli.commands.conversations", "List what was captured, by project."),
    "projects": ("engramforge.faces.cli.commands.projects", "List projects."),
    "events": ("engramforge.faces.cli.commands.events", "What was written and changed, in order."),
    "stats": ("engramforge.faces.cli.commands.stats", "Count what the store holds."),
    "export": ("engramforge.faces.cli.commands.export", "Write everything down, as JSON lines or Markdown."),
    "calibrate": ("engramforge.faces.cli.commands.calibrate", "Fit the calibrations to the store."),
    "refresh": ("engramforge.faces.cli.commands.refresh", "Learn again from links, mentions and memories."),
    "reembed": ("engramforge.faces.cli.commands.reembed", "Move the store to other encoders."),
    "migrate": ("engramforge.faces.cli.commands.migrate", "Move a store to another place or engine."),
    "doctor": ("engramforge.faces.cli.commands.doctor", "Check everything and say how to mend it."),
    "completion": ("engramforge.faces.cli.commands.completion", "Complete commands and options in a shell."),
    "bench": ("engramforge.faces.cli.commands.bench", "Run a benchmark beside its baselines."),
}
"""Command -> its module, which holds it under the name `command`, and its line in the overview."""

_MEANT: Final = {"edit": "revise", "delete": "forget", "search": "recall", "help": "--help"}
"""What some call a command -> what it is called here."""
BENCHMARKS: Final = Path(__file__).resolve().parents[4] / "bench"
"""In a clone of the repository the benchmarks; an installed package has none, nor the command."""
COMPLETING: Final = "_ENGRAMFORGE_COMPLETE"
"""The variable with which the script of `completion` asks what a line may go on with."""
_EPILOG: Final = (
    "Exit codes: 0 done, 1 the doctor found something or every record of an import is broken, 2 wrong call, 3 not "
    "found, 4 conflict, 5 something on this machine, 70 a fault of engramforge, 130 interrupted. ENGRAMFORGE_HOME "
    "moves the store, "
    "ENGRAMFORGE_URL puts it into a database; NO_COLOR switches colours off."
)


class Interrupted(EngramforgeError):
    """The person at the keyboard stopped the command."""

    exit_code = 130


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def __init__(self, table: Mapping[str, tuple[str, str]]) -> None:
        super().__init__(
            name="engramforge",
            help="A persistent memory for LLM agents.",
            epilog=_EPILOG,
            context_settings={"help_option_names": ["-h", "--help"]},
            params=[
                click.Option(
                    ["--home"], metavar="FOLDER", help="The store's folder (before ENGRAMFORGE_HOME)."
                ),
                click.Option(
                    ["--url"],
                    metavar="URL",
                    help="The store's URL: postgresql:// or sqlite:///, instead of --home.",
                ),
                click.Option(["--agent"], metavar="NAME", help="Whose personal memories take part."),
                click.Option(["--trace"], is_flag=True, help="Show the trace of a fault that is ours."),
            ],
        )
        click.version_option(__version__, prog_name="engramforge")(self)
        self._table = table
        # Their names alone, among which a mistyped one's likeness is sought.
        self.commands = dict.fromkeys(table, click.Command(None))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names and options, from the table alone."""
        from click.shell_completion import CompletionItem

        named = [CompletionItem(name, help=line) for name, (_, line) in self._table.items()]
        return [each for each in named if each.value.startswith(incomplete)] + click.Command.shell_complete(
            self, ctx, incomplete
        )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for; a word that others use for one is told what it is called here."""
        if (meant := _MEANT.get(args[0])) and args[0] not in self._table:
            raise InvalidValue(f"There is no command {args[0]!r}", f"Run: {ctx.info_name} {meant}")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """All commands, in the order of the table."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        if cmd_name not in self._table:
            return None
        return cast("click.Command", importlib.import_module(self._table[cmd_name][0]).command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The overview, from the table alone: nothing is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self._table.items()])


def run(
    arguments: Sequence[str], more: Mapping[str, tuple[str, str]] | None = None, program: str = "engramforge"
) -> int:
    """Run one command line and return its exit code; nothing escapes but the exit of the interpreter itself.

    `more` adds commands that live above this face.
    """
    as_json = "--json" in arguments
    for stream in (standard_output(), standard_error()):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        refuse_undecodable(arguments)
        table = {**COMMANDS, **(more or {})}
        if not (BENCHMARKS / "harness.py").is_file():
            del table["bench"]
        group = LazyGroup(table)
        if asked := environment().get(COMPLETING):
            from click.shell_completion import shell_complete

            return shell_complete(group, {}, program, COMPLETING, asked)
        with group.make_context(program, list(arguments)) as ctx:
            ctx.command.invoke(ctx)
        standard_output().flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except BrokenPipeError:
        return _quiet()
    except (click.exceptions.Abort, KeyboardInterrupt) as stop:
        return tell_interrupted(as_json, *stop.args[:1])
    except click.exceptions.NoArgsIsHelpError as error:
        remark(error.format_message())
        return error.exit_code
    except click.UsageError as error:
        return show_error(InvalidValue(error.format_message(), _mend_of(error, program)), as_json)
    except EngramforgeError as error:
        return show_error(error, as_json)
    except OSError as error:
        said = f"The system refused: {error}"
        return show_error(StoreUnavailable(said, "Check the path, its permissions and free space"), as_json)
    except Exception as error:  # noqa: BLE001 - the last line of defence
        if _began_as_interrupt(error):
            return tell_interrupted(as_json)
        if "--trace" in arguments:
            remark(traceback.format_exc())
        mend = "Please report it, with what `engramforge --trace ...` prints"
        return show_error(InternalError(f"{type(error).__name__}: {error}", mend), as_json)
    return 0


def _mend_of(error: click.UsageError, program: str) -> str:
    """What to do about a command line that is not understood: a reason that stands bare belongs to its option."""
    if error.ctx is None:
        return f"Run: {program} --help"
    takes_reason = any("--reason" in each.opts for each in error.ctx.command.params)
    if takes_reason and "unexpected extra argument" in error.format_message():
        return f"A reason is given as --reason TEXT. Run: {error.ctx.command_path} --help"
    return f"Run: {error.ctx.command_path} --help"


def tell_interrupted(
    as_json: bool, kept: object = "What was acknowledged is kept; nothing else was changed"
) -> int:
    """Tell that the command was stopped and what is kept of its work; its exit code."""
    return show_error(Interrupted("Interrupted", str(kept)), as_json)


def _began_as_interrupt(error: BaseException) -> bool:
    """Whether a fault arose while an interrupt was cleaned up after: then the interrupt is what happened."""
    before: BaseException | None = error
    while before is not None:
        if isinstance(before, KeyboardInterrupt):
            return True
        before = before.__cause__ or before.__context__
    return False


def refuse_undecodable(arguments: Sequence[str]) -> None:
    """Refuse arguments that are not UTF-8: Python passes their bytes on as lone surrogates."""
    for number, argument in enumerate(arguments, start=1):
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InvalidContent(
                f"Argument {number} is not UTF-8 text (at character {error.start})",
                "Give it in UTF-8, or pass the content through standard input",
            ) from None


def _quiet() -> int:
    """The reader of our output is gone: say nothing, and keep the interpreter's last flush from
    complaining."""
    sink = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(sink, sys.stdout.fileno())
    except (OSError, ValueError):  # standard output without a descriptor, as in tests
        pass
    finally:
        os.close(sink)
    return 0
