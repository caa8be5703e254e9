"""Whether what stands before or after a text shows that it is somebody else's, by the shape of the whole message.

No list of introductions ends, so what is looked at is who speaks in each sentence. Somebody who states something
speaks of what they do ("we", "I", "you") or leans on what was said ("it works now"). Where a message begins or ends
with a heading, a label, a request or a question, and the rest holds sentences in which nobody of the conversation
speaks, the rest was brought along.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Final

from engramforge.core.detection.cues.deciders import BODY
from engramforge.core.detection.cues.topic_words import work_words
from engramforge.core.detection.named.entries import has_name
from engramforge.core.detection.passages import sentences
from engramforge.core.detection.rule_extractor import detect, may_say
from engramforge.core.detection.said_parts import alternatives_line, reason_line
from engramforge.core.detection.settling import end_of_statement, settles
from engramforge.core.detection.whose.introductions import (
    HAS_TEXT,
    TEXT_ABROAD,
    TEXT_NOUN,
    asks_for_else,
    asks_for_work,
    brings,
    hands_over,
    is_label_of_own,
    keeps,
    names_text,
    own_part,
    points_at_text,
    tells_outcome,
)
from engramforge.core.detection.whose.signals import is_signal, says_yes
from engramforge.core.names.given_names import FIRST_NAMES
from engramforge.core.text.late_pattern import late

_SPEAKS: Final = late(
    r"(?i)\b(?:i|we|me|us|my|our|ours|mine|let's|you|your|yours|claude|ich|wir|mich|uns|unser\w*|mein\w*"
    r"|je|nous|notre|yo|nosotros|nuestr\w+)\b|\bj['\u2019]"
)
_CALLS: Final = late(r"(?i)\b(?:i|we|us|our|you|your|ich|wir|du|nous|vous|tu)\b")
_OWN: Final = late(
    r"(?i)\W*(?:for [^,:.]{3,60}?,? )?(?:we|i|wir|ich|nous|nosotros|hemos|on a)(?:['\u2019]\w{1,2})?\b"
)
_LEANS: Final = late(
    r"(?i)\W*(?:it|they|that|this|these|those|he|she|both|so|but|and|then|because|also|there|none|all of)\b"
)
_KNOWN: Final = late(
    r"(?i)\W*the (?:\w+ )?(?:ones?|other|others|same|rest|old|new|current|existing|first|second|last)\b"
)
"""Speaks of a thing as one that was named: "The old one is slow"."""
_MARK: Final = late(
    r"\s(?:--?|\u2014|\u2013|[-=]>|\u2192|=|::|\|)\s+|:{1,2}\s+|(?<=\w)>\s+|(?<=\S)[)\]]\s+(?=[A-Z])"
)
_FROM: Final = late(r"(?i)\b(?:from|by|via|per|of|says?|said|wrote|at)\b")
_CERTAIN_MARK: Final = late(r"\s*(?:[-=]>|\u2192|=|::|\||>)\s*\Z")
_ATTRIBUTES: Final = late(
    r"(?i)\s*(?:[-\u2013\u2014~]{1,3}\s?(?=\w)|\^|\(?(?:source|from|via|quoted|posted|taken|see|by|aus|von|quelle"
    r"|fuente)\b)|[\[(][^\])]*[\])]\W*\Z"
)
_NUMBERED: Final = late(
    r"\W*(?:[^\W\d_]+ (?:\d+|[A-Z]|(?i:one|two|three|four|five|six))|(?:p|pp|s|\u00a7)\W*\d+)[.:]?\s+(?=[A-Z])"
)
HAS_VERB: Final = late(
    r"(?i)\b(?:is|are|was|were|has|have|had|will|works?|went|goes|can|does|did|runs?|go|lives?|uses?|gets?"
    r"|stays?|moves?|keeps?|needs?|lost|won|wins|came|comes|got|made|took|left|fell|beat|spoke|said|became|chose"
    r"|gave|held|kept|met|ran|saw|stood|thought|lol|bye|goodbye|again|\w{2,}ed)\b|['\u2019]s\b"
)
_TEXT_ASKED: Final = late(
    rf"(?i)\W*(?:[\w'\u2019./@-]+\s+){{0,8}}?{TEXT_NOUN}\b(?:\s+[\w'\u2019./@-]+){{0,8}},\s+(?:is|are|was|were"
    rf"|do|does|did|what|how|why"
    r"|which|who|where|any|should|can|could|would|has|have)\b[^\n]{0,160}\?\W*\Z"
)
_TEXT_WANTED: Final = late(
    rf"(?i)(?:\b{TEXT_NOUN}|\w\.(?:pdf|docx?|txt|md|csv|html?|rst))\b[^\n,]{{0,80}},\s+(?:please|pls|(?:can"
    rf"|could|would|will) you)\b"
)
"""A text that is named, with a question behind it: "Release notes of X, do we have to change anything?"."""
_PRESENTS: Final = late(r"(?i)\W*(?:here(?:['\u2019]s| is| are)|this is|these are)\b")
_IS_THIS: Final = late(
    r"(?i)\W*(?:so |and |ok |hey )?(?:is|are|was|does|do|did|what|who|how|why|which|should|can"
    r"|could)\b(?: \w+){0,3}? (?:this|these|that)\b"
)
_ASKS: Final = late(
    r"(?i)(?:\A|[,.;:-]\s+)(?:(?:so|and|but) )?(?:how|what|which|who|why|where)\b[^,.;:]*\W*\Z"
)
"""Ends with a question, with or without its mark: "a mail from them, how do I decline"."""
_SECTION: Final = late(
    r"(?i)\W*(?:\d[\d.]*\s+)?(?:abstract|introduction|preface|preamble|foreword|prologue|executive summary|summary"
    r"|quick recap|(?:section|chapter|part|clause|article|appendix|annex|slide|page) (?:\d[\d.]*|[ivx]+|[a-z]))\W*"
)
_ITEM: Final = late(r"\s*(?:[-*+\u2022]|\d{1,3}[.)]|\[[ xX]\])\s")
_WORDS: Final = late(r"[^\W_][\w\s/&+'\u2019.-]*")
_QUOTES: Final = late(r"[\"\u201c\u201d\u201e\u00ab\u00bb|{}<>]")
_ABSTRACT: Final = late(r"[a-z]{3}(?:ing|tion|ment|ity|ance|ence|ness|stamp|date|cate)s?\Z|\A[A-Z]{2,5}s?\Z")
_OF_SPEAKER: Final = late(
    rf"(?i)\b{TEXT_NOUN}(?:\Z| (?:of|from|by|in|on|at)\b)|\b(?:from|by|via|{BODY}|(?:sub-?)?agent|bot|tool"
    rf"|assistant|user|support|vendor|admin|expert|colleague"
    r"|friend|person|reviewer|reporter|ci|plugin|crawler|search|page|website|answer|question|note|warning|error"
    r"|example|todo|q|a|he|she|they|his|her|their|theirs|it|you)s?\b|\bD-?\d|\bT-?\d|\d{3}"
)
_TOLD_ABOVE: Final = late(
    rf"(?i)^\W*(?:\^|(?:(?:the )?above|that|this)(?:['\u2019]s| is| was| comes| came) (?:from|(?:the|an?|their|his|her)"
    rf" {TEXT_NOUN})\b|(?:wh\w+|how|que|qu\u00e9|was|wie|is|ist|does)\b[^.!\n]{{0,40}}\b(?:mean|meant|say(?:ing)?"
    r"|answer (?:him|her|them|that|this)|reply|respond|read|sound|scam|phishing|legit|spam|veut dire|significa"
    r"|bedeutet|gemeint|serious|ironic|ironisch)\b|(?:th(?:at|is)(?:['\u2019]s| is| was)? (?:what|how|all)|so)"
    r"\s[^.?!\n]{0,60}?\b(?:printed|came|prints|said|says|wrote|writes|posted|(?<!\bis )answered|replied|returned|sent"
    r"|showed|put"
    r"|left|claims?)\b|(?:some(?:one|body)|people|they|he|she|an? \w+|my \w+)\s(?:\w+\s){0,2}?(?:posted|wrote|sent|left"
    r"|said|put|pasted|shared|dropped)\s(?:that|this|it|these)\b)"
)
"""Tells whose words stand above."""
_TYPED: Final = late(r"[\w+#/-]+(?: [\w+#/-]+)?(?:[.,;]\s|\W*\Z)")
BLANK: Final = late(r"\n[ \t]*\n\s*")
_POINTS: Final = late(r"(?i)\b(?:this|that|these|those|it|das|dies\w*|\u00e7a|cela|ceci|esto|eso)\b")
_LONGEST_TOPIC: Final = 6
_SHORT: Final = 4
_LONG: Final = 400
_LINE: Final = 160
_READ: Final = 12
"""Sentences of the rest that are looked at."""
_THERE: Final = late(r"(?i)\bwe (?:use|take|put|need|run) (?:an? )?[\w-]{2,20}(?: [\w-]{2,20})? there\b")
"""Speaks of what was named before as a place: "we use a servo there"."""


def brought_after(text: str) -> int | None:
    """Where in a person's message the text begins that its beginning shows to be brought along; None if none."""
    begin = len(text) - len(text.lstrip())
    line, _, below = text[begin:].partition("\n")
    if len(line) <= _LINE and below.strip() and _leads_below(line.strip(), below):
        return begin + len(line)
    mark = _MARK.search(line, 0, _LINE)
    if mark is not None and _labels(line[: mark.end()], mark[0], line[mark.end() :]):
        return begin + mark.end()
    numbered = _NUMBERED.match(line)
    if numbered is not None and _is_part(numbered[0], line[numbered.end() :]):
        return begin + numbered.end()
    said = list(islice(sentences(line.strip()), _READ))
    if len(said) > 1 and _leads_beside(said[0], said[1:]):
        return begin + line.find(said[0]) + len(said[0])
    return _block_below(text)


