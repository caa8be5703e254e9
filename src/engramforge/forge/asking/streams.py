"""Streams, as `forge.streams`: retrieval by intention, by state, and the cycle of an agent that wakes by itself."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from engramforge.core.checks.validation import check_emotions, check_name, check_unit
from engramforge.core.emotions.emotion import emotions_of
from engramforge.core.streams.asked_matter import matter_of
from engramforge.core.streams.cycle import BROAD_ENERGY, choice_of, feedback_on, words_of_choice
from engramforge.core.streams.feedback import WEIGHT
from engramforge.errors import InvalidValue
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.limits import QUERY_CHARACTERS
from engramforge.model.memory import ENERGY, UNRESOLVED
from engramforge.model.streams.asked import QueryMode
from engramforge.model.streams.cycle import AgentState, Choice, Cycle
from engramforge.model.streams.stream import Stream
from engramforge.model.time import TemporalMode
from engramforge.recall.intention.asking import intention_of, state_of
from engramforge.recall.intention.assembling import Mood, Retrieved
from engramforge.recall.intention.beside.asked_day import asked_day
from engramforge.recall.intention.six_ways import WaysFound, together
from engramforge.recall.intention.state_notes import unknown_felt
from engramforge.recall.intention.state_parts import selection_of
from engramforge.recall.intention.walking import in_turns
from engramforge.recall.intention.why_none import why_none, why_unanswered
from engramforge.recall.request import AskedTimes, Moment, TimeNames, listed

if TYPE_CHECKING:
    from engramforge.model.memory import Memory
    from engramforge.model.scope import Scope
    from engramforge.model.streams.asked import RetrievalIntention

STREAM_RESULTS: Final = 20
"""How many memories each way of a level brings where nobody says."""
Emotions = Mapping[str, float] | None
_TIMES: Final = TimeNames(
    "temporal_mode", "as_of_time", recorded_since="time_range_start", recorded_until="time_range_end"
)
_OF_THE_CALL: Final = frozenset({"self", "intention_id", "generated_at", "generated_by"})
"""What does not change what is found."""


class StreamVerbs(ScopedVerbs):
    """What an agent means to do, or how it is, in place of a search."""

    def by_intention(
        self,
        query_text: str,
        *,
        temporal_mode: TemporalMode | str | None = None,
        as_of_time: Moment = None,
        as_of_valid: Moment = None,
        as_of_recorded: Moment = None,
        time_range_start: Moment = None,
        time_range_end: Moment = None,
        query_levels: Ids | None = None,
        max_results_per_level: int = STREAM_RESULTS,
        min_energy: float | None = None,
        min_confidence: float | None = None,
        required_emotions: Ids | None = None,
        only_fully_valid: bool = False,
        current_goal: str | None = None,
        current_emotions: Emotions = None,
        reality_pressure: float = 0.5,
        agent: str | None = None,
        project: Ids | None = None,
        intention_id: str | None = None,
        generated_at: Moment = None,
        generated_by: str | None = None,
        spreading: bool = False,
        graph_way: str = "paths",
        rerank: bool = False,
        cache: bool = False,
    ) -> Stream:
        """Retrieve by an intention: every level by vectors and along the graph, as one stream.

        Parameters
        ----------
        query_text : what is needed, up to 10,000 characters.
        temporal_mode : current; point_in_time, the default if a point is given; evolution; full_history.
        as_of_time : known then as true then; or each axis by itself: `as_of_valid`, `as_of_recorded`.
        time_range_start, time_range_end : evolution's range on the recorded axis, its last day included; either open.
        query_levels : N1 (personal), N2 (collective), N3 (ecosystem); None for all.
        max_results_per_level : of each way of a level, 1..1,000.
        min_energy, min_confidence : 0..1. required_emotions : all felt. only_fully_valid : with all REQUIRED metadata.
        current_goal, current_emotions, reality_pressure : of who asks: links are weighed by the first two, what is near
            to attention by the last two, by emotions where the question speaks of none.
        agent : whose personal level is asked; default the forge's own. project : one, or several; None for all.
        intention_id, generated_at, generated_by : of the intention; made where they are left out.
        spreading : whether activation spreads along links, too. graph_way : paths, or pagerank. rerank : whether the
            model of `reranker` orders the nearest. cache : answer as in the last five minutes, if nobody wrote since.

        A way that fails or is too slow is reported in `ways`, and the others answer.

        Raises InvalidContent, InvalidValue, InvalidTime; NotFound: there is no such project.
        """
        asked, begun = dict(locals()), time.perf_counter()
        span = time_range_start, time_range_end
        times = AskedTimes(temporal_mode, as_of_time, as_of_valid, as_of_recorded, *span, _TIMES, True)
        intention = intention_of(query_text, asked, times, self._stages.clock)
        scope = self._seen_by(agent, project)
        fresh = partial(self._intended, scope, [intention], begun)
        found = self._kept(scope, intention, asked, begun) if cache else fresh()
        return _pointing_out(found, (*(current_emotions or ()), *intention.required_emotions))

    def by_state(
        self,
        *,
        current_energy: float = ENERGY,
        current_emotions: Emotions = None,
        current_goal: str | None = None,
        query_mode: str = "find_related_unresolved",
        include_only_unresolved: bool = True,
        temporal_scope: str = "recent",
        reality_pressure: float = 0.5,
        agent: str | None = None,
        project: Ids | None = None,
        state_id: str | None = None,
        generated_at: Moment = None,
    ) -> Stream:
        """Retrieve by a state, without a question.

        Parameters
        ----------
        current_energy : 0..1. current_emotions : name -> 0..1, in whatever form of the word.
        current_goal : what is to be reached; goals are alike when equal, contained in one another, or near in meaning.
        query_mode : find_related_unresolved, find_similar_state, find_what_i_was_doing or find_resolution_patterns.
        include_only_unresolved : of the first two modes only what is blocked or in progress.
        temporal_scope : recent (30 days) or all_time, for the first two modes.
        reality_pressure, agent, project : as of `by_intention`. state_id, generated_at : of the state.

        A step that is too slow is reported in `ways`, and what the others found stays.

        Raises InvalidValue, InvalidTime; NotFound: there is no such project.
        """
        asked, begun = dict(locals()), time.perf_counter()
        state = state_of(asked, self._stages.clock)
        scope = self._seen_by(agent, project)
        at = state.generated_at
        found = self._stages.by_state.find(scope, state, at)
        mood = Mood(
            state.current_emotions, state.reality_pressure, state.current_goal, state.current_emotions
        )
        retrieved = Retrieved(
            state.state_id,
            "",
            str(state.query_mode),
            found.levels,
            found.reports,
            selection_of(at),
            order=found.order,
            note=found.note,
        )
        stream = self._stages.assembling.stream(scope, retrieved, mood, at, begun)
        return _pointing_out(stream, state.current_emotions)

    def cycle(
        self,
        *,
        energy: float,
        emotions: Emotions = None,
        goal: str | None = None,
        context_hunger: float = 0.0,
        unresolved_tension: float = 0.0,
        active_contexts: Ids = (),
        tension_source: str | None = None,
        reality_pressure: float = 0.5,
        feedback_weight: float = WEIGHT,
        records: bool = True,
        agent: str | None = None,
        project: Ids | None = None,
    ) -> Cycle:
        """One autonomous cycle: choose what to ask by how the agent is, retrieve, feed energy back, keep what was
        learned.

        Context hunger above 0.7 asks broadly about the active contexts, with an energy of 0.5 at least: about each of
        the first eight by itself, about the rest together, and tells first what is nearest to each; unresolved
        tension above 0.6 asks how the matter came about, with the dominant emotions; else the state is asked. A
        potential above 0.5 moves the energy; where it rises by more than 0.2, what is unresolved is activated.

        `energy`, `context_hunger`, `unresolved_tension`, `reality_pressure`: 0..1. `feedback_weight`: how much feedback
        counts, 0..1. `records`: whether dissonances are kept as learnings, each once, in the name of `agent`; if that
        is too slow, `learnings` among the stream's `ways` has the fault.

        Raises InvalidValue; NotFound: there is no such project.
        """
        contexts = listed(active_contexts, "active context")
        state = AgentState(
            energy=check_unit(energy, "energy"),
            emotions=check_emotions(emotions, "emotions") or {},
            goal=None if goal is None else check_name(goal, "goal"),
            context_hunger=check_unit(context_hunger, "context_hunger"),
            unresolved_tension=check_unit(unresolved_tension, "unresolved_tension"),
            active_contexts=tuple(check_name(each, "active_contexts") for each in contexts),
            tension_source=None if tension_source is None else check_name(tension_source, "tension_source"),
            reality_pressure=check_unit(reality_pressure, "reality_pressure"),
        )
        weight = check_unit(feedback_weight, "feedback_weight")
        choice = choice_of(state)
        if (length := len(", ".join(words_of_choice(state, choice).searched))) > QUERY_CHARACTERS:
            raise InvalidValue(
                f"The active_contexts have {length:,} characters together, more than {QUERY_CHARACTERS:,}",
                "Name fewer of them",
            )
        stream = self._chosen(choice, state, agent, project)
        feedback = feedback_on(state.energy, stream.energy_feedback_potential, weight)
        waiting = tuple(each for each in stream.memories if each.resolution_state in UNRESOLVED)
        learnings: tuple[Memory, ...] = ()
        if records:
            learned = self._stages.learnings.record(self._seen_by(agent, project), stream)
            learnings = learned.answer
            if learned.fault is not None:
                stream = replace(stream, ways=(*stream.ways, learned.report("learnings", len(learnings))))
        return Cycle(choice, stream, feedback, waiting if feedback.activates else (), learnings)

    def _kept(
        self, scope: Scope, intention: RetrievalIntention, asked: Mapping[str, Any], begun: float
    ) -> Stream:
        """The stream of an intention, as it was made before if it may be."""
        ours = {name: value for name, value in asked.items() if name not in _OF_THE_CALL}
        stream = self._stages.kept_streams.get(scope, ours, lambda: self._intended(scope, [intention], begun))
        levels, tiers = dict(stream.levels), dict(stream.tiers)
        took_ms = (time.perf_counter() - begun) * 1e3
        return replace(stream, id=intention.intention_id, latency_ms=took_ms, levels=levels, tiers=tiers)

    def _intended(self, scope: Scope, intentions: Sequence[RetrievalIntention], begun: float) -> Stream:
        """The stream of an intention, or of several that differ in their words alone: what each is nearest to in turns
        comes first."""
        intention = intentions[0]
        if intention.rerank:
            self._stages.assembling.check_reranks()
        text = ", ".join(each.query_text for each in intentions)
        selection, goal = intention.selection, intention.current_goal
        point = selection.as_of
        now = (point.valid if point else None) or self._stages.clock()

        def run(each: RetrievalIntention) -> WaysFound:
            day = asked_day(each.query_text, now)
            asked = replace(each, query_text=matter_of(each.query_text) if day is None else day.text)
            shared = self._stages.retriever.shared(scope, asked.query_text)
            return self._stages.six_ways.run(scope, asked, shared=shared, now=now)

        asked_apart = [run(each) for each in intentions]
        found, note = together(asked_apart), ""
        if not any(found.levels.values()) and not any(each.fault for each in found.reports):
            note = why_none(
                self._stages.door.asking(scope),
                intention,
                scope,
                lambda other: run(other).memories,
                self._stages.clock(),
            )
        elif selection.mode is TemporalMode.CURRENT and (day := asked_day(text, now)) is not None:
            note = day.hint
        order = in_turns([each.nearest for each in asked_apart]) if len(asked_apart) > 1 else ()
        # Whoever asks is curious, which says nothing of what is asked.
        asked = {name: strength for name, strength in emotions_of(text).items() if name != "curiosity"}
        current = asked if intention.current_emotions is None else intention.current_emotions
        retrieved = Retrieved(
            intention.intention_id,
            text,
            str(selection.mode),
            found.levels,
            found.reports,
            selection,
            found.names,
            tuple(order),
            note,
            intention.rerank,
        )
        mood = Mood(asked or current, intention.reality_pressure, goal, current)
        stream = self._stages.assembling.stream(scope, retrieved, mood, self._stages.clock(), begun)
        if not len(stream) or stream.answered or len(intentions) > 1:
            return stream
        left_out = why_unanswered(intention, lambda other: self._answering(scope, other, begun))
        return replace(stream, note=". ".join(filter(None, (left_out, stream.note))))

    def _answering(self, scope: Scope, intention: RetrievalIntention, begun: float) -> list[Memory]:
        """The memories that answer an intention, each once."""
        items = self._intended(scope, [intention], begun).items
        told = (each.memory for each in items if each.answers or each.answers_by_links)
        return list({each.logical_id: each for each in told}.values())

    def _chosen(self, choice: Choice, state: AgentState, agent: str | None, project: Ids | None) -> Stream:
        whose: dict[str, Any] = {
            "agent": agent,
            "project": project,
            "reality_pressure": state.reality_pressure,
            "current_goal": state.goal,
            "current_emotions": state.emotions,
        }
        if choice is Choice.STATE:
            felt = any(state.emotions.values())
            mode = QueryMode.RELATED_UNRESOLVED if felt or state.goal else QueryMode.WHAT_I_WAS_DOING
            return self.by_state(current_energy=state.energy, query_mode=mode, **whose)
        begun = time.perf_counter()
        asked = {**whose, "max_results_per_level": STREAM_RESULTS}
        temporal_mode = None
        if choice is Choice.BROAD:
            asked["min_energy"] = BROAD_ENERGY
        else:
            temporal_mode = TemporalMode.EVOLUTION
            asked["required_emotions"] = dominant(state.emotions)
            asked["came_about"] = True
        words = words_of_choice(state, choice)
        times = AskedTimes(temporal_mode, names=_TIMES)
        made = partial(intention_of, asked=asked, times=times, clock=self._stages.clock)
        intentions = list(map(made, words.searched))
        scope = self._seen_by(agent, project)
        stream = self._intended(scope, intentions, begun)
        if choice is Choice.EVOLUTION and stream.note and not stream.answered:
            # How the matter came about is the question, whatever was felt of it.
            freed = [replace(each, required_emotions=()) for each in intentions]
            whatever = self._intended(scope, freed, begun)
            if len(whatever):
                stream = replace(whatever, note=f"{stream.note.rpartition(':')[0]}: it is told all the same")
        return replace(_pointing_out(stream, state.emotions), query=words.said)

    def _seen_by(self, agent: str | None, project: Ids | None) -> Scope:
        """The scope of an agent, narrowed to projects, which must exist."""
        scope = self._within(project)
        return scope if agent is None else replace(scope, agent=check_name(agent, "agent"))


def _pointing_out(stream: Stream, emotions: Iterable[str]) -> Stream:
    """A stream with a note of the emotions that were given and nobody knows."""
    told = unknown_felt(emotions, stream.memories)
    return replace(stream, note=". ".join(filter(None, (stream.note, told)))) if told else stream


def dominant(emotions: Mapping[str, float]) -> Sequence[str]:
    """The strongest emotion, and those at least three quarters as strong.

    >>> dominant({"frustration": 0.8, "drive": 0.7, "calm": 0.2})
    ['frustration', 'drive']
    """
    strongest = max(emotions.values(), default=0.0)
    return [name for name, strength in emotions.items() if strength > 0 and strength >= 0.75 * strongest]
