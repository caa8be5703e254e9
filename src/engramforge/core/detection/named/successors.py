"""What takes the place of a decision that a sentence ends by name: "D003 is history, we moved to Oslo"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Final

from engramforge.core.detection.cues.act_words import CHANGES_MIND, REVOKES
from engramforge.core.detection.cues.named_cues import ANY, DECISION, NOUN, D
from engramforge.core.detection.decision_rules import decision_in
from engramforge.core.detection.named.updates import STANDS, SUCCESSOR, ids_in, updated
from engramforge.core.detection.passages import Passage
from engramforge.core.detection.said_parts import decision_said
from engramforge.core.detection.settling import settled_by
from engramforge.core.detection.traps import asks, is_conditional, is_hearsay, is_hedged, is_unreal_request
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection, Voice

_SUPERSEDED: Final = "superseded"
_WITH: Final = late(
    rf"(?i)(?<![\w-]){D}\b[^,;:.]{{0,30}}? (?:(?:with|by|to|par|por|con|in favou?r of):? "
    r"(?:(?:this|the following)(?: \w+)?: ?)?(?P<by>\S.{1,160})"
    r"|durch (?P<durch>\S[^,;]{1,60}?) (?:ersetzt|abgel\u00f6st))"
)
_AGENT: Final = late(
    r"(?i)\W*(?:(?:the|our|my|a|an)? ?(?:team|board|management|customer|client|legal|boss|lead|committee|newer|new "
    r"(?:decision|ruling|rule|choice|plan)(?!, (?-i:[A-Z]))|mistake|accident|now|noon|then|us|me|him|her|them|majority"
    r"|vote|everyone|somebody|someone|this|that|it|which)|on|nous|wir|we|i)\b"
)
"""Who replaces it, or when; it says nothing of what is new."""
_PARTS: Final = late(
    r"\s?[,;:.\u2014\u2013]\s+|\s-+>?\s|\sand\s(?=(?:we|i|chose|picked|took|went|use|moved|switched|do|go|take)\b)"
)
_OPENING: Final = late(r"(?i)\W*(?:(?:and|so|but|then|now|also|und|et|y|ok|hi|hey)\b[\s,]*)*")
_REASON: Final = late(
    r"(?i)(?:because|since|as|due|thanks?|sorry|weil|da|denn|car|parce|porque|(?:it|that|this|c)(?!(?:['\u2019]"
    r"| is | will be )[^,;]{1,40} (?:instead|from (?:now|here) on|now)\b)|which|she|he|they|l[ao]s? (?:he|ha)\w*)\b"
)
_REPLACES: Final = late(rf"(?i){CHANGES_MIND}")
"""Says that something else stands from now on, which may then be worded in any way."""
_BESIDE: Final = late(
    r"(?i)\W*(?:with|in|on|at|for|by|to|after|before|during|following|effective|per|according|see|update|convert"
    r"|tell|adapt|adjust|remind|check|look|note|add|change|fix|list|show|give|make|document|mark|send|rewrite"
    r"|rename|move|clean|inform|also|what|the old|i)\b|.*(?:\b(?:was|were|had|did|too|never|not|nothing|nobody|fail\w*"
    r"|still|already|pain|slow|expensive|wrong|better|outdated|happy|complain\w*|pass\w*|broke\w*)\b|n['\u2019]t\b)"
)
"""Asks for something, or tells why or when: that says nothing of what is new."""
_BY_WORD: Final = late(
    rf"(?i)(?>\W*)(?:(?:so|and|thus|hence)\b(?>\W*))?(?:that|this|it|which)\b[^,;:]{{1,30}}{NOUN}{D}\b"
)
"""What took the place stands before it: "so that replaces D001"."""
_OWN_ACT: Final = late(
    rf"(?i)\W*(?:(?:we|i)\b|let['\u2019]?s\b|{CHANGES_MIND}|(?:replac|overrid|super[cs]ed|swap)\w* (?:decision )?[DA])"
)
_CHOOSING: Final = late(
    r"(?i)\b(?:instead|from (?:now|here) on|stattdessen|ab jetzt|ab sofort|d\u00e9sormais|\u00e0 la place|en su lugar"
    r"|a partir de ahora)\b|^(?:we|i)(?:['\u2019](?:re|ve|ll|m)| are| have| will| am)?(?: (?:now|just|all|then))? "
    r"(?:us(?:e|ed|ing)|mov(?:e|ed|ing)|switch\w*|migrat\w*|go(?:ing)?|went|chos?e|choosing|pick\w*|took|take|settled"
    r"|adopt\w*|host\w*|deploy\w*|run(?:ning)?|stor(?:e|ing)|writ(?:e|ing)|buil[dt]\w*|send\w*)\b|^(?:chose|picked|use"
    r"|took|mov(?:ed|ing) to|switch(?:ed|ing) to|went with|going with)\b|^(?:on (?:utilise|passe|prend|h\u00e9berge"
    r"|d\u00e9ploie)|nous (?:utilisons|passons|prenons)|usamos|desplegamos|pasamos a|elegimos|wir (?:nutzen|nehmen"
    r"|verwenden|haben uns|setzen|gehen|wechseln))\b|\b(?:is|are) (?:in\W*$|our\b|the new\b|going to be\b)"
)
"""Words of a clause beside the end of a decision that state the new one."""
_DENIED: Final = late(r"(?i)\b(?:no|not|never|nobody|nothing|without)\b|n['\u2019]t\b")
_INSTEAD: Final = late(
    r"(?i)\b(?:instead of|rather than|in place of|in lieu of|statt|anstelle von|anstatt|au lieu de|\u00e0 la place"
    rf" de|plut\u00f4t que|en lugar de|en vez de)\s+(?:what (?:\w+ ){{0,4}}?)?{DECISION}(?: sa(?:ys|id))?"
    rf"|\A\W*{NOUN}{D} (?:(?:is|are) now|ist (?:jetzt|nun)) (?=[^.;?!]{{1,100}} (?:instead of|rather than|statt)\b)"
)
_CHANGED: Final = late(
    rf"(?i)\A\W*(?:(?:we|i)(?:['\u2019]ve| have)? (?:chang|revis|amend)ed (?P<id>{D})\s?[,;:]"
    rf"|(?:update|amendment|correction) (?:to|of|on|for) (?P<other>{D})\s?:(?=.*\b(?:now|instead)\b))"
)
_MERELY_CHANGED: Final = late(
    rf"(?i)\A\W*(?:(?:we|i)(?:['\u2019]ve| have)? (?:chang|revis|amend|updat)ed {NOUN}{D}"
    rf"|{NOUN}{D} (?:has |was |is |has been )?(?:changed|revised|amended|updated)(?: (?:today|yesterday|again))?)\W*\Z"
)
"""Says of a decision only that it is another one now."""
_NOW: Final = late(r"(?i)\b(?:now|henceforth|nun|jetzt|maintenant|ahora)\b")
_TURNS_FROM: Final = late(
    rf"(?i)\A\W*(?:(?:we|i)(?:['\u2019]ve| have)? )?{CHANGES_MIND} (?P<what>[^,;:?!]{{2,60}}?)\W*\Z"
)
_BARE: Final = late(rf"(?i)(?=.{{0,80}}\Z)[^,;:]*{D}\b(?: [\w'\u2019]+){{0,5}}\W*\Z")
"""Says of a decision no more than that it is replaced."""
_ALSO: Final = late(r"(?i)\W*(?:also|additionally|separately|besides|moreover|by the way|btw)\b")
"""Turns to something else."""
_WISHES: Final = late(
    r"(?i)\b(?:would|could|should|might|may|prefer|want|wants|like|consider\w*|propos\w+|suggest\w*|look\w*|see|read)\b"
)
_ENDING: Final = late(rf"(?i)\b{REVOKES}\s+(?:it|this|that|the|these|those)\b|\b(?:any ?more|any longer)\b")
"""Ends something else: "we abandoned that idea"."""
_TAKING: Final = late(
    r"(?i)\A\W*(?P<by>\S[^,;:.]{1,80}?) (?:now )?(?:replaces|supersedes|overrides|takes the place of|ersetzt|remplace"
    rf"|reemplaza|sustituye(?: a)?|takes over from(?: what (?:\w+ ){{1,4}}?in)?) {DECISION}|\b(?:swapp|exchang"
    rf"|trad)(?:ed|ing) (?:out )?{NOUN}{D}\b for (?P<durch>\S.{{1,120}})"
)
_MERE: Final = late(r"(?i)(?:chose|picked|took|use)\b")
_LEAST_SAID: Final = 3
"""Fewer words say nothing of what is new: "we moved"."""
_LEAST_WORDS: Final = 5
"""Fewer words beside the name of the old one state nothing."""


def with_successor(passage: Passage, named: Sequence[Detection]) -> list[Detection]:
    """Decisions that a sentence ends, with the new one that it states beside that, if any, as their successor."""
    if not all(map(_is_ended, named)):
        return list(named)
    is_replaced = replaces(passage, named)
    words = (is_replaced and _given(passage)) or stated_beside(passage, is_replaced=is_replaced)
    if not words:
        return list(named)
    new = decision_said(passage.said, SUCCESSOR, STANDS, words)
    return [new, *map(partial(followed, new=new), named)]


def replaces(passage: Passage, said: Sequence[Detection]) -> bool:
    """Whether a sentence says that something else stands instead of a decision, without telling yet what."""
    ended = [each for each in said if _is_ended(each)]
    return (
        0 < len(ended) == len(said)
        and all(each.superseded_by is None for each in ended)
        and (any(each.status == _SUPERSEDED for each in ended) or _REPLACES.search(passage.plain) is not None)
    )


def succeeded(before: Passage, passage: Passage, said: Sequence[Detection]) -> Detection | None:
    """What a sentence states right after one that only says that a decision is replaced; None if nothing.

    `said`: what that sentence says by itself.
    """
    if said or _ALSO.match(passage.plain):
        return _made(said)
    return _said_freely(passage) if _OWN_ACT.match(before.plain) else None


def preceded(before: Passage, passage: Passage, said: Sequence[Detection]) -> Detection | None:
    """As `succeeded`, of the sentence `before`, which says `said`."""
    if said:
        return _made(said) if _BARE.match(passage.plain) else None
    return _said_freely(before) if _BY_WORD.match(passage.plain) else None


def changed_to(before: Passage, passage: Passage, said: Sequence[Detection]) -> Detection | None:
    """The decision that a sentence states right after one that only says that another was changed; None if none."""
    if _ALSO.match(passage.plain) or not _MERELY_CHANGED.match(before.plain):
        return None
    is_new = _NOW.search(passage.plain) or _CHOOSING.search(passage.plain)
    return _made(said) or (_said_freely(passage) if is_new else None)


def _made(said: Sequence[Detection]) -> Detection | None:
    new = (each for each in said if each.kind is Kind.DECISION and not each.is_update and not each.local_id)
    return next((each for each in new if each.voice is Voice.OWN), None)


def _said_freely(passage: Passage) -> Detection | None:
    is_new = not ANY.search(passage.plain) and _stands(passage)
    return decision_said(passage.said, SUCCESSOR, STANDS, passage.said) if is_new else None


def turned_from(passage: Passage) -> list[Detection]:
    """A decision without a name that a sentence only turns from: "changed my mind about Hetzner"."""
    if (hit := _TURNS_FROM.match(passage.plain)) is None:
        return []
    words = passage.said[hit.start("what") : hit.end("what")]
    return [replace(updated(passage, "D", _SUPERSEDED, ""), local_id=None, text=words)]


def instead_in(passage: Passage) -> list[Detection]:
    """A decision that a sentence states instead of one that it names, and the end of that one."""
    plain = passage.plain
    changed = _CHANGED.match(plain)
    hit = changed or _INSTEAD.search(plain)
    if hit is None or _WISHES.search(plain) or len(plain.split()) < _LEAST_WORDS:
        return []
    if asks(plain) or is_hearsay(plain[hit.end() :]) or is_hedged(plain) or is_unreal_request(plain):
        return []
    words = stated_beside(passage, is_replaced=True) if changed else passage.said
    if not words or is_conditional(plain, hit.start()) or (not changed and _DENIED.search(plain)):
        return []
    new = decision_said(passage.said, SUCCESSOR, STANDS, words)
    return [new, *(updated(passage, each, _SUPERSEDED, "", new.text) for each in ids_in(hit[0]))]


def _given(passage: Passage) -> str:
    """What a sentence says a decision to be replaced with."""
    if (told := _WITH.search(passage.plain) or _TAKING.search(passage.plain)) is None:
        return ""
    which = "by" if told["by"] else "durch"
    words = passage.said[told.start(which) : told.end(which)]
    return "" if ANY.search(words) or _AGENT.match(words) else words.strip()


def stated_beside(passage: Passage, *, is_replaced: bool = False) -> str:
    """The clauses of a sentence that state a decision beside one that names an entry; "" if none do."""
    plain = passage.plain
    cuts = [(0, 0), *(hit.span() for hit in _PARTS.finditer(plain)), (len(plain), len(plain))]
    name = ANY.search(plain)
    points_back = any(_BY_WORD.match(plain, end) for _, end in cuts)
    for (_, begin), (end, _) in pairwise(cuts):
        if ANY.search(plain, begin, end):
            continue
        if (opening := _OPENING.match(plain, begin, end)) is not None:
            begin = opening.end()
        part = passage.part(begin, end)
        is_free = is_replaced and (points_back or (name is not None and name.start() < begin))
        if not _REASON.match(part.plain) and (_is_stated(part) or (is_free and _stands(part))):
            later = ANY.search(plain, end)
            stop = max(before for before, start in cuts if later is None or start <= later.start())
            return passage.said[begin:stop].strip()
    return ""


def _is_ended(detection: Detection) -> bool:
    return (
        detection.kind is Kind.DECISION
        and detection.is_update
        and detection.voice is not Voice.REPORTED
        and detection.status != "active"
    )


def followed(old: Detection, new: Detection) -> Detection:
    """A decision that ended, with what took its place."""
    return replace(old, status=_SUPERSEDED, superseded_by=old.superseded_by or new.text)


def _stands(part: Passage) -> bool:
    """Whether words beside the replacement of a decision may be the new one, whatever their wording."""
    return (
        len(part.plain.split()) >= _LEAST_SAID
        and not _BESIDE.match(part.plain)
        and settled_by(part.plain, "decided")
    )


def _is_stated(part: Passage) -> bool:
    plain = part.plain
    if len(plain.split()) < (2 if _MERE.match(plain) else _LEAST_SAID) or asks(plain) or is_hedged(plain):
        return False
    if _ENDING.search(plain) is not None:
        return False
    return _DENIED.search(plain) is None if _CHOOSING.search(plain) else decision_in(part) is not None
