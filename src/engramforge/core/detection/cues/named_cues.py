"""The wordings of entries that are named by a local id: their ids, how they stand, what is done to them.

English, German, French and Spanish; the same words of ending and closing serve in all places of a sentence.
"""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.detection.cues import act_words as acts
from engramforge.core.detection.cues import status_words as stands
from engramforge.core.registries.local_ids import NUMBER
from engramforge.core.text.late_pattern import late

D: Final = rf"(?:D-?{NUMBER}|d\d{{2}}{NUMBER}|DEC-?{NUMBER}|ADR[- ]?{NUMBER}|dec_[0-9a-f]{{12}})"
T: Final = rf"(?:T-?{NUMBER}|t\d{{2}}{NUMBER}|THR-?{NUMBER}|thr_[0-9a-f]{{12}})"
AND: Final = r"(?:(?>\s*)(?:,?(?>\s*)(?:and|und|et|y|&|sowie|plus)\b|,)(?>\s*)(?:decision\s+|thread\s+)?"
NOUN: Final = (
    r"(?:both\s+|beide\s+)?(?:(?:the|die|der|den|das|la|le|el|our|new|neue[rn]?)\s+)?(?:(?:decisions?|threads?"
    r"|entscheidung(?:en)?|d[\u00e9e]cisions?|decisi[\u00f3o]n(?:es)?|sujet|fil|hilo|ticket|task|aufgabe"
    r"|t[\u00e2a]che|tarea|punkt|punto)\s+)?"
)
ANY: Final = late(rf"(?<![\w-])(?:{D}|{T})(?![\w.-]{{0,64}}\w@|\d|-\d)\b")
NAMES: Final = late(rf"(?<![\w-])(?:{D}|{T}){AND}(?:{D}|{T}))*(?![\w.-]{{0,64}}\w@|\d|-\d)\b")
LEADING: Final = late(
    rf"(?s)^\W{{0,4}}(?i:{NOUN})(?P<id>{D}|{T})\b[*_]*(?P<more>{AND}(?:{D}|{T})\b)*)"
    r"\s*(?:[(\[](?P<note>[^)\]]{1,60})[)\]])?[*_]*\s*(?P<mark>[:\u2014\u2013.]|-(?=\s)|[-=]>"
    r"|\u2192)?\s*(?P<rest>.*)$"
)
DECISION: Final = rf"{NOUN}(?P<id>{D})\b(?P<more>{AND}{D}\b)*)"
_THREAD: Final = rf"{NOUN}(?P<id>{T})\b(?P<more>{AND}{T}\b)*)"
_SET: Final = r"\b(?:mark|set|consider|declare|treat|count|call|makes)(?:s|d|ed|ing|ting)?\s+"
_SUPERSEDED: Final = late(
    rf"(?i){stands.BE}(?:super[cs]ee?ded|changed(?= to\b)|overtaken|replaced|overruled|overridden|obsoleted|swapped out"
    rf"|(?:durch|von)(?>\s+)(?:{NOUN}(?P<durch>{D}|{T})\s+|(?:[^\s,;:]+ ){{1,6}}?)(?:ersetzt|abgel\u00f6st)"
    rf"|ersetzt|abgel\u00f6st|remplac\u00e9e?|reemplazad[oa]|sustituid[oa])(?:\s+(?:by|with|par|por|durch|von)\s+{NOUN}(?P<by>{D}|{T}))?\b"
)
REINSTATED: Final = "reinstated"
"""Of a decision that had ended: it is active again."""
UNDONE: Final = "undone"
"""Of an entry that a message asks to undo, as a command would."""
_AGAIN: Final = (
    r"(?:(?:holds?|stands?|applies|counts?|(?:valid|active|current|binding|relevant|alive|on|in (?:force|effect|place"
    r"|use))(?: once)?) again|(?:back )?in (?:force|effect) again|re-?instated|re-?activated|re-?adopted|revived"
    r"|brought back|back(?: on| in (?:force|effect|place|use))?(?=\W*\Z|[,;]\s|\s[(\u2013\u2014-]"
    r"| (?:because|since|as|after|now)\b)|(?:gilt |g\u00fcltig |in kraft |aktiv )?wieder"
    r"(?: g\u00fcltig| in kraft| aktiv)?(?=\W*\Z)|(?:de|\u00e0) nouveau (?:valable|valide|en vigueur|acti\w+)"
    r"|(?:valable|valide|en vigueur) (?:de nouveau|\u00e0 nouveau)|vuelve a (?:valer|ser v\u00e1lid\w+|estar vigente)"
    r"|(?:v\u00e1lid[oa]|vigente|en vigor) (?:de nuevo|otra vez)|(?:de nuevo|otra vez) (?:v\u00e1lid[oa]|vigente"
    r"|en vigor))"
)
OF_DECISIONS: Final = {
    "superseded": _SUPERSEDED,
    "revised": late(rf"(?i){stands.BE}(?:revised|amended|updated|changed|corrected|adjusted)\b(?:\s+to\b)?"),
    "invalidated": late(
        rf"(?i){stands.BE}(?:{stands.NOT_VALID}|{stands.ENDED}|{stands.ENDED_GERMAN}|{stands.ENDED_ROMANCE}"
        rf"|{stands.NO_LONGER_ROMANCE})(?!\w)|{stands.GERMAN_BE}(?:{stands.ENDED_GERMAN})(?!\w)"
        rf"|\A(?:{stands.NO_LONGER_GERMAN})(?!\w)"
    ),
    REINSTATED: late(rf"(?i){stands.BE}{_AGAIN}(?!\w)"),
    "active": late(
        r"(?i)(?:still (?:holds|stands|applies|valid)|accepted|approved|active|confirmed|final)\b"
    ),
}
OF_THREADS: Final = {
    "superseded": _SUPERSEDED,
    "abandoned": late(
        rf"(?i){stands.BE}(?:abandoned|dropped|cancell?ed|moot|irrelevant|redundant|superfluous|unnecessary|pointless"
        r"|ditched|scrapped|shelved|(?:not|n['\u2019]t) (?:needed|necessary|relevant|required)(?: any ?more| any "
        r"longer)?|won['\u2019]?t (?:fix|do)|wontfix|no longer (?:needed|relevant)|obsolete|brauchen wir nicht mehr"
        r"|verworfen|gestrichen|hinf\u00e4llig|abandonn\u00e9e?|annul\u00e9e?|descartad[oa]|cancelad[oa])\b"
        rf"|{stands.GERMAN_BE}(?:verworfen|gestrichen|hinf\u00e4llig|abgebrochen)\b"
    ),
    "resolved": late(
        rf"(?i){stands.BE}(?:{stands.CLOSED}|{stands.CLOSED_GERMAN}|{stands.CLOSED_ROMANCE})(?!\w)"
        rf"|{stands.GERMAN_BE}(?:{stands.CLOSED_GERMAN})(?!\w)|\A(?:(?:has |is |just )?(?:went|gone|going) (?:live"
        r"|through|out)|(?:has )?(?:passed|landed|shipped)|(?:isn['\u2019]t|is not) (?:a problem|an issue|open"
        r"|broken)(?: any ?more| any longer)?|turned out to be [^.;:?!]{1,60}[;,] (?:fixed|done|closed|resolved)|hat "
        r"sich (?:\w+ )?(?:erledigt|gekl\u00e4rt)|n['\u2019]est plus (?:un probl\u00e8me|ouverte?)|ya no es un problema"
        r"|se puede cerrar|puede cerrarse)\b|\Acan go(?! (?:on|ahead|live))\b|\A\W{0,3}[\u2705\u2714\u2611]"
        r"|\A[^?\n]{1,100}[,;\u2014\u2013-]\s*(?:done|fixed|closed|resolved|finished|erledigt|fertig|closing(?: it| "
        r"this)?|termin\u00e9|listo|hecho|kann (?:also |dann |jetzt |nun )?(?:zu|weg|geschlossen werden))[.!]*\Z"
    ),
    "open": late(
        rf"(?i){stands.BE}(?:re-?opened|open|unresolved|pending|in progress|not (?:yet )?(?:resolved|done|closed|fixed"
        r"|finished)(?: yet)?|active|(?:noch |weiterhin )?offen|(?:encore |toujours )?ouverte?|abiert[oa]|noch nicht"
        r" (?:erledigt|fertig|gel\u00f6st|abgeschlossen))\b"
    ),
}
A_THREAD: Final = late(rf"(?<![\w-])(?:{T})\b")
_GERMAN_FRAME: Final = (
    r"(?:haben|habe|hab|hat|wurden?|ist|sind|bitte|kannst(?: du)?|du kannst|k\u00f6nnen wir|wir k\u00f6nnen|wird|werden"
    r"|heben|hebe|nehmen|nehme|ziehen|ziehe|lassen|lasse|schaffen|schaffe|machen|mache|lass uns)\b[^.,;:?!\n]{0,50}?"
)
"""What stands before a German object and the verb behind it: "haben wir gestern D003 gekippt"."""
_GERMAN_AFTER: Final = (
    r"(?:(?:bitte|kannst du|kannst|k\u00f6nnen wir|k\u00f6nnt ihr|k\u00f6nnen|kann|d\u00fcrfen wir|darf|man|ich|du"
    r"|wir|jetzt|nun|einfach|gerne?|dann|also|mal|auch|haben|hab|habe) ){0,5}"
)
_GERMAN_END: Final = r"(?=\W*(?:$|[.,;!?]|und|weil|danke|bitte))"
_THEN: Final = (
    r"\b[^.;?\n]{0,80}?(?:[,:\u2014\u2013-]|\band|\bbut|\bso|\bund|\bet|\by)\s+"
    r"(?:(?:so|and|but|now|finally|please|let['\u2019]?s|let us|we can|you can)\s+)*"
)
_IT: Final = r"(?:it|that|this|that one|this one)"
_IS_NOW: Final = (
    r"(?:(?:['\u2019]s|is|was|has been|can be|got)(?: (?:now|all|finally|already|thus|therefore"
    r"|considered))*)"
)
_NOT_OF: Final = (
    r"(?!\s+(?:first|next|before|then|and then|from (?!(?:the|our|my) (?:\w+ )?(?:active|list|register|registry|books?"
    r"|table|backlog|log|plan)\b)))"
)
"""What follows where something else is meant: "remove D001 from the slides", "close T001 first"."""


