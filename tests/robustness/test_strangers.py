"""Every public call as the wrong tenant and as the wrong agent: nothing is found, nothing changes, no error tells.

Each call is made with what belongs to somebody else and with what nobody ever had: both have to answer alike. Calls
are counted by introspection, so that a new one without a case fails here.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import anyio
import pytest
import uuid_utils
from mcp import Client

import engramforge
from engramforge.entry.console import COMMANDS as MOUNTED
from engramforge.errors import EngramforgeError
from engramforge.faces.cli.program import COMMANDS, run
from engramforge.faces.mcp.calls import Calls
from engramforge.faces.mcp.server import build_server
from engramforge.forge import Forge
from engramforge.model.scope import DEFAULT_TENANT, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Extent
from engramforge.model.time import TemporalMode

FELT = {"energy": 0.5, "confidence": 0.5, "emotion_vector": {}, "goal": "g", "mindstate": "calm"}
SECRET = "quokka"
"""A word that stands in everything of the other's: contents, names, tags, files."""


@dataclass(frozen=True)
class Known:
    """What a call names: somebody else's, or nobody's."""

    version: str
    memory: str
    other: str
    link: str
    project: str
    session: str
    tag: str
    content: str
    origin: str
    folder: str
    decision: str
    thread: str
    edge: str
    archive: str
    flag: str


def _nobody(folder: Path) -> Known:
    ids = [str(uuid_utils.uuid7()) for _ in range(4)]
    said = ("wombat-plan", "wombat-talk", "wombat-tag", "The wombat moved.", "wombat-1")
    entries = [f"{kind}_{uuid_utils.uuid7().hex[-12:]}" for kind in ("dec", "thr", "lin", "arc", "flg")]
    return Known(*ids, *said, str(folder), *entries)


def _somebody(forge: Forge, folder: Path) -> Known:
    """Fill a store with everything that a call could meet, all of it personal."""
    known = [f"{SECRET}-plan", f"{SECRET}-talk", f"{SECRET}-tag", f"The {SECRET} moved.", f"{SECRET}-1"]
    project, session, tag, content, origin = known
    place = {"project": project, "session_id": session, "tags": [tag], "speaker": SECRET}
    first = forge.remember(content, origin=origin, sequence=1, **place)
    other = forge.remember(f"The {SECRET} sleeps.", sequence=2, **place)
    forge.remember(f"Note on the {SECRET}.", project=project)
    old = forge.remember(f"The {SECRET} was here.", project=project)
    forge.supersede(old.id, f"The {SECRET} went away.")
    link = forge.link(first.id, other.id, "CAUSES", **FELT).link
    forge.import_path(folder, project=project)
    forge.sync.add(folder, project=project)
    forge.watching.add(folder, project=project)
    forge.roles.assign(project, "navigator")
    forge.lenses.save(tag, [{"project": project}])
    forge.patterns.add(f"Feed the {SECRET} before it moves.", project=project)
    forge.priming.add(project, f"A {SECRET} hides.", project=project)
    forge.flags.add(f"The {SECRET} hides as the tide does.", project=project)
    forge.scratch.put(project, f"The {SECRET} waits.")
    new = forge.revise(first.id, f"The {SECRET} moved twice.")
    here = {"project": project, "conversation": session}
    decision = forge.decisions.create(f"Feed the {SECRET} at noon", local_id="D001", tags=[tag], **here)
    thread = forge.threads.create(f"Where does the {SECRET} sleep", local_id="T001", tags=[tag], **here)
    archive = forge.archives.compress(session, tag=tag, project=project)
    # Not sure enough for the registry: it waits for review.
    forge.remember(f"I chose hay for the {SECRET}.", sequence=3, **place)
    (flag, *_) = forge.review.pending()
    return Known(
        new.id,
        first.logical_id,
        other.logical_id,
        link.id,
        project,
        session,
        tag,
        content,
        origin,
        str(folder),
        decision.id,
        thread.id,
        archive.edge.id,
        str(archive.id),
        flag.id,
    )


