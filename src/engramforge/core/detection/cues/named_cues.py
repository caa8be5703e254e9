"""The wordings of entries that are named by a local id: their ids, how they stand, what is done to them."""

from __future__ import annotations

import re
from typing import Final

_D: Final = r"(?:D-?\d{2,4}|D-\d|DEC-?\d{1,4}|ADR[- ]?\d{1,4})"
_T: Final = r"(?:T-?\d{2,4}|T-\d|THR-?\d{1,4})"
ANY: Final = re.compile(rf"(?<![\w-])(?:{_D}|{_T})(?![\w.-]{{0,64}}\w@|\d|-\d)\b")
LEADING: Final = re.compile(
    rf"(?s)^\W{{0,4}}(?:(?i:decision|thread|entscheidung|new decision|new thread)\s+)?(?P<id>{_D}|{_T}"
    rf"|[DT]\d(?=\s*[:(\[]))\b[*_]*(?P<more>(?:\s*(?:,|and|&)\s*(?:{_D}|{_T})\b)*)"
    r"\s*(?:[(\[](?P<note>[^)\]]{1,60})[)\]])?[*_]*\s*(?P<mark>[:\u2014\u2013.]|-(?=\s))?\s*(?P<rest>.*)$"
)
_DECISION: Final = rf"(?:decision\s+)?(?P<id>{_D})"
_THREAD: Final = rf"(?:thread\s+)?(?P<id>{_T})"
_STANDS_SO: Final = rf"(?P<id>{_T})\s*(?:\([^)]*\)\s*)?"
_SET: Final = r"\b(?:mark|set|consider|declare|treat|count)\s+"
_BE: Final = (
    r"\A(?:(?:is|are|was|were|has been|have been|stays?|remains?|got|now|has now been|is now|can(?: now)? be"
    r"|should be now|ist|sind|wurden?|wird|gilt|est|sont|a \u00e9t\u00e9|est\u00e1|es|queda|ha sido"
    r"|fue)\s+)?(?:(?:now|all|still|hereby|finally|already|also|safely|officially|jetzt|nun|damit|bereits"
    r"|maintenant|d\u00e9j\u00e0|enfin|ya)\s+)*"
)
_SUPERSEDED: Final = re.compile(
    rf"(?i){_BE}(?:superseded|replaced|overruled|overridden|obsoleted|(?:durch|von)\s+(?P<durch>{_D}"
    rf"|{_T})\s+(?:ersetzt|abgel\u00f6st)|ersetzt|abgel\u00f6st|remplac\u00e9e?|reemplazad[oa]"
    rf"|sustituid[oa])(?:\s+(?:by|par|por|durch)\s+(?P<by>{_D}|{_T}))?\b"
)
_REVISED: Final = re.compile(
    rf"(?i){_BE}(?:revised|amended|updated|changed|corrected|adjusted)\b(?:\s+to\b)?"
)
_INVALID: Final = re.compile(
    rf"(?i){_BE}(?:withdrawn|invalidated|invalid|revoked|rejected|reverted|void|obsolete|deprecated|retracted"
    r"|cancelled|canceled|dropped|scrapped|abandoned|reversed|overturned|outdated|moot|wrong|dead"
    r"|off the table|history|(?:no longer|not) (?:valid|applies|holds|true|current|needed|relevant"
    r"|in force)(?: any ?more| any longer)?|isn['\u2019]?t (?:valid|true|current|needed|relevant"
    r"|in force)(?: any ?more| any longer)?|(?:doesn['\u2019]t|does not) (?:hold|apply|stand)(?: any ?more"
    r"| any longer)|(?:nicht mehr|nicht l\u00e4nger) (?:g\u00fcltig|aktuell|relevant)|ung\u00fcltig"
    r"|hinf\u00e4llig|\u00fcberholt|verworfen|aufgehoben|n['\u2019]est plus (?:valable|valide)|caduque"
    r"|annul\u00e9e?|no es v\u00e1lid[oa]|inv\u00e1lid[oa]|anulad[oa])\b"
)
_RESOLVED: Final = re.compile(
    rf"(?i){_BE}(?:resolved|done|closed|fixed|completed?|finished|solved|settled|unblocked|answered|sorted(?: out)?"
    r"|merged|shipped|live|handled|taken care of|wrapped up|behind us|off the list|erledigt|gel\u00f6st"
    r"|fertig|abgeschlossen|behoben|r\u00e9solue?|termin\u00e9e?|ferm\u00e9e?|r\u00e9gl\u00e9e?|resuelt[oa]"
    r"|terminad[oa]|cerrad[oa]|list[oa])\b|\A\W{0,3}[\u2705\u2714\u2611]"
)
_ABANDONED: Final = re.compile(
    rf"(?i){_BE}(?:abandoned|dropped|cancelled|canceled|won['\u2019]?t (?:fix|do)|wontfix|no longer (?:needed"
    r"|relevant)|obsolete)\b"
)
_OPEN: Final = re.compile(
    rf"(?i){_BE}(?:re-?opened|open|unresolved|pending|in progress|not (?:yet )?(?:resolved|done|closed|fixed"
    r"|finished)(?: yet)?|active|offen)\b"
)
_STANDS_ON: Final = re.compile(
    r"(?i)(?:still (?:holds|stands|applies|valid)|accepted|approved|active|confirmed|final)\b"
)
OF_DECISIONS: Final = {
    "superseded": _SUPERSEDED, "revised": _REVISED, "invalidated": _INVALID, "active": _STANDS_ON
}  # fmt: skip
OF_THREADS: Final = {
    "superseded": _SUPERSEDED,
    "abandoned": _ABANDONED,
    "resolved": _RESOLVED,
    "open": _OPEN,
}
BLOCKED: Final = re.compile(
    r"(?i)\b(?:blocked (?:by|on)|waits? (?:for|on)|waiting (?:for|on)|depends on|needs|can only (?:start|begin"
    r"|continue) after|depend on|bloqu\u00e9e? par"
    rf"|bloquead[oa] por|h\u00e4ngt von|wartet auf|blockiert (?:durch|von))\s+(?P<ids>{_T}(?:\s*(?:,|and|&"
    rf"|\+)\s*{_T})*)"
)
A_THREAD: Final = re.compile(rf"(?<![\w-])(?:{_T})\b")
UNTIL: Final = re.compile(
    rf"(?i)\b(?:(?:can(?:not|['\u2019]t| not)|won['\u2019]t|unable to)\s+(?:\w+\s+){{1,3}}?(?P<id>{_T})"
    rf"|(?P<id_>{_T})\s+(?:can(?:not|['\u2019]t| not|(?= only))|won['\u2019]t"
    rf"|has to wait))\b[^.;?\n]{{0,60}}?\b(?:until|till|before|unless|without|after)\s+(?P<ids>{_T})"
)
ACTS: Final = tuple(
    (re.compile(wording, re.I), status)
    for status, wording in (
        (
            "superseded",
            rf"\b(?:supersedes?|superseding|replaces|overrules|overrides|obsoletes)\s+{_DECISION}",
        ),
        ("invalidated", rf"\b(?:invalidates?|withdraw(?:s|ing)?|revokes?|reverts?|retracts?)\s+{_DECISION}"),
        (
            "invalidated",
            rf"\b(?:forget(?: about)?|kill(?:s|ed|ing)?|ditch(?:es|ed|ing)?|changed (?:our"
            rf"|my) minds? (?:about|on)|no longer need|overturn(?:s|ed|ing)?|revers(?:es|ed|ing)|cancel(?:s"
            rf"|l?ed|l?ing)?|retir(?:es|ed|ing)"
            rf"|void(?:s|ed)?)\s+{_DECISION}",
        ),
        (
            "invalidated",
            rf"{_DECISION}\b[^.;?\n]{{0,80}}?(?:[,\u2014\u2013-]|\band)\s+(?:(?:so|and|please|let['\u2019]?s"
            rf"|let us|we can|you can)"
            r"\s+)*(?P<verb>invalidate|withdraw|revoke|drop|scrap|revert|retire|cancel) (?:it|that|this)\b",
        ),
        (
            "resolved",
            rf"{_THREAD}\b[^.;?\n]{{0,80}}?(?:[,\u2014\u2013-]|\band)\s+(?:(?:so|and|please|let['\u2019]?s"
            rf"|let us|we can|you can)"
            r"\s+)*(?P<verb>(?:close|resolve) (?:it|that|this)|mark (?:it|that|this) (?:as )?(?:resolved|done"
            r"|closed|fixed)"
            r"|(?:it|that)(?:['\u2019]s| is) (?:now )?(?:resolved|done|closed|fixed|finished))\b",
        ),
        (
            "resolved",
            rf"\b(?:(?:we|i|you) (?:can|may) (?:now |also |safely |finally )?(?:close|resolve|check off|tick off)"
            rf"|solv(?:es|ed)"
            rf"|wrapp(?:ed|ing) up|check(?:ed)? off|tick(?:ed)? off|that['\u2019]s (?:it|all|everything) (?:for"
            rf"|on|with))\s+{_THREAD}",
        ),
        (
            "resolved",
            rf"\b(?:update (?:on|for)|status (?:of|for)|news (?:on|about)|re|about|regarding"
            rf"|as for)\s+{_THREAD}\s*[:,\u2014\u2013-]\s*"
            r"(?:(?:it|that)(?:['\u2019]s| is) )?(?:now )?(?:resolved|done|closed|fixed|finished|solved"
            r"|completed?)\b",
        ),
        ("abandoned", rf"\b(?:no longer need|(?:do not|don['\u2019]t) need)\s+{_THREAD}"),
        ("open", rf"\bre-?open(?:s|ed|ing)?\s+{_THREAD}"),
        (
            "resolved",
            r"\b(?:resolv(?:es|ed|ing)|clos(?:es|ed|ing|e)|finish(?:es|ed)|fix(?:es|ed)|complet(?:es|ed)"
            r"|settles)"
            rf"\s+{_THREAD}",
        ),
        ("abandoned", rf"\b(?:abandon(?:s|ed|ing)?|drop(?:s|ped|ping)?)\s+{_THREAD}"),
        (
            "superseded",
            rf"{_SET}{_DECISION}\s+(?:as|to)\s+(?:superseded|replaced)(?:\s+by\s+(?P<by>{_D}))?",
        ),
        (
            "invalidated",
            rf"{_SET}{_DECISION}\s+(?:as\s+|to\s+)?(?:withdrawn|invalid(?:ated)?|void|obsolete|dropped"
            rf"|revoked|off)\b",
        ),
        (
            "invalidated",
            rf"{_DECISION}\s+(?:does not|doesn['\u2019]t)\s+(?:hold|apply|stand)\s+(?:any ?more|any longer)",
        ),
        (
            "resolved",
            rf"{_SET}{_THREAD}\s+(?:as\s+|to\s+)?(?:resolved|done|closed|fixed|finished|completed?)\b",
        ),
        ("resolved", rf"(?:done|finished|through) with {_THREAD}"),
        ("superseded", rf"\breplac(?:e|es|ed|ing)\s+{_DECISION}\s+(?:with|by)\s+(?P<by>{_D})"),
        (
            "invalidated",
            rf"\b(?:scrap|scrapp(?:ed|ing)|drop(?:s|ped|ping)?|withdrew|invalidated|revert(?:ed"
            rf"|ing)?)\s+{_DECISION}",
        ),
        ("open", rf"{_STANDS_SO}(?:stays?|remains?|is still|is) (?:open|unresolved)"),
    )
)
ENDS: Final = re.compile(
    r"(?i)\A\s*+(?:$|[:;,.)\u2014\u2013(-]|(?:by|in|after|on|at|with|as|because|since|due|to|again|yet|now"
    r"|until|whether)\b)"
)
DEPENDS_AFTER: Final = re.compile(
    r"(?i)[^.;:]{0,80}?\b(?:if|unless|once|as soon as|provided|assuming|wenn|falls|sobald)\b"
)
STANDS_AS: Final = re.compile(
    r"(?i)(?:is|isn['\u2019]?t|are|was|were|has been|can(?: now)? be|ist|sind|wurden?|wird|est|sont|est\u00e1"
    r"|queda|ha sido|ya no|n['\u2019]est)\b"
)
OF_ANOTHER: Final = re.compile(
    r"(?i)\b(?:of|for|in|on|about|from|than|by|like|after|before|without|with|to|behind|like|f\u00fcr|von|mit"
    r"|pour|de|par|por)\s+(?:thread\s+|decision\s+)?\Z"
)
BRACKETED: Final = re.compile(r"\A\s*\([^)]{0,60}\)")
WAS: Final = re.compile(r"(?i)\b(?:was|were|had been|used to be)\s+\Z")
AWAITED: Final = re.compile(
    r"(?i)\b(?:when|whether|once|until|before|after|as soon as|(?:make sure|ensure|check|verify|see(?: to it)?|want"
    r"|need|pretend|expect|doubt)(?: that| if)?)\s+(?:thread\s+|decision\s+)?\Z"
)
MAY_BE: Final = re.compile(r"(?i)can\b")
HAS_VERB: Final = re.compile(r"(?i)(?:is|are|was|were|has|have|stays?|remains?|got|now)\b")
SEPARATOR: Final = re.compile(r"(?i)^\s*(?:[:;,.\u2014\u2013-]|by\b|with\b|as\b|because\b|since\b)\s*")