def _acts(entry: str, verbs: str, ended: str, german: str, infinitives: str) -> tuple[str, ...]:
    """The frames in which an entry is ended: by a verb before it, around it, behind it, and by a status given to it."""
    return (
        rf"\b(?:{_SET}|(?:setz\w*|stell\w*|markier\w*|mets|mettre|marque\w*|consid[\u00e8e]re\w*|marca\w*|pon|damos"
        rf"|doy)\s+){entry}\s+(?:bitte\s+)?(?:(?:as|to|to be|auf|als|comme|como|por|en)\s+)?(?:{ended}|{german})(?!\w)",
        rf"\b(?P<verb>{verbs})\s+(?:what (?:i|we) (?:said|decided|agreed)(?: on)? (?:in|with"
        rf"|under)\s+)?{entry}{_NOT_OF}",
        rf"\b(?P<verb>{_GERMAN_FRAME}){entry}[^.,;:?!\n]{{0,40}}?\b(?P<last>{german}|{infinitives}){_GERMAN_END}",
        rf"{entry}\s+(?P<verb>{_GERMAN_AFTER})(?:(?:als|auf) )?(?:\w+ )?(?:{german}|{infinitives})"
        rf"(?: (?:markieren|setzen|stellen|betrachten|haken|werden))?{_GERMAN_END}",
        rf"{entry}{_THEN}(?P<verb>(?:(?:we|i)(?:['\u2019]ve| have)? )?(?:{verbs}) {_IT}|{acts.APART} {_IT} (?:off|out"
        rf"|up|down|back|away)|mark {_IT} (?:as )?(?:{ended})|{_IT}\s?{_IS_NOW} (?:{ended})|(?:(?:(?:i"
        rf"|we)(?:['\u2019]d)? )?(?:consider|count|call|regard|declare|treat) {_IT}|lo (?:doy|damos)|(?:das "
        rf")?(?:betrachten?|sehen?|werten?) (?:ich|wir)(?: das)?)(?: as| als| por)? (?:{ended}|{german}))(?!\w)",
        rf"\b(?:got|get|have|put) {entry}\s+(?P<verb>{ended}|finished|over with|out of the (?:way|door)"
        rf"|off (?:my|our|the) \w+)(?!\w)",
        rf"\b(?:is|are|was|has been|['\u2019]s)\s+(?:now |finally )?(?:{ended})\s*\(\s*{entry}\s*\)",
        r"\b(?:update (?:on|for|to)|status (?:of|for)|news (?:on|about)|re|about|regarding|as for|lo "
        rf"de)\s+{entry}(?>\s*)(?:[:,\u2014\u2013-](?>\s*))?(?:{_IT}(?:['\u2019]s(?: been)?| is| has been) "
        rf")?(?:(?:now|ya|est\u00e1) ){{0,2}}(?:{ended})(?!\w)",
    )


