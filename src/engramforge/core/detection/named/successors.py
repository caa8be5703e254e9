"""What takes the place of a decision that a sentence ends by name: "D003 is history, we moved to Oslo"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from engramforge.core.detection.cues.act_words import REVOKES
from engramforge.core.detection.cues.named_cues import ANY, DECISION, NOUN, D
from engramforge.core.detection.decision_rules import decision_in
from engramforge.core.detection.named.updates import STANDS, SUCCESSOR, ids_in, updated
from engramforge.core.detection.passages import Passage
from engramforge.core.detection.said_parts import decision_said
from engramforge.core.detection.traps import asks, is_conditional, is_hearsay, is_hedged, is_unreal_request
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection, Voice

_SUPERSEDED: Final = "superseded"
_WITH: Final = re.compile(
    rf"(?i)(?<![\w-]){D}\b[^,;:.]{{0,30}}? (?:(?:with|by|to|par|por|con|in favou?r of):? (?P<by>\S.{{1,160}})"
    r"|durch (?P<durch>\S[^,;]{1,60}?) (?:ersetzt|abgel\u00f6st))"
)
_AGENT: Final = re.compile(
    r"(?i)\W*(?:the|our|my|a|an)? ?(?:team|board|management|customer|client|legal|boss|lead|committee|newer"
    r"|new decision"
    r"|mistake|accident|now|noon|then|us|me|him|her|them|majority|vote|everyone|somebody|someone|this|that|it"
    r"|which)\b"
)
"""Who replaces it, or when; it says nothing of what is new."""
_PARTS: Final = re.compile(
    r"[,;:.\u2014\u2013]\s+|\s-+>?\s|\sand\s(?=(?:we|i|chose|picked|took|went|use|moved|switched)\b)"
)
_OPENING: Final = re.compile(r"(?i)\W*(?:(?:and|so|but|then|now|also|und|et|y|ok|hi|hey)\b[\s,]*)*")
_REASON: Final = re.compile(
    r"(?i)(?:because|since|as|due|thanks?|sorry|weil|da|denn|car|parce|porque|it|that|this|which|she|he|they)\b"
)
_CHOOSING: Final = re.compile(
    r"(?i)\b(?:instead|from now on|stattdessen|ab jetzt|ab sofort|d\u00e9sormais|\u00e0 la place|en su lugar"
    r"|a partir de ahora)\b"
    r"|^(?:we|i)(?:['\u2019](?:re|ve|ll|m)| are| have| will| am)?(?: (?:now|just|all|then))? (?:us(?:e|ed"
    r"|ing)|mov(?:e|ed|ing)"
    r"|switch\w*|migrat\w*|go(?:ing)?|went|chos?e|choosing|pick\w*|took|take|settled|adopt\w*|host\w*"
    r"|deploy\w*|run(?:ning)?"
    r"|stor(?:e|ing)|writ(?:e|ing)|buil[dt]\w*|send\w*)\b|^(?:chose|picked|use|took|mov(?:ed|ing) to"
    r"|switch(?:ed|ing) to|went with|going with)\b"
    r"|^(?:on (?:utilise|passe|prend|h\u00e9berge|d\u00e9ploie)|nous (?:utilisons|passons|prenons)|usamos"
    r"|desplegamos|pasamos a"
    r"|elegimos|wir (?:nutzen|nehmen|verwenden|haben uns|setzen|gehen|wechseln))\b|\b(?:is|are) (?:in\W*$"
    r"|our\b|the new\b"
    r"|going to be\b)"
)
"""Words of a clause beside the end of a decision that state the new one."""
_DENIED: Final = re.compile(r"(?i)\b(?:no|not|never|nobody|nothing|without)\b|n['\u2019]t\b")
_INSTEAD: Final = re.compile(
    r"(?i)\b(?:instead of|rather than|in place of|in lieu of|statt|anstelle von|anstatt|au lieu de|\u00e0 la"
    r" place de|plut\u00f4t que"
    rf"|en lugar de|en vez de)\s+{DECISION}"
)
_WISHES: Final = re.compile(
    r"(?i)\b(?:would|could|should|might|may|prefer|want|wants|like|consider\w*|propos\w+|suggest\w*|look\w*"
    r"|see|read)\b"
)
_ENDING: Final = re.compile(rf"(?i)\b{REVOKES}\s+(?:it|this|that|the|these|those)\b")
"""Ends something else: "we abandoned that idea"."""
_TAKING: Final = re.compile(
    r"(?i)\A\W*(?P<by>\S[^,;:.]{1,80}?) (?:now )?(?:replaces|supersedes|overrides|takes the place of|ersetzt"
    r"|remplace|reemplaza"
    rf"|sustituye(?: a)?) {DECISION}|\b(?:swapp|exchang|trad)(?:ed|ing) (?:out )?{NOUN}{D}\b for"
    rf" (?P<durch>\S.{{1,120}})"
)
_MERE: Final = re.compile(r"(?i)(?:chose|picked|took|use)\b")
_LEAST_SAID: Final = 3
"""Fewer words say nothing of what is new: "we moved"."""
_LEAST_WORDS: Final = 5
"""Fewer words beside the name of the old one state nothing."""


def with_successor(passage: Passage, named: Sequence[Detection]) -> list[Detection]:
    """Decisions that a sentence ends, with the new one that it states beside that, if any, as their successor."""
    if any(
        each.kind is not Kind.DECISION
        or not each.is_update
        or each.voice is Voice.REPORTED
        or each.status == "active"
        for each in named
    ):
        return list(named)
    is_superseded = any(each.status == _SUPERSEDED for each in named)
    if not (words := _given(passage) if is_superseded else "") and not (
        words := stated_beside(passage, is_superseded=is_superseded)
    ):
        return list(named)
    new = decision_said(passage.said, SUCCESSOR, STANDS, words)
    after = [
        replace(each, status=_SUPERSEDED, superseded_by=each.superseded_by or new.text) for each in named
    ]
    return [new, *after]


def instead_in(passage: Passage) -> list[Detection]:
    """A decision that a sentence states instead of one that it names, and the end of that one."""
    plain = passage.plain
    if (hit := _INSTEAD.search(plain)) is None or _WISHES.search(plain) or len(plain.split()) < _LEAST_WORDS:
        return []
    if asks(plain) or is_hearsay(plain) or is_hedged(plain) or is_unreal_request(plain):
        return []
    if is_conditional(plain, hit.start()) or _DENIED.search(plain):
        return []
    new = decision_said(passage.said, SUCCESSOR, STANDS, passage.said)
    return [new, *(updated(passage, each, _SUPERSEDED, "", new.text) for each in ids_in(hit[0]))]


def _given(passage: Passage) -> str:
    """What a sentence says a decision to be replaced with."""
    if (told := _WITH.search(passage.plain) or _TAKING.search(passage.plain)) is None:
        return ""
    which = "by" if told["by"] else "durch"
    words = passage.said[told.start(which) : told.end(which)]
    return "" if ANY.search(words) or _AGENT.match(words) else words.strip()


def stated_beside(passage: Passage, *, is_superseded: bool = False) -> str:
    """The clauses of a sentence that state a decision beside one that names an entry; "" if none do."""
    plain = passage.plain
    cuts = [(0, 0), *(hit.span() for hit in _PARTS.finditer(plain)), (len(plain), len(plain))]
    was_named = False
    for (cut, begin), (end, _) in pairwise(cuts):
        if ANY.search(plain, begin, end):
            was_named = True
            continue
        is_led = was_named and is_superseded and plain[cut] == ":"
        was_named = False
        if (opening := _OPENING.match(plain, begin, end)) is not None:
            begin = opening.end()
        part = passage.part(begin, end)
        if not _REASON.match(part.plain) and (is_led or _is_stated(part)):
            later = ANY.search(plain, end)
            stop = max(before for before, start in cuts if later is None or start <= later.start())
            return passage.said[begin:stop].strip()
    return ""


def _is_stated(part: Passage) -> bool:
    plain = part.plain
    if len(plain.split()) < (2 if _MERE.match(plain) else _LEAST_SAID) or asks(plain) or is_hedged(plain):
        return False
    if _CHOOSING.search(plain):
        return _DENIED.search(plain) is None and _ENDING.search(plain) is None
    return _ENDING.search(plain) is None and decision_in(part) is not None
