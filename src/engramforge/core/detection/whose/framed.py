"""A whole statement inside of a sentence that is not said but told, supposed or asked to be written.

"The button should say D001 is revoked", "suppose we decided to ...": where a statement begins without a mark before
it, it belongs to the words in front of it. Those of a few people's own ("as of today", "we agreed that") are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.detection.leads import end_of_lead
from engramforge.core.detection.named.entries import has_name
from engramforge.core.detection.passages import sentences
from engramforge.core.detection.rule_extractor import detect, may_say
from engramforge.core.detection.whose.introductions import TEXT_NOUN, is_label_of_own, tells_outcome
from engramforge.core.detection.whose.signals import is_signal
from engramforge.core.detection.whose.surroundings import BLANK, is_bare, names_matter
from engramforge.core.text.late_pattern import late
from engramforge.model.registries.detection import Detection

_WHOLE: Final = late(
    r"(?:(?<=\w )|(?<=[:,] )|(?<=\.g\. )|(?<=\D[=/|>&])|(?<=\w[(]))(?:(?i:that|dass|que)\s+|qu['\u2019])?"
    r"(?:(?P<we>(?:we|wir|nous|hemos|on a)\s)|(?P<said>(?:We|Wir|Nous|Hemos|On a|From now on)\s)"
    r"|(?i:(?:the |our )?(?:decision |thread )?)(?:[DT]-?\d+|[dt]\d{3,})\b(?=[^.!?;:]{0,60}?\s(?:is|are|was"
    r"|were|ha[sd]|have|no longer|doesn|does|ist|sind|sei|gilt|est|son|soit|queda\w*|est\u00e1)\b))"
)
"""Where a whole sentence may begin within another."""
_TELLS: Final = late(
    r"(?i)\b(?:sa(?:y|id|ys|ying)|reads?|states?|stated|claim(?:s|ed|ing)?|wr(?:ites?|ote)|(?<!to )reports?"
    r"|announce[sd]?|tells?|told"
    r"|thinks?|thought|believe[sd]?|insist(?:s|ed)?|assume[sd]?|suspect(?:s|ed)?|hope[sd]?|wish(?:es|ed)?"
    r"|wants?|types?|typed"
    r"|enters?|entered|s[ia]ngs?|goes|becomes?|heard|argue[sd]?|asserts?|swears?|read (?:somewhere|it)"
    r"|rumou?r\w*|myth|lie|nonsense|untrue|not true"
    r"|dreams?|dream(?:ed|t)|(?<!look )(?<!looks )(?<!seems )like|such as|(?:he|she|they|people|some(?:body"
    r"|one)) (?:\w+ ){1,3}that|sagt|meint|glaubt|behauptet|schreibt"
    r"|pr\u00e9tend|croit|dit|cree|dice)(?: (?:to )?(?:me|us|him|her|them|everyone))?(?: that| dass| que)?\W*\Z"
)
"""Words behind which somebody else speaks, a machine or a text."""
_UNREAL: Final = late(
    r"(?i)\W*(?:(?:and|so|now|ok|please|just|let['\u2019]?s|also|then)\s+){0,3}(?:suppos(?:e|ing)|imagine"
    r"|assum(?:e|ing)|pretend|picture"
    r"|what if|hypothetically|say|in (?:an?(?:other)?|some|the) (?:\w+ )?(?:universe|world|dream|story|novel"
    r"|movie|film|game|book|demo"
    r"|mock-?up|screenshot|example|scenario|sketch|tale)|in (?:an|the )other \w+|once upon a time|(?:i )?dream(?:ed"
    r"|t)(?: last night)?|e\.\s?g\.|for (?:example|instance)"
    r"|not true|false|wrong|stell dir vor|angenommen|imagin[ae]\w*|sup(?:posons|ongamos))(?: that| dass| que)?\W*\Z"
)
_OWN: Final = late(
    r"(?i)\W*(?:i|we|i['\u2019]\w+|we['\u2019]\w+|you|it|that|this|both|wir|ich|nous|je|on|and|so|also|but|ok"
    r"|okay|well|hi|hey|yes|no|now|then"
    r"|today|yesterday|just|fyi|btw|again|still|right|\w+ly|as|after|at|by|for|from|following|in|since"
    r"|with(?:out|in)?|due"
    r"|because|given|thanks|until|once|when|while|before|during|turns|looks?|seems|happy|glad|proud|pleased"
    r"|good|great|update|status|news|lo)\b"
)
_ORDERS: Final = late(
    r"(?i)\W*(?:(?:and|so|now|ok|please|just|let['\u2019]?s|also|then|could you|can you)\s+){0,3}(?:write"
    r"|draft|compose|add|insert|put|use|make"
    r"|create|generate|change|set|rename|show|display|render|print|enter|paste|try|feed|fuzz|test|send|post"
    r"|publish|reply|respond|answer|translate|tell|let|have|schreib\w*|erfinde?)\s(?:[^\s,;:.!?]+\s){0,8}?"
    rf"(?:{TEXT_NOUN}|(?:tests?|fixtures?|cases?|headings?|(?:sub)?titles?|labels?|buttons?|toasts?|tooltips?"
    rf"|placeholders?|banners?|strings?"
    r"|captions?|templates?|errors?|headers?|footers?|bots?|assistants?|team|eingabe|geschichte)"
    r"|with)\b[^,;.!?]{0,60}\Z"
)
"""Asks for words, and what these are comes next."""
_ENDS: Final = late(
    r"(?i)\W*(?!how|what|which|is|are|does)(?:(?:(?:the|our|an?|my|no|nothing) )?(?:\S+ ){0,3}?(?:of|for|from"
    r"|to|on|in|by|with|about)"
    r"|.*\b(?:agree\w*|decid\w*|confirm\w*|report|settled|official\w*|clear|sure|mean[st]?|fact|turned out|and"
    r"|so|but|because|since|as|while|hence|therefore|thus|now|then|than|before|it|is no|d\w*cisi\w+|thread|fil|hilo"
    r"|matter|question|task|issue|point)(?: that| dass| que)?)\s*\Z"
)
"""What people say before a statement of theirs in the same sentence, and before an entry's name."""
_BEGIN: Final = late(r"(?i)\b(?:we|wir|nous|hemos|on a|[DT]-?\d+)\b")
"""The first words of a statement."""
_LABELS: Final = late(r"(?P<who>[^:\n]{1,60}?)(?::{1,2}|\s[\u2014\u2013-]{1,2})\s")
_OTHERS: Final = late(
    r"(?i)\W*(?:(?:at|in|over at|by|per|for|with|from|via|bei|laut|chez|selon)\s(?:(?:their|his|her)\b|(?-i:[A-Z])\w+"
    r"(?:,|\s*\Z))|(?:according|per|laut|selon|seg\u00fan|supposedly|allegedly|rt|aw|re|fwd?|wg|via|echo|printf|fake)\b"
    r"(?! me| us))|(?:.*\b)?(?:doubts?|den(?:y|ies|ied)|unlikely|unsure|not (?:sure|true|think|believe)|reported"
    r"|rumou?r\w*)\b"
)
"""Words before a statement that give it to somebody else or doubt it."""
_DISOWNS: Final = late(
    r"(?i)(?:\s(?:<[-=~]+|[\u2190\u2191\u2b06\u261d]|\^+)[^\n]{0,80}|\s\W?(?:jk|j/k|/s|lol|hypothetically"
    r"|not (?:true|mine)|(?:that|this|it)(?:['\u2019]s| is| was) (?:(?:from|in|on|by) )?(?:the(?! \w+ answer)|an?|my"
    rf"|their) (?:[\w-]+ )?(?:{TEXT_NOUN}|strings?)(?: (?:to|for|of|from) [^.\n]{{1,40}})?)"
    r"|(?:\n\W{0,3}|[.!?]\s\W{0,3}|\s[(\[])(?:not(?: (?:me|us|really|my \w+))?|allegedly|supposedly"
    r"|in theory|i doubt (?:it|that)|as if"
    r"|i (?:don['\u2019]?t|do not) (?:think|believe) (?:so|that|it)"
    r"|(?:he|she|they) (?:said|says|wrote|claims?)(?: so)?"
    r"|as (?:the|my|their|an?) [^.\n]{1,40} (?:put|said|says) ?\w*"
    rf"|from (?:the|an?|my|their) (?:[\w-]+ )?(?:{TEXT_NOUN}|vendor|customer|client|bot|web)|\u00a9[^\n]{{0,60}})"
    r"|\n\W{0,3}(?:sent (?:from|via|with) [^.\n]{1,40}|(?:\(c\)|copyright)[^\n]{0,60})|\n--\s*\n[^\n]{1,60}"
    rf"|\s[-\u2013\u2014~] ?(?:the|an?|their) (?:{TEXT_NOUN}|vendor|customer|bot))[\s.!)\]]*\Z"
)
"""Ends a text with whose words stand before, or that they are not true."""
_SURE: Final = 0.7
_LONGEST: Final = 600
_TAIL: Final = 160
_READ: Final = 24