_REPLACE: Final = r"(?:replac|swapp)(?:e|es|ed|ing)(?: out)?"
ACTS: Final = tuple(
    (late(wording, re.I), status)
    for status, wordings in {
        UNDONE: (rf"\A\W*(?:(?:please|engramforge)\s+)*(?P<verb>undo|redo)\s+{NOUN}(?P<id>{D}|{T})\W*\Z",),
        "superseded": (
            r"\b(?P<verb>super[cs]ee?d(?:e|es|ed|ing)|overrid(?:e|es|ing|den)|overrode|replaces|overrules|obsoletes"
            r"|(?:takes|took) the place of|(?:takes|took|taking) over from(?: what (?:\w+ ){1,4}?in)?|ersetz(?:t|en)"
            rf"|remplac(?:e|ons)|reemplaz(?:a|amos)|sustituye(?: a)?|l\u00f6st)\s+{DECISION}",
            rf"\b(?P<verb>{_REPLACE}|remplac\u00e9|reemplazado|sustituido)\s+{DECISION}(?:\s+(?:with"
            rf"|by)\s+(?P<by>{D})\b)?",
            rf"{_SET}{DECISION}\s+(?:as|to)\s+(?:super[cs]ee?ded|replaced)(?:\s+by\s+(?P<by>{D}))?",
            rf"\b(?P<verb>(?:chang|mov)(?:e|ed|ing)|switch(?:ed|ing)?)\s+{DECISION}\s+(?:over )?to\b",
            rf"{DECISION} (?P<verb>gives way|gave way|makes (?:way|room)|yields)(?= (?:to|for)\b)",
        ),
        "invalidated": (
            *_acts(
                DECISION,
                acts.REVOKES,
                f"{stands.ENDED}|off|{stands.ENDED_ROMANCE}",
                stands.ENDED_GERMAN,
                acts.STRIKES_GERMAN,
            ),
            rf"\b(?P<verb>{acts.APART})\s+{DECISION}\s+(?:out|away|off|down|back|to (?:bed|rest)|aside)\b",
            rf"\b(?P<verb>clos(?:e|ed|ing)(?: out)?)\s+{DECISION}{_NOT_OF}",
            rf"\bi(?: want|['\u2019]d like| would like) {DECISION} (?:to be )?(?P<verb>{stands.ENDED})(?!\w)",
            rf"{DECISION}{_THEN}(?P<verb>has to go|can (?:go|be (?:struck|dropped|removed)))\b",
            rf"\b(?:makes?|made|making|renders?|rendered|left|leaves) {DECISION}\s+(?:{stands.ENDED}|irrelevant)\b",
        ),
        "resolved": (
            *_acts(
                _THREAD,
                acts.CLOSES,
                f"{stands.CLOSED}|{stands.CLOSED_ROMANCE}",
                stands.CLOSED_GERMAN,
                acts.CLOSES_GERMAN,
            ),
            rf"\b(?P<verb>{acts.APART})\s+{_THREAD}\s+(?:out|off|up|to (?:bed|rest)|behind us)\b",
            rf"\b(?:(?:all|everything|the work|all (?:the )?work) (?:on|for|in|about)\s+{_THREAD}\s+(?:is|has been"
            rf"|was) (?:{stands.CLOSED}))\b",
            rf"\bmit\s+{_THREAD}\s+(?:sind wir|bin ich)(?: \w+)? (?:fertig|durch)\b",
            rf"\b(?:that|this|which) (?P<verb>settles|answers|closes|covers|concludes|resolves|finishes|takes"
            rf" care of)\s+{_THREAD}",
        ),
        "abandoned": (rf"\b(?P<verb>{acts.REVOKES})\s+{_THREAD}(?!\s+(?:out|off|up))",),
        REINSTATED: (
            rf"\b(?P<verb>re-?instat(?:e|es|ed|ing)|re-?activat(?:e|es|ed|ing)|re-?adopt(?:ed|ing)?|reviv(?:e|ed|ing)"
            rf"|re-?open(?:ed|ing)?)\s+{DECISION}(?!['\u2019\w])",
            rf"{DECISION},?\s+(?:(?:is|are|has|have|was|were|been|ist|est|es|est\u00e1|now|thus|therefore)\s+)*{_AGAIN}",
            rf"\b(?P<verb>bring(?:ing)?|brought)\s+{DECISION}\s+back(?=\W*\Z)",
        ),
    }.items()
    for wording in wordings
)
_DAYS: Final = (
    r"(?:tomorrow(?!['\u2019])|next (?:week|month|year|quarter|sprint)|(?<!heute )(?<!gestern )morgen|demain)"
)
NOT_SO: Final = late(
    rf"(?i)\b(?:almost|nearly|not quite|half(?:[ -]?way)?|partly|partially|mostly|\d\d? ?(?:%|percent)|fast|beinahe"
    rf"|halb)\s+(?:{acts.REVOKES}|{acts.CLOSES}|{stands.CLOSED}|{stands.ENDED}|{stands.CLOSED_GERMAN})(?!\w)"
    rf"|(?<![\w-])(?:{D}|{T})(?:\b[^.,;?!\n]{{0,80}}?,? (?:unless|except(?:ing)?|apart from|aside from|other"
    r" than|save for|sauf|\u00e0 part|excepto|salvo|es sei denn|au\u00dfer(?! (?:kraft|betrieb)\b)|bis auf(?! we))\b"
    r"|(?: [^\s,;.?!]+){1,3} (?:if(?! you ask)|once(?! more| again| (?:and )?for all)|as soon as|provided|wenn|falls"
    rf"|sobald|{_DAYS})\b)|\A\W*(?:from |as of |ab )?{_DAYS},?\s+{NOUN}(?:{D}|{T})\b"
)
"""Makes of an end that a sentence tells none, or not yet: "almost done with T001", "D001 is off unless Ann calls"."""
SINCE: Final = late(
    r"(?i)(?:\b(?:but|and|then|yet|though|now|aber|und|doch|mais|et|pero|y)|,)\s+(?:(?:but|and|then|now|it|they|we"
    r"|i|is|are|was|were|has|have|been|got|later|since|again|already|today|jetzt|nun|dann|sp\u00e4ter|ist|wurde|est"
    rf"|es|est\u00e1)\s+){{0,5}}(?:{_AGAIN}|(?:brought|took|put) (?:it|them) back(?: on)?(?=\W*\Z)|re-?open(?:ed|s)?"
    r"|re-?instated? it|revived it|open again|gilt (?:\w+ )?wieder|wieder (?:offen|eingef\u00fchrt)|rouverte?)(?!\w)"
    rf"(?!.*\b{acts.REVOKES}\b)"
)
"""What came after the end of an entry: "was cancelled in May and reinstated in June"."""
ENDS: Final = late(
    r"(?i)\A\s*+(?:$|[:;,.!)\u2014\u2013(-]|(?:by|in|after|on|at|with|as|because|since|due|to|again|yet|now|until"
    r"|whether|last|yesterday|today|tonight|this|just|early|over|for good|thanks?|please|and|gestern|heute|seit|ab"
    r"|weil|bitte|danke|und|hier|ce|parce|car|merci|et|ayer|hoy|esta|desde|porque|gracias|y|indefinitely"
    r"|permanently|altogether|entirely|anyway|itself|completely)\b)"
)
DEPENDS_AFTER: Final = late(
    r"(?i)[^.,;:]{0,80}?(?:,\s*(?:\w+,?\s)?)?\b(?:if|unless|once|as soon as|provided|assuming|when|by (?:mon|tues"
    r"|wednes|thurs|fri|satur|sun)day|wenn|falls|sobald|bis (?:mon|diens|mitt|donners|frei)tag|si|quand|d\u00e8s que"
    r"|cuando)\b"
)
MISTAKEN: Final = late(
    r"(?i)\b(?:by mistake|accidentally|by accident|too early|prematurely|versehentlich|aus versehen|par erreur|por"
    r" error)\b"
)
HANDED_ON: Final = late(
    r"(?i)(?<!\bi )(?<!\bwe )(?<!\bi just )\b(?:gave|gives|says?|said|shows?|showed|reads?|prints?|printed|returns?"
    r"|returned|outputs?|lists|listed|reports?|reported|states?|stated|writes|wrote|reveals?|tells?|told|contains?"
    r"|answers?|answered|replied|logs?|logged|ergab|ergibt|zeigt|meldet|sagt|schreibt|liefert|affiche|indique|dit"
    r"|montre|muestra|dice|indica|devuelve)\b[^:.;\n]{0,40}?(?::|\b(?:that|dass|que)\b)"
)
"""What stands behind it is what a report says."""
ASKS_BESIDE: Final = late(
    r"(?i)[,;\u2014\u2013]\s*(?:(?:so|and|now|und|et|y)\s+)?(?:what|who|when|how|which|where|why|can|could|would"
    r"|shall|should|any|was|wie|wer|kannst|k\u00f6nnen|peux|pouvez|que|qu['\u2019]est|puedes|qu\u00e9)\b[^,;]*\?\s*$"
)
"""A question behind a statement: "T002 is finished, what's next?"."""
WISHED: Final = late(
    r"\b(?:[Qq]uiero|[Qq]ueremos|quisiera|debemos|debo|veux|voulons|dois|devons|voudrais|wollen|m\u00fcssen|muss"
    r"|sollen|soll|m\u00f6chte\w*|(?<!uten )morgen|bald|demn\u00e4chst|[Mm]a\u00f1ana|pronto|[Dd]emain|bient\u00f4t"
    r"|[Tt]omorrow|soon)\b"
)
"""What stands behind it is wanted, or comes later."""
POLITELY: Final = late(
    r"(?i)\A\W*(?:(?:please|bitte|hi|hey|hello|thanks|ok|okay)\b\W+)*(?:(?:can|could|would|will) you(?: please| now| "
    r"also| then| just)*|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous|tu (?:peux|pourrais)|vous (?:pouvez|pourriez)"
    rf"|puedes|podr\u00edas)\s+(?=(?:{acts.REVOKES}|{acts.CLOSES}|mark|set|put|move|flag|reopen|open|count|consider"
    r"|treat|rouvrir|reabrir|marquer|marcar|mettre)\b)|\A\W*(?:kannst du|k\u00f6nntest du|kannst|k\u00f6nnen sie)(?: "
    rf"bitte| mal)*\s+(?={NOUN}(?:{D}|{T})\b)|\A\W*(?:i|we) can (?:confirm|report|announce|say)(?: that)?\s+"
    r"|\A\W*(?:(?:i|we)['\u2019]?(?:m|re| am| are) )?(?:happy|glad|pleased|proud) to (?:confirm|report|announce"
    r"|say)(?: that)?\s+"
)
"""Asks politely for what is then done to an entry, or announces how one stands."""
MEANT: Final = late(rf"(?i)\b{acts.PERFORMS}")
INFINITIVE: Final = late(r"(?i)\bto\s+\Z")
"""Before it stands what somebody wants, plans or is asked for: "remind me to", "a proposal to"."""
LATER: Final = late(
    r"(?i)\b(?:tomorrow|next (?:week|month|year|quarter|sprint|time|\w+day)|tonight|soon|at the end of|by (?:\w+day"
    r"|tomorrow|the end|next|then|noon|eod|end of|\d)|this (?:week|sprint|afternoon|evening)(?= *[.!]*\Z)(?<!ed this "
    r"week)|(?<!heute )(?<!gestern )morgen|n\u00e4chste\w*|bald|demain|bient\u00f4t|la semaine prochaine|ma\u00f1ana"
    r"|pronto|la pr\u00f3xima semana)\b"
)
WILL: Final = late(
    r"(?i)(?:\b(?:will|shall|(?:is|are|am) going to|gonna|(?:is|are|am)|werde\w*|wird|vais|allons|va|voy a|vamos a)"
    r"|['\u2019](?:ll|re|m|s)(?: going to)?)(?: \w+)?\s+\Z"
)
AFTERWARDS: Final = late(
    r"(?i) (?:after|before|at|in|on \w+day|later|then|over the|during|nach|apr\u00e8s|despu\u00e9s)\b"
)
"""Behind what will be done: when."""
STANDS_AS: Final = late(
    rf"(?i)(?:(?:{stands.STILL}\s+)?{stands.IS}|isn['\u2019]?t|no longer|doesn['\u2019]?t|does not|bit|went|tritt|ya no"
    r"|ne|n['\u2019](?:est|a))\b"
)
STANDS_ALONE: Final = late(
    r"(?i)(?:[,;:\u2014\u2013]|\s-|[-=]>|\u2192)\s*(?:(?:so|and|also|thus|hence|therefore|that['\u2019]s|donc|et|und"
    r"|damit|also|as\u00ed que|y)\s+)?\Z"
)
"""What stands before a name whose verb may be missing: "the limits are live, T003 done"."""
OF_ANOTHER: Final = late(
    r"(?i)\b(?:of|for|in|on|about|from|than|by|like|after|before|without|with|to(?: \w+)?|behind|f\u00fcr|von|mit"
    rf"|pour|de|par|por|zu)\s+{NOUN}\Z"
)
BRACKETED: Final = late(r"\A\s*\([^)]{0,60}\)")
WAS: Final = late(r"(?i)\b(?:was|were|had been|used to be)\s+\Z")
AWAITED: Final = late(
    r"(?i)\b(?:why|how|when|whether|once|until|before|after|as soon as|(?:make sure|ensure|check|verify|see(?: to "
    r"it)?|want|need|pretend|expect|doubt|assert\w*|tell me|hope)(?: that| if)?|bis|bevor|nachdem|avant|antes de(?: "
    rf"que)?|hasta que)\s+{NOUN}\Z"
)
MAY_BE: Final = late(r"(?i)can\b")
PERMITS: Final = late(r"(?i)(?:can|may)\b")
TAKEN_OFF: Final = late(
    r"(?i)clos|drop|cancel|remov|retir|revok|withdr|str[iu]|delet|archiv|tick|cross|check|scrap|abandon|discard"
    r"|rescind|ditch|go\b|thrown|tossed|consider|regard|signed off|resolved"
)
"""What may be done to an entry is done by saying so; "may be done" is a guess."""
WANTED: Final = late(
    r"(?i)[^,;:]{0,60}\b(?:would|should|must|needs?|has to|is (?:my|our|the)|will|w\u00e4re|serait|ser\u00eda)\b"
)
"""Makes the participle before it a wish: "T002 done by friday would be great"."""
APPOSED: Final = late(r"\A,\s[^,.;:?!]{2,60},\s")
"""Words between two commas behind a name: ", the one on archives,"."""
HAS_VERB: Final = late(
    r"(?i)(?:is|are|was|were|has|have|stays?|remains?|got|now|isn['\u2019]?t|no longer|doesn['\u2019]?t|does not"
    r"|gilt|ist|sind|wurden?|wird|hat|est|sont|a|ne|n['\u2019]\w+|est\u00e1|queda|qued\u00f3|fue|ha|ya no|se|kann"
    r"|peut|puede)\b"
)
LIKEWISE: Final = late(
    rf"(?i)(?:(?:and|und|et|y)\s+)?(?:so (?:is|are|was)\s+)?{NOUN}(?P<id>{D}|{T})(?: (?:is|ist|est))?"
    r"(?: (?:too|as well|also|likewise|auch|ebenso|aussi|tambi\u00e9n))?\W*\Z"
)
"""Another entry that stands as the one before it does: "T001 is done and T003 too"."""
SEPARATOR: Final = late(r"(?i)^\s*(?:[:;,.\u2014\u2013-]|by\b|with\b|as\b|because\b|since\b)\s*")
