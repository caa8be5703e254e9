"""Rules that find cause and effect in English text, with the direction and the sentence that they come from (E5).

Texts in, parts of texts out; what a question asks for, and which of two spans is the cause. A text that no rule knows
says nothing of cause and effect. No vectors, no statistics. The wordings are core/causes/causal_order's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.causes.causal_order import (
    ANCHOR_LETTERS,
    ANCHORS,
    BACKWARD,
    COMMON,
    COMMON_ANCHORS,
    CUE,
    WORKING,
    lowered,
)
from engramforge.model.causation import AskedDirection, Causation

READ_CHARACTERS: Final = 20_000
"""How far into a text is read."""
MOST_CAUSATIONS: Final = 64
"""The most detections from a single text."""

Span = tuple[int, int]

_BEGINNING: Final = re.compile(rf"([a-z]{{1,{ANCHOR_LETTERS}}})[a-z]*+")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[\"')\]]?\s+|\n+")
_LONGEST_SENTENCE: Final = 1_000
_NOUN_OF: Final = re.compile(
    r"(?i)\b(?:cause|reason|trigger|explanation|source)s?\s+(?:of|for|behind|why|that)\s++(?P<effect>[^,;]{3,200}?)\s++"
    r"(?:is|was|are|were|has\s+been|being)\s+(?:that\s+|because\s+(?:of\s+)?|due\s+to\s+)?(?P<cause>[^;]{3,300})"
)
_BREAKS: Final = re.compile(
    r"(?i)[;:]\s|,\s*(?:but|while|although|though|whereas|which)\b|,\s*(?:and|or)"
    r"(?=\s+(?:i|we|they|he|she|it|you|this|there)\b)|\s(?:but|and then|-|\u2013|\u2014)\s"
)
_LEFT_TRIM: Final = re.compile(
    r"(?i)^(?:[\s,;:\"'(\[*-]|(?:and|but|or|so|then|well|that|also|now|just|maybe|probably|apparently|i think"
    r"|it seems|it turned out|turns out)\b(?=\W))+"
)
_RIGHT_TRIM: Final = re.compile(
    r"(?i)(?>(?:[\s,;:.!?\"')\]*-]|(?<=\s)(?:and|but|that|which|who|will|can|could|may|might|would|should|must|has|have|had|is"
    r"|are|was|were|be|been|being|also|often|usually|probably|always|just|mainly|mostly|partly|largely|only|all|to|do"
    r"|does|did|then|it|\w+ly)(?=\W|\Z)){1,60})\Z"
)
_END_TRIM: Final = re.compile(r"[\s,;:.!?\"')\]*-]+\Z")
_TAIL: Final = 60
_NEGATED: Final = re.compile(r"(?i)(?:\bnot|n't|\bnever|\bcannot|\bwithout)(?:\s+\w+)?\s*\Z")
_IS_PASSIVE: Final = re.compile(r"(?i)\b(?:is|are|was|were|be|been|being|gets?|got)\s+(?:\w+ly\s+|not\s+)?\Z")
_PERSON: Final = re.compile(r"(?i)(?:i|we|he|she|they|you|who)(?:'\w+)?\Z")
_POINTER: Final = re.compile(r"(?i)(?:it|this|that|which|these|those)\Z")
_NO_OBJECT: Final = re.compile(
    r"(?i)\s*+(?:[.,;:!?)]|\Z|(?:is|was|are|were|has|had|have|in|on|at|to|by|and|when|after|last|yesterday|today)\b)"
)
_RELATIVE: Final = re.compile(
    r"(?i)\s(?:that|which)\s|\s(?=(?:the|this|our|my|your|their|his|her|its|a|an)\s)"
)
_CONNECTIVES: Final = frozenset({"because", "thus"})
_SUBJECT: Final = re.compile(r"(?i)\s(?=(?:i|we|they|he|she|you|it)\s)")
_DENIABLE: Final = frozenset({"verb", "works", "leads", "by", "comes", "suffered"})
_UNDERGONE: Final = re.compile(r"(?i)(?:die|dying|suffer|recover)")
_OUTCOME: Final = re.compile(r"\w+")


def causations(text: str) -> tuple[Causation, ...]:
    """What a text says of cause and effect, in its order; at most MOST_CAUSATIONS of its first READ_CHARACTERS.

    Questions say nothing of it.
    """
    if not may_tell(text):
        return ()
    head = text[:READ_CHARACTERS]
    lower = lowered(head)
    found: list[Causation] = []
    previous: Span | None = None
    for span in _sentences(head):
        if not head[slice(*span)].rstrip().endswith("?"):
            found += _Sentence(head, lower, span, previous).causations()
        if len(found) >= MOST_CAUSATIONS:
            break
        previous = span
    return tuple(found[:MOST_CAUSATIONS])


def may_tell(text: str) -> bool:
    """Whether a text holds a word that a wording of cause and effect could begin with; cheap, often wrongly true."""
    found = ANCHORS.intersection(_BEGINNING.findall(text[:READ_CHARACTERS].lower()))
    return bool(found) and (not found <= COMMON_ANCHORS or COMMON.search(text) is not None)


def _sentences(text: str) -> Iterator[Span]:
    """Spans of the sentences; one longer than _LONGEST_SENTENCE is read in pieces."""
    start = 0
    ends = [(match.start(), match.end()) for match in _SENTENCE_END.finditer(text)]
    for end, following in [*ends, (len(text), len(text))]:
        for piece in range(start, end, _LONGEST_SENTENCE):
            stop = min(piece + _LONGEST_SENTENCE, end)
            if text[piece:stop].strip():
                yield piece, stop
        start = following


class _Sentence:
    """One sentence, lower[start:end], and the span of the one before it."""

    def __init__(self, text: str, lower: str, span: Span, previous: Span | None) -> None:
        self.text = text
        self.lower = lower
        self.start, self.end = span
        self.previous = previous

    def causations(self) -> Iterator[Causation]:
        """What it says, in its order."""
        if not may_tell(self.lower[self.start : self.end]):
            return
        if (noun := _NOUN_OF.search(self.lower, self.start, self.end)) is not None:
            cue = self.lower[noun.start() : noun.start("effect")]
            if made := self._made(noun.span("cause"), noun.span("effect"), cue, noun.start()):
                yield made
                return
        cues = list(CUE.finditer(self.lower, self.start, self.end))
        for place, match in enumerate(cues):
            begin, end = self.start, self.end
            if place and cues[place - 1].lastgroup in _CONNECTIVES:
                begin = cues[place - 1].end()
            if place + 1 < len(cues) and cues[place + 1].lastgroup in _CONNECTIVES:
                end = cues[place + 1].start()
            parts = self._parts(match, (begin, end))
            if parts and (made := self._made(*parts, match.group(), match.start())):
                yield made

    def _made(self, cause: Span, effect: Span, cue: str, cue_at: int) -> Causation | None:
        """The causation with its parts trimmed; None where a part holds no word."""
        cause, effect = (_trimmed(self.text, *part, part[1] == cue_at) for part in (cause, effect))
        said = self.text[slice(*cause)], self.text[slice(*effect)]
        if not all(map(_has_word, said)):
            return None
        sentence = self.text[self.start : self.end].strip()
        return Causation(*said, " ".join(cue.split()), sentence, cause, effect)

    def _before(self, place: int) -> str:
        return self.lower[self.start : place]

    def _parts(self, match: re.Match[str], limits: Span) -> tuple[Span, Span] | None:
        """Spans of cause and effect around a cue; None where it says nothing of them."""
        kind = str(match.lastgroup)
        if kind == "sends" or (kind in _DENIABLE and _NEGATED.search(self._before(match.start()))):
            return None
        if kind == "induced":
            return _compound(self.lower, match, limits)
        left = _left_of(self.lower, limits[0], match.start())
        right = _right_of(self.lower, match.end(), limits[1])
        said_before = _trimmed_text(self.lower, left)
        is_first = not said_before and kind != "suffered"
        if kind == "since" and not (is_first or self._before(match.start()).rstrip().endswith((",", ";"))):
            return None
        if kind in ("because", "since") and is_first:
            return _fronted(self.lower, match.end(), limits[1], self.previous)
        if is_first or _POINTER.fullmatch(said_before):
            if self.previous is None:
                return None
            left = self.previous
        if kind in BACKWARD:
            return right, _with_outcome(self.lower, match, left)
        if kind in ("thus", "leads"):
            return left, right
        return self._around_verb(match, left, right)

    def _around_verb(self, match: re.Match[str], left: Span, right: Span) -> tuple[Span, Span] | None:
        """Subject and object of a verb of causing; turned round where the object stands before ("the harm it did")."""
        before = self._before(match.start())
        if _PERSON.fullmatch(_trimmed_text(self.lower, left)) or _IS_PASSIVE.search(before):
            return None
        if not _NO_OBJECT.match(self.lower, right[0], max(right)):
            return left, ((match.start(), right[1]) if match.lastgroup == "works" else right)
        relative = list(_RELATIVE.finditer(self.lower, *left))
        if not relative:
            return None
        return (relative[-1].end(), left[1]), (left[0], relative[-1].start())


def _with_outcome(lower: str, match: re.Match[str], left: Span) -> Span:
    """The effect before a cue, with the cue's first word where that is part of the effect: broke, fixed, died."""
    kind, at = match.lastgroup, match.start()
    belongs = (
        kind in ("broke", "suffered")
        or _UNDERGONE.match(lower, at)
        or (kind == "by" and WORKING.match(lower, at))
    )
    outcome = _OUTCOME.match(lower, at) if belongs else None
    return (min(left[0], at), outcome.end()) if outcome else left


