"""Requests to read something: what answers them reports what was read."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.whose.introductions import MADE_OF_TEXT, REWORDS
from engramforge.core.detection.whose.signals import is_signal
from engramforge.core.text.late_pattern import late

_READS: Final = late(
    r"(?i)(?:^|[.!?,;:]\s|\b(?:please|can you|could you|would you|and|then|just)\s)\W{0,3}(?:summar\w+|sum up|recap"
    r"|tl;?dr|transcri\w+|skim|listen to|catch me up|read(?! the (?:spec|docs?) and (?:build|write|implement))(?: me)?"
    r"|open(?= \S*[./]\w)|search the (?:web|internet)|lis|r\u00e9sume\w*|lies|fass\w*|lee|resum\w+"
    r"|(?:fetch|visit|browse|hol\w*) (?:\S+\.\w+|(?:die|das) \w*(?:seite|datei))"
    r"|(?:translate|explain|\u00fcbersetz\w*) (?:it|this|that|das|es)(?= file|\W*$))\b"
)
"""Asks for nothing but what a text says, whatever the text is called."""
_TAKES_IN: Final = late(
    r"(?i)\b(?:summar\w+|translat\w+|quote|(?:re-?)?read|review|fetch|call|open(?= (?:the|my|this|that|newest"
    r"|latest|it|\S*[./])\b)|browse|visit|look(?:ing)? (?:at|through|into|up|over|in)"
    r"|search (?:the|in|for|my|our)|check|(?<!if you )see|(?:have|take) a look at|list|print|show|tell me|find out"
    r"|go (?:over|through)|scan|digest|ingest"
    r"|explain|extract|research|tail|what(?:['\u2019]s| do(?:es)?| is| are)|any(?:thing)? new\w*|news"
    r"|zeig\w*|was steht|que (?:dit|disent)|qu\u00e9 dice)\b(?P<what>(?:[^.!?\n]|\.(?=\w)){0,100})"
)
_READABLE: Final = late(
    r"(?i)\bhttps?://|\bwww\.|\b[\w-]{1,60}+\.(?:md|txt|html?|pdf|docx?|rst|com|org|net"
    r"|csv|ya?ml|json|toml|xlsx?|zip|wav|mp[34])\b|\b(?:(?:web ?)?pages?"
    r"|(?:web)?sites?|articles?|documents?|docs?|e-?mails?|posts?|blogs?|papers?|read-?mes?|reports?|transcripts?"
    r"|letters?|minutes|wikis?|tickets?|pdfs?|newsletters?|comments?|chats?|books?|stor(?:y|ies)|release notes"
    r"|changelogs?|announcements?|attachments?|attached|inbox|the web|internet|prs?|mrs?|(?:pull|merge) requests?"
    r"|issues?"
    r"|commits?|diffs?|logs?|messages?|threads?|discussions?|notes|specs?|slides?|mailing list|channels?|history"
    r"|vendor|customer|output|invit(?:e|ation)s?|voice-?mails?|memos?|contracts?|notebooks?|recordings?|interviews?"
    r"|calendar|agendas?|servers?|protokoll|dokument|datei|brief|rapport|fichier|lettre|archivo|informe|carta)\b"
    rf"(?!\s(?:{MADE_OF_TEXT}|tracker|system|module|template|parser)\b)|(?:^|\s)[#!]\w"
)
_SAID_THERE: Final = late(
    r"(?i)(?:^|[.!?,;:]\s|\b(?:tell me|know|check|see|find out)\s)\W{0,3}(?:what|whether|if|did|has|have"
    r"|was(?! steht als)|que|qu\u00e9)\b(?! (?:we|i|you|[dt]-?\d+)\b)[^.?!\n]{0,60}?\b(?:wr[oi]tes?|written|sa(?:y"
    r"|id|ys)|answer(?:s|ed)?|repl(?:y|ies|ied)|post(?:s|ed)?|comment(?:s|ed)?|announced?|sent|reported|schrieb\w*|schreibt|steht|dit|dice|dijo)\b"
    r"|^\W*(?:please )?read (?:it|this|that)\b"
    r"|(?:^|`|\brun )\W{0,3}(?:cat|less|more|head|tail|bat|grep|rg|jq|curl|wget|git (?:log|show|diff|blame)|gh \w+"
    r"|(?:kubectl|docker) logs"
    r"|journalctl|psql|sqlite3|type|find|ls)\s(?:-|\S*[./_\d]|[A-Z]{2,})|\bgit (?:log|show|diff)\b"
)
"""Asks what somebody wrote, or runs a command that shows it."""
_GOES_ON: Final = late(
    r"(?i)\W*(?:continue|go on|go ahead|carry on|keep going|proceed|more|and|weiter|suite)\W*\Z"
)


def goes_on(text: str) -> bool:
    """Whether a person's turn asks for nothing new: "ok", "thanks", "continue"."""
    return len(text) < 80 and (is_signal(text) or _GOES_ON.match(text) is not None)


def asks_to_take_in(text: str) -> bool:
    """Whether a person's turn asks to read something, so that the answer reports what was read."""
    asked = any(_READABLE.search(hit["what"]) for hit in _TAKES_IN.finditer(text))
    is_reworded = REWORDS.search(text) is not None and _READABLE.search(text) is not None
    return asked or is_reworded or any(each.search(text) for each in (_READS, _SAID_THERE))