def framed_from(sentence: str) -> int:
    """Where in a sentence a whole other one begins that its first words tell, suppose or order; 0 if none does."""
    for hit in _WHOLE.finditer(sentence, max(0, end_of_lead(sentence) + 1), _LONGEST):
        before = sentence[: hit.start()].rstrip()
        is_others = _TELLS.search(before) is not None or _UNREAL.match(before) is not None
        is_others = is_others or _ORDERS.match(before) is not None
        if not (is_others or hit["we"] or before.endswith((":", ",")) or _OWN.match(before)):
            is_others = bool(hit["said"]) or (" " in before and _ENDS.match(before) is None)
        if (
            is_others
            and may_say(rest := sentence[hit.start() :])
            and any(x.confidence >= _SURE for x in detect(rest))
        ):
            return hit.start()
    return 0


def disowned(text: str, own: str, found: Sequence[Detection]) -> str:
    """Why statements of a message wait that its other words give to somebody else or deny, in a few words; "" if none
    do.

    `own`: the part of the text that is its speaker's; `found`: what it says of decisions and threads.
    """
    if not found:
        return ""
    if _DISOWNS.search(text.rstrip()[-_TAIL:]) is not None:
        return "its end says whose words it is"
    if has_name(own) and any(map(_is_led_by_others, BLANK.split(own))):
        return "its beginning says whose words it is"
    is_update = any(each.local_id is not None and each.is_update for each in found)
    if not is_update or len({each.local_id or each.text for each in found}) < 2:
        return ""
    said = [each for line in own.split("\n") for each in sentences(line.strip())][:_READ]
    others = [each for each in said if not any(x.sentence in each or each in x.sentence for x in found)]
    return "beside words that nobody says" if any(map(is_bare, others)) else ""


def _is_led_by_others(paragraph: str) -> bool:
    """Whether a label or other words before a paragraph's first statement name somebody else's voice or doubt it."""
    begin = _BEGIN.search(paragraph, 0, _LONGEST)
    head = paragraph[: begin.start() if begin else 0].lstrip("#*-> ")
    if not head.strip():
        return False
    label = _LABELS.match(head)
    if label is not None and not _vouches(label["who"].rpartition(". ")[2]):
        return True
    return _OTHERS.match(head) is not None


def _vouches(label: str) -> bool:
    """Whether a label names a matter, or greets, rather than who speaks."""
    return (
        _OWN.match(label) is not None
        or is_label_of_own(label)
        or is_signal(label)
        or names_matter(label)
        or tells_outcome(label)
    )
