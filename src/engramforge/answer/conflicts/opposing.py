"""How two memories contradict each other: what each says, by the rules, a judge where there is one, and the tiers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.judging import Judge, judged
from engramforge.core.conflicts.matters.alternative_kinds import WHOLE
from engramforge.core.conflicts.matters.alternatives import chosen, one_or_several, other_alternative
from engramforge.core.conflicts.matters.matter import read_matter
from engramforge.core.conflicts.replacement import names_in, replaced_by_name, same_title
from engramforge.core.conflicts.scopes.clauses import clauses_of
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import read_statement
from engramforge.core.conflicts.tiers import lower_tier
from engramforge.core.ranking.designations import Designation
from engramforge.core.text.summarising import sentences_of
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import STANDING
from engramforge.registries.decisions.decision_view import decision_text, rejected_of
from engramforge.registries.registered import registration_of
from engramforge.spaces.words.word_table import WordTable

KINDS: Final = (Kind.DECISION, Kind.LEARNING, Kind.PATTERN, Kind.NOTE, Kind.PRIMING)
"""What states something that another may contradict: a thread asks, and what was said in passing is no claim."""
_HEAD: Final = 24
"""Characters at the beginning of a text in which it says what it is called."""
_LABEL: Final = re.compile(r"\s{0,8}[A-Za-z]{1,10}[ -]?\d{1,6}\s?[:.)]\s")
"""What a text begins with that is no part of what it says: "D001: "."""
_HEADING: Final = re.compile(r"([^\n:]{3,120}):\s")
_CLAIM: Final = re.compile(r"\w\W{1,9}\w")
CLAIMS: Final = 2
"""So many sentences has a text at most that says one thing."""
STATEMENT: Final = 400
"""Characters of a text that says one thing; longer ones agree here and disagree there."""


class Claim(NamedTuple):
    """What a memory states.

    `rejected`: the alternatives. `tier`: how sure it is, 0..1. `called`: its names. `told`: all that it tells, its
    reasons too. `claims`: the sentences that claim something; None for the whole text. `title`: of a decision.
    `heading`: of one that says too much to be a claim.
    """

    text: str
    rejected: tuple[str, ...] = ()
    tier: float = 0.5
    called: tuple[Designation, ...] = ()
    told: str = ""
    claims: tuple[str, ...] | None = None
    title: str = ""
    heading: str = ""


def claim_of(memory: Memory) -> Claim | None:
    """What a memory states; None where it states nothing, no longer stands, or says more than one thing."""
    if memory.kind not in KINDS or memory.expired_at is not None or memory.invalid_at is not None:
        return None
    rejected: tuple[str, ...] = ()
    if memory.kind is not Kind.DECISION:
        text, local_id = memory.content, None
    else:
        registration = registration_of(memory)
        if registration.status not in STANDING:
            return None
        text, local_id = decision_text(memory), registration.local_id
        rejected = rejected_of(registration)
    heading = ""
    if len(text) > STATEMENT:
        found = _HEADING.match(text) if memory.kind is Kind.DECISION else None
        if found is None:
            return None
        # Which of many sentences are the decision is not known, but what it is about is.
        text = heading = found[1]
    label = _LABEL.match(text)
    called = names_in(" ".join(filter(None, (text[:_HEAD], local_id, memory.name))))[:1]
    said = text if label is None else text[label.end() :]
    claims = (
        () if heading else _claims_in(said, memory.kind is Kind.DECISION, label is not None and bool(called))
    )
    title = _title(said) if memory.kind is Kind.DECISION else ""
    return Claim(said, rejected, memory.epistemic_tier, called, memory.content, claims, title, heading)


def claim_in(text: str, rejected: Sequence[str], tier: float) -> Claim | None:
    """What a decision that is not written yet states; None where it says more than one thing."""
    if len(text) > STATEMENT:
        return None
    return Claim(text, tuple(rejected), tier, claims=_claims_in(text, is_decision=True, is_record=False))


def _claims_in(text: str, is_decision: bool, is_record: bool) -> tuple[str, ...]:
    """The sentences of a text that claim something; of a longer one the first where it is a decision, else none, as it
    describes rather than claims. `is_record`: it begins with what it is called: a title,
    which claims something where it is a decision's alone."""
    found = [each for each in sentences_of(text) if _CLAIM.search(each)]
    if len(found) > CLAIMS or is_record:
        found = found[:1] if is_decision else []
    return tuple(found)