Call = Callable[[Forge, Known], object]
CASES: dict[str, Call] = {
    "get": lambda forge, it: forge.get(it.memory),
    "history": lambda forge, it: forge.history(it.version),
    "timeline": lambda forge, it: forge.timeline(it.memory),
    "revise": lambda forge, it: forge.revise(it.memory, "Mine now."),
    "supersede": lambda forge, it: forge.supersede(it.version, "Mine now."),
    "invalidate": lambda forge, it: forge.invalidate(it.memory),
    "forget": lambda forge, it: forge.forget(it.memory),
    "link": lambda forge, it: forge.link(it.memory, it.other, "CAUSES", **FELT),
    "link_many": lambda forge, it: forge.link_many(
        [{"source_id": it.memory, "target_id": it.other, "relation": "CAUSES", **FELT}]
    ),
    "unlink": lambda forge, it: forge.unlink(it.link),
    "predict_links": lambda forge, it: forge.predict_links("CAUSES", head=it.memory),
    "embeddings": lambda forge, it: forge.embeddings(it.memory),
    "links": lambda forge, it: forge.links(it.memory, mode="full_history"),
    "recall": lambda forge, it: forge.recall("who moved", project=it.project),
    "embed_query": lambda forge, it: forge.embed_query("who moved", project=it.project).weights,
    "memories": lambda forge, it: forge.memories(project=it.project, mode="full_history"),
    "remember": lambda forge, it: forge.remember(it.content, project=it.project, origin=it.origin),
    "remember_many": lambda forge, it: forge.remember_many([{"content": it.content, "project": it.project}]),
    "import_path": lambda forge, it: forge.import_path(it.folder, project=it.project),
    "create_project": lambda forge, it: forge.create_project(it.project),
    "context_load": lambda forge, it: forge.context_load("who moved", project=it.project),
    "streams.by_intention": lambda forge, it: (
        forge.streams.by_intention("who moved", project=it.project).items
    ),
    "streams.by_state": lambda forge, it: (
        forge.streams.by_state(current_energy=0.5, current_goal="g", project=it.project).items
    ),
    "topics.browse": lambda forge, it: forge.topics.browse(it.project),
    "topics.get": lambda forge, it: forge.topics.get(it.memory),
    "topics.memories": lambda forge, it: forge.topics.memories(it.memory),
    "topics.history": lambda forge, it: forge.topics.history(it.project),
    "topics.search": lambda forge, it: forge.topics.search("who moved", it.project),
    "topics.parts": lambda forge, it: forge.topics.parts(it.memory),
    # Figures of everybody's memories are told to who sees them all alone, so whether they are told differs.
    "topics.standing": lambda forge, it: [
        replace(each, churn=None, entropy=None) for each in forge.topics.standing(it.project)
    ],
    "topics.tiers": lambda forge, it: forge.topics.tiers(it.project),
    "topics.places": lambda forge, it: forge.topics.places(it.project),
    "topics.river": lambda forge, it: forge.topics.river(it.project).topics,
    "dreams.past": lambda forge, it: forge.dreams.past(it.project),
    "dreams.undo": lambda forge, it: forge.dreams.undo(project=it.project),
    "topics.recall": lambda forge, it: forge.topics.recall("who moved", it.project),
    "topics.shifts": lambda forge, it: forge.topics.shifts(it.project),
    "streams.cycle": lambda forge, it: forge.streams.cycle(energy=0.5, project=it.project).stream.items,
    "decisions.get": lambda forge, it: forge.decisions.get(it.decision),
    "decisions.search": lambda forge, it: forge.decisions.search(it.decision),
    "decisions.browse": lambda forge, it: forge.decisions.browse(conversation=it.session),
    "decisions.stale": lambda forge, it: forge.decisions.stale(0, 1.0, project=it.project),
    "decisions.history": lambda forge, it: forge.decisions.history(it.decision),
    "decisions.why": lambda forge, it: forge.decisions.why(it.decision),
    "decisions.create": lambda forge, it: forge.decisions.create("Mine.", dependencies=[it.decision]),
    "decisions.revise": lambda forge, it: forge.decisions.revise(it.decision, "Mine now."),
    "decisions.supersede": lambda forge, it: forge.decisions.supersede(it.decision, "Mine now."),
    "decisions.invalidate": lambda forge, it: forge.decisions.invalidate(it.decision),
    "decisions.validate": lambda forge, it: forge.decisions.validate(it.decision),
    "decisions.reinstate": lambda forge, it: forge.decisions.reinstate(it.decision),
    "threads.get": lambda forge, it: forge.threads.get(it.thread),
    "threads.search": lambda forge, it: forge.threads.search(it.thread),
    "threads.active": lambda forge, it: forge.threads.active(it.project),
    "threads.browse": lambda forge, it: forge.threads.browse(conversation=it.session),
    "threads.history": lambda forge, it: forge.threads.history(it.thread),
    "threads.create": lambda forge, it: forge.threads.create("Mine.", blocked_by=[it.thread]),
    "threads.update": lambda forge, it: forge.threads.update(it.thread, status="resolved"),
    "lineage.get": lambda forge, it: forge.lineage.get(it.edge),
    "lineage.search": lambda forge, it: forge.lineage.search("what changed", project=it.project),
    "lineage.browse": lambda forge, it: forge.lineage.browse(project=it.project),
    "lineage.trace": lambda forge, it: forge.lineage.trace(it.session),
    "lineage.bridge": lambda forge, it: forge.lineage.bridge(it.session, "mine"),
    "lineage.link": lambda forge, it: forge.lineage.link("mine", decisions_carried=[it.decision]),
    "archives.get": lambda forge, it: forge.archives.get(it.archive),
    "archives.browse": lambda forge, it: forge.archives.browse(project=it.project),
    "archives.compress": lambda forge, it: forge.archives.compress(it.session),
    "review.accept": lambda forge, it: forge.review.accept(it.flag),
    "review.edit": lambda forge, it: forge.review.edit(it.flag, text="Mine now."),
    "review.reject": lambda forge, it: forge.review.reject(it.flag),
    "sync.remove": lambda forge, it: forge.sync.remove(it.folder),
    "watching.remove": lambda forge, it: forge.watching.remove(it.folder),
    "watching.scan": lambda forge, it: forge.watching.scan(it.folder),
    "hooks.take": lambda forge, it: forge.hooks.take(
        [{"hook_event_name": "UserPromptSubmit", "session_id": it.session, "cwd": "/mine", "prompt": "Mine."}]
    ),
    "hooks.switch": lambda forge, it: forge.hooks.switch("capture", False, session=it.session),
    "hooks.is_on": lambda forge, it: forge.hooks.is_on("capture", it.project, it.session),
    "hooks.project_of": lambda forge, it: forge.hooks.project_of(f"/{it.project}"),
    "consult": lambda forge, it: forge.consult("who moved", project=it.project).answer,
    "roles.get": lambda forge, it: forge.roles.get(it.project),
    "roles.assign": lambda forge, it: forge.roles.assign(it.project, "critic"),
    "roles.remove": lambda forge, it: forge.roles.remove(it.project),
    "patterns.add": lambda forge, it: forge.patterns.add("Mine.", project=it.project),
    "patterns.get": lambda forge, it: forge.patterns.get(it.memory),
    "patterns.list": lambda forge, it: forge.patterns.list(it.project, tags=[it.tag]),
    "patterns.search": lambda forge, it: forge.patterns.search(it.tag),
    "patterns.outcome": lambda forge, it: forge.patterns.outcome(it.memory, True),
    "priming.add": lambda forge, it: forge.priming.add("mine", "Mine.", project=it.project),
    "priming.get": lambda forge, it: forge.priming.get(it.memory),
    "priming.list": lambda forge, it: forge.priming.list(territory=it.project),
    "priming.territories": lambda forge, it: forge.priming.territories(it.tag),
    "priming.find_relevant_priming": lambda forge, it: forge.priming.find_relevant_priming(it.project),
    "flags.add": lambda forge, it: forge.flags.add("Mine.", project=it.project),
    "flags.get": lambda forge, it: forge.flags.get(it.flag),
    "flags.list": lambda forge, it: forge.flags.list(tags=[it.tag], status=None),
    "flags.search": lambda forge, it: forge.flags.search(it.tag),
    "flags.compile": lambda forge, it: forge.flags.compile("mine", ids=[it.flag]),
    "scratch.get": lambda forge, it: forge.scratch.get(it.project),
    "scratch.put": lambda forge, it: forge.scratch.put(it.project, "Mine."),
    "scratch.list": lambda forge, it: forge.scratch.list(it.session),
    "scratch.remove": lambda forge, it: forge.scratch.remove(f"{it.project}-more"),
    "conflicts.of": lambda forge, it: forge.conflicts.of(it.memory),
    "conflicts.dismiss": lambda forge, it: forge.conflicts.dismiss(it.link, "none"),
    "conflicts.check": lambda forge, it: forge.conflicts.check(it.content, project=it.project),
    "lenses.get": lambda forge, it: forge.lenses.get(it.tag),
    "lenses.save": lambda forge, it: forge.lenses.save("mine", [{"project": it.project, "role": "critic"}]),
    "lenses.delete": lambda forge, it: forge.lenses.delete(it.tag),
    "orchestrate": lambda forge, it: (
        forge.orchestrate("who moved", [{"project": it.project, "role": "critic"}]).field_summary
    ),
    "injections.for_event": lambda forge, it: forge.injections.for_event(
        {"hook_event_name": "SessionStart", "session_id": "mine", "project": it.project}
    ),
    "injections.get_ready": lambda forge, it: forge.injections.get_ready({"project": it.project}),
    "injections.used": lambda forge, it: forge.injections.used(it.session, it.content),
    "injections.list": lambda forge, it: forge.injections.list(session=it.session, project=it.project),
    "injections.get": lambda forge, it: forge.injections.get(it.memory),
    "injections.contents": lambda forge, it: forge.injections.contents(it.memory),
    "injections.usage": lambda forge, it: forge.injections.usage(it.memory),
    "injections.feedback": lambda forge, it: forge.injections.feedback(it.memory, useful=True),
}
"""Calls that name something."""
PARTS = (
    "roles",
    "conflicts",
    "patterns",
    "priming",
    "flags",
    "scratch",
    "lenses",
    *("decisions", "threads", "lineage", "archives", "review", "sync", "watching"),
    *("injections", "hooks", "streams", "topics", "dreams"),
)
"""What a forge has as objects with verbs of their own."""
MORE: list[Call] = [
    lambda forge, it: forge.get(it.version),
    lambda forge, it: forge.revise(it.version, None, version=1, valid_at="2020-01-01"),
    lambda forge, it: forge.timeline(project=it.project),
    lambda forge, it: forge.timeline(session_id=it.session),
    lambda forge, it: forge.timeline(tags=[it.tag]),
    lambda forge, it: forge.memories(session_id=it.session, mode="full_history"),
    lambda forge, it: forge.memories(tags=[it.tag]),
    lambda forge, it: forge.recall(it.content, mode="full_history", budget=None).hits,
    lambda forge, it: forge.recall(it.content, session_id=it.session).hits,
    lambda forge, it: forge.recall(it.content, tags=[it.tag]).hits,
    lambda forge, it: forge.link(forge.memories()[0].id, it.memory, "CAUSES", **FELT),
    lambda forge, it: forge.link(it.memory, forge.memories()[0].id, "CAUSES", **FELT),
    lambda forge, it: forge.recall("x", project=[it.project, "mine"]),
    lambda forge, it: forge.recall(entity=it.project).hits,
    lambda forge, it: forge.recall(code=f"{it.project}()", language="python").hits,
    lambda forge, it: forge.predict_links("CAUSES", tail=it.other),
    lambda forge, it: forge.decisions.get("D001", conversation=it.session),
    lambda forge, it: forge.decisions.get(it.memory),
    lambda forge, it: forge.decisions.search("noon", tags=[it.tag]),
    lambda forge, it: (
        forge.decisions.create("Mine.").id and forge.decisions.supersede("D001", by=it.decision)
    ),
    lambda forge, it: forge.threads.get("T001", conversation=it.session),
    lambda forge, it: forge.context_load(it.content, cross_project=True),
    lambda forge, it: forge.streams.by_intention(it.content, temporal_mode="full_history").memories,
    lambda forge, it: forge.recall("where does it sleep", scope="threads").hits,
]