def _block_below(text: str) -> int | None:
    """Where in a person's message a block begins below a question or a request in a paragraph of one line."""
    begin = 0
    for gap in islice(BLANK.finditer(text), _READ):
        asked, begin = text[begin : gap.start()].strip(), gap.end()
        if asked and "\n" not in asked and _asks_of_block(asked, text[begin:]):
            return begin
    return None


def answers_below(line: str, below: str) -> bool:
    """Whether below a request for work on something else than a text its writer states one or two things."""
    if _POINTS.search(line) or not asks_for_else(line) or len(below) > 2 * _LINE:
        return False
    said = _first_sentences(below)
    return 0 < len(said) <= 2 and bool(_OWN.match(said[0])) and not (_QUOTES.search(below) or has_name(below))


def _asks_of_block(line: str, rest: str) -> bool:
    """Whether a paragraph asks about, or for work on, lines or more than two sentences that stand below it."""
    said = list(islice(sentences(line), _READ))
    asks = any(each.endswith("?") or asks_for_work(each) for each in said) or _asks_of_text(line)
    if not asks or keeps(said[-1]) or any(map(_states, said)) or answers_below(line, rest):
        return False
    block = BLANK.split(rest.strip(), 1)[0]
    is_long = line.endswith("?") and len(rest) > _LONG
    return is_long or "\n" in block or len(list(islice(sentences(block), 3))) > 2


