"""Threads that a sentence says to wait: for other threads, or for something without a name."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.named_cues import A_THREAD, AND, NOUN, WAS, T
from engramforge.core.detection.named.updates import BLOCKER, STANDS, ids_in, local_name, updated
from engramforge.core.detection.passages import Passage
from engramforge.core.detection.said_parts import thread_said
from engramforge.core.detection.traps import is_conditional, is_hedged, is_negated
from engramforge.core.text.late_pattern import late
from engramforge.model.registries.detection import Detection

_LEAST_WORDS: Final = 5
"""Fewer letters say nothing of what holds a thread up."""
_THREAD: Final = rf"{NOUN}(?P<id>{T})\b"
_STILL: Final = (
    r"(?>(?:(?:still|currently|now|again|also|really|just|only|basically|completely|noch|weiterhin|immer noch|derzeit"
    r"|gerade|toujours|encore|maintenant|a\u00fan|todav\u00eda|sigue)(?>\s+))*)"
)
_IS: Final = (
    r"(?:(?:is|are|['\u2019]s|has been|remains?|stays?|got|gets|sits|ist|bleibt|liegt|wird|steht|est|reste|est\u00e1"
    r"|sigue|queda|has to|have to|must|needs to|will have to|we['\u2019]?ll have to|had to|muss|doit|tiene que"
    r"|debe)(?>\s+))?"
)
_STATE: Final = (
    r"(?:blocked|on (?:hold|ice)|stuck|wait(?:s|ing)?|await(?:s|ing)?|paused|parked|stalled|held up|frozen|in limbo"
    r"|pending|hang(?:s|ing)|gated|depend(?:s|ing|ent)|rel(?:y|ies|ying)|hinges|at a standstill|delayed|can(?: ?not"
    r"|['\u2019]t) (?:\w+ ){1,4}?(?=until|till|before|without|unless|because|since|as long as|while)|can(?:no"
    r"|['\u2019])t (?:go on|continue|proceed|move(?: on)?|start|be (?:done|finished|started))|(?:can )?only (?:\w+ "
    r"){1,4}?(?=after|once|when|if)|won['\u2019]t (?:move|start|go on|happen)|doesn['\u2019]t (?:move|go on)"
    r"|blockiert|pausiert|auf eis|wartet?(?:en)?|h\u00e4ngt|ruht|still|(?:kann|k\u00f6nnen) erst|bloqu\u00e9e?|en "
    r"attente|en pause|attend(?:re)?|d\u00e9pend|ne peut pas|bloquead[oa]|en espera|a la espera|parad[oa]|espera(?:r"
    r"|ndo)?|depende|no puede)"
)
_LINK: Final = (
    r"(?:by|on|for|in|at|with|behind|until|till|because(?: of)?|since|as long as|while|pending|due to|after|once|when"
    r"|before|unless|without|upon|durch|von|bis|auf|weil|solange|wegen|da|an|nachdem|wenn|ohne|par"
    r"|jusqu['\u2019]\u00e0(?: ce que)?|en attendant|tant que|car|parce que|avant(?: que)?|por|hasta(?: que)?|porque"
    r"|mientras|a la espera de|a que|antes de(?: que)?|del?|d['\u2019])"
)
_REST: Final = rf"(?>\s*)(?:[:,;\u2014\u2013-](?>\s*)|(?={_LINK}\b)|\Z|(?=\.))(?P<by>.*)\Z"
_BARE: Final = r"(?:attend|pending|await(?:s|ing)?|espera)(?>\s+)(?P<bare>\S.*)\Z"
"""States that need no word between them and what is awaited."""
_WAITING: Final = (
    r"(?:wait(?:s|ing)? (?:for|on)|warten? (?:\w+ )?auf|attend(?:s|ons)?|espera(?:mos|ndo)?|esperando|need(?:ing)? "
    r"to wait for|stuck (?:on|with)|blocked (?:on|by))"
)
_WE: Final = r"(?:(?:we|i)(?:['\u2019](?:re|m)| are| am)?|wir|ich|nous|on|je|estamos)"
HELD_UP: Final = late(rf"(?is)\A{_STILL}{_IS}{_STILL}(?:{_BARE}|{_STATE}\b{_REST})")
"""What follows the name of a thread that waits."""
_FRAMES: Final = tuple(
    late(rf"(?is){frame}")
    for frame in (
        r"\A(?P<by>[^,;:!?]{2,90}?)(?>\s+)(?P<verb>(?:(?:is|are|ist|sind|est|est\u00e1"
        rf"|keeps?)(?>\s+))?{_STILL}(?:block(?:s|ed|ing)?|blockier(?:t|en)|bloquen?|bloquean?|h[oe]lds? (?:up|back)"
        r"|holding (?:up|back)|stall(?:s|ed|ing)|delay(?:s|ed|ing)|prevents?(?: us from)?(?: \w+ing)?|stops us from "
        rf"\w+ing|keeps us from \w+ing))(?>\s+){_THREAD}",
        r"\b(?P<verb>put|set|mark|move|flag|setz\w*|stell\w*|mets|mettre|marque\w*|pon|marca\w*)(?:ting|ing"
        rf"|ed)?(?>\s+){_THREAD}(?>\s+)(?:bitte(?>\s+))?(?:(?:as|to|to be|auf|als|en|comme|como)(?>\s+))?{_STATE}\b(?: "
        rf"(?:pls|please|bitte|for now))?{_REST}",
        rf"\b(?P<verb>(?:(?:we|i) (?:have|need) to )?{_WAITING})(?>\s+)(?P<by>[^,;]{{2,80}}?)(?: before (?:we|i) can "
        r"\w+(?: on)?)?(?>\s+)(?:for|on|with|in|to (?:do|finish|start|continue|close)|f\u00fcr|bei|pour"
        rf"|para)(?>\s+){_THREAD}",
        rf"\b(?:for|on|with|in|f\u00fcr|bei|mit|pour|para)(?>\s+){_THREAD},?(?>\s+)(?P<verb>{_WE}|warte|esperamos"
        rf"|attendons)(?>\s*){_STILL}(?:(?:(?:have|need) to |must )?{_WAITING}(?>\s+)|(?=auf\b))(?P<by>.+)\Z",
        r"\b(?P<verb>(?:can(?:not|['\u2019]t| not)|won['\u2019]t|unable to|no (?:further )?(?:progress|way forward"
        r"|movement)|nothing (?:happens|moves|can happen|goes on)|not (?:continue|go on)|stuck|blocked|held up|on "
        rf"hold)\b[^,;.?]{{0,40}}?)\s{_THREAD}(?: (?:right now|at the moment|for now|currently"
        rf"|today))?(?>\s*)(?:(?={_LINK}\b)|[,:;\u2014\u2013-]\s)(?P<by>.+)\Z",
        rf"\b(?:bei|mit|an)(?>\s+){_THREAD}(?>\s+)(?P<verb>(?:kommen|komme|geht|kann|k\u00f6nnen)\b[^,;.?]{{0,30}}? "
        r"nicht) (?:weiter|voran|los)\w*,?(?>\s+)(?P<by>.+)\Z",
        rf"\b(?P<verb>before) (?:we|i|you) (?:can |could )?(?:\w+ ){{0,3}}?{_THREAD},?(?>\s+)(?:we"
        r"|i)(?:['\u2019]ll)? (?:need|have to have|must have)(?>\s+)(?P<by>.+)\Z",
        rf"\b(?:we|i) (?:still )?(?P<verb>need) (?P<by>[^,;]{{2,60}}?) before (?:we|i) (?:can |could )?(?:\w+"
        rf" ){{0,3}}?{_THREAD}",
        rf"(?<![\w-]){_THREAD}(?>\s+)(?:kommen|komme|geht|kann|avan\w*|segu\w+|no avan\w*)\b[^.;?]{{0,40}}?\b(?P<verb"
        r">bis|bevor|solange|wenn|ohne|hasta(?: que)?|tant que|avant)(?>\s+)(?P<by>.+)\Z",
        rf"(?<![\w-]){_THREAD} (?P<verb>ist|wird|bleibt) {_STILL}(?P<by>(?:durch|wegen|von) [^,;]{{2,60}}?) "
        r"(?:blockiert|aufgehalten|verz\u00f6gert)\b",
        rf"(?<![\w-]){_THREAD}(?>\s+)(?P<verb>needs)(?>\s+)(?P<by>{T}\b.*)\Z",
    )
)
"""Sentences in which a thread waits, the thread and what it waits for in other places."""
BLOCKED: Final = late(
    r"(?i)\b(?:blocked (?:by|on)|waits? (?:for|on)|waiting (?:for|on)|depends on|needs|can only (?:start|begin"
    r"|continue) after|depend on|bloqu\u00e9e? par|bloquead[oa] por|h\u00e4ngt (?:von|an)|wartet auf|d\u00e9pend de"
    rf"|attend|depende de|espera a|blockiert (?:durch|von)|(?:durch|von|par|por)(?=(?>\s+)(?:{T})(?>\s+)(?:blockiert"
    rf"|bloqu)))(?>\s+)(?P<ids>{T}{AND}{T})*)"
)
_LEADS: Final = late(
    rf"(?i)\A\W*(?:(?:it['\u2019]s |it is |is )?{_STATE}(?>\s+))?(?:(?:still|also)(?>\s+))?(?:{_LINK}(?>\s+))?(?:"
    rf"{_WE}(?>\s+){_STILL}(?:{_WAITING}|need(?:ing)?|brauchen)(?>\s+))?"
)
"""Words in front of what holds a thread up."""


def waiting_in(passage: Passage) -> list[Detection]:
    """The threads that a sentence says to wait, and what without a name they wait for."""
    plain = passage.plain
    for hit in A_THREAD.finditer(plain):
        rest = plain[hit.end() :].lstrip(" ),")
        before = plain[: hit.start()].rstrip()
        if (held := HELD_UP.match(rest)) and not _AWAITS.search(before) and _is_so(plain, hit.start()):
            return held_up(passage, [local_name(hit[0])], held["bare"] or held["by"])
    for frame in _FRAMES:
        if (told := frame.search(plain)) and _is_so(plain, told.start("verb")):
            words = (told["by"] or "").strip()
            begin = told.start("by")
            return held_up(
                passage, [local_name(told["id"])], passage.said[begin : begin + len(words)] if words else ""
            )
    if (blocked := BLOCKED.search(plain)) is None or WAS.search(plain, 0, blocked.start()):
        return []
    subject = next(reversed(A_THREAD.findall(plain, 0, blocked.start())), "")
    if not subject or not _is_so(plain, blocked.start()):
        return []
    return [updated(passage, local_name(subject), "open", "", None, ids_in(blocked["ids"]))]


def waits_so(passage: Passage, ids: list[str], rest: str) -> list[Detection]:
    """What the words behind the names of threads say that these wait for."""
    held = HELD_UP.match(rest)
    return held_up(passage, ids, held["bare"] or held["by"]) if held and not _AS_IF.search(rest) else []


def held_up(passage: Passage, ids: list[str], words: str) -> list[Detection]:
    """Threads that are blocked: by others that the words name, or by what they say, which is then a thread itself."""
    words = words.strip()
    for _ in range(2):
        words = _LEADS.sub("", words)
    words = words.strip(" .!,")
    names = tuple(each for each in ids_in(words) if each not in ids and A_THREAD.match(each))
    if names or A_THREAD.match(words):
        return [updated(passage, each, "open", "", None, names) for each in ids]
    # Whoever tells no more than that it is blocked has still said so.
    words = words if len(words) >= _LEAST_WORDS else passage.said
    blocker = thread_said(passage.said, BLOCKER, STANDS, words)
    return [blocker, *(updated(passage, each, "open", "", None, (blocker.text,)) for each in ids)]


def _is_so(plain: str, begin: int) -> bool:
    """Whether what begins there is neither supposed nor denied nor doubted."""
    return not (
        is_conditional(plain, begin) or is_negated(plain, begin) or is_hedged(plain) or _AS_IF.search(plain)
    )


_AWAITS: Final = late(
    r"(?i)\b(?:wait\w*|blocked|depend\w*|hang\w*|gated|need\w*|until|without|before|after|on|for|by|of|with|about"
    r"|durch|von|auf|par|de|por)\Z"
)
"""What follows it is awaited."""
_AS_IF: Final = late(
    r"(?i)\b(?:could (?:end|be|get)|might|would be|if (?!only)|in case|can(?: ?not|['\u2019]t) wait to"
    r"|don['\u2019]t let|never)\b"
)