def _counts(forge: Forge) -> dict[str, object]:
    """What the store holds; its size is the tenant's, whose agents share it, and a file grows by reading too."""
    is_own = forge.identity.engine == "postgresql" and forge.identity.tenant != DEFAULT_TENANT
    return asdict(forge.stats()) | ({} if is_own else {"bytes_on_disk": 0})


TELLING: dict[str, Callable[[Forge], object]] = {
    "projects": lambda forge: forge.projects(),
    "conversations": lambda forge: forge.conversations(),
    "stats": lambda forge: _counts(forge),
    "last_change": lambda forge: forge.last_change(),
    "audit_log": lambda forge: [(line.action, line.agent, line.reason) for line in forge.audit_log(1_000)],
    "check": lambda forge: forge.check(),
    "sweep": lambda forge: {**asdict(forge.sweep(keep=False)), "seconds": 0},
    "validation_history": lambda forge: forge.validation_history(),
    "review.pending": lambda forge: forge.review.pending(),
    "sync.sources": lambda forge: forge.sync.sources(),
    "watching.folders": lambda forge: forge.watching.folders(),
    "sync.run": lambda forge: replace(forge.sync.run(), seconds=0),
    "roles.list": lambda forge: forge.roles.list(),
    "conflicts.list": lambda forge: forge.conflicts.list(),
    "events": lambda forge: [(line.action, line.agent) for line in forge.events(limit=1_000)],
    "conflicts.detect": lambda forge: forge.conflicts.detect(anew=True).found,
    "conflicts.compare": lambda forge: forge.conflicts.compare([("It is on.", "It is not on.")]),
    "lenses.list": lambda forge: forge.lenses.list(),
    "lenses.latest_scan": lambda forge: forge.lenses.latest_scan(),
    "lenses.scan": lambda forge: forge.lenses.scan().clusters,
    "undo": lambda forge: forge.undo(),
    "redo": lambda forge: forge.redo(),
}
"""Calls that name nothing: they answer as in a store where nobody else is."""
WHOLE = {
    "export",
    "export_markdown",
    "reembed",
    "estimate_reembed",
    "encoders",
    "unfilled",
    "embedding_bytes",
    "refresh_relations",
    "calibrate",
    "calibration",
    "calibration_is_due",
    "due",
    "upkeep",
}
"""The tenant's, for whoever keeps its store: they tell numbers of all agents, and `export`, with its own test, all."""
ELSEWHERE = {
    *(
        "close",
        "lend",
        "write_counts",
        "hooks.switches",
        "identity",
        "encoder_id",
        # Everybody's memories make topics: tests/upkeep/test_topics.py asks what is told of it; of dreams test_dreams.
        "topics.update",
        "dreams.run",
        "causes",
        "cause_between",
        "roles.types",
        "language_model",
        "reach_language_model",
        "extract",
        "names_by_model",
    ),
    # They take the text of an archive, whoever made it, or a path of the caller's: tests/answer, tests/capture.
    *("archives.continue_from", "archives.read"),
    *("sync.add", "survey", "watching.add", "watching.watch"),
    *WHOLE,
}
"""They say nothing of memories, or are of the whole store."""


