"""Verbs of patterns, priming blocks and flags, as `forge.patterns`, `forge.priming` and `forge.flags`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from engramforge.core.checks.draft_from_mapping import draft_from
from engramforge.core.checks.validation import check_name, check_text, check_word
from engramforge.core.oracle.resonance import asked_stems
from engramforge.errors import Conflict, InvalidTime, InvalidValue, NotFound
from engramforge.forge.registries.argument_checks import names_of, statuses_of, tags_of
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.limits import CONTENT_BYTES, LISTED_PER_ENTRY, RECALL_HITS
from engramforge.model.memory import DEFAULT_PROJECT, Kind, Memory
from engramforge.model.registries.learned import (
    Flag,
    FlagStatus,
    Pattern,
    PrimingBlock,
    Territory,
)
from engramforge.model.scope import Level
from engramforge.recall.request import Moment, begin_of, moment, whole
from engramforge.registries.learned.learned_reading import (
    FLAG_TYPE,
    USUAL_TYPE,
    Found,
    is_plain,
    status_of,
    type_of,
)


class _LearnedVerbs(ScopedVerbs):
    """What patterns, priming blocks and flags have in common."""

    def _written(
        self, kind: Kind, content: str, project: str, level: str, tags: Ids, **fields: Any
    ) -> Memory:
        given = {name: value for name, value in fields.items() if value is not None}
        said = {"content": content, "kind": kind, "project": project, "tags": tags_of(tags), **given}
        draft = draft_from({**said, "level": check_word(Level, level, "level")})
        return self._stages.intake.write(self._scope, [draft], revive_forgotten=True).memories[0]

    def _expiry(self, expires_at: Moment) -> datetime | None:
        until = begin_of(expires_at, "expires_at", self._stages.clock())
        if until is not None and until <= self._stages.clock():
            raise InvalidTime(f"It would have expired at {until.isoformat()}", "Give a time to come")
        return until

    def _one(self, memory_id: str, kind: Kind) -> Memory:
        """What stands of a memory of this kind. Raises NotFound, Conflict."""
        found = self._memory(memory_id)
        if found.kind is not kind or not is_plain(found):
            its = "a detection that waits for review" if found.kind is kind else f"of the kind {found.kind}"
            raise Conflict(
                f"The memory {found.logical_id} is {its}, and no {kind}", f"Give the id of a {kind}"
            )
        head = self._stages.door.asking(self._scope).fetch([found.logical_id]).get(found.logical_id, found)
        if head.is_superseded:
            raise NotFound(
                f"The {kind} {found.logical_id} does not hold any more", "history shows what it said"
            )
        return head


class PatternVerbs(_LearnedVerbs, relating=("outcome",)):
    """Ways of doing something that keep coming back, and how well they work. A pattern is any memory of that kind."""

    def add(
        self,
        content: str,
        *,
        name: str | None = None,
        project: str = DEFAULT_PROJECT,
        tags: Ids = (),
        level: str = "personal",
        session_id: str | None = None,
    ) -> Pattern:
        """Write a pattern: what to do when, in words that are understood alone.

        `name`: what it is called. `level`: personal, or collective or ecosystem for what all agents see.

        Raises InvalidContent, InvalidValue: nothing was written.
        """
        made = self._written(Kind.PATTERN, content, project, level, tags, name=name, session_id=session_id)
        return self._shown(made)

    def get(self, memory_id: str) -> Pattern:
        """A pattern with each of its outcomes. Raises InvalidValue, NotFound; Conflict: it is another memory."""
        return self._shown(self._one(memory_id, Kind.PATTERN))

    def list(
        self, project: Ids | None = None, *, tags: Ids = (), limit: int = 50, offset: int = 0
    ) -> Sequence[Pattern]:
        """Patterns, those that work best first, of the newest 10,000; untried ones last, of equal ones the newest.

        `limit`, `offset`: the most to return, up to 1,000, and how many to skip. Raises InvalidValue, NotFound.
        """
        most, first = whole(limit, "limit", 1, RECALL_HITS), whole(offset, "offset", 0, 2**62)
        return self._stages.learned.best_patterns(self._within(project), tags_of(tags), most, first)

    def search(self, query: str, *, project: Ids | None = None, limit: int = 10) -> Sequence[Pattern]:
        """Patterns that answer a query by words or meaning, best first, each with its score."""
        within, most = self._within(project), whole(limit, "limit", 1, RECALL_HITS)
        learned = self._stages.learned
        return learned.patterns(within, learned.found(within, Kind.PATTERN, query, most, wanted=is_plain))

    def outcome(
        self,
        memory_id: str,
        success: bool,
        note: str = "",
        *,
        session_id: str | None = None,
        at: Moment = None,
    ) -> Pattern:
        """Record what came of trying a pattern; the pattern as it stands after it.

        `success`: whether it worked. `note`: what came of it; it is found by a recall, as a learning, and is forgotten
        with the pattern. `session_id`: where it was tried. `at`: when; default now.

        Raises InvalidTime, InvalidValue, NotFound, Conflict: nothing was written.
        """
        pattern = self._one(memory_id, Kind.PATTERN)
        said = check_text(note, "note", CONTENT_BYTES) or "" if note else ""
        session = None if session_id is None else check_name(session_id, "session_id")
        tried = self._stages.learned_changes.record_outcome(
            self._scope, pattern, success, said, session, moment(at, "at")
        )
        return replace(self._shown(pattern), redacted=tried.redacted)

    def _shown(self, memory: Memory) -> Pattern:
        return self._stages.learned.patterns(self._scope, [(memory, None)], whole=True)[0]


class PrimingVerbs(_LearnedVerbs):
    """Texts that prepare for a territory, until they expire. A priming block is any memory of that kind."""

    def add(
        self,
        territory: str,
        content: str,
        *,
        project: str = DEFAULT_PROJECT,
        expires_at: Moment = None,
        tags: Ids = (),
        level: str = "personal",
    ) -> PrimingBlock:
        """Write a priming block.

        `territory`: the area that it prepares for; it may have several blocks. `expires_at`: from when on no recall,
        lens or injection has it any more; default never. `level`: as of a pattern.

        Raises InvalidTime, InvalidValue: nothing was written.
        """
        named, until = check_name(territory, "territory"), self._expiry(expires_at)
        made = self._written(Kind.PRIMING, content, project, level, tags, name=named, invalid_at=until)
        return self._stages.learned.blocks(self._scope, [(made, None)])[0]

    def get(self, memory_id: str) -> PrimingBlock:
        """A priming block. Raises InvalidValue, NotFound; Conflict: it is another memory."""
        return self._stages.learned.blocks(self._scope, [(self._one(memory_id, Kind.PRIMING), None)])[0]

    def list(
        self,
        project: Ids | None = None,
        *,
        territory: str | None = None,
        tags: Ids = (),
        limit: int = 50,
        offset: int = 0,
    ) -> Sequence[PrimingBlock]:
        """Priming blocks that have not expired, the newest first. `territory`: only its own, whatever their case."""
        within = self._within(project)
        named = None if territory is None else check_name(territory, "territory").casefold()
        found = self._stages.learned.listed(
            within,
            Kind.PRIMING,
            whole(limit, "limit", 1, RECALL_HITS),
            whole(offset, "offset", 0, 2**62),
            tags=tags_of(tags),
            wanted=lambda each: named is None or (each.name or "").casefold() == named,
        )
        return self._stages.learned.blocks(within, found)

    def find_relevant_priming(
        self, topic: str, project: Ids | None = None, *, limit: int = 5
    ) -> Sequence[PrimingBlock]:
        """The priming blocks that a topic activates, best first, each with its score: those that clearly bear on it, by
        the territory's name as by the text. None where none does. Raises InvalidValue, NotFound."""
        within, most = self._within(project), whole(limit, "limit", 1, RECALL_HITS)
        learned = self._stages.learned
        found = learned.found(within, Kind.PRIMING, topic, most, wanted=is_plain, relevant=True)
        return learned.blocks(within, found)

    def territories(self, project: Ids | None = None) -> Sequence[Territory]:
        """The territories that have priming blocks, by project and name. Raises NotFound."""
        return self._stages.learned.territories(self._within(project))


