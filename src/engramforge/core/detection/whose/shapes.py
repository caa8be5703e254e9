"""Shapes and tones in which nobody talks to an agent: pages, forms, tables, announcements, other agents' answers.

What is held without need waits for review, which costs a look; what counts wrongly changes a registry.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from typing import Final

from engramforge.core.detection.leads import without_lead
from engramforge.core.detection.named.entries import has_name
from engramforge.core.detection.named.updates import PARTS, is_decision
from engramforge.core.detection.passages import passages
from engramforge.core.detection.rule_extractor import detect, may_say
from engramforge.core.detection.said_parts import alternatives_line, reason_line
from engramforge.core.detection.settling import settles
from engramforge.core.detection.traps import is_request
from engramforge.core.detection.whose.introductions import (
    asks_for_else,
    asks_for_work,
    is_label_of_own,
    keeps,
)
from engramforge.core.detection.whose.signals import is_signal
from engramforge.core.detection.whose.surroundings import BLANK, is_detached
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import ThreadStatus

HEADING: Final = late(r"(?m)^ {0,3}(?:#{1,6}\s+\S.*|\S.{0,100}\n {0,3}(?:={3,}|-{3,})\s*)$")
_FRONT: Final = late(r"\s*(?:---|\+\+\+)\s*\n")
_BOILERPLATE: Final = late(
    r"(?im)^[ \t]*(?:(?:by|author|written by|posted (?:by|on|in)|published|updated|last (?:updated|modified"
    r"|edited)|date|filed under|tags?|categor(?:y|ies)|share(?: this)?|subscribe|sign (?:in|up)|log ?in|home"
    r"|menu|skip to|cookie\w*|(?:\u00a9|\(c\)|copyright)|all rights reserved|privacy|terms of|page \d"
    r"|table of contents|contents|abstract|references|introduction|related|read more|comments?"
    r"|\d+ (?:min(?:ute)?s? read|comments?|views|likes|points)|version|license|installation|usage|faq"
    r"|advertisement|edit this page|on this page|previous|dear|hi all|regards|best|sincerely|cheers|thanks"
    r"|attendees|present|participants|agenda|minutes of|meeting notes)\b[^\n]{0,80}$|[^\n]{0,60}(?: \| "
    r"| \u00bb | \u203a | \u00b7 )[^\n]{0,80}$)"
)
_TITLE: Final = late(r"\s*[A-Z0-9][^\n]{2,88}[^\s.!?,;:]\s*\n[ \t]*\n")
_SHORT: Final = 100
_LONG: Final = 1_200

_ODD: Final = late(
    r"(?:(?:[-*+\u2022]|\d{1,2}[.)])\s+)?(?:[^\w\s\"'(*_`\u00a1-\u00bf\u2013\u2014\u2018-\u201f\u2022#.,:!?/$~+-]"
    r"|[+-](?=\w)|--\s|/\W|\d{1,4}[/:.-]\d|(?=\d*[a-f])[0-9a-f]{4,12}\s"
    r"|[^\s:=\[{(<|]{1,40}(?:[=\[{|]\S|:\d|\.\w{1,5}:)"
    r"|\w+\([^)\s]*\)!?:)|[^\n]*(?:[;{}]\Z|;\s+(?://|#))"
)
"""No word that a person begins a line with: "key=", "plan.md:12", "\u2611", a date; or a line of code."""
_PARALLEL: Final = late(
    r"(?:[-*]\s+)?(?P<word>[^\W\d_]\w*)(?:(?P<mark>[!>|])|,?\s+(?![DTdt]-?\d)(?=[^\W\d_]*\d)[\w/.]+)(?=[\s:)\]])"
)
_COLUMNS: Final = late(r"[^\s.!?:,] {2,}\S")
_CAPITALS: Final = late(r"(?![DT]-?\d+ )[A-Z][A-Z\d&'/-]*(?: [A-Z\d&'/-]+){1,8}(?=\s*(?::|\Z))")
_HEAD: Final = late(
    r"(?![^\n]{0,60}\b(?i:i|we|my|our|let's|wir|ich|nous|on)\b)[A-Z0-9#][^\n]{2,58}[^\s.!?,;:]\Z"
)
_TONE: Final = late(
    r"(?i)\b(?:would you like|do you want|want) me to\b|\bas you (?:asked|requested)\b|\byou asked me to\b"
    r"|\bunless you object\b|\banything else i can (?:help|assist|do for)\b|\b(?:shall i|soll ich|dois-je|debo)\b"
    r"[^.!?\n]{1,80}\?|\blet me know if you(?:['\u2019]d| would| have (?:any )?(?:more |further )?questions)\b"
    r"|\A\W*(?:certainly|absolutely|of course|great question)!|\A\W*(?:you are|you['\u2019]re|act as|du bist|tu es|vous"
    r" \u00eates|eres) (?:an?|the|ein\w*|une?|el|la) |\b(?:your (?:task|role|goal|job|objective) is|deine"
    r" (?:aufgabe|rolle)|ta t\u00e2che|tu tarea)\b"
    r"|\A(?:(?!TODO|FIXME)\w+(?:\([\w./-]{1,30}\)!?|!| #\d+):|%%\w|\w+\([\"']|\w+, \d\d?\. \w+\. )"
    r"|\Aassistant\W*\b(?:to|says)\b"
    r"|(?:\A|\s)@(?:channel|here|everyone|all)\b| [\u00b7|\u2022\u00bb] [^\n]{1,200}? [\u00b7|\u2022\u00bb] "
    r"|\\\w+\{|\bnote to (?:the |any )?(?:ai|assistant|agent|model|llm)s?\b"
    r"|\b(?:this is|hier ist|ici|soy|my name is) (?-i:[A-Z])\w+ (?:from|of|von|vom|de)\b"
    r"|(?-i:\b[A-Z]{4,},? that\b)|[\u2669-\u266c]|antworten sie nicht\b|\A/[a-z]{2,12} (?!is\b|are\b)"
    r"|\A[-=#~]{2,}\s?[a-z ]{2,20}[-=#~]{2,}\s|\bwhereas\b|\b(?:is|are) hereby\b|\bdo not reply\b"
    r"|\A[a-z_]+:[ \t]*\n[ \t]{2,}[\w\"-]+:[ \t]+\S+[ \t]*(?:\n|\Z)"
    r"|\s#[a-z]\w+\s+#[a-z]|(?>\b\w[\w ]{0,15}: [^\s,:;|][^,:;|\n]{0,29}[,;|]\s*){3}"
    r"|[\"\u201d,] (?:(?:the|a|its|our) )?(?:\w+ ){0,4}?(?:said|says|added|explained)"
    r"(?: (?:the|a|its) \w+| [A-Z]\w+)?[.,]"
)
"""What an assistant offers, a prompt orders, an announcement, a contract or an article says."""
_FEW: Final = 14
"""Words that a person says at once without more, whatever they state with them."""
_READ: Final = 24
_OWN: Final = late(r"(?i)\b(?:we|i|our|next|wir|ich|nous|on a)\b")
_CALLS: Final = late(r"(?i)\b(?:i|we|us|our|my|you|your|ich|wir|du|unser\w*|nous|vous|tu|nosotros|me)\b")
_BEGUN: Final = (
    r"(?i)[*_\"'\u00bf\u00a1-]{0,3}(?:(?:and|also|so|then|now|ok|okay|yes|no|but|plus|still|und|et"
    r"|y)\b[\s,]*){0,3}(?:(?:we|i|let['\u2019]s"
    r"|my|our|both|it|that|this|these|wir|ich|unser\w*|nous|notre|on|hemos|nuestr\w+|vamos|from|ab|\u00e0 partir"
    r"|a partir|decision|decided|(?:new |open )?thread|open|todo|entscheidung|offen|[dt]-?\d+)\b"
)
_BEGINS: Final = late(
    rf"{_BEGUN}|(?!(?-i:[A-Z]{{2,}} [A-Z]{{2,}} ))[^\W\d_][^:?;,()&=/<>|\u00b7\u2600-\u27bf]{{0,200}}\Z)"
)
"""Begins what somebody states, with no label or aside of another text before it."""
_GOES_ON: Final = late(
    rf"{_BEGUN}|(?:they|there|because|you|add|adapt|apply|change|check|clean|create|delete|deploy|fix|implement|make"
    r"|migrate|move|refactor|remove|rename|run|set|show|update|write)\b)"
)
"""Begins what somebody says beside it: of their own, of what was said, or for an agent to do."""
_EXPLAINED: Final = (
    *(is_signal, asks_for_else, is_request, keeps),
    *(settles, reason_line, alternatives_line),
)
"""What people say beside a statement."""


def is_foreign(own: str) -> bool:
    """Whether what is left of a person's message has a shape or tone that is nobody's who talks to an agent.

    `own`: the message without what is held already.
    """
    return _TONE.search(own) is not None or _is_document(own) or _is_told(own)


def _is_told(own: str) -> bool:
    """Whether sentences that are nobody's of the conversation stand among statements: a tale, a report.

    Who states several things at once states each from its first word on, and asks for work or gives reasons beside it.
    """
    entries: set[str] = set()
    ended: list[str] = []
    states = led = beside = 0
    asks = orders = is_apart = False
    for part in islice(BLANK.split(own), _READ):
        has_stated = is_own = False
        for passage in islice(passages(part), _READ):
            said = passage.said
            found = detect(said) if may_say(said) else ()
            if found:
                named = {each.local_id or each.text for each in _apart(found) if each.rule not in PARTS}
                beside += not _is_begun(without_lead(passage).said, len(named))
                states += 1
                entries |= named
                ended += [found[0].local_id] if found[0].is_update and found[0].local_id else []
                has_stated = True
            elif not passage.is_item or said.endswith("?"):
                asks = said.endswith("?")
                orders = asks_for_else(said) or (asks and _CALLS.search(said) is not None)
                is_talk = orders or _GOES_ON.match(said) or any(each(said) for each in _EXPLAINED)
                beside += not is_talk
                led += not (asks or is_talk or states) and is_detached(said)
                asks = asks or orders
                is_own = is_own or orders or is_signal(said) or _OWN.search(said) is not None
        is_apart = is_apart or not (has_stated or is_own)
    if len(entries) > 1 and (beside or is_apart):
        return (is_apart and states > 1) or (beside > 0 and not orders)
    return (len(ended) > 2 and any(map(is_decision, ended))) or (
        states == 1 and led > 1 and not asks and len(own.split()) > _FEW
    )


def _apart(found: Sequence[Detection]) -> Sequence[Detection]:
    """What a sentence states; that its matter is closed says no more than how: "the zone question is settled, we don't
    do it"."""
    if not any(each.kind is Kind.DECISION and not each.is_update for each in found):
        return found
    return [
        each
        for each in found
        if each.local_id or each.kind is not Kind.THREAD or each.status != ThreadStatus.RESOLVED
    ]


