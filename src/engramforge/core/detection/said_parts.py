"""What a sentence adds to a decision or thread: the reason, rejected alternatives, priority."""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import DecisionStatus, Priority, ThreadStatus

TITLE_CHARACTERS: Final = 120
"""The longest title of a detected thread; the content holds the rest."""
_LONGEST: Final = 600
_MOST_ALTERNATIVES: Final = 8

_WHY: Final = late(
    r"(?i)(?:[,;.(\u2014\u2013-]\s*|\s)(?:because(?! of (?:that|this)\b)(?: of)?|(?:mainly |partly )?due to"
    r"|since (?=we|i|it|the|they|our|there|that|this|a|nobody|most)|so that|rationale\s*:"
    r"|reason(?:ing|s)?\s*:|the reason (?:is"
    r"|being)(?: that)?|weil|damit)\s+(?P<why>[^\n]{4,600}?)(?=[;(]|\.\s|\.?$)"
)
_REASON_LINE: Final = late(
    r"(?is)^\W*(?:rationale|reason(?:ing|s)?|why|because|justification"
    r"|begr\u00fcndung)\s*[:\u2014-]\s*(?P<why>.{4,600})"
)
_ALTERNATIVES_LINE: Final = late(
    r"(?is)^\W*(?:(?:alternatives?|options?)(?: (?:considered|rejected))?|rejected(?: alternatives?| options?)?"
    r"|considered(?: and rejected)?|verworfen)\s*[:\u2014]\s*(?P<others>.{2,400})"
)
_LISTED: Final = late(
    r"(?i)(?:[(;,.]\s*)(?:rejected|alternatives?(?: considered| rejected)?|options? considered|instead of|considered"
    r" and rejected|not)\s*:\s*(?P<others>[^;).]{2,200})"
)
_OTHERS_END: Final = (
    r"(?=[,;.()]|$|\b(?:because|since|for|in|on|as|when|so|to|due|which|that|after|before|and we|but|we|from)"
    r"\b)"
)
_OTHER: Final = late(
    r"(?i)\b(?:instead of|rather than|as opposed to|in place of)\s+(?:the |a |an |using |on |to )?"
    rf"(?P<others>[^,;.()]{{2,80}}?){_OTHERS_END}"
)
_PREFERRED: Final = late(
    r"(?i)\b(?:prefer(?:s|red|ring)?|choos(?:e|es|ing)|chose|chosen|pick(?:s|ed|ing)?|tak(?:e|es|ing)|took"
    r"|favou?r(?:s|ed|ing)?|rather)(?:\s[^,;.:()]{1,60}?)?\sover (?!(?:with|to|and|again|by|from|here|there|at|on|in"
    r"|for|the|an?|my|your|his|her|their|our|this|that|night|lunch|dinner|time|winter|summer|years?|\d|TLS|SSL|SSH"
    rf"|VPN)\b)(?P<others>[^,;.()]{{2,80}}?){_OTHERS_END}"
)
_MEDIA: Final = tuple(
    frozenset(each.split())
    for each in (
        "i2c i²c spi uart usb can canbus can-bus ethernet wifi wi-fi wlan bluetooth ble lora lorawan serial rs232 rs485"
        " rs-232 rs-485 onewire one-wire 1-wire zigbee thread radio infrared fibre fiber cable hdmi modbus dmx",
        "tcp udp quic ip tcp/ip sctp",
        "mqtt coap amqp http https",
        "rest grpc graphql soap rpc",
        "tls dtls ssl ssh vpn wireguard tor websocket websockets sse smtp imap ftp sftp nfs rsync stdin stdout pipes"
        " sockets multicast",
    )
)
"""Buses, transports and protocols, by their layer: over one of another layer something goes."""
_OVER: Final = late(r"(?i)(?P<taken>[^\s,;:()]{1,40})\sover\s\Z")
"""Only behind a preference does "over" name what was not chosen: "Kotlin over Java", not "rsync over SSH\"."""
_RULED_OUT: Final = late(
    r"(?i)\b(?:rejected|ruled out|discarded|dismissed|decided against|voted against)\s+(?:the |a |an |using"
    r" )?(?P<others>[^,;:.()]{2,80}?)(?=[,;:.()]|$|\b(?:because|since|as|due|for being|in favou?r)\b)"
)
_HIGH: Final = late(
    r"(?i)\b(?:urgent(?:ly)?|critical|asap|blockers?|p0|p1|high(?:est)?(?:[- ]priority)?(?=\W*\)|\s+priority|$)"
    r"|priority\s*[:=]\s*high|immediately|show-?stopper|dringend)\b"
)
_LOW: Final = late(
    r"(?i)\b(?:nice[- ]to[- ]have|low(?:est)?[- ]priority|priority\s*[:=]\s*low|some ?day|minor|not urgent|p3|p4"
    r"|eventually|when (?:we|i) have time)\b|\(\s*(?:open,\s*)?low\s*\)"
)
_AFTER_LABEL: Final = late(
    r"(?i)^\W*(?:(?:ok|okay|alright|yeah|yes|so|and|well|right|great|fine|cool|sure)\b[\s,:.-]*)+"
)