def brought_before(text: str) -> int | None:
    """Where in a person's message the text ends that its last line shows to be brought along; None if none."""
    bare = text.rstrip()
    begin = bare.rfind("\n") + 1
    last, above = bare[begin:].strip(), bare[:begin].strip()
    if above and any(map(tells_of_above, sentences(last[: 2 * _LINE]))):
        return begin
    if not above or len(last) > _LINE or is_signal(last) or is_label_of_own(last) or _states(last):
        return None
    is_listed = _ITEM.match(above[above.rfind("\n") + 1 :]) is not None
    if _ATTRIBUTES.match(last) and not is_listed and not last.endswith((".", "!", "?", ":")):
        return None if _SPEAKS.search(last[:12]) and last[0] != "(" else begin
    rest = _first_sentences(above)
    if len(rest) < 2 or is_listed:
        return None
    is_bare = len(last.split()) <= _SHORT and not last.istitle() and not _SPEAKS.search(last)
    if points_at_text(last) or (is_bare and not last.endswith(("!", "."))):
        return begin
    is_request = (last.endswith("?") or asks_for_work(last)) and not (
        _SPEAKS.search(last) or asks_for_else(last)
    )
    is_foreign = _is_any_detached(rest) or not any(
        _SPEAKS.search(each) or _states(each) or settles(each) for each in rest
    )
    return begin if is_request and is_foreign else None