def may_oppose(one: Claim, other: Claim) -> bool:
    """Whether two claims tell different things and have a word in common, or one names what the other is or rejects."""
    if one.told == other.told:
        return False
    if one.rejected or other.rejected or one.called or other.called:
        return True
    mine, theirs = ({word.stem for word in read_statement(each.text).words} for each in (one, other))
    return bool(mine & theirs) or bool(_chosen_once(one) & _chosen_once(other))


def _chosen_once(claim: Claim) -> set[str]:
    """The kinds of what a claim chooses that is chosen once for everything."""
    return {each.kind for said in about(claim) for each in chosen(read_matter(said)) if each.kind in WHOLE}


class Opposition(NamedTuple):
    """That two claims oppose each other: the signal that says so first, and what joins it.

    `unjudged`: why no language model judged it, where one was to.
    """

    first: Disagreement
    joined: tuple[Disagreement, ...]
    unjudged: str = ""

    @property
    def score(self) -> float:
        """How surely, 0..1."""
        return max(each.strength for each in (self.first, *self.joined))

    @property
    def why(self) -> str:
        """In words."""
        return "; ".join(each.why for each in (self.first, *self.joined))

    @property
    def signals(self) -> tuple[str, ...]:
        """All signals, the first one first."""
        return tuple(str(each.signal) for each in (self.first, *self.joined))


@dataclass(frozen=True, slots=True)
class Opposing:
    """Judges pairs of claims. `table`: how like words are. `judge`: None for rules alone."""

    table: WordTable
    judge: Judge | None = None

    def of(
        self, pairs: Sequence[tuple[Claim, Claim]], *, is_one_matter: bool = False
    ) -> list[Opposition | None]:
        """How the claims of each pair oppose each other; None where they do not.

        `is_one_matter`: whoever asks says that the two of each pair speak of the same.
        """
        found = [self._by_rules(*pair, is_one_matter) for pair in pairs]
        if self.judge is not None and pairs:
            verdicts = self.judge.judge([(one.text, other.text) for one, other in pairs])
            name = self.judge.name
            found = [judged(each, verdict, name) for each, verdict in zip(found, verdicts, strict=True)]
        return [
            None if each is None else Opposition(each, _joined(each, *pair))
            for each, pair in zip(found, pairs, strict=True)
        ]

    def _by_rules(self, one: Claim, other: Claim, is_one_matter: bool) -> Disagreement | None:
        replaced = [replaced_by_name(one.told, other.called), replaced_by_name(other.told, one.called)]
        # Which of the two holds is said, so that nothing else that they say stands against each other.
        declared = [each for each in replaced if each is not None and each.signal is Signal.REPLACED]
        if declared:
            return declared[0]
        found = [
            *(
                disagreement(
                    text, another, one.rejected, other.rejected, self.table.like, is_one_matter=is_one_matter
                )
                for text in said_by(one)
                for another in said_by(other)
            ),
            *replaced,
            *_by_headings(one, other),
            same_title(one.title, one.called, other.title, other.called, self.table.like),
        ]
        return max((each for each in found if each), key=lambda each: each.strength, default=None)


def _by_headings(one: Claim, other: Claim) -> Iterator[Disagreement | None]:
    """How records of which one is told by its heading alone choose differently."""
    if one.heading or other.heading:
        for said in about(one):
            for replied in about(other):
                told = read_matter(said), read_matter(replied)
                yield other_alternative(*told)
                yield one_or_several(*told)


def about(claim: Claim) -> tuple[str, ...]:
    """What says what a claim is about: its clauses, or its heading."""
    if claim.heading:
        return (claim.heading,)
    return tuple(clause for said in said_by(claim) for clause in clauses_of(said))


def _joined(found: Disagreement, one: Claim, other: Claim) -> tuple[Disagreement, ...]:
    lower = lower_tier(found, one.tier, other.tier)
    return () if lower is None else (lower,)


def said_by(claim: Claim) -> tuple[str, ...]:
    """The sentences of a claim that are compared."""
    return (claim.text,) if claim.claims is None else claim.claims


def _title(text: str) -> str:
    """The first sentence, without what stands in brackets at its end."""
    first = next(iter(sentences_of(text)), "").rstrip(". ")
    return first.rpartition("(")[0].rstrip() if first.endswith(")") and "(" in first else first
