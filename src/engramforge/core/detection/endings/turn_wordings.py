"""Wordings with which somebody turns from something in plain words, and what may stand beside them."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.endings.plain_turns import OF_BEFORE, STOP, SUFFICES
from engramforge.core.registries.changed.same_matter import CHANGED
from engramforge.core.registries.complaints import WE
from engramforge.core.text.late_pattern import late

_APOSTROPHE: Final = r"['\u2019]"
_END: Final = (
    r"(?=\W*\Z|\s*[,;:!?()\u2014\u2013]|\.(?:\s|\Z)|\s-\s|\s(?:after all|instead|for|because|since|as|in|on|at|then"
    r"|again|and|but|now|from|please|pls|plz|thx|thanks"
    r"|so|to|over|along|with|until|when|while|by|rather|any ?more|any longer|than|where"
    r"|which|that|is|was|too|of|we|i|if|here|today|tonight)\b)"
)
_WORD: Final = r"(?>(?:(?!\s|[,;:!?()]|\.(?:\s|\Z)).){1,30})"
_NAME: Final = rf"{_WORD}(?:(?>\s+)(?!-\s){_WORD}){{0,5}}?{_END}"
_LEAD: Final = (
    r"(?:\A|(?<=[,;:.!\u2014\u2013])|(?<=\s-)|\b(?:and|so|then|but)\b)\W{0,6}+(?>(?:(?:ok(?:ay)?|actually|nope|oh|hm+"
    r"|no(?! more\b| longer\b)|nah|well|sorry|wait|please|just|now|then|so|and|but|right|alright|yeah|yes|hey|ah"
    r"|on (?:second thoughts?|reflection)|come to think of it)\b\W{0,6}){0,6})"
)
"""Where a clause may begin, and words before it that only turn to it."""
_ENDS: Final = (
    r"(?:scrap|scratch|drop|ditch|forget|kill|bin|axe|dump|abandon|toss|nix|shelve|retire|strike)(?:p?ping|ting|ing)?"
    r"(?:\s(?:about|the idea of|the plan (?:to|with)|using|what (?:i|we) (?:said|decided) (?:about|on)))?"
    r"|get(?:ting)? rid of|do(?:ing)? away with|mov(?:e|ing) (?:off|away from)|giv(?:e|ing) up on|stop(?:ping)? using"
    r"|never ?mind|(?:ignore|take back) what (?:i|we) said about|chang(?:ed|ing) (?:my|our) minds? (?:about|on)"
    r"|(?:done|through) with|decided against|remov(?:e|ing)(?=\s[^,;:.!?]{2,60}\sagain\b)"
)
_THREW: Final = r"(?:threw|ripped|kicked|tore|chucked|tossed)"
_REVOKES: Final = (
    rf"(?:{WE}\s)?(?:tak(?:e|ing) back|withdraw|revoke|overturn|lift|abolish|cancel|{_ENDS})\s"
    r"(?=(?:the|our|my|that|this)\s(?>[\w'-]+\s){1,3}(?:decision|rule|policy|ban|limit|restriction|requirement)\b"
    r"(?:\W*\Z|\s*[,;:.!\u2014\u2013]|\s(?:again|now|because|since|as|and|for good|please|completely)\b))"
)
"""Takes a decision or rule back by its name, whatever takes its place."""
_SUPPORTS_NOT: Final = (
    r"(?:i|we) no longer (?:support|offer|accept|allow|ship|serve|sell|require|publish|provide)\s"
)
"""Ends what was decided of a thing, whatever takes its place."""
LEFT: Final = tuple(
    late(rf"(?i){_LEAD}{frame}")
    for frame in (
        rf"(?P<verb>(?:{WE}\s)?(?:{_ENDS}))\s(?P<left>{_NAME})",
        rf"(?P<verb>(?:{WE}\s)?(?:{_THREW}|(?:throw|rip|kick|tear|chuck"
        rf"|toss)(?:p?ing)?))\s(?P<left>{_WORD}(?:\s{_WORD}){{0,3}}?)\sout"
        rf"(?:{STOP}|(?= (?:and|again|then|for)\b))",
        rf"(?P<verb>(?:{WE}\s)?(?:{_THREW}|(?:throw|rip|kick|tear|chuck|toss)(?:p?ing)?) out)\s(?P<left>{_NAME})",
        rf"(?P<verb>{_REVOKES})(?P<left>{_NAME})",
        rf"(?P<verb>(?:i|we) don{_APOSTROPHE}?t (?:like|want|need|use))\s(?P<left>{_NAME})(?=\sany ?(?:more"
        r"|longer)\b)",
        rf"(?P<verb>(?:i|we) no longer (?:like|want|need|use))\s(?P<left>{_NAME})",
        rf"(?P<verb>{_SUPPORTS_NOT})(?P<left>{_NAME})",
        rf"(?:let{_APOSTROPHE}?s |we{_APOSTROPHE}?ll |we (?:will|do) )?(?P<verb>not)\s(?P<left>{_NAME})\safter all\b",
        rf"(?P<left>{_NAME})\s(?P<verb>is|are)\s(?:out|off the table|history|gone|dead|no more)(?:{STOP}|(?= and\b))",
    )
)
"""Says that something is left."""
NO_LONGER: Final = late(rf"(?i){_LEAD}{_SUPPORTS_NOT}")
REVOKED: Final = late(
    rf"(?i){_LEAD}(?:{_REVOKES}|{_SUPPORTS_NOT}|{WE}\s(?:{_ENDS})\s(?>(?:(?:the|our)\s)?)[\w'-]+(?:\s[\w'-]+)?"
    r"(?:\W*\Z|\s*[,;:.!\u2014\u2013]|\s(?:again|because|since|for good|completely|altogether)\b))"
)
NO_MORE: Final = late(
    r"(?i)(?:\A|(?<=[,;:.!\u2014\u2013])|\b(?:and|so|then|but)\b)\W{0,6}(?:(?:ok(?:ay)?|nah|nope|hm+|well|actually"
    r"|sorry|right|from now on|no(?=\W{0,2}no\b))\b\W{0,3}){0,3}"
    rf"(?P<verb>no)\s(?:more\s(?P<left>{_NAME})|(?P<from>{_NAME})(?=\s(?:any ?more|any longer|after all"
    rf"|from (?:now|today) on){STOP}|\s?[,;]\s(?:and |but |so )?{WE}\s(?:use|take|go with|ship|write)\b))"
)
"""Wants none of a thing from now on."""
INSTEAD: Final = late(
    rf"(?i)\b(?P<verb>instead of|in place of|rather than)\s(?P<left>{_NAME})"
    rf"|{_LEAD}(?:{WE}\s)?(?P<moves>(?:mov|switch|migrat|chang|convert|go)(?:e|ing|ed)?\b[^,;:.!?]{{0,40}}?\sfrom)\s"
    rf"(?P<from>{_NAME})\sto\s"
    rf"|{_LEAD}(?:{WE}\s)?(?P<swaps>(?:replac|swap|exchang|trad)(?:ed?|p?ing|ped)?(?:\sout)?)\s(?P<off>{_NAME})\s(?:with"
    rf"|by|for)\s"
)
"""Says what is left beside what is taken."""
STATES: Final = late(rf"(?i){_LEAD}{WE}\s(?!(?:meant?|think|thought|guess|know|see|hope|said)\b)\w")
"""A clause in which somebody says what they do from now on."""
GETS: Final = late(r"(?i)\b(?:gets?|goes|go) (?:done|made|sent|kept|\w{2,20}ed) (?:by|in|with|on)\b")
"""Says how a thing is done from then on: "edges get done by hand"."""
BRIEFLY: Final = late(
    rf"(?i){_LEAD}(?:{_NAME}\s(?:it is|instead|from now on|after all){STOP}"
    rf"|{_WORD}(?:\s{_WORD}){{0,6}}?\s{SUFFICES}{STOP}"
    rf"|(?:(?:go|switch|move?)(?:ing)? )?back to\s{_NAME}|(?:return|revert) to\s{_NAME}|(?:make it|use|take"
    rf"|go (?:with|(?:down |up )?to(?=\s\d)))\s{_NAME})"
)
"""The same without saying who: "Postgres it is", "go back to tabs"."""
AGAIN: Final = late(
    rf"(?i)\bafter all(?:{STOP}|(?=\s(?:because|since|as|and|but|for|in|on|at)\b))|\bback to\b"
    r"|\b(?:return|revert)(?:ing)? to\b|\bon (?:second thoughts?|reflection)\b|\bchange of (?:plans?|mind|heart)\b"
    rf"|\bchanged (?:my|our) minds?\b|\bactually,? no\b|{OF_BEFORE}"
)
"""Says that it was said otherwise before."""
NOT_AT_ALL: Final = late(rf"(?i)\b(?P<verb>no)\s(?P<left>{_NAME})(?=\sat all\b)")
"""Wants none of a thing; a turn only beside words that say so."""
NOW_ONWARDS: Final = late(
    rf"(?i){_LEAD}(?:from (?:now|here|today) on\b|make (?:that|it)\s)|\binstead{STOP}"
    rf"|{_LEAD}(?:{WE}\s)?(?:switch|change) (?!from\b)[^,;:.!?]{{2,40}}? to\s"
    rf"|\bfrom (?:now|here|today) on{STOP}"
)
"""Says that something is so from now on, and may have been otherwise."""
LEFT_FOR: Final = late(
    rf"(?i){_LEAD}(?:{WE}\s)?(?:{_ENDS})\s{_NAME}\s?,\s(?:plain|pure|vanilla|bare|raw|ordinary)\s[\w.+#-]{{1,30}}"
    r"(?:\s[\w.+#-]{1,30})?\W*\Z"
)
"""Says what takes the place of something by its name alone: "drop Tailwind, plain CSS", not "... , too heavy"."""
MAY: Final = late(
    rf"(?i)\b(?:after all|i meant|{CHANGED}"
    r"|(?:back|return\w*|revert\w*) to|instead|rather than|in place of"
    r"|on (?:second|reflection)|chang\w+ (?:of|my|our)"
    r"|(?:switch|change) [^,;:.!?]{2,40} to|actually|from\b[^.;!?]{1,60}\sto|replac\w+"
    r"|swap\w*|exchang\w+|trad\w+|no longer|at all|no more|any ?(?:more|longer)|from (?:now|here|today) on|wait"
    r"|tak(?:e|ing) back|withdraw|revoke|overturn|lift|abolish|nah|nope|no|(?:ok(?:ay)?|fine|free) (?:now|in|on|at|by"
    r"|near)|(?:every|any)(?:where|one|body|time|day)|any time|allowed|permitted|welcome|legal|wherever|whenever"
    r"|always|around the|all (?:over|day)|in (?:all|any|every)|reverse|undo|revert|cancel|take (?:that|it)|only"
    r"|too|as well|also|remove|make|set|put|better|move[sd]?|shift|push|down to|up to|limit|cap|raise|lower|cut|shorten"
    r"|extend|reduce|increase|bump"
    r"|(?:should|must|(?:needs?|ha(?:s|ve)) to)(?: now)? (?:be|last|take|stay)"
    r"|enough|threw|tore|it is|(?:switched|migrated|changed|went) |(?:throw|rip|kick|tear|chuck"
    r"|toss)\w*|not|do need|again|now|(?:we|i) (?:do|will)|back|then|(?:is|are)"
    rf" (?:over|lifted|out|off|history|gone|dead|no more)|freely|(?:{_ENDS}))\b"
    r"|[,;.]\s(?:we take |try )?\d[\d.]{0,8}(?:\s?[a-z%]{1,12})?\W*\Z"
)
"""Every reversal has one of these."""
POINTS: Final = late(r"(?i)(?:of|that|this|it|them|these|those|him|her|me|us|you|one|everything|all)\W*\Z")
PARTLY: Final = late(r"(?i)\sfrom (?:the|our|its|my|this)\b(?! [^,;.]{0,40} to )")
DENIED: Final = late(rf"(?i)\b(?:not|never|(?:don|won|can){_APOSTROPHE}?t|cannot)\b(?>(?:\s\w+){{0,2}})\W*\Z")