def is_detached(sentence: str, least: int = _SHORT) -> bool:
    """Whether nobody of the conversation speaks in a sentence of some words at `least`, nothing is stated or asked, and
    it leans on nothing.
    """
    if len(sentence.split()) < least or sentence.endswith("?"):
        return False
    is_led = _LEANS.match(sentence) or _KNOWN.match(sentence)
    return not (is_led or _SPEAKS.search(sentence) or _states(sentence))


def is_bare(sentence: str) -> bool:
    """Whether a few words neither speak, ask, greet nor tell anything: a name, a source, an aside."""
    is_talk = is_signal(sentence) or asks_for_work(sentence) or asks_for_else(sentence) or settles(sentence)
    is_part = reason_line(sentence) or alternatives_line(sentence) or has_name(sentence)
    is_told = is_talk or is_part or HAS_VERB.search(sentence)
    return len(sentence.split()) < _SHORT and not is_told and is_detached(sentence, 1)


def _is_any_detached(said: Sequence[str]) -> bool:
    """Whether one of several sentences is detached, and neither decided by the next nor part of a decision."""
    return any(
        is_detached(each)
        and not (settles(each) or settles(after) or reason_line(each) or alternatives_line(each))
        for each, after in pairwise([*said, ""])
    )


def _leads_below(line: str, below: str) -> bool:
    """Whether a line that is no talk of one's own stands above several sentences."""
    rest = _first_sentences(below)
    if settles(rest[0]):
        return False
    if hands_over(line):
        return (below.startswith("\n") and len(rest) > 1) or _is_any_detached(rest)
    if below.startswith("\n") and _asks_of_text(line) and not _states(line):
        return True
    if is_label_of_own(line) or is_signal(line) or _states(line):
        return False
    if line.endswith("?") and _leads_several(line, rest):
        return True
    is_list = all(_ITEM.match(each) for each in below.split("\n") if each.strip())
    if brings(line):
        return len(rest) > 1 or line.endswith(":")
    if names_text(line.rstrip(":")) and not is_list:
        return True
    is_talk = _SPEAKS.search(own_part(line)) is not None and not asks_for_work(line)
    if len(rest) < 2:
        return False
    if below.startswith("\n") and len(rest) > 2 and has_name(below) and (not is_talk or _ASKS.search(line)):
        return True
    if is_list:
        return False
    if (line.endswith("?") or asks_for_work(line)) and not _CALLS.search(line) and below.startswith("\n"):
        return True
    if line.endswith(":"):
        return not is_talk or _is_any_detached(rest)
    return not is_talk and _is_any_detached(rest)


def _asks_of_text(line: str) -> bool:
    """Whether a paragraph names a text and asks about it, or asks about what it only calls "this"."""
    said = list(islice(sentences(line), _READ))
    if (
        _TEXT_ASKED.match(line)
        or _TEXT_WANTED.search(line)
        or ((len(said) > 1 or "," in line) and _PRESENTS.match(line) and line.endswith("?"))
    ):
        return True
    if asks_for_work(line) and points_at_text(line):
        return True
    return any(each.endswith("?") and _IS_THIS.match(each) for each in said)


def _labels(label: str, mark: str, rest: str) -> bool:
    """Whether a label of some words in front of a text names where that is from."""
    head = label.strip() if mark[0] in ")]" else label[: -len(mark)].strip()
    said = list(sentences(head))
    head = next((each for each in said if not is_signal(each)), "")
    if (
        not head
        or is_label_of_own(head)
        or _states(head)
        or len(head.split()) > 3 * _SHORT
        or _maps(head, mark, rest)
        or (tells_outcome(head) and not has_name(rest))
    ):
        return False
    if brings(head) or names_text(head):
        return True
    is_certain = _CERTAIN_MARK.match(mark) is not None
    if _SPEAKS.search(head) or (HAS_VERB.search(head) and not is_certain):
        return False
    said = list(islice(sentences(rest), _READ))
    is_bare = len(said) <= _SHORT and not (_QUOTES.search(rest) or has_name(rest))
    if is_bare and (names_matter(head) or (said and end_of_statement(said[0]))):
        return False
    is_topic = len(head.split()) <= _SHORT and not mark.strip("= :") and not has_name(rest)
    is_typed = head.islower() and rest[:1].islower() and len(said) <= 2 and not _FROM.search(head)
    is_typed = is_typed and (" " in head or work_words(head) > 0 or _is_place_of(head, rest))
    if is_topic and (is_typed or (len(said) > 1 and settles(said[1])) or _is_told(head, said)):
        return False
    return bool(said) and (is_certain or len(said) > 1)


