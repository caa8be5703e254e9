"""The wordings of entries that are named by a local id: their ids, how they stand, what is done to them.

English, German, French and Spanish; the same words of ending and closing serve in all places of a sentence.
"""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.detection.cues.status_words import (
    BE,
    CLOSED,
    CLOSED_GERMAN,
    CLOSED_ROMANCE,
    ENDED,
    ENDED_GERMAN,
    ENDED_ROMANCE,
    GERMAN_BE,
    IS,
    NO_LONGER_GERMAN,
    NO_LONGER_ROMANCE,
    NOT_VALID,
    STILL,
)

_D: Final = r"(?:D-?\d{2,4}|D-\d|d\d{3}|DEC-?\d{1,4}|ADR[- ]?\d{1,4})"
_T: Final = r"(?:T-?\d{2,4}|T-\d|t\d{3}|THR-?\d{1,4})"
_AND: Final = r"(?:\s*(?:,?\s*(?:and|und|et|y|&|sowie|plus)\b|,)\s*(?:decision\s+|thread\s+)?"
_NOUN: Final = (
    r"(?:both\s+|beide\s+)?(?:(?:the|die|der|den|das|la|le|el|our|new|neue[rn]?)\s+)?(?:(?:decisions?|threads?"
    r"|entscheidung(?:en)?|d[\u00e9e]cisions?|decisi[\u00f3o]n(?:es)?|sujet|fil|hilo|ticket|task|aufgabe"
    r"|t[\u00e2a]che|tarea|punkt|punto)\s+)?"
)
ANY: Final = re.compile(rf"(?<![\w-])(?:{_D}|{_T})(?![\w.-]{{0,64}}\w@|\d|-\d)\b")
NAMES: Final = re.compile(rf"(?<![\w-])(?:{_D}|{_T}){_AND}(?:{_D}|{_T}))*(?![\w.-]{{0,64}}\w@|\d|-\d)\b")
LEADING: Final = re.compile(
    rf"(?s)^\W{{0,4}}(?i:{_NOUN})(?P<id>{_D}|{_T}|[DT]\d(?=\s*[:(\[]))\b[*_]*(?P<more>{_AND}(?:{_D}|{_T})\b)*)"
    r"\s*(?:[(\[](?P<note>[^)\]]{1,60})[)\]])?[*_]*\s*(?P<mark>[:\u2014\u2013.]|-(?=\s)|[-=]>"
    r"|\u2192)?\s*(?P<rest>.*)$"
)
_DECISION: Final = rf"{_NOUN}(?P<id>{_D})\b(?P<more>{_AND}{_D}\b)*)"
_THREAD: Final = rf"{_NOUN}(?P<id>{_T})\b(?P<more>{_AND}{_T}\b)*)"
_STANDS_SO: Final = rf"(?P<id>{_T})\s*(?:\([^)]*\)\s*)?"
_SET: Final = r"\b(?:mark|set|consider|declare|treat|count|call|makes)(?:s|d|ed|ing|ting)?\s+"
_SUPERSEDED: Final = re.compile(
    rf"(?i){BE}(?:super[cs]ee?ded|replaced|overruled|overridden|obsoleted|swapped out|(?:durch"
    rf"|von)\s+{_NOUN}(?P<durch>{_D}|{_T})\s+(?:ersetzt|abgel\u00f6st)|ersetzt|abgel\u00f6st|remplac\u00e9e?"
    rf"|reemplazad[oa]|sustituid[oa])(?:\s+(?:by|with|par|por|durch|von)\s+{_NOUN}(?P<by>{_D}|{_T}))?\b"
)
_REVISED: Final = re.compile(rf"(?i){BE}(?:revised|amended|updated|changed|corrected|adjusted)\b(?:\s+to\b)?")
_INVALID: Final = re.compile(
    rf"(?i){BE}(?:{NOT_VALID}|{ENDED}|{ENDED_GERMAN}|{ENDED_ROMANCE}|{NO_LONGER_ROMANCE})(?!\w)"
    rf"|{GERMAN_BE}(?:{ENDED_GERMAN})(?!\w)|\A(?:{NO_LONGER_GERMAN})(?!\w)"
)
_RESOLVED: Final = re.compile(
    rf"(?i){BE}(?:{CLOSED}|{CLOSED_GERMAN}|{CLOSED_ROMANCE})(?!\w)|{GERMAN_BE}(?:{CLOSED_GERMAN})(?!\w)"
    r"|\A(?:(?:has |is |just )?(?:went|gone|going) (?:live|through|out)|(?:has )?(?:passed|landed|shipped)"
    r"|(?:isn['\u2019]t|is not) (?:a problem|an issue|open|broken)(?: any ?more| any longer)?|turned out to be"
    r" [^.;:?!]{1,60}[;,] (?:fixed|done|closed|resolved)|hat sich (?:\w+ )?(?:erledigt|gekl\u00e4rt)|n['\u2019]est"
    r" plus (?:un probl\u00e8me|ouverte?)|ya no es un problema|se puede cerrar|puede cerrarse)\b|\Acan go(?! (?:on"
    r"|ahead|live))\b|\A\W{0,3}[\u2705\u2714\u2611]|\A[^?\n]{1,100}[,;\u2014\u2013-]\s*(?:done|fixed|closed|resolved"
    r"|finished|erledigt|fertig|closing(?: it| this)?|termin\u00e9|listo|hecho|kann (?:also |dann |jetzt |nun"
    r" )?(?:zu|weg|geschlossen werden))[.!]*\Z"
)
_ABANDONED: Final = re.compile(
    rf"(?i){BE}(?:abandoned|dropped|cancelled|canceled|won['\u2019]?t (?:fix|do)|wontfix|no longer (?:needed"
    r"|relevant)|obsolete|brauchen wir nicht mehr|verworfen|gestrichen|hinf\u00e4llig|abandonn\u00e9e?|annul\u00e9e?"
    r"|descartad[oa]|cancelad[oa])\b"
    rf"|{GERMAN_BE}(?:verworfen|gestrichen|hinf\u00e4llig|abgebrochen)\b"
)
_OPEN: Final = re.compile(
    rf"(?i){BE}(?:re-?opened|open|unresolved|pending|in progress|not (?:yet )?(?:resolved|done|closed|fixed"
    r"|finished)(?: yet)?|active|(?:noch |weiterhin )?offen|(?:encore |toujours )?ouverte?|abiert[oa]|noch nicht"
    r" (?:erledigt|fertig|gel\u00f6st|abgeschlossen))\b"
)
_STANDS_ON: Final = re.compile(
    r"(?i)(?:still (?:holds|stands|applies|valid)|accepted|approved|active|confirmed|final)\b"
)
OF_DECISIONS: Final = {
    "superseded": _SUPERSEDED,
    "revised": _REVISED,
    "invalidated": _INVALID,
    "active": _STANDS_ON,
}
OF_THREADS: Final = {
    "superseded": _SUPERSEDED,
    "abandoned": _ABANDONED,
    "resolved": _RESOLVED,
    "open": _OPEN,
}
BLOCKED: Final = re.compile(
    r"(?i)\b(?:blocked (?:by|on)|waits? (?:for|on)|waiting (?:for|on)|depends on|needs|can only (?:start|begin"
    r"|continue) after|depend on|bloqu\u00e9e? par|bloquead[oa] por|h\u00e4ngt (?:von|an)|wartet auf|d\u00e9pend de"
    r"|attend|depende de|espera a"
    rf"|blockiert (?:durch|von)|(?:durch|von|par|por)(?=\s+(?:{_T})\s+(?:blockiert"
    rf"|bloqu)))\s+(?P<ids>{_T}{_AND}{_T})*)"
)
BLOCKS: Final = re.compile(
    rf"(?i)(?P<ids>{_T}{_AND}{_T}){{0,5}})(?:\s+(?:is|are|ist|sind|est|est\u00e1))?(?:\s+(?:still|currently))?"
    rf"\s+(?:blocks?|blocking|blockiert|blockieren|bloque|bloquea|holds up|holding up)\s+{_NOUN}(?P<id>{_T})\b"
)
"""One thread holds up another: "T003 is blocking T001"."""
_HELD_STATE: Final = (
    r"(?:blocked|on hold|stuck|can(?:no|['\u2019])t (?:go on|continue|proceed|move|start|be (?:done|finished"
    r"|started))|waiting|waits?|paused|parked|stalled|held up|blockiert|pausiert|auf eis|wartet|h\u00e4ngt"
    r"|bloqu\u00e9e?|en attente|en pause|attend|bloquead[oa]|en espera|parad[oa]|espera|esperando)"
)
_HELD_LINK: Final = (
    r"(?:by|on|for|until|till|because(?: of)?|since|as long as|while|pending|due to|durch|von|bis|auf|weil|solange"
    r"|wegen|da|par|jusqu['\u2019]\u00e0(?: ce que)?|en attendant|tant que|car|parce que|por|hasta(?: que)?|porque"
    r"|mientras|a la espera de|a que|del?|d['\u2019])"
)
HELD_UP: Final = re.compile(
    r"(?is)\A(?:(?:is|are|remains?|stays?|ist|bleibt|liegt|est|reste|est\u00e1|sigue)\s+)?(?:(?:still|currently|now"
    r"|again|noch|weiterhin|immer noch|derzeit|toujours|encore|a\u00fan|todav\u00eda)\s+){0,2}"
    rf"{_HELD_STATE}\b\s*(?:[:,;\u2014\u2013-]\s*|(?={_HELD_LINK}\b)|\Z|(?=\.))(?P<by>.*)$"
)
"""A thread that something without a name holds up; `by`: what does."""
HELD_UP_WITH: Final = re.compile(
    rf"(?is)\b(?:we|i)(?:['\u2019](?:re|m)| are| am)(?: still| currently)? (?:blocked|stuck|held up) (?:on|with|at"
    rf"|in) {_NOUN}(?P<id>{_T})\b\s*[,:;\u2014\u2013-]?\s*(?P<by>.+)$"
)
HELD_WORDS: Final = re.compile(
    rf"(?i)\A\W*(?:(?:it['\u2019]s |it is |is )?{_HELD_STATE}\s+)?(?:{_HELD_LINK}\s+)?(?:(?:we(?:['\u2019]re| are)?"
    rf"|i(?:['\u2019]m"
    r"| am)?|wir|ich|nous|on|estamos)\s+(?:still |noch |encore )?(?:waiting (?:for|on)|wait (?:for|on)|need(?:ing)?"
    r"|warten auf|warte auf|brauchen|attendons|attend|esperando|esperamos)\s+)?"
)
"""Words in front of what holds a thread up."""
A_THREAD: Final = re.compile(rf"(?<![\w-])(?:{_T})\b")
CANNOT: Final = re.compile(
    rf"(?is)(?:\bcan(?:not|['\u2019]t| not)\s+(?:\w+\s+){{1,3}}?(?P<id>{_T})|(?P<id_>{_T})\s+can(?:not|['\u2019]t|"
    rf" not)"
    r"(?:\s+\w+){1,3}?)\s+(?:until|till|before|without|unless|(?=because|since|as long as|while))\s*(?P<by>.+)$"
)
"""A thread that cannot go on until something without a name."""
UNTIL: Final = re.compile(
    rf"(?i)\b(?:(?:can(?:not|['\u2019]t| not)|won['\u2019]t|unable to|no further|avan\w+"
    rf" pas)\s+(?:\w+\s+){{1,3}}?(?P<id>{_T})|(?P<id_>{_T})\s+(?:can(?:not|['\u2019]t| not|(?= only))|won['\u2019]t"
    rf"|doesn['\u2019]t (?:move|go on)"
    r"|(?:kommen|komme|geht) (?:wir|ich|es) nicht (?:weiter|voran)|no (?:avan|segu)\w+|has to wait|(?:kann|geht"
    r"|k\u00f6nnen) erst|muss warten|ne peut pas|no puede))\b[^.;?\n]{0,60}?"
    rf"\b(?:until|till|before|unless|without|after|as long as|while|wenn|bis|bevor|solange|mientras|nachdem|sobald"
    rf"|avant(?: que)?|tant que|hasta(?: que)?|antes de(?: que)?)\s+(?P<ids>{_T})"
)
_END: Final = (
    r"(?:revok(?:e|es|ed|ing)|retir(?:e|es|ed|ing)|withdr(?:aw|aws|ew|awing|awn)|rescind(?:s|ed|ing)?|repeal(?:s|ed"
    r"|ing)?|annul(?:s|led|ling)?|cancel(?:s|l?ed|l?ing)?|drop(?:s|ped|ping)?|ditch(?:es|ed|ing)?|scrap(?:s|ped"
    r"|ping)?|kill(?:s|ed|ing)?|kick(?:s|ed|ing)?(?: out)?|throw(?:s|ing|n)? out|threw out|toss(?:es|ed|ing)?(?:"
    r" out)?|ax(?:e|es|ed|ing)|bin(?:s|ned|ning)?|bur(?:y|ied|ying)|str(?:ike|ikes|iking|uck)|overturn(?:s|ed|ing)?"
    r"|revers(?:e|es|ed|ing)|revert(?:s|ed|ing)?|void(?:s|ed)?|invalidat(?:e|es|ed|ing)|deprecat(?:ed|ing)"
    r"|nullif(?:y|ies|ied)|abandon(?:s|ed|ing)?|reject(?:s|ed|ing)?|retract(?:s|ed|ing)?|g(?:o|e)t(?:ting)? rid of"
    r"|d(?:o|id|oing|one) away with|(?:done|through) with|mov(?:ed|ing) (?:away|on) from|walk(?:ed|ing)? back(?:"
    r" on)?|(?:went|gone|going) back on|t(?:ook|aken|aking) back|ends|g(?:ave|iving) up(?: on)?|forget(?: about)?"
    r"|chang(?:ed|ing) (?:our|my) minds? (?:about|on)|(?:no longer|don['\u2019]t|not) (?:follow(?:ing)?|need(?:ing)?"
    r"|honou?r(?:ing)?|stick(?:ing)? to|apply(?:ing)?|bound by)|dump(?:ed|ing)?|put an end to|oubli(?:e|ez|ons)"
    r"|olvid(?:a|ad|emos|en|amos)|vergiss|vergesst|lift(?:ed|ing)|undid|undo(?:ing)?|(?:annul|abandonn|r\u00e9voqu"
    r"|abrog|retir|supprim|invalid|rejet|enterr)(?:e|es|ons|ent|\u00e9|\u00e9e|er)|(?:anul|cancel|revoc|descart"
    r"|retir|abandon|derog|elimin|invalid|rechaz|tach)(?:o|a|amos|an|ado|ar|aron|\u00f3)|(?:verw[ei]rf|streich"
    r"|widerruf|kipp|beerdig|annullier|cancel)(?:e|en|t)?(?: (?:wir|ich|hiermit|jetzt|nun|damit)){0,2})"
)
_CLOSE: Final = (
    r"(?:resolv(?:es|ed|ing)|clos(?:es|ed|ing|e)(?: out)?|haken (?:an|hinter|bei)|finish(?:es|ed|ing)?|fix(?:es|ed)"
    r"|complet(?:es|ed|ing)|settl(?:es|ed)|solv(?:es|ed)|sort(?:s|ed) out|wrapp(?:ed|ing) up|(?:check|tick|cross"
    r"|strik|struck)(?:ed|ing|s|es)? off|dealt with|took care of|shipped|implemented|delivered|deployed|merged"
    r"|that['\u2019]s (?:it|all|everything) (?:for|on|with)|(?:done|finished|through) with|(?:nothing|no) (?:more"
    r" )?(?:left )?(?:work )?(?:left )?(?:to do )?(?:on|for|in)|(?:a )?(?:tick|check ?mark) (?:behind|on|next to)"
    r"|(?:ferm|cl\u00f4tur|termin|r\u00e8gl|r\u00e9gl|corrig|boucl|achev)(?:e|es|ons|ez|\u00e9|er)|clos|clore|fini"
    r"|finir|r\u00e9solu|r\u00e9soudre|(?:cerr|termin|acab|finaliz|complet|solucion|arregl)(?:o|amos|ado|ar|aron"
    r"|\u00f3|\u00e9)|cierra|cierro|resolv(?:imos|er|i\u00f3)|resuelto|corregimos|(?:schlie\u00df|schliess|erledig"
    r"|beend|fix|l\u00f6s)(?:e|en|t)?(?: (?:wir|ich|hiermit|jetzt|nun|damit|bitte)){0,2})"
)
_GERMAN_FRAME: Final = (
    r"(?:haben|habe|hab|hat|wurden?|ist|sind|bitte|kannst du|du kannst|k\u00f6nnen wir|wir k\u00f6nnen|wird|werden"
    r"|heben|hebe|nehmen|nehme|ziehen|ziehe|lassen|lasse|schaffen|schaffe|machen|mache)\b[^.,;:?!\n]{0,50}?"
)
"""What stands before a German object and the verb behind it: "haben wir gestern D003 gekippt"."""
_THEN: Final = (
    r"\b[^.;?\n]{0,80}?(?:[,\u2014\u2013-]|\band)\s+"
    r"(?:(?:so|and|please|let['\u2019]?s|let us|we can|you can)\s+)*"
)
ACTS: Final = tuple(
    (re.compile(wording, re.I), status)
    for status, wording in (
        (
            "superseded",
            r"\b(?:super[cs]ee?des?|superseding|replaces|overrules|overrides|obsoletes|takes the place of|ersetzt"
            rf"|remplace|reemplaza|sustituye(?: a)?)\s+{_DECISION}",
        ),
        ("superseded", rf"\bl\u00f6st\s+{_DECISION}\s+ab\b"),
        ("superseded", rf"\breplac(?:e|es|ed|ing)\s+{_DECISION}\s+(?:with|by)\s+(?P<by>{_D})"),
        (
            "superseded",
            rf"\b(?:replac(?:ed|ing)|swapp(?:ed|ing) out|remplac\u00e9|reemplazado|sustituido)\s+{_DECISION}",
        ),
        (
            "superseded",
            rf"{_SET}{_DECISION}\s+(?:as|to)\s+(?:super[cs]ee?ded|replaced)(?:\s+by\s+(?P<by>{_D}))?",
        ),
        ("invalidated", rf"\b(?:you can (?:now |also |safely )?)?{_END}\s+{_DECISION}"),
        (
            "invalidated",
            rf"\b(?:kick|thr[eo]w|toss|chuck|vot|call)\w*\s+{_DECISION}\s+(?:out|away|off|down)\b",
        ),
        (
            "invalidated",
            rf"\b{_GERMAN_FRAME}{_DECISION}[^.,;:?!\n]{{0,40}}?\b(?P<verb>{ENDED_GERMAN}|aufheben|verwerfen|streichen"
            r"|zur\u00fcck(?:nehmen|ziehen)?|fallen|auf|ab)(?=\W*(?:$|[.,;!]|und|weil))",
        ),
        (
            "invalidated",
            rf"{_DECISION}{_THEN}(?P<verb>(?:(?:we|i)(?:['\u2019]ve| have)? )?(?:{_END}) (?:it|that|this)|mark (?:it"
            rf"|that|this) (?:as )?(?:{ENDED})|has to go|can be (?:struck|dropped|removed))\b",
        ),
        (
            "invalidated",
            rf"{_DECISION}\s+(?:(?:bitte|kannst du|k\u00f6nnen wir|jetzt|einfach) ){{1,3}}(?P<verb>streichen|verwerfen"
            r"|aufheben|kippen|l\u00f6schen)\b",
        ),
        (
            "invalidated",
            rf"{_SET}{_DECISION}\s+(?:as\s+|to\s+|to be\s+)?(?:{ENDED}|off)(?!\w)",
        ),
        (
            "resolved",
            rf"{_THREAD}{_THEN}(?P<verb>(?:close|resolve) (?:it|that|this)|mark (?:it|that|this) (?:as )?(?:resolved"
            rf"|done"
            r"|closed|fixed)|(?:it|that)(?:['\u2019]s| is) (?:now )?(?:resolved|done|closed|fixed|finished)"
            rf"|(?:(?:i|we)(?:['\u2019]d)? (?:consider|count|call|regard|declare|treat) (?:it|that|this)|lo (?:doy"
            rf"|damos)|(?:das )?(?:betrachten?|sehen?|werten?) (?:ich|wir)(?: das)?)(?: as| als| por)? (?:{CLOSED}"
            rf"|{CLOSED_GERMAN}|{CLOSED_ROMANCE}))\b",
        ),
        (
            "resolved",
            r"\b(?:update (?:on|for)|status (?:of|for)|news (?:on|about)|re|about|regarding"
            rf"|as for)\s+{_THREAD}\s*[:,\u2014\u2013-]\s*(?:(?:it|that)(?:['\u2019]s| is| has been) )?(?:now"
            rf" )?(?:{CLOSED})\b",
        ),
        ("abandoned", rf"\b(?:no longer need|(?:do not|don['\u2019]t) need)\s+{_THREAD}"),
        ("abandoned", rf"\b(?:abandon(?:s|ed|ing)?|drop(?:s|ped|ping)?)\s+{_THREAD}"),
        ("open", rf"\bre-?open(?:s|ed|ing)?\s+{_THREAD}"),
        (
            "resolved",
            rf"\b(?:(?:we|i|you) (?:can|may) (?:now |also |safely |finally )?(?:close|resolve|check off|tick off"
            r"|put (?:a )?(?:tick|check ?mark) (?:behind|on|next to)"
            rf"|cross off)|{_CLOSE})\s+{_THREAD}"
            r"(?!\s+(?:first|next|before|by (?:\w+day|the|next|tomorrow|end|then)|and then|then)\b)",
        ),
        (
            "resolved",
            rf"\b(?:sort|tick|cross|check|wrap|clear|put)\w*\s+{_THREAD}\s+(?:out|off|up|to (?:bed|rest)|behind us)\b",
        ),
        (
            "resolved",
            rf"\b{_GERMAN_FRAME}{_THREAD}[^.,;:?!\n]{{0,40}}?\b(?P<verb>{CLOSED_GERMAN}|schlie\u00dfen|schliessen"
            rf"|abschlie\u00dfen"
            r"|abhaken|zumachen|beenden)(?=\W*(?:$|[.,;!]|und|weil))",
        ),
        (
            "resolved",
            rf"\b(?:all|everything|the work|all (?:the )?work) (?:on|for|in|about)\s+{_THREAD}\s+(?:is|has been|was)"
            rf" (?:{CLOSED})\b",
        ),
        ("invalidated", rf"\bgilt\s+{_DECISION}\s+(?:\w+ )?nicht (?:mehr|l\u00e4nger)\b"),
        (
            "invalidated",
            rf"\b(?:makes?|made|making|renders?|rendered|left|leaves) {_DECISION}\s+(?:{ENDED}|irrelevant|pointless"
            rf"|unnecessary)\b",
        ),
        (
            "resolved",
            rf"\b(?:got|get|have|put) {_THREAD}\s+(?:out of the way|done|finished|over with|off (?:my|our|the) \w+)\b",
        ),
        (
            "resolved",
            rf"\b(?:is|are|was|has been|['\u2019]s)\s+(?:now |finally )?(?:{CLOSED})\s*\(\s*{_THREAD}\s*\)",
        ),
        (
            "resolved",
            rf"{_THREAD}\s+(?P<verb>(?:k\u00f6nnen|kanns?t?|d\u00fcrfen) (?:wir|ich|man|du)(?: \w+){{0,2}}"
            rf" (?:schlie\u00dfen"
            r"|schliessen|abschlie\u00dfen|zumachen|abhaken|beenden))\b",
        ),
        (
            "resolved",
            rf"\b(?:no (?:need|reason|point)|not necessary) (?:to keep|in keeping|keeping) {_THREAD}\s+(?:open"
            rf"|around|active)\b",
        ),
        ("resolved", rf"\bmit\s+{_THREAD}\s+(?:sind wir|bin ich)(?: \w+)? (?:fertig|durch)\b"),
        (
            "resolved",
            rf"(?:{_SET}|consid[\u00e8e]re\s+){_THREAD}\s+(?:as\s+|to\s+|to be\s+|comme\s+)?(?:{CLOSED}"
            rf"|{CLOSED_ROMANCE})\b",
        ),
        ("open", rf"{_STANDS_SO}(?:stays?|remains?|is still|is) (?:open|unresolved)"),
    )
)
ENDS: Final = re.compile(
    r"(?i)\A\s*+(?:$|[:;,.!)\u2014\u2013(-]|(?:by|in|after|on|at|with|as|because|since|due|to|again|yet|now|until"
    r"|whether|last|yesterday|today|tonight|this|just|early|over|for good|thanks?|please|and|gestern|heute|seit|ab"
    r"|weil|bitte|danke|und|hier|ce|parce|car|merci|et|ayer|hoy|esta|desde|porque|gracias|y)\b)"
)
DEPENDS_AFTER: Final = re.compile(
    r"(?i)[^.,;:]{0,80}?(?:,\s*(?:\w+,?\s)?)?\b(?:if|unless|once|as soon as|provided|assuming|when|by (?:mon|tues"
    r"|wednes|thurs|fri|satur|sun)day|wenn|falls|sobald|bis (?:mon|diens|mitt|donners|frei)tag|si|quand|d\u00e8s que"
    r"|cuando)\b"
)
MISTAKEN: Final = re.compile(
    r"(?i)\b(?:by mistake|accidentally|by accident|too early|prematurely|versehentlich|aus versehen|par erreur|por"
    r" error)\b"
)
HANDED_ON: Final = re.compile(
    r"(?i)(?<!\bi )(?<!\bwe )(?<!\bi just )\b(?:gave|gives|says?|said|shows?|showed|reads?|prints?|printed|returns?"
    r"|returned|outputs?|lists|listed|reports?|reported|states?|stated|writes|wrote|reveals?|tells?|told|contains?"
    r"|answers?|answered|replied|logs?|logged|ergab|ergibt|zeigt|meldet|sagt|schreibt|liefert|affiche|indique|dit"
    r"|montre|muestra|dice|indica|devuelve)\b[^:.;\n]{0,40}?(?::|\b(?:that|dass|que)\b)"
)
"""What stands behind it is what a report says."""
ASKS_BESIDE: Final = re.compile(
    r"(?i)[,;\u2014\u2013]\s*(?:(?:so|and|now|und|et|y)\s+)?(?:what|who|when|how|which|where|why|can|could|would"
    r"|shall|should|any|was|wie|wer|kannst|k\u00f6nnen|peux|pouvez|que|qu['\u2019]est|puedes|qu\u00e9)\b[^,;]*\?\s*$"
)
"""A question behind a statement: "T002 is finished, what's next?"."""
WISHED: Final = re.compile(
    r"\b(?:[Qq]uiero|[Qq]ueremos|quisiera|debemos|debo|veux|voulons|dois|devons|voudrais|wollen|m\u00fcssen|muss"
    r"|sollen|soll|m\u00f6chte\w*|(?<!uten )morgen|bald|demn\u00e4chst|[Mm]a\u00f1ana|pronto|[Dd]emain|bient\u00f4t"
    r"|[Tt]omorrow|soon)\b"
)
"""What stands behind it is wanted, or comes later."""
POLITELY: Final = re.compile(
    r"(?i)\A\W*(?:(?:can|could|would|will) you(?: please| now| also| then)*|(?:peux|pourrais)-tu|(?:pouvez"
    r"|pourriez)-vous|puedes|podr\u00edas)\s+(?=(?:mark|close|set|tick|cross|resolve|revoke|cancel|retire|reopen"
    r"|fermer|cl\u00f4turer|annuler|cerrar|anular|cancelar)\b)"
)
"""Asks politely for what is then done to an entry."""
STANDS_AS: Final = re.compile(
    rf"(?i)(?:(?:{STILL}\s+)?{IS}|isn['\u2019]?t|no longer|doesn['\u2019]?t|does not|bit|went|tritt|ya no|ne"
    rf"|n['\u2019](?:est|a))\b"
)
STANDS_ALONE: Final = re.compile(
    r"(?i)(?:[,;:\u2014\u2013]|\s-|[-=]>|\u2192)\s*(?:(?:so|and|also|thus|hence|therefore|that['\u2019]s|donc|et|und"
    r"|damit|also|as\u00ed que|y)\s+)?\Z"
)
"""What stands before a name whose verb may be missing: "the limits are live, T003 done"."""
OF_ANOTHER: Final = re.compile(
    r"(?i)\b(?:of|for|in|on|about|from|than|by|like|after|before|without|with|to|behind|f\u00fcr|von|mit"
    rf"|pour|de|par|por|zu)\s+{_NOUN}\Z"
)
BRACKETED: Final = re.compile(r"\A\s*\([^)]{0,60}\)")
WAS: Final = re.compile(r"(?i)\b(?:was|were|had been|used to be)\s+\Z")
AWAITED: Final = re.compile(
    r"(?i)\b(?:when|whether|once|until|before|after|as soon as|(?:make sure|ensure|check|verify|see(?: to it)?|want"
    r"|need|pretend|expect|doubt|assert\w*|tell me|hope)(?: that| if)?|bis|bevor|nachdem|avant|antes de(?: que)?"
    r"|hasta que)"
    rf"\s+{_NOUN}\Z"
)
MAY_BE: Final = re.compile(r"(?i)can\b")
HAS_VERB: Final = re.compile(
    r"(?i)(?:is|are|was|were|has|have|stays?|remains?|got|now|isn['\u2019]?t|no longer|doesn['\u2019]?t|does not"
    r"|gilt|ist|sind|wurden?|wird|hat|est|sont|a|ne|n['\u2019]\w+|est\u00e1|queda|qued\u00f3|fue|ha|ya no|se|kann"
    r"|peut|puede)\b"
)
SEPARATOR: Final = re.compile(r"(?i)^\s*(?:[:;,.\u2014\u2013-]|by\b|with\b|as\b|because\b|since\b)\s*")