def _plain(answer: object, it: Known) -> str:
    """An answer without what differs between two equal calls: ids, times, and the names that were asked for."""
    text = f"{type(answer).__name__}: {answer!r}"
    for field in fields(it):
        text = text.replace(repr(getattr(it, field.name))[1:-1], field.name)
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}", "ID", text)
    text = re.sub(r"datetime\([^)]*\)|\d{4}-\d\d-\d\d[T ][\d:.+]+Z?", "TIME", text)
    text = text.replace("quokka", "NAME").replace("wombat", "NAME")
    return re.sub(r"\d+\.\d+|\bmemory\b|\bversion\b|\bother\b", "_", text)


def _outcome(call: Call, forge: Forge, it: Known) -> str:
    try:
        return _plain(call(forge, it), it)
    except EngramforgeError as error:
        return _plain((type(error).__name__, error.fault, error.mend), it)


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders of Markdown, alike but for the word in them."""
    made = []
    for word in (SECRET, "wombat"):
        folder = tmp_path / f"{word}-notes"
        folder.mkdir()
        (folder / "a.md").write_text(f"# The {word}\n\nIt sleeps in the afternoon.\n")
        made.append(folder)
    return made[0], made[1]


@pytest.fixture(params=["tenant", "agent"])
def strangers(request: pytest.FixtureRequest) -> tuple[dict[str, str], dict[str, str]]:
    """Who owns, and who asks: of two tenants, or two agents of one."""
    if request.param == "tenant":
        return {"tenant": "globex"}, {"tenant": "acme"}
    return {"agent": "ada"}, {"agent": "bo"}


def _state(place: str, owner: dict[str, str]) -> object:
    """Everything that the owner has, use counters too."""
    with engramforge.open(place, **owner) as forge:
        memories = forge.memories(mode="full_history", limit=1_000)
        ids = sorted({memory.logical_id for memory in memories})
        found = forge._stages.door.asking(forge._scope).links(ids, Selection(mode=TemporalMode.FULL_HISTORY))
        log = [line for line in forge.audit_log(1_000) if line.agent == owner.get("agent", "default")]
        return memories, found, log, _counts(forge), forge.projects()


def test_every_public_call_has_its_case(tmp_path: Path) -> None:
    public = {name for name in dir(Forge) if not name.startswith("_") and name not in PARTS}
    with engramforge.open(tmp_path) as forge:
        for part in PARTS:
            verbs = dir(getattr(forge, part))
            public |= {f"{part}.{name}" for name in verbs if not name.startswith("_")}
    assert set(CASES) | set(TELLING) | ELSEWHERE == public


def test_nothing_of_a_stranger_is_found_or_changed(
    place: str,
    new_place: Callable[[], str],
    folders: tuple[Path, Path],
    strangers: tuple[dict[str, str], dict[str, str]],
) -> None:
    owner, stranger = strangers
    with engramforge.open(place, **owner) as forge:
        theirs = _somebody(forge, folders[0])
        forge.recall("warm up")
    before = _state(place, owner)
    nobody = _nobody(folders[1])
    # What has to come out is what the same calls say in a store where nobody else is.
    with engramforge.open(place, **stranger) as forge, engramforge.open(new_place(), **stranger) as alone:
        for each in (forge, alone):
            each.remember("Mine.", project="mine")
        for name, told in TELLING.items():
            answer, expected = told(forge), told(alone)
            assert SECRET not in repr(answer), name
            assert _plain(answer, theirs) == _plain(expected, theirs), name
        for name, case in [*(("more", item) for item in MORE), *CASES.items()]:
            said = _outcome(case, forge, theirs)
            assert said == _outcome(case, alone, theirs), name
            if name != "more":  # where contents are asked for, the words themselves rank
                assert said == _outcome(case, forge, nobody) == _outcome(case, alone, nobody), name
            assert said.startswith(
                (
                    "tuple",
                    "list",
                    "TakenIn",
                    "bool",
                    "str",
                    "Injection",
                    "Recall",
                    "dict",
                    "Memory",
                    "ImportReport",
                    "NoneType",
                    "Timeline",
                    "LoadedContext",
                    "ProjectRole",
                    "Lens",
                    "FieldSummary",
                    "Pattern",
                    "PrimingBlock",
                    "Flag",
                    "ScratchEntry",
                    "ndarray",
                )
            )
    state = _state(place, owner)
    assert state == before


def test_an_export_holds_one_tenant(place: str, folders: tuple[Path, Path]) -> None:
    with engramforge.open(place, tenant="globex") as forge:
        _somebody(forge, folders[0])
    with engramforge.open(place, tenant="acme") as forge:
        forge.remember("Mine.")
        written = io.BytesIO()
        forge.export(written)
    assert b"Mine." in written.getvalue()
    assert SECRET.encode() not in written.getvalue()


def test_the_door_holds_against_its_callers(place: str, folders: tuple[Path, Path]) -> None:
    """Below the facade: verbs that change by id change nothing that the scope does not admit."""
    from engramforge.errors import NotFound, OutOfScope
    from engramforge.model.time import InvalidationReason

    with engramforge.open(place, agent="ada") as forge:
        theirs = _somebody(forge, folders[0])
        door, memory = forge._stages.door, forge.get(theirs.memory)
        scope = Scope(agent="bo")
        with pytest.raises(NotFound), door.transaction(scope) as writes:
            writes.expire(memory.id, memory.created_at, InvalidationReason.DISCOVERED_FALSE)
        with pytest.raises(NotFound), door.transaction(scope) as writes:
            writes.expire_link(theirs.link, memory.created_at, InvalidationReason.DISCOVERED_FALSE)
        with door.transaction(scope) as writes:
            assert writes.forget(Extent([theirs.memory]), memory.created_at) == []
        assert door.asking(scope).known_files(theirs.project, "") == {}
        assert forge.get(theirs.memory) == memory
        for verb in (
            lambda: door.asking(Scope("acme")).fetch([memory.id]),
            lambda: door.tending(Scope("acme")).count(),
        ):
            with pytest.raises(OutOfScope):
                verb()


COMMAND_LINES: dict[str, Callable[[Known], list[str]]] = {
    "remember": lambda it: ["remember", it.content, "--project", it.project],
    "recall": lambda it: ["recall", "who moved", "--project", it.project],
    "import": lambda it: ["import", it.folder, "--project", it.project],
    "show": lambda it: ["show", it.memory],
    "history": lambda it: ["history", it.version],
    "timeline": lambda it: ["timeline", it.memory],
    "revise": lambda it: ["revise", it.memory, "Mine now."],
    "supersede": lambda it: ["supersede", it.memory, "Mine now."],
    "link": lambda it: [
        *("link", it.memory, "CAUSES", it.other, "--energy", "0.5", "--confidence", "0.5"),
        *("--emotions", "{}", "--goal", "g", "--mindstate", "m"),
    ],
    "links": lambda it: ["links", it.memory],
    "unlink": lambda it: ["unlink", it.link],
    "invalidate": lambda it: ["invalidate", it.memory],
    "forget": lambda it: ["forget", it.memory, "--yes"],
    "list": lambda it: ["list", "--session", it.session],
    "projects": lambda it: ["projects"],
    "conversations": lambda it: ["conversations", "--project", it.project],
    "stats": lambda it: ["stats"],
    "doctor": lambda it: ["doctor", "--sweep"],
    "decisions": lambda it: ["decisions", "show", it.decision],
    "threads": lambda it: ["threads", "resolve", it.thread],
    "lineage": lambda it: ["lineage", "trace", it.session],
    "compress": lambda it: ["compress", it.session],
    "context": lambda it: ["context", "who moved", "--project", it.project],
    "topics": lambda it: ["topics", "--project", it.project],
    "dream": lambda it: ["dream", "--last", "--project", it.project],
    "stream": lambda it: ["stream", "--goal", "g", "--project", it.project],
    "review": lambda it: ["review", "accept", it.flag],
    "roles": lambda it: ["roles", "get", it.project],
    "lenses": lambda it: ["lenses", "get", it.tag],
    "scan": lambda it: ["scan", "--latest"],
    "patterns": lambda it: ["patterns", "outcome", it.memory, "--worked"],
    "priming": lambda it: ["priming", "find", it.project],
    "flags": lambda it: ["flags", "show", it.flag],
    "scratch": lambda it: ["scratch", "get", it.project],
    "conflicts": lambda it: ["conflicts", "dismiss", it.link, "--reason", "none"],
    "consult": lambda it: ["consult", "who moved", "--project", it.project],
    "orchestrate": lambda it: ["orchestrate", "who moved", "--lens", it.tag],
    "injected": lambda it: ["injected", "--project", it.project],
    "feedback": lambda it: ["feedback", it.memory, "--useful"],
    "undo": lambda it: ["undo"],
    "redo": lambda it: ["redo"],
}
NOT_ASKED = {
    "continue",
    "sync",
    "watch",
    "init",
    "export",
    "migrate",
    "calibrate",
    "refresh",
    "reembed",
    "bench",
    "completion",
    "schemas",
    "extract",
    "events",
    "inject-context",
    "inject-brief",
    "session",
    "capture-memory",
    "capture-response",
    "connect",
    "disconnect",
    "serve",
    "stop",
    "status",
    "mcp",
}
"""They make a store, are for whoever keeps the whole of it, or read an event; the last is below."""
TOOLS: dict[str, list[Callable[[Known], dict[str, Any]]]] = {
    "forge_projects": [lambda it: {}],  # before the stranger makes one of that name
    "consult_oracle": [lambda it: {"query": "who moved", "depth": "deep"}],  # and remembers what is asked for
    "forge_remember": [
        lambda it: {"content": it.content, "project": it.project, "origin": it.origin},
        lambda it: {"content": "Mine.", "revises": it.memory},
        lambda it: {"content": "Mine.", "supersedes": it.version},
    ],
    "forge_recall": [
        lambda it: {"query": "who moved", "project": it.project},
        lambda it: {"query": it.content, "mode": "full_history", "session_id": it.session},
    ],
    "forge_timeline": [
        lambda it: {"id": it.memory},
        lambda it: {"project": it.project},
        lambda it: {"session_id": it.session, "changes": True},
    ],
    "forge_forget": [lambda it: {"id": it.memory}],
    "forge_links": [
        lambda it: {"id": it.memory},
        lambda it: {"action": "remove", "link_id": it.link},
        lambda it: {"action": "create", "id": it.memory, "target_id": it.other, "relation": "CAUSES", **FELT},
    ],
    "forge_decisions": [
        lambda it: {"action": "why", "id": it.decision},
        lambda it: {"action": "list", "conversation": it.session},
        lambda it: {"action": "validate", "ids": [it.decision]},
    ],
    "forge_threads": [
        lambda it: {"action": "get", "id": it.thread},
        lambda it: {"action": "active", "project": it.project},
        lambda it: {"action": "update", "id": it.thread, "status": "resolved"},
    ],
    "forge_lineage": [
        lambda it: {"conversation": it.session},
        lambda it: {"action": "link", "source": "mine", "threads_carried": [it.thread]},
    ],
    "forge_archive": [lambda it: {"action": "compress", "conversation": it.session}],
    "forge_context": [lambda it: {"query": "who moved", "project": it.project}],
    "forge_stream": [
        lambda it: {"query_text": "who moved", "project": it.project},
        lambda it: {"action": "state", "current_energy": 0.5, "current_goal": "g", "project": it.project},
    ],
    "forge_orchestrate": [lambda it: {"query": "who moved", "lens_name": it.tag}],
    "forge_roles": [lambda it: {"action": "remove", "project": it.project}],
    "forge_lenses": [lambda it: {"action": "get", "name": it.tag}],
    "forge_topics": [
        lambda it: {"project": it.project},
        lambda it: {"action": "get", "id": it.memory},
        lambda it: {"action": "history", "project": it.project},
    ],
    "forge_patterns": [
        lambda it: {"kind": "patterns", "action": "get", "id": it.memory},
        lambda it: {"kind": "priming", "action": "search", "query": it.project},
        lambda it: {"kind": "flags", "action": "compile", "name": "mine", "ids": [it.flag]},
        lambda it: {"kind": "scratch", "action": "get", "name": it.project},
    ],
    "forge_conflicts": [
        lambda it: {"action": "check", "text": it.tag, "project": it.project},
        lambda it: {"project": it.project},
    ],
    "forge_feedback": [lambda it: {"id": it.memory, "useful": True}],
}


@pytest.fixture
def at_stranger(
    place: str, strangers: tuple[dict[str, str], dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> str:
    """The environment of who asks, through settings, as people set them."""
    for name in [name for name in os.environ if name.startswith("ENGRAMFORGE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ENGRAMFORGE_URL" if "://" in place else "ENGRAMFORGE_HOME", place)
    for name, value in strangers[1].items():
        monkeypatch.setenv(f"ENGRAMFORGE_{name.upper()}", value)
    return place


def test_no_command_tells_of_a_stranger(
    at_stranger: str,
    folders: tuple[Path, Path],
    strangers: tuple[dict[str, str], dict[str, str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert set(COMMAND_LINES) | NOT_ASKED == set(COMMANDS) | set(MOUNTED)
    with engramforge.open(at_stranger, **strangers[0]) as forge:
        theirs = _somebody(forge, folders[0])
    nobody = _nobody(folders[1])
    before = _state(at_stranger, strangers[0])
    with engramforge.open(at_stranger, **strangers[1]) as forge:
        forge.remember("Mine.", project="mine")
    for name, line in COMMAND_LINES.items():
        said = []
        for it in (theirs, nobody):
            capsys.readouterr()
            code = run([*line(it), "--json"], MOUNTED)
            told = capsys.readouterr()
            said.append((code, _plain(told.out, it), _plain(told.err, it)))
            assert code in (0, 1, 2, 3), told.err
        if name not in ("projects", "stats", "doctor", "undo", "redo"):
            assert said[0] == said[1], name
        else:
            assert theirs.memory not in told.out
    assert _state(at_stranger, strangers[0]) == before


def test_no_tool_tells_of_a_stranger(
    at_stranger: str, folders: tuple[Path, Path], strangers: tuple[dict[str, str], dict[str, str]]
) -> None:
    with engramforge.open(at_stranger, **strangers[0]) as forge:
        theirs = _somebody(forge, folders[0])
    nobody = _nobody(folders[1])
    before = _state(at_stranger, strangers[0])

    async def main() -> None:
        calls = Calls(None, None, 60.0)
        try:
            async with Client(build_server(calls)) as client:
                assert {tool.name for tool in (await client.list_tools()).tools} == set(TOOLS)
                for name, cases in TOOLS.items():
                    for case in cases:
                        said = []
                        for it in (theirs, nobody):
                            answer = await client.call_tool(name, case(it))
                            said.append((answer.is_error, _plain(str(answer.content), it)))
                            if name == "forge_projects":
                                assert theirs.project not in str(answer.content)
                        assert said[0] == said[1], (name, case(theirs))
        finally:
            calls.close()

    anyio.run(main)
    assert _state(at_stranger, strangers[0]) == before