class FlagVerbs(_LearnedVerbs, relating=("compile",)):
    """What was noticed, until an expedition compiles it. A flag is any memory of that kind but a detection that waits
    for review (`forge.review`)."""

    def add(
        self,
        content: str,
        *,
        type: str = USUAL_TYPE,  # noqa: A002 - the word a user expects
        project: str = DEFAULT_PROJECT,
        tags: Ids = (),
        level: str = "personal",
        session_id: str | None = None,
    ) -> Flag:
        """Raise a flag. `type`: isomorphism (one thing works as another does), or any other word. `level`: as of a
        pattern. Raises InvalidContent, InvalidValue: nothing was written."""
        metadata = {FLAG_TYPE: _type(type)}
        made = self._written(
            Kind.FLAG, content, project, level, tags, metadata=metadata, session_id=session_id
        )
        return self._stages.learned.flags(self._scope, [(made, None)])[0]

    def get(self, memory_id: str) -> Flag:
        """A flag. Raises InvalidValue, NotFound; Conflict: it is another memory, or waits for review."""
        return self._stages.learned.flags(self._scope, [(self._one(memory_id, Kind.FLAG), None)])[0]

    def list(
        self,
        project: Ids | None = None,
        *,
        status: str | None = "pending",
        type: str | None = None,  # noqa: A002
        tags: Ids = (),
        limit: int = 50,
        offset: int = 0,
    ) -> Sequence[Flag]:
        """Flags, the newest first. `status`: pending or compiled; None for any. `type`: only of this one."""
        within = self._within(project)
        found = self._stages.learned.listed(
            within,
            Kind.FLAG,
            whole(limit, "limit", 1, RECALL_HITS),
            whole(offset, "offset", 0, 2**62),
            tags=tags_of(tags),
            wanted=_Asked(status, type),
        )
        return self._stages.learned.flags(within, found)

    def search(
        self,
        query: str,
        *,
        project: Ids | None = None,
        status: str | None = None,
        type: str | None = None,  # noqa: A002
        limit: int = 10,
    ) -> Sequence[Flag]:
        """Flags that answer a query by words or meaning, best first, each with its score; filters as of `list`."""
        within, most = self._within(project), whole(limit, "limit", 1, RECALL_HITS)
        learned = self._stages.learned
        found = learned.found(within, Kind.FLAG, query, most, wanted=_Asked(status, type))
        return learned.flags(within, found)

    def compile(
        self,
        territory: str,
        *,
        ids: Ids = (),
        content: str | None = None,
        project: str | None = None,
        expires_at: Moment = None,
    ) -> PrimingBlock:
        """An expedition into a territory: its pending flags become a priming block, and are compiled from then on.

        Parameters
        ----------
        territory : the area; without `ids` all pending flags that clearly bear on it, up to 256.
        ids : the flags, up to 256.
        content : what the expedition found; by default what the flags say, a line each.
        project : of the block, and of the flags where none is named; default that of the flags.
        expires_at : as of a priming block.

        All of it is one change: an undo takes it back. A block goes with a flag of its that is forgotten.

        Raises NotFound: no pending flag is about it, or one of `ids` is not there; Conflict: a flag is compiled
        already; InvalidValue: the flags are of several projects and none is named; InvalidTime.
        """
        named, until = check_name(territory, "territory"), self._expiry(expires_at)
        said = check_text(content, "content", CONTENT_BYTES)
        flags = self._named(ids) if ids else self._about(named, project)
        projects = {each.project for each in flags}
        if project is None and len(projects) > 1:
            raise InvalidValue(
                f"The flags are of the projects {', '.join(sorted(projects))}", "Name the block's project"
            )
        into = check_name(project, "project") if project is not None else projects.pop()
        made = self._stages.learned_changes.compile(self._scope, named, flags, said, into, until)
        return self._stages.learned.blocks(self._scope, [(made, None)])[0]

    def _named(self, ids: Ids) -> Sequence[Memory]:
        found = {
            each.logical_id: each for each in (self._one(each, Kind.FLAG) for each in names_of(ids, "flag"))
        }
        return [*found.values()]

    def _about(self, territory: str, project: str | None) -> Sequence[Memory]:
        """The pending flags that clearly bear on a territory; where none does, those that say half of its words."""
        found = self._stages.learned.found(
            self._within(project),
            Kind.FLAG,
            territory,
            LISTED_PER_ENTRY,
            wanted=_Asked(str(FlagStatus.PENDING), None),
            relevant=True,
        ) or self._sharing(territory, project)
        if not found:
            raise NotFound(
                f"No pending flag is about {territory!r}",
                "Name the flags by their ids; flags lists what is pending",
            )
        return [memory for memory, _ in found]

    def _sharing(self, territory: str, project: str | None) -> Sequence[Found]:
        is_pending = _Asked(str(FlagStatus.PENDING), None)
        return self._stages.learned.found(
            self._within(project),
            Kind.FLAG,
            territory,
            LISTED_PER_ENTRY,
            wanted=lambda flag: is_pending(flag) and _says_half(territory, flag.content),
        )


def _says_half(territory: str, text: str) -> bool:
    """Whether a text says half of the words of a territory at least, in any of their forms."""
    asked = asked_stems(territory)
    return bool(asked) and 2 * len(asked & asked_stems(text)) >= len(asked)


class _Asked:
    """Whether a memory is a flag that is asked for: of this status and type, where they are named."""

    def __init__(self, status: str | None, type: str | None) -> None:  # noqa: A002 - as above
        self._statuses = statuses_of(FlagStatus, status)
        self._type = None if type is None else _type(type)

    def __call__(self, memory: Memory) -> bool:
        is_so = not self._statuses or status_of(memory) in self._statuses
        return is_plain(memory) and is_so and self._type in (None, type_of(memory))


def _type(word: str) -> str:
    return check_name(word, "type").casefold()