def _compound(text: str, match: re.Match[str], limits: Span) -> tuple[Span, Span] | None:
    """The words around "-induced": the one before it, and up to two after it."""
    before = re.search(r"(?<![\w-])[\w-]++\Z", text[limits[0] : match.start()])
    after = re.compile(r"\s+\w+(?:\s+\w+)?").match(text, match.end(), limits[1])
    if before is None or after is None:
        return None
    return (limits[0] + before.start(), match.start()), after.span()


def _fronted(text: str, begin: int, end: int, previous: Span | None) -> tuple[Span, Span] | None:
    """ "Because C, E": split at the comma; without one it explains the sentence before."""
    comma = text.find(",", begin, end)
    if comma >= 0 and _has_word(text[comma:end]):
        return (begin, comma), (comma + 1, end)
    if subject := _SUBJECT.search(text, begin + 3, end):
        return (begin, subject.start()), (subject.end(), end)
    return ((begin, end), previous) if previous is not None else None


def _left_of(text: str, begin: int, end: int) -> Span:
    for match in _BREAKS.finditer(text, begin, end):
        if _has_word(text[match.end() : end].removesuffix(" ")) and len(text[match.end() : end].split()) > 1:
            begin = match.end()
    return begin, end


def _right_of(text: str, begin: int, end: int) -> Span:
    for match in _BREAKS.finditer(text, begin, end):
        if _has_word(text[begin : match.start()]):
            return begin, match.start()
    return begin, end


