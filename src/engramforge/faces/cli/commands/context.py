"""`engramforge context`: what bears on what is to be done, by an intention or by a state; or as text for a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.drawing import check_plot_name
from engramforge.faces.cli.options import (
    NOTHING_KNOWN,
    Call,
    content_of,
    end_without_project,
    given,
    nothing_known,
    point_options,
    refuse_repeated,
    store_options,
    together,
)
from engramforge.faces.cli.output import faint, remark, say, say_text, show_json
from engramforge.faces.views.archive import ContextView

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engramforge.forge import Forge
    from engramforge.model.streams.stream import Stream

_TEXT: Final = frozenset({"cross_project", "budget", "include_threads", "include_decisions"})
"""What only the text for a model takes."""
_STATE: Final = frozenset({"current_energy", "temporal_scope", "include_only_unresolved"})
"""What only a state takes."""
_INTENTION: Final = frozenset(
    {
        "as_of",
        "as_of_valid",
        "as_of_recorded",
        "temporal_mode",
        "evolution",
        "query_levels",
        "only_fully_valid",
    }
    | {"max_results_per_level", "min_energy", "min_confidence", "spreading", "graph_way", "rerank"}
)
"""What only an intention takes."""
_BOTH: Final = frozenset({"emotions", "current_goal", "reality_pressure", "mermaid", "networkx", "plot"})
_OPEN: Final = ("", "-", "..")

_asking = together(
    click.option(
        "--project", "projects", multiple=True, metavar="NAME", help="Only this project (repeatable)."
    ),
    click.option(
        "--emotion",
        "emotions",
        multiple=True,
        metavar="NAME[=0..1]",
        help="NAME=0.7: how you feel; NAME alone: what has to be felt in a memory (repeatable).",
    ),
    click.option("--goal", "current_goal", metavar="TEXT", help="What you want to reach."),
    click.option(
        "--pressure", "reality_pressure", type=float, metavar="0..1", help="How urgent the world is (0.5)."
    ),
)
_narrowing = together(
    point_options,
    click.option(
        "--mode", "temporal_mode", metavar="MODE", help="current, point_in_time, evolution or full_history."
    ),
    click.option(
        "--evolution",
        nargs=2,
        metavar="FROM TO",
        help="Every version on record during a range, the day TO included; - leaves an end open.",
    ),
    click.option(
        "--levels",
        "query_levels",
        metavar="N1,N2,N3",
        help="Personal, collective, ecosystem; all when left out.",
    ),
    click.option("--min-energy", type=float, metavar="0..1", help="The least energy of a memory."),
    click.option("--min-confidence", type=float, metavar="0..1", help="The least confidence of a memory."),
    click.option(
        "--only-valid",
        "only_fully_valid",
        is_flag=True,
        default=None,
        help="Only memories whose REQUIRED metadata are complete.",
    ),
    click.option(
        "--limit",
        "max_results_per_level",
        type=int,
        metavar="N",
        help="The most of each way of a level (20).",
    ),
    click.option(
        "--spreading", is_flag=True, default=None, help="A third way: activation that spreads along links."
    ),
    click.option(
        "--graph-way", metavar="WAY", help="How the graph is searched: paths (the default) or pagerank."
    ),
    click.option(
        "--rerank", is_flag=True, default=None, help="Order what is nearest by the model of `reranker`."
    ),
)
_state = together(
    click.option(
        "--state",
        metavar="MODE",
        help="find_related_unresolved, find_similar_state, find_what_i_was_doing or find_resolution_patterns.",
    ),
    click.option(
        "--energy", "current_energy", type=float, metavar="0..1", help="With --state: your energy (0.5)."
    ),
    click.option(
        "--all-time",
        "temporal_scope",
        flag_value="all_time",
        default=None,
        help="With --state: not only the last 30 days.",
    ),
    click.option(
        "--with-resolved",
        "include_only_unresolved",
        flag_value=False,
        default=None,
        help="With --state: what is resolved, too.",
    ),
)
_showing = together(
    click.option("--mermaid", is_flag=True, default=None, help="Print the graph as a Mermaid flowchart."),
    click.option("--networkx", is_flag=True, default=None, help="Print the graph as node-link JSON."),
    click.option("--plot", metavar="FILE.svg", help="Draw what was found and its links (the extra `plot`)."),
)
_text = together(
    click.option(
        "--text",
        "as_text",
        is_flag=True,
        help="Text for a model in place of this: memories, open threads, active decisions.",
    ),
    click.option(
        "--cross-project", is_flag=True, default=None, help="As text: look into the other projects, too."
    ),
    click.option("--budget", type=int, metavar="CHARACTERS", help="As text: the most characters."),
    click.option(
        "--no-threads", "include_threads", flag_value=False, default=None, help="As text: leave out threads."
    ),
    click.option(
        "--no-decisions",
        "include_decisions",
        flag_value=False,
        default=None,
        help="As text: leave out decisions.",
    ),
)


@click.command("context")
@click.argument("query", required=False)
@_asking
@_narrowing
@_state
@_showing
@_text
@store_options
def command(
    call: Call, query: str | None, projects: tuple[str, ...], state: str | None, as_text: bool, **fields: Any
) -> None:
    """What bears on QUERY (- reads it from standard input): by vectors and along links, on three levels at once.

    What is nearest to attention comes first. With --state nothing is asked but what fits how you are; QUERY is then the
    goal. --text, and the options of its own, give text for a model.
    """
    asked = given(**fields)
    if as_text or (state is None and _TEXT & asked.keys()):
        _refuse(asked, _STATE | _INTENTION | _BOTH, "text for a model")
        _load(call, content_of(query), projects, asked)
        return
    if state is not None:
        _refuse(asked, _TEXT | _INTENTION, "--state")
    else:
        _refuse(asked, _STATE, "a question; give --state")
    shows = [name for name in ("mermaid", "networkx") if asked.pop(name, False)]
    if len(shows) + call.as_json > 1:
        raise InvalidValue("Several forms were asked for", "Give one of --json, --mermaid and --networkx")
    plot = asked.pop("plot", None)
    if plot is not None:
        check_plot_name(plot)
    asked |= given(project=projects)
    with call.open() as forge:
        if state is None:
            stream = _by_intention(forge, content_of(query), **asked)
        else:
            stream = _by_state(forge, None if query is None else content_of(query), state, **asked)
        too_early = not len(stream) and nothing_known(forge, asked)
    _show(call, stream, shows, plot, too_early)


def _load(call: Call, query: str, projects: tuple[str, ...], asked: Mapping[str, Any]) -> None:
    """The text for a model."""
    if len(projects) > 1:
        raise InvalidValue(
            "The text for a model is of one project", "Give --project once, and --cross-project"
        )
    with call.open() as forge:
        found = ContextView.of(forge.context_load(query, **given(project=(*projects, None)[0]), **asked))
    if call.as_json:
        show_json(found)
    if found.note and not found.text:
        end_without_project(call, found.note)
    if call.as_json:
        return
    say("\n".join(filter(None, (found.note, found.text))) or "Nothing relevant was found.")
    if found.left_out:
        faint(f"{found.left_out} more found no room: give a larger --budget")


def _by_intention(
    forge: Forge,
    query: str,
    *,
    emotions: Iterable[str] = (),
    evolution: tuple[str, str] | None = None,
    temporal_mode: str | None = None,
    query_levels: str | None = None,
    as_of: str | None = None,
    **asked: Any,
) -> Stream:
    felt, required = emotions_of(emotions)
    start, end = (None if each.strip() in _OPEN else each for each in evolution or ("", ""))
    if evolution is not None:
        if temporal_mode not in (None, "evolution"):
            raise InvalidValue(f"--evolution and --mode {temporal_mode} were both given", "Give one of them")
        temporal_mode = "evolution"
    return forge.streams.by_intention(
        query,
        temporal_mode=temporal_mode,
        as_of_time=as_of,
        time_range_start=start,
        time_range_end=end,
        query_levels=None if query_levels is None else [each.strip() for each in query_levels.split(",")],
        required_emotions=required,
        current_emotions=felt or None,
        generated_by="command line",
        **asked,
    )


def _by_state(
    forge: Forge, query: str | None, state: str, *, emotions: Iterable[str] = (), **asked: Any
) -> Stream:
    if query is not None and "current_goal" in asked:
        raise InvalidValue(
            "A goal was given twice: with --state the words that are asked are one", "Leave out --goal"
        )
    felt, required = emotions_of(emotions)
    if required:
        raise InvalidValue(
            f"How strong is {required[0]!r}?", "Write --emotion joy=0.7; a name alone is for a question"
        )
    asked = {**given(current_goal=query), **asked}
    return forge.streams.by_state(query_mode=state, current_emotions=felt, **asked)


def _show(call: Call, stream: Stream, shows: list[str], plot: str | None, too_early: bool) -> None:
    from engramforge.faces.views.stream import StreamView

    view = StreamView.of(stream)
    if plot is not None:
        from engramforge.faces.cli.stream_plot import save_stream_plot

        save_stream_plot(view, plot)
        remark(f"Drawn to {plot}.")
    if shows and view.is_unanswered and not view.is_empty:
        remark("Nothing that is remembered answers this.")
    if "mermaid" in shows:
        from engramforge.faces.cli.stream_picture import Picture, mermaid

        say_text(mermaid(Picture.of(view)))
    elif "networkx" in shows:
        from engramforge.faces.views.stream_graph import node_link

        show_json(node_link(view.traversal_graph))
    elif call.as_json:
        show_json(view)
    else:
        from engramforge.faces.cli.stream_output import show_stream

        show_stream(view)
        if too_early:
            remark(NOTHING_KNOWN)


def emotions_of(given_: Iterable[str]) -> tuple[dict[str, float], list[str]]:
    """Emotions with a strength, and those that are only named. Raises InvalidValue: a strength is no number, or one is
    given twice."""
    felt, named = {}, []
    given_ = list(given_)
    refuse_repeated(given_)
    for text in given_:
        name, sign, strength = text.partition("=")
        try:
            if not name.strip():
                raise ValueError("no name")
            if sign:
                felt[name] = float(strength)
            else:
                named.append(name)
        except ValueError:
            raise InvalidValue(f"--emotion {text[:60]!r} is not NAME=NUMBER", "Write it as joy=0.7") from None
    return felt, named


def _refuse(asked: Mapping[str, Any], foreign: frozenset[str], what: str) -> None:
    """Raise InvalidValue where an option was given that this form does not take."""
    if wrong := [each for each in asked if each in foreign]:
        called = {each.name: each.opts[0] for each in command.params}
        names = ", ".join(called[each] for each in wrong)
        raise InvalidValue(f"{names} is not for {what}", "Leave it out, or see engramforge context --help")