def _is_place_of(head: str, rest: str) -> bool:
    """Whether a word before a text is that of which it speaks as "there", and nobody's name."""
    return head not in FIRST_NAMES and _THERE.search(rest) is not None


def _maps(head: str, mark: str, rest: str) -> bool:
    """Whether somebody types what a thing turns into: "logs -> Loki, agreed today"."""
    named = _TYPED.match(rest)
    is_plain = (
        not (_QUOTES.search(rest) or has_name(rest)) and len(list(islice(sentences(rest), _SHORT))) < _SHORT
    )
    return (
        named is not None
        and is_plain
        and head.islower()
        and len(head.split()) <= _SHORT
        and mark.strip() != ":"
    )


def names_matter(head: str) -> bool:
    """Whether a few words name a matter of the project, and neither a text nor who speaks: "Base images"."""
    words = head.split()
    if len(words) > _LONGEST_TOPIC or _OF_SPEAKER.search(head) or not _WORDS.fullmatch(head):
        return False
    is_common = any(word.islower() and len(word) > 1 for word in words[1:] or words)
    return work_words(head) > 0 or (is_common and (len(words) > 1)) or _ABSTRACT.search(words[-1]) is not None


def _is_told(topic: str, said: Sequence[str]) -> bool:
    """Whether behind a topic, which is no name, somebody states what "we" do, and at most asks for more."""
    is_name = " " not in topic and topic.istitle()
    rest = said[1:]
    begins = said and not is_name and (_OWN.match(said[0]) or any(map(asks_for_else, rest)))
    return bool(begins) and _states(said[0]) and all(is_signal(each) or asks_for_else(each) for each in rest)


def _is_part(label: str, rest: str) -> bool:
    """Whether a label with a number, such as "Exhibit A.", leads several sentences."""
    return len(list(islice(sentences(rest), 2))) > 1 and not is_label_of_own(label) and not _states(label)


def _leads_beside(head: str, rest: Sequence[str]) -> bool:
    """Whether a first sentence is a heading, a request or a report, and what follows is not its writer's."""
    if is_label_of_own(head) or _states(head) or head.endswith("!"):
        return False
    if _SECTION.fullmatch(head):
        return True
    if brings(head) or points_at_text(head):
        return len(rest) > 1 or _is_any_detached(rest)
    if _LEANS.match(rest[0]) or settles(rest[0]) or says_yes(rest[0]):
        return False
    if (
        (head.endswith("?") or HAS_TEXT.search(head))
        and not asks_for_else(head)
        and sum(map(_states, rest)) > 1
    ):
        return True
    is_heading = len(head.split()) <= _SHORT and not (HAS_VERB.search(head) or is_signal(head))
    is_heading = is_heading and not (_OWN.match(head) or (head.islower() and not names_text(head)))
    mark = _MARK.search(head)
    is_heading = (
        is_heading and not _CALLS.search(rest[0]) and not (mark and names_matter(head[: mark.start()]))
    )
    is_request = head.endswith("?") or asks_for_work(head)
    if not (is_heading or is_request) or (is_request and len(rest) == 2 and _SPEAKS.search(rest[1])):
        return False
    return _is_any_detached(rest) or (len(rest) > 2 and not _SPEAKS.search(head) and not _LEANS.match(head))


def tells_of_above(sentence: str) -> bool:
    """Whether a sentence below a text tells whose that is, or names it: "Someone posted that", "the text above"."""
    return _TOLD_ABOVE.match(sentence) is not None or TEXT_ABROAD.search(sentence) is not None


def _leads_several(head: str, rest: Sequence[str]) -> bool:
    """Whether a question, or a sentence that names a text, stands before several statements."""
    is_lead = (head.endswith("?") or HAS_TEXT.search(head)) and not asks_for_else(head)
    return bool(is_lead) and sum(map(_states, rest)) > 1


def _states(sentence: str) -> bool:
    return may_say(sentence) and bool(detect(sentence))


def _first_sentences(text: str) -> list[str]:
    found: list[str] = []
    for line in islice((line for line in text.split("\n") if line.strip()), _READ):
        found += islice(sentences(line.strip()), _READ)
    return found[:_READ]