def _trimmed(text: str, begin: int, end: int, is_before_cue: bool = True) -> Span:
    """Without white space and conjunctions at the ends; before a cue without its auxiliaries too."""
    piece = text[begin:end]
    first = _LEFT_TRIM.match(piece)
    begin += first.end() if first is not None else 0
    trim = _RIGHT_TRIM if is_before_cue else _END_TRIM
    if (last := trim.search(text[begin:end][-_TAIL:])) is not None:
        end -= len(last.group())
    return begin, max(begin, end)


def _trimmed_text(text: str, span: Span) -> str:
    return text[slice(*_trimmed(text, *span))]


def _has_word(text: str) -> bool:
    return any(letter.isalnum() for letter in text)


_ASKS_CAUSE: Final = re.compile(
    r"(?i)\bwhy\b|\bhow\s+come\b|\b(?:warum|wieso|weshalb|pourquoi|por\s+qu\u00e9)\b"
    r"|\bwhat(?:'s|\s+(?:is|was|are|were|could|might|may|would|has|have|had))?\s+(?:be\s+)?(?:\w+\s+)?"
    r"(?:caus(?:ed|es|ing)|made|makes|led\s+to|leads\s+to|triggered|triggers|prompted|motivated|inspired|provoked|sparked"
    r"|drove|brought\s+(?:on|about)|resulted\s+in|behind|broke|fixed|happened\s+before)\b"
    r"|\bwh(?:at|ich)\b[^.?!]{0,40}\b(?:reasons?|causes?|motivations?|motives?|root\s+cause|explanation)\b"
    r"|\bfor\s+what\s+(?:reason|purpose)\b|\bdue\s+to\s+what\b|\bbecause\s+of\s+what\b|\bas\s+a\s+result\s+of\s+what\b"
    r"|\b(?:reasons?|causes?)\s+(?:of|for|behind)\b[^.!]*\?|\bwhat\s+for\s*\?"
)
_ASKS_EFFECT: Final = re.compile(
    r"(?i)\bwhat(?:'ll|\s+(?:will|would|could|might|did|does|do))?\s+(?:\w+\s+)?happen(?:s|ed)?\s*+(?:,?+\s*+(?:then|next|after(?:wards)?"
    r"|when|if|because|as\s+a\s+(?:result|consequence)|once|thereafter)\b)|\bwhat\s+(?:then|next)\b"
    r"|\bwhat\b[^.?!]{0,60}\bas\s+a\s+(?:result|consequence)\b(?!\s+of\s+what)"
    r"|\bwh(?:at|ich)\b[^.?!]{0,40}\b(?:consequences?|results?|effects?|impacts?|outcomes?|repercussions?|aftermath)\s+(?:of|from"
    r"|did|does|has|have|had|on)\b|\bwhat\s+(?:did|does|do|will|would|could|has|have|had)\b[^.?!]{1,120}\b(?:caused?"
    r"|lead\s+to|led\s+to|result(?:ed)?\s+in|triggered?|bring\s+about|brought\s+about)\s*\?"
    r"|\bwhat\s+(?:came|has\s+come|comes)\s+(?:out\s+)?of\b"
    r"|\bwhat\s+(?:did|do|does|have|has|had)\s+[^.?!]{1,40}?\b(?:do|did|done)\s+(?:because|since|as|when|after|about)\b"
)


def asked_direction(text: str) -> AskedDirection | None:
    """Whether a question asks for causes or effects; None for any other. What asks for both asks for effects."""
    head = text[:READ_CHARACTERS]
    if _ASKS_EFFECT.search(head):
        return AskedDirection.EFFECT
    return AskedDirection.CAUSE if _ASKS_CAUSE.search(head) else None
