"""Letters and mails: what is written to somebody else than an assistant, or signed as people sign letters."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.whose.signals import GREETING
from engramforge.core.text.late_pattern import late

_TO_ASSISTANT: Final = r"(?:claude|assistant|chatgpt|gpt|ai|ki|bot|gemini|copilot|codex|cursor|agent|llm)\b"
_HELLO: Final = (
    r"(?:hi|hello|hey|hallo|moin|servus|salut|bonjour|bonsoir|hola|ciao|greetings|guten (?:tag|morgen|abend)"
    r"|good (?:morning|afternoon|evening)|buen(?:os|as) \w+)"
)
_FORMAL: Final = (
    r"(?:(?:sehr )?geehrte[rs]?|liebe[rs]?|(?:ma |mon )?ch[e\u00e8]re?s?|madame|monsieur|estimad[oa]s?"
    r"|querid[oa]s?|gentile|geachte)"
)
_GREETS_ASSISTANT: Final = late(rf"(?i)\s*+(?:(?:dear|{_HELLO}|{_FORMAL}),?\s+)?(?:there\s+)?{_TO_ASSISTANT}")
_ADDRESSES: Final = late(
    rf"(?i)\s*+(?:dear \w+|to whom it may concern|{_FORMAL}\b(?: [^,!.:\n]{{1,60}})?[,!])"
)
_CALLS_NAME: Final = late(
    rf"(?i)\s*+(?:{_HELLO} (?!there\b|again\b)\w[\w.'\u2019-]*+(?: [\w.'\u2019-]+){{0,3}}?\s*[,!:.\u2013-]"
    rf"|{_HELLO} (?!there\b|again\b)\w[^\n]{{0,40}}\n"
    rf"|(?!{_HELLO}\b)(?-i:[A-Z])[\w'\u2019.-]*+(?: [\w'\u2019.-]+){{0,2}},\s*\n)"
)
_GREETINGS_SENT: Final = r"gr(?:\u00fc|ue?)(?:\u00df|ss)\w*"
_FORMALLY: Final = (
    r"(?:(?:with |my )?(?:kind|kindest|best|warm|warmest) )?regards|(?:best|warm|kind) wishes|(?:very )?sincerely"
    r"|yours (?:sincerely|faithfully|truly)|respectfully yours"
    rf"|(?:mit )?(?:freundlich|best|herzlich)\w* {_GREETINGS_SENT}|hochachtungsvoll|mfg"
    r"|(?:bien |tr\u00e8s )?cordialement|bien \u00e0 (?:vous|toi)|(?:\w+ )?salutations|atentamente"
    r"|(?:un )?saludos? cordial\w*|(?:cordiali|distinti) saluti|met vriendelijke groet\w*"
)
_CORDIALLY: Final = (
    rf"(?:(?:viel|lieb|sch\u00f6n|sonnig)\w* )?{_GREETINGS_SENT}|[lv]g|(?:un |muchos )?(?:saludos?|abrazo)|amicalement"
    r"|thanks|thank you|many thanks|thx|danke|merci|gracias|best|cheers|love|all the best|take care"
    r"|xx+|kisses|hugs|bises|see you \w+|\u00e0 (?:demain|bient\u00f4t|plus)|bis (?:morgen|dann|bald)|hasta \w+"
)
_SIGNED: Final = (
    r"[^\w\n]*(?:(?:aus|from|vom|de) \w+\W*)?"
    r"(?:i\. ?[av]\.\s*)?(?-i:(?:[A-Z]\. ?){0,3})(?-i:(?:[Tt]he|[Yy]our|[Ii]hre?|[Ee]uer|[A-Z])[^.?!\n]{0,60}[.!]?)?"
    r"\s*(?:\n(?s:.{0,200}))?\Z"
)
_CLOSES_FORMALLY: Final = late(
    rf"(?i)(?:\n|[.!?]\s)[^\S\n]*+(?:(?:{_FORMALLY})\b{_SIGNED}"
    r"|(?:your|the|eue?re?|ihre?|votre|notre)(?: (?-i:[A-Z])[\w&-]*){1,3}(?: team)?\Z)"
)
_SIGNATURE: Final = late(r"\n--[^\S\n]*+\n(?:[^\n]{1,80}(?:\n|\Z)){1,8}\Z")
_CLOSES: Final = late(
    rf"(?i)(?:\n|[.!?]\s)[^\S\n]*+(?:{_CORDIALLY})\b{_SIGNED}"
    r"|\n[^\S\n]*+(?:[-\u2013\u2014~/] ?)?(?-i:[A-Z])[\w.'\u2019&-]*+(?: [\w.'\u2019&-]+){0,4}\s*\Z"
)
_LAST: Final = 600
"""Letters at the end in which a closing is looked for."""


def is_letter(text: str, own: str) -> bool:
    """Whether a text is a letter that somebody wrote to somebody, and none to an assistant.

    `own`: the text without what it only holds, such as quotations and signatures.
    """
    if _GREETS_ASSISTANT.match(own):
        return False
    last = own[-_LAST:].rstrip()
    if _ADDRESSES.match(own) or _CLOSES_FORMALLY.search(last):
        return True
    called = _CALLS_NAME.match(own)
    if called is None or (called[0].rstrip().endswith(",") and _is_only_greeting(called[0])):
        return False
    return _CLOSES.search(last) is not None or _SIGNATURE.search(text[-_LAST:].rstrip()) is not None


def _is_only_greeting(opening: str) -> bool:
    """Whether a first line of one word greets, or agrees, and names nobody: "Thanks,"."""
    words = opening.strip(" ,\n")
    return " " not in words and GREETING.match(words) is not None
