"""`engramforge recall`: ask, and see why each answer is there."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Final

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import (
    KNOWN_LATER,
    NOTHING_KNOWN,
    Call,
    as_known_now,
    content_of,
    end_without_project,
    filter_options,
    given,
    mode_options,
    nothing_known,
    store_options,
)
from engramforge.faces.cli.output import faint, heading, say, short, shortened, show_json, wrapped
from engramforge.faces.views.memory import UsageView, usage_line
from engramforge.faces.views.recall import NEAREST, RecallView
from engramforge.faces.views.shape import numbered
from engramforge.faces.views.topic import TopicRecallView
from engramforge.model.limits import BUDGET_CHARACTERS
from engramforge.model.memory import Kind
from engramforge.model.registries.entry import STANDING, standing_of
from engramforge.model.search.selection import SearchScope
from engramforge.model.texts.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engramforge.forge import Forge
    from engramforge.model.memory import Memory
    from engramforge.model.search.hit import Hit, Recall, SpaceMatch

_HITS: Final = 10
"""How many hits there are at most, unless asked for."""
_RESONATING: Final = 5
_FILTERS: Final = frozenset(
    (
        "kinds",
        "session_id",
        "exclude_session",
        "since",
        "until",
        "tags",
        "scope",
        "as_of",
        "as_of_valid",
        "as_of_recorded",
    )
)
"""Options after which less is searched than all memories of the projects."""
_LINES: Final = 12
_COLUMNS: Final = 77
"""What is shown of a hit, unless reasons are asked for."""
_CODE_ENDS: Final = ("{", "}", ";", "```")
"""How a line of code ends; one that is indented is taken for code, too."""


@click.command("recall")
@click.argument("query", required=False)
@click.option("--image", metavar="FILE", help="Ask by an image: memories with images that look like it.")
@click.option("--code", metavar="CODE", help="Ask by a piece of code (- reads it from standard input).")
@click.option("--language", metavar="NAME", help="The code's language; else it is recognised.")
@click.option(
    "--entity", "entities", multiple=True, metavar="NAME", help="What mentions this name (repeatable)."
)
@click.option("--project", "projects", multiple=True, metavar="NAME", help="Only this project (repeatable).")
@click.option(
    "--scope",
    metavar="SCOPE",
    help="memories (all, as without it), decisions, threads, lineage or topics alone.",
)
@filter_options
@click.option(
    *("--exclude-session", "--exclude-conversation"),
    metavar="ID",
    help="Not this conversation: your own, say.",
)
@mode_options
@click.option(
    "--budget",
    type=int,
    metavar="CHARACTERS",
    help="Characters of content in all; 0: no end, as without it.",
)
@click.option("--limit", type=int, metavar="N", help="The most hits (10).")
@click.option("--min-score", type=float, metavar="0..1", help="Leave out hits with less mass.")
@click.option(
    "--clusters",
    "by_clusters",
    is_flag=True,
    help="What is alike in topic comes earlier: to look around, rather than to ask.",
)
@click.option("--explain", is_flag=True, help="Each hit's mass, and what it is made of.")
@store_options
def command(
    call: Call,
    query: str | None,
    code: str | None,
    entities: tuple[str, ...],
    projects: tuple[str, ...],
    budget: int | None,
    by_clusters: bool,
    explain: bool,
    **fields: Any,
) -> None:
    """Recall what answers QUERY (- reads it from standard input), best first; --explain gives the reasons.

    An image, code or a name may be asked for beside QUERY or in its place.
    """
    if query == code == "-":
        raise InvalidValue("Both the query and the code are -", "Read one of them from standard input")
    question = None if query is None else content_of(query)
    chosen = {"limit": _HITS, **given(**fields)}
    if code is not None:
        chosen["code"] = content_of(code)
    if entities:
        chosen["entity"] = list(entities)
    if budget is not None and budget < 0:
        raise InvalidValue(f"--budget is {budget}", "Give a number of characters, or 0 for no end")
    # Which hits there are must not depend on how they are printed: only a budget that is asked for keeps any out.
    chosen["budget"] = budget or None
    if projects:
        chosen["project"] = projects[0] if len(projects) == 1 else list(projects)
    if chosen.get("scope") == SearchScope.TOPICS:
        _recall_topics(call, question, chosen)
        return
    with call.open() as forge:
        answer = _alike(forge, question, chosen) if by_clusters else forge.recall(question, **chosen)
        hint = "" if answer.answered or call.as_json else _hint(forge, question, answer, chosen)
    if call.as_json:
        show_json(RecallView.of(answer))
    if answer.note and not answer.searched:
        end_without_project(call, answer.note)
    if not call.as_json:
        _show(answer, explain, bool(_FILTERS & chosen.keys()))
    if hint:
        say(hint)


def _alike(forge: Forge, question: str | None, chosen: dict[str, Any]) -> Recall:
    """The answer by the clusters that the question joins."""
    foreign = sorted(name for name, value in chosen.items() if value and name not in ("limit", "project"))
    if question is None or foreign:
        raise InvalidValue(
            f"--clusters takes no {', '.join(foreign)}" if foreign else "--clusters is asked without words",
            "Give QUERY, --project and --limit alone",
        )
    return forge.topics.recall(question, chosen.get("project"), limit=chosen["limit"])


def _recall_topics(call: Call, question: str | None, chosen: Mapping[str, Any]) -> None:
    with call.open() as forge:
        answer = forge.recall(question, **chosen)
    view = TopicRecallView.of(answer)
    if call.as_json:
        show_json(view)
    if answer.note and not answer.searched:
        end_without_project(call, answer.note)
    if call.as_json:
        return
    if not view.topics:
        say(f"No topic among {numbered(view.searched, 'memory')} fits this.")
    for rank, each in enumerate(view.topics, start=1):
        topic = each.topic
        heading(
            f"{rank}.  {visible(topic.name) or '(no name)'}  {topic.project}  {numbered(topic.size, 'memory')}"
        )
        for memory in each.nearest:
            say(f"   {shortened(memory.content, _COLUMNS)}")
        faint(f"   fits {each.score:.2f}; id {short(topic.id)}")


def _hint(forge: Forge, question: str | None, answer: Recall, asked: Mapping[str, Any]) -> str:
    """What to ask instead where nothing answers as of a time at which less was known."""
    if not answer.hits and nothing_known(forge, asked):
        return NOTHING_KNOWN
    later = as_known_now(asked)
    return KNOWN_LATER if later is not None and forge.recall(question, **later).answered else ""


def _show(answer: Recall, explain: bool, is_filtered: bool) -> None:
    among = numbered(answer.searched, "memory")
    if is_filtered:
        among = f"what these filters leave of {among}"
    if answer.note:
        say(answer.note)
    if not answer.hits:
        say(f"Nothing was found among {among}.")
        return
    shown = answer.hits
    if not answer.answered:
        shown = answer.hits[:NEAREST]
        say(f"Nothing among {among} answers this. What comes nearest:\n")
    for rank, hit in enumerate(shown, start=1):
        _show_hit(rank, hit, explain)
    if not answer.answered:
        return
    used = "" if answer.budget is None else f", {answer.budget_used} of {answer.budget} characters"
    others = "" if answer.budget is None else " or --budget"
    kept_out = f"; others with --limit{others}" if answer.left_out else ""
    is_cut = not explain and any(len(hit.gist) < len(hit.excerpt) for hit in shown)
    more = "; more of each with --explain" if is_cut else ""
    faint(f"{len(answer.hits)} of {numbered(answer.searched, 'memory')}{used}{kept_out}{more}")


def _show_hit(rank: int, hit: Hit, explain: bool) -> None:
    """Print a hit; its last line is what `core/text/injection_marks` knows a printed one by."""
    memory = hit.memory
    title = [f"{rank}.", memory.project, str(memory.kind), _standing(memory), memory.speaker, hit.where]
    heading("  ".join(filter(None, title)))
    if memory.is_superseded:
        faint(f"   version  {_interval(memory)}")
    is_whole = explain and len(hit.excerpt) <= BUDGET_CHARACTERS
    say(wrapped(hit.excerpt, "   ") if is_whole else _gist(hit))
    for other in hit.joined:
        faint(f"   same as  {other.named_with}")
    if hit.resonates:
        say(f"   resonates with {', '.join(map(short, hit.resonates[:_RESONATING]))}")
    if hit.but_now:
        say(f"   but now  {visible(hit.but_now)}")
    if explain:
        _show_reasons(hit)
    faint(f"   found by {', '.join(hit.found_by) or 'its session'}; id {short(memory.id)}")


def _standing(memory: Memory) -> str:
    """How an entry of a registry stands, where it does not simply hold or wait."""
    if memory.registration is None or memory.kind not in (Kind.DECISION, Kind.THREAD):
        return ""
    standing = standing_of(memory.registration.status, memory.tags)
    return "" if standing in STANDING else standing


def _gist(hit: Hit) -> str:
    """A hit in at most twelve lines of 80 columns: its nearest passage, in lines as they are where these are few, or
    code."""
    lines = [line for line in visible(hit.gist).splitlines() if line.strip()]
    is_long = len(lines) > _LINES or any(len(line) > _COLUMNS for line in lines)
    if is_long and any(line[0].isspace() or line.endswith(_CODE_ENDS) for line in lines):
        lines = [part for line in lines for part in textwrap.wrap(line, _COLUMNS, replace_whitespace=False)]
    elif is_long:
        lines = textwrap.wrap(
            " ".join(hit.gist.split()), _COLUMNS, max_lines=_LINES, placeholder=" …", replace_whitespace=False
        )
    return "\n".join(f"   {line}".rstrip() for line in lines)


def _show_reasons(hit: Hit) -> None:
    named = {name.replace("_", " "): value for name, value in hit.parts.as_dict().items()}
    parts = ", ".join(f"{name} {value:.2f}" for name, value in named.items())
    faint(f"   mass     {hit.mass:.3f} from {parts}")
    if hit.usage is not None:
        faint(f"   used     {usage_line(UsageView.of(hit.usage))}")
    if hit.signals:
        faint(f"   signals  {_numbers(hit.signals)}")
    spaces = ", ".join(map(_space, hit.matches))
    if spaces:
        faint(f"   spaces   {spaces}")
    if hit.badges:
        faint(f"   time     {', '.join(badge.replace('_', ' ') for badge in hit.badges)}")
    faint(f"   source   {hit.memory.source}")


def _space(match: SpaceMatch) -> str:
    """A space with its calibrated similarity, or the raw one while nothing calibrates it."""
    if match.calibrated is None:
        return f"{match.space} {match.raw:.2f} (raw)"
    return f"{match.space} {match.calibrated:.2f}{' (high)' if match.high else ''}"


def _interval(memory: Memory) -> str:
    """Which version this is, and how long it was true and on record."""
    until = f" until {memory.invalid_at:%Y-%m-%d %H:%M}" if memory.invalid_at else ""
    known = f" until {memory.expired_at:%Y-%m-%d %H:%M}" if memory.expired_at else ""
    return (
        f"{memory.version}, superseded; true from {memory.valid_at:%Y-%m-%d %H:%M}{until}; "
        f"known from {memory.created_at:%Y-%m-%d %H:%M}{known}"
    )


def _numbers(values: Mapping[str, float]) -> str:
    ordered = sorted(values.items(), key=lambda pair: -abs(pair[1]))
    return ", ".join(f"{name} {value:+.2f}" for name, value in ordered)