def why_said(sentence: str) -> tuple[str, str]:
    """The sentence without its reason, and the reason; the whole sentence and "" if it gives none."""
    if (hit := _WHY.search(sentence)) is None:
        return sentence, ""
    # If more than a full stop follows the reason, the sentence keeps it, so that nothing is lost.
    rest = sentence[hit.end() :].strip(" .;")
    whole = sentence if rest or hit.start() < 12 else sentence[: hit.start()].rstrip(" ,;(\u2014\u2013-")
    return whole, hit["why"].strip(" .;,)")


def reason_line(sentence: str) -> str:
    """The reason that a line of its own gives for the decision before it; "" for none."""
    hit = _REASON_LINE.match(sentence)
    return hit["why"].strip() if hit else ""


def alternatives_line(sentence: str) -> tuple[str, ...]:
    """What a line of its own says was rejected."""
    hit = _ALTERNATIVES_LINE.match(sentence)
    return _parted(hit["others"]) if hit else ()


def alternatives_said(sentence: str) -> tuple[str, ...]:
    """What a sentence says was not chosen, at most 8."""
    found: dict[str, None] = {}
    for pattern in (_LISTED, _OTHER, _PREFERRED, _RULED_OUT):
        for hit in pattern.finditer(sentence):
            if pattern is _PREFERRED and _is_medium(sentence[: hit.start("others")], hit["others"]):
                continue
            parts = _parted(hit["others"]) if pattern is _LISTED else (hit["others"].strip(" .\"'"),)
            found.update(dict.fromkeys(part for part in parts if part))
    return tuple(found)[:_MOST_ALTERNATIVES]


def _is_medium(before: str, named: str) -> bool:
    """Whether behind an "over" stands what something goes over: "the mcp23017 over i2c", not "ethernet over wifi"."""
    name = named.casefold().split()[0].strip(".\"'")
    layers = [layer for layer in _MEDIA if name in layer]
    taken = _OVER.search(before)
    return bool(layers) and (taken is None or taken["taken"].casefold() not in layers[0])


def priority_said(sentence: str) -> Priority:
    """How urgent a thread is by its words."""
    if _LOW.search(sentence):
        return Priority.LOW
    return Priority.HIGH if _HIGH.search(sentence) else Priority.MEDIUM


def statement(sentence: str) -> str:
    """A decision's text: the sentence without opening filler words, at most 600 characters."""
    bare = _AFTER_LABEL.sub("", sentence).strip() or sentence.strip()
    return bare[:_LONGEST].rstrip(" .;") if len(bare) > 3 else sentence.strip()


def title(words: str) -> tuple[str, str]:
    """A thread's title of at most 120 characters, and its content where the title does not hold it all."""
    bare = words.strip().rstrip(" .;,")
    if len(bare) <= TITLE_CHARACTERS:
        return bare, ""
    cut = bare.rfind(" ", 0, TITLE_CHARACTERS)
    return bare[: cut if cut > TITLE_CHARACTERS // 2 else TITLE_CHARACTERS].rstrip(" ,;:") + " \u2026", bare


def decision_said(sentence: str, rule: str, confidence: float, words: str) -> Detection:
    """The decision that a sentence states in these of its words."""
    bare, why = why_said(statement(words))
    return Detection(
        kind=Kind.DECISION,
        sentence=sentence,
        rule=rule,
        confidence=confidence,
        text=bare,
        status=str(DecisionStatus.ACTIVE),
        rationale=why,
        alternatives_rejected=alternatives_said(words),
    )


def thread_said(sentence: str, rule: str, confidence: float, words: str) -> Detection:
    """The open thread that a sentence states in these of its words."""
    name, content = title(words)
    return Detection(
        kind=Kind.THREAD,
        sentence=sentence,
        rule=rule,
        confidence=confidence,
        text=name,
        content=content,
        status=str(ThreadStatus.OPEN),
        priority=priority_said(sentence),
    )


def _parted(words: str) -> tuple[str, ...]:
    parts = re.split(r"[;,]|\bor\b|\band\b", words.strip(" .)"))
    return tuple(part.strip(" \t\n.\"'") for part in parts if part.strip(" \t\n.\"'"))[:_MOST_ALTERNATIVES]
