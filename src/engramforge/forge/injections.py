"""Injections, as `forge.injections`: what to put before a model unasked, what was, and whether it was of use."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from engramforge.core.checks.validation import check_name
from engramforge.errors import InvalidValue, NotFound
from engramforge.forge.scoped import ScopedVerbs, checked_id
from engramforge.model.injection import (
    ACTS,
    ASKS,
    LENSES,
    STARTS,
    Injected,
    Injection,
    InjectionQuery,
    Reason,
    Section,
)
from engramforge.model.limits import CONTENT_BYTES, RECALL_HITS, SHORTEST_ID
from engramforge.model.storing.live import Switch
from engramforge.recall.request import Moment, moment, whole

if TYPE_CHECKING:
    from datetime import datetime

    from engramforge.answer.injection.occasion import Occasion
    from engramforge.model.memory import Memory
    from engramforge.model.topics.usage import Usage

Event = Mapping[str, Any]
"""What a host says of an event, as it comes: nothing of it is trusted."""
_ID: Final = re.compile(rf"(?=.{{{SHORTEST_ID},36}}\Z)[0-9a-f]+(?:-[0-9a-f]+)*-?", re.IGNORECASE)
_DIGITS: Final = 32
_RARE_SHARE: Final = 0.01
_RARE_FEW: Final = 3
"""A word is rare that no more than this share of the memories in scope has, or no more than so many."""
_SHOWN: Final = 4_000
_USES: Final = 200
"""How many of its injections are read for how lately a memory was used."""


class InjectionVerbs(ScopedVerbs):
    """What is put before a model unasked."""

    def for_event(
        self, event: Event, now: Moment = None, *, if_kept: Callable[[], bool] | None = None
    ) -> Injection | None:
        """What to put before the model at an event of its host; None where nothing is worth it.

        At SessionStart the project's portfolio (what was decided and holds, what is open, where the last session
        stopped), at UserPromptSubmit memories that answer the prompt, at PreToolUse decisions and warnings that name
        the file, package, program or command. Never what is in the session's context already.

        `event`: the host's own JSON: hook_event_name, session_id, cwd, and what belongs to the event (source; prompt;
        tool_name, tool_input); a `project` in it goes before the one of its working folder. `now`: default the clock.
        `if_kept`: asked last; where it says no, nobody hears of the injection, and nothing is noted.
        """
        from engramforge.answer.injection.occasion import occasion_of
        from engramforge.capture.writers.switches import is_on, switches_of, unwanted

        started = time.perf_counter()
        when = moment(now, "now") or self._stages.clock()
        occasion = occasion_of(event, self._project_of(event))
        if occasion is None:
            return None
        switches = switches_of(self._stages.door, self._scope)
        if not is_on(switches, Switch.INJECTION, occasion.project, occasion.session):
            return None
        known, occasion = self._noted(occasion, when)
        occasion = replace(occasion, unwanted=unwanted(switches))
        found = self._stages.injecting.inject(self._scope, occasion, when, known, started)
        if if_kept is not None and not if_kept():
            return None
        self._stages.shift_watching.note(self._scope, occasion.session, when)
        if not found.text:
            if occasion.emptied_at == when:
                # Another process has to know since when the context is empty.
                self._stages.injection_log.add(self._scope, found)
            return None
        self._stages.injection_log.add(self._scope, found)
        self._stages.uses.shown(self._scope, [each.version_id for each in found.memories])
        return found

    def get_ready(self, event: Event) -> None:
        """Bring up to date what the next prompt of an event's project asks first, which a capture has changed: some
        milliseconds that a person need not wait for. Only for who keeps a store open, for it loads it."""
        project, session = self._project_of(event), event.get("session_id")
        self._stages.door.asking(self._narrowed(project)).ground()
        if isinstance(session, str):
            self._stages.shift_watching.get_ready(self._scope, project, session)

    def _project_of(self, event: Event) -> str | None:
        """The project of an event: named, that of the session's first event, or that of the working folder, as an
        import of its transcript would name it."""
        named, folder, session = event.get("project"), event.get("cwd"), event.get("session_id")
        if isinstance(named, str) and named.strip():
            return named.strip()
        context = None
        if isinstance(session, str) and session:
            context = self._stages.injection_log.context(self._scope, session)
            if context.project is not None:
                return context.project
        if not isinstance(folder, str) or not folder.strip():
            return None
        project = self._stages.live_capture.sessions.project_of(self._scope, folder)
        if context is not None:
            context.project = project
        return project

    def _noted(self, occasion: Occasion, at: datetime) -> tuple[frozenset[str], Occasion]:
        """What was put into the session's context, and the event with when that was emptied last and what is fresh in
        it, after this event began."""
        if occasion.session is None:
            return frozenset(), occasion
        log = self._stages.injection_log
        if occasion.event == STARTS:
            log.begin(self._scope, occasion.session, occasion.cause, at)
        context = log.context(self._scope, occasion.session)
        if occasion.event == ASKS:
            context.prompt = occasion.prompt
            context.asked_at.append(at)
        noted = replace(occasion, emptied_at=context.emptied_at)
        if occasion.event == ACTS:
            noted = replace(noted, fresh_from=context.fresh_from, fresh=context.fresh())
        return frozenset(context.known), noted

    def used(self, session: str, response_text: str) -> tuple[str, ...]:
        """Note which memories a response took up (core/injection/taking_up); their logical ids.

        Each is counted as opened once. What the response leaves may still be taken up by a later one.
        """
        from engramforge.core.injection.taking_up import is_taken_up

        log = self._stages.injection_log
        context = log.context(self._scope, session)
        waiting = [
            record for record in context.records.values() if any(not each.used for each in record.memories)
        ]
        asked = {each.memory_id: each for record in waiting for each in record.memories if not each.used}
        if not asked:
            return ()
        texts = self._texts(list(asked.values()))
        rare = self._rarity()
        taken = {
            each
            for each, text in texts.items()
            if is_taken_up(text, response_text[:CONTENT_BYTES], rare, context.prompt)
        }
        self._count(asked[each] for each in taken)
        for record in waiting:
            memories = tuple(
                replace(each, used=bool(each.used) or each.memory_id in taken) for each in record.memories
            )
            if memories != record.memories:
                log.add(self._scope, replace(record, memories=memories))
        log.write(self._scope)
        self._stages.uses.write(self._scope)
        return tuple(sorted(taken))

    def _texts(self, asked: Sequence[Injected]) -> dict[str, str]:
        """What was shown of memories, or of those that another process showed their beginning; without what is gone."""
        unknown = [each.version_id for each in asked if not each.text]
        found = self._stages.door.asking(self._scope).fetch(unknown) if unknown else {}
        texts = {each.memory_id: each.text for each in asked if each.text}
        for each in asked:
            if each.version_id in found:
                texts[each.memory_id] = found[each.version_id].content[:_SHOWN]
        return texts

    def _rarity(self) -> Callable[[str], bool]:
        """Tells which words few memories in scope have."""
        import numpy as np

        from engramforge.core.text.words import term_of

        corpus = self._stages.door.asking(self._scope).ground().corpus
        most = max(_RARE_FEW, int(_RARE_SHARE * corpus.total))
        return lambda word: bool(corpus.frequencies(np.array([term_of(word)], np.uint32))[0] <= most)

    def _count(self, taken: Iterable[Injected]) -> None:
        """Count memories as opened."""
        versions = [each.version_id for each in taken]
        now = self._stages.clock()
        for memory in self._stages.door.asking(self._scope).fetch(versions).values():
            self._stages.uses.opened(memory, now)

    def list(
        self, *, session: str | None = None, project: str | None = None, limit: int = 20, offset: int = 0
    ) -> Sequence[Injection]:
        """What was injected, newest first: of a session or a project, if one is named."""
        query = InjectionQuery(
            session=None if session is None else check_name(session, "session"),
            project=None if project is None else check_name(project, "project"),
            limit=whole(limit, "limit", 1, RECALL_HITS),
            offset=whole(offset, "offset", 0, 2**62),
        )
        return self._recorded(query)

    def get(self, id: str) -> Injection:  # noqa: A002 - the word a user expects
        """An injection by its id, or a unique beginning of it. Raises InvalidValue, NotFound."""
        found = self._found(checked_id(id).strip())
        if found is None:
            raise NotFound(f"There is no injection {id[:100]!r}", "List what was injected to see its id")
        return found

    def contents(self, id: str) -> dict[str, Memory]:  # noqa: A002
        """The memories of an injection in the versions that were shown, by version id; what was forgotten is absent."""
        versions = [each.version_id for each in self.get(id).memories]
        return self._stages.door.asking(self._scope).fetch(versions)

    def feedback(
        self,
        id: str,  # noqa: A002
        *,
        useful: bool,
        memory: str | None = None,
        note: str | None = None,
    ) -> Injection:
        """Say whether an injection was of use, or one memory in it; the record afterwards.

        `id`: an injection's, or a memory's: then its last injection is meant, else that a lens showed it. `memory`:
        only this one of the injection's. What was of use counts as opened, once; with a memory that was of none no
        session begins any more, until it is said to be of use. Raises InvalidValue, NotFound.
        """
        from engramforge.capture.writers.switches import want

        asked = checked_id(id).strip()
        record = self._found(asked)
        if record is None:
            memory, found = asked, self._with_memory(asked)
            record = found[0] if found else self._shown_by_lens(asked)
        of = None if memory is None else self._within_record(record, checked_id(memory).strip())
        said = record.note if note is None else self._reason(note)[0]
        meant = [each for each in record.memories if of in (None, each.memory_id)]
        if useful:
            self._count(each for each in meant if not each.used and not each.useful)
        if of is not None or (useful and record.event == STARTS):
            want(self._stages.door, self._scope, [each.memory_id for each in meant], on=useful)
        changed = replace(
            record,
            note=said,
            memories=tuple(
                replace(each, useful=useful) if each in meant else each for each in record.memories
            ),
        )
        self._stages.injection_log.add(self._scope, changed)
        self._stages.injection_log.write(self._scope)
        return changed

    def usage(self, memory_id: str) -> Usage:
        """How a memory was used: its importance, how active it was of late, how often it was of use when it was shown.

        To ask counts as no use. `memory_id`: as of `get`. Raises NotFound.
        """
        from engramforge.core.topics.usage import usage_of

        self._stages.uses.write(self._scope)
        memory = self._memory(memory_id)
        asked = InjectionQuery(memory_id=memory.logical_id, limit=_USES)
        times = [
            record.at
            for record in self._recorded(asked)
            if any(each.version_id == memory.id and (each.used or each.useful) for each in record.memories)
        ]
        return usage_of(memory, times[::-1], self._stages.clock())

    def _with_memory(self, asked: str) -> Sequence[Injection]:
        """The last injection with a memory, which may be named by the beginning that an injection shows."""
        if _ID.fullmatch(asked) and (
            found := self._recorded(InjectionQuery(memory_id=asked.lower(), limit=1))
        ):
            return found
        return self._recorded(InjectionQuery(memory_id=self._memory(asked).logical_id, limit=1))

    def _shown_by_lens(self, asked: str) -> Injection:
        """A record of a memory that was in no injection, but that a lens may have shown: its project has a role or is
        in a lens. Raises NotFound."""
        from uuid_utils import uuid7

        memory = self._memory(asked)
        registry = self._stages.role_registry
        looked_at = {each.project for each in registry.roles(self._scope)}
        looked_at.update(
            name for lens in registry.lenses(self._scope) for x in lens.projects for name in x.sees.projects
        )
        if memory.project not in looked_at:
            raise NotFound(f"The memory {asked[:100]!r} was in no injection", "Name one that was injected")
        shown = Injected(memory.logical_id, memory.id, Section.POSSIBLE, Reason.ANSWERS, priority=0.0)
        return Injection(
            id=str(uuid7()),
            event=LENSES,
            session=None,
            project=memory.project,
            at=self._stages.clock(),
            tokens=0,
            latency_ms=0.0,
            memories=(shown,),
        )

    def _within_record(self, record: Injection, asked: str) -> str:
        """Which memory of an injection is meant, by logical id."""
        begun = [each.memory_id for each in record.memories if each.memory_id.startswith(asked.lower())]
        if len(begun) == 1:
            return begun[0]
        found = self._memory(asked).logical_id
        if found not in {each.memory_id for each in record.memories}:
            raise NotFound(f"The memory {found} is not in the injection {record.id}", "Look at what is in it")
        return found

    def _found(self, asked: str) -> Injection | None:
        """The injection whose id begins so; None where none does."""
        if _ID.fullmatch(asked) is None or len(asked.replace("-", "")) > _DIGITS:
            return None
        found = self._recorded(InjectionQuery(begins=asked, limit=2))
        if len(found) > 1:
            raise InvalidValue(
                f"Several injections have ids that begin with {asked}", f"Give more of it: {found[0].id}"
            )
        return found[0] if found else None

    def _recorded(self, query: InjectionQuery) -> Sequence[Injection]:
        self._stages.injection_log.write(self._scope)
        return self._stages.door.asking(self._scope).injections(query)