def _is_begun(said: str, changes: int) -> bool:
    """Whether a statement begins with its first word, behind a label of its writer's, or tells what "we" did in one."""
    head, colon, rest = said.partition(": ")
    is_led = bool(colon) and (is_signal(head) or is_label_of_own(head) or _OWN.search(head) is not None)
    is_plain = _BEGINS.match(said) or (is_led and _BEGINS.match(rest))
    return bool(is_plain) or (changes == 1 and not (colon or has_name(said)))


def odd_lines(text: str) -> int | None:
    """Where the block begins that holds the first of several lines as of a log, a table or a list of commits; None if
    there is none.
    """
    odd: dict[str, list[int]] = defaultdict(list)
    block = place = 0
    lines = text.split("\n")
    for line in lines if len(lines) > 1 else ():
        bare = line.strip()
        if "\0" in bare:
            block = place + len(line) + 1
        elif _ODD.match(bare) or _COLUMNS.search(bare):
            odd[""].append(block)
        elif (hit := _PARALLEL.match(bare)) is not None:
            odd[hit["word"]].append(block)
        place += len(line) + 1
        block = place if not bare or bare.endswith((":", "?")) else block
    return min((found[0] for found in odd.values() if len(found) > 1), default=None)


def _is_head(line: str) -> bool:
    """Whether a first line is the title of lines below it."""
    is_said = (
        is_signal(line)
        or is_label_of_own(line)
        or asks_for_work(line)
        or asks_for_else(line)
        or is_request(line)
    )
    return _HEAD.match(line) is not None and not is_said and not (may_say(line) and detect(line))


def _is_document(own: str) -> bool:
    """Whether a text has the shape of a page rather than of something said: title, sections, byline, length."""
    head, _, rest = own.partition("\n")
    head = head.strip()
    capitals = _CAPITALS.match(head)
    if capitals is not None and (
        (capitals[0] == head and rest.strip()) or not any("label" in each.rule for each in detect(head))
    ):
        return True
    if rest.strip() and (HEADING.match(head) or (rest.count("\n") and _is_head(head))):
        return True
    paragraphs = [part for part in re.split(r"\n\s*\n", own) if part.strip()]
    headings = len(HEADING.findall(own))
    if headings > 1 or (headings and (HEADING.match(own) or _FRONT.match(own))):
        return True
    if len(own) < _SHORT or len(paragraphs) < 2:
        return len(own) > 2 * _LONG
    around = len(_BOILERPLATE.findall(own))
    if around > 1 or (around and len(paragraphs) > 2) or (around and _TITLE.match(own)):
        return True
    if _TITLE.match(own) and len(paragraphs) > 2:
        return True
    return len(own) > _LONG and len(paragraphs) > 3
