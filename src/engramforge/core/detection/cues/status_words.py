"""Words that say that an entry has ended or is closed, in English, German, French and Spanish.

Each is a pattern that ignores case; they serve behind an entry's name ("D001 is revoked") and in acts ("mark T001 as
done").
"""

from __future__ import annotations

from typing import Final

IS: Final = (
    r"(?:['\u2019]s|is|are|was|were|has|have|had|stays?|remains?|got|gets?|becomes?|became|had to|has to|can|may"
    r"|turned out(?: to be)?|turns out(?: to be)?|should now|to be|be|been|being|c['\u2019]est|ready to|ist|sind"
    r"|wurden?|wird|werden|gilt|gelten|hat|haben|kann|k\u00f6nnen|est|sont|a|ont|\u00e9t\u00e9|peut|peuvent|\u00eatre"
    r"|vient d['\u2019]|est\u00e1n?|es|son|quedan?|qued\u00f3|quedaron|ha|han|sido|fue|fueron|se|puede|pueden)"
)
STILL: Final = (
    r"(?:now|all|still|hereby|finally|already|also|safely|officially|just|completely|fully|formally|effectively"
    r"|since|today|yesterday|therefore|thus|then|both|recently|as of \w+|long|as good as|(?:be )?(?:considered"
    r"|regarded|treated|seen|declared|marked)(?: as)?|jetzt|nun|damit|bereits|schon|heute|gestern|hiermit|ab sofort"
    r"|seit \w+|ab \w+|endlich|maintenant|d\u00e9j\u00e0|enfin|hier|aujourd['\u2019]hui|d\u00e9sormais|donc|bien|ya"
    r"|ahora|hoy|ayer|por fin|desde \w+)"
)
BE: Final = rf"\A(?:(?:{IS}|{STILL})\s+){{0,6}}"
GERMAN_BE: Final = (
    r"\A(?:ist|sind|wurden?|wird|werden|hat|haben|habe|hab|kann|k\u00f6nnen)\b(?:(?!\b(?:nicht|noch|kein\w*|nie|bis"
    r"|soll\w*|fast|beinahe|halb|(?<!heute )(?<!gestern )morgen|bald|demn\u00e4chst"
    r"|n\u00e4chste\w*)\b)[^.,;:?!\n]){0,60}?\s"
)
"""A verb at whose clause's end the participle stands: "ist seit gestern vom Team"."""
_VALID: Final = (
    r"(?:valid|applicable|true|current|needed|relevant|binding|effective|in (?:force|effect|place|use)|an option"
    r"|ours|how we \w+(?: \w+){0,2}|(?:our|the|a) (?:way|rule|plan|policy|approach)|what we do)"
)
_ANY_MORE: Final = r"(?: any ?more| any longer| no more)"
NOT_VALID: Final = (
    rf"(?:no longer|not) (?:{_VALID}|applies|apply|holds?|stands?|counts?|binding){_ANY_MORE}?|isn['\u2019]?t"
    rf" {_VALID}{_ANY_MORE}?|(?:doesn['\u2019]?t|does not|don['\u2019]?t|do not) (?:hold|apply|stand|count"
    rf"|matter){_ANY_MORE}?"
    r"|no longer (?:is )?a thing|(?:has|had) had its day|bit the dust|(?:has )?(?:expired|lapsed)|went out of the"
    r" window|(?:ceases?|ceased|stopped) (?:to (?:apply|hold)|being \w+|applying)|can go(?! (?:on|ahead|live))"
    r"|closed(?=\W*\Z)"
)
NO_LONGER_GERMAN: Final = (
    r"gilt\b[^.,;:?!\n]{0,30}?\bnicht (?:mehr|l\u00e4nger)|gelten\b[^.,;:?!\n]{0,30}?\bnicht (?:mehr|l\u00e4nger)"
    r"|(?:ist |sind )?(?:ab \w+ |damit |nun |jetzt )?nicht (?:mehr|l\u00e4nger) (?:g\u00fcltig|aktuell|relevant|in"
    r" kraft|n\u00f6tig|verbindlich)|gibt es nicht mehr|(?:brauchen|nutzen|befolgen) wir nicht mehr|schnee von"
    r" gestern|ist schnee von gestern|(?:k\u00f6nnt ihr|k\u00f6nnen wir|kannst du) (?:vergessen|streichen)|(?:kippen"
    r"|streichen|verwerfen|widerrufen|beerdigen) wir|(?:nehmen|ziehen) wir (?:\w+ )?zur\u00fcck|heben wir (?:\w+"
    r" )?auf|hat sich (?:\w+ )?(?:erledigt|\u00fcberholt)|tritt au\u00dfer kraft"
)
NO_LONGER_ROMANCE: Final = (
    r"n['\u2019]est plus (?:valable|valide|d['\u2019]actualit\u00e9|en vigueur|applicable|pertinente?"
    r"|n\u00e9cessaire)|n['\u2019]a plus (?:cours|lieu d['\u2019]\u00eatre|de sens)|ne (?:s['\u2019]applique|tient"
    r"|vaut|compte|sert) plus|ya no (?:vale|aplica|se aplica|sirve|rige|cuenta|es (?:v\u00e1lid[oa]|vigente"
    r"|necesari[oa])|est\u00e1 (?:vigente|en vigor)|tiene (?:validez|efecto|sentido))|no es v\u00e1lid[oa]|(?:queda"
    r" )?sin (?:efecto|vigor|validez)|se (?:anula|cancela|revoca|descarta|deroga)"
)
ENDED: Final = (
    r"withdrawn|null(?: and void)?|shelved|archived|overruled|rolled back|walked back|called off|invalidated"
    r"|invalid|revoked|rescinded|repealed|annull?ed|nullified|rejected|reverted|void(?:ed)?"
    r"|obsolete|outdated|deprecated|retracted|retired|cancell?ed|dropped|ditched|scrapped|abandoned|reversed"
    r"|overturned|lifted|terminated|undone|suspended|voted down|axed|binned|buried|struck|killed|kicked(?: out)?"
    r"|thrown out|tossed(?: out)?|irrelevant|redundant|superfluous|pointless|meaningless|unnecessary|abolished"
    r"|discarded|removed|put aside|thrown away|ruled out|phased out|moot|wrong|(?:a|my|our) mistake|go\b|dead"
    r"|history|toast|finished|over(?! \d)|gone|done(?: for)?|expired|a thing of the past|no more|out(?! of| to| for|"
    r" there| in)|off(?! to| by| limits)|off the table|past its (?:date|time)|hist\u00f3ria"
)
ENDED_GERMAN: Final = (
    r"verworfen|aufgehoben|gekippt|gestrichen|zur\u00fcckgezogen|zur\u00fcckgenommen|widerrufen|annulliert|storniert"
    r"|abgeschafft|au\u00dfer kraft(?: gesetzt)?|kassiert|einkassiert|fallen ?gelassen|beerdigt|begraben"
    r"|abgel\u00f6st|ung\u00fcltig|hinf\u00e4llig|\u00fcberholt|obsolet|veraltet|vom tisch|geschichte|tot|gestorben"
    r"|raus|pass\u00e9|nichtig|weg|vorbei|zur\u00fcckgerollt|au\u00dfer betrieb|beendet|eingestampft"
)
ENDED_ROMANCE: Final = (
    r"caduque|obsol\u00e8te|p\u00e9rim\u00e9e?|d\u00e9pass\u00e9e?|nulle|morte|annul\u00e9e?|abrog\u00e9e?"
    r"|r\u00e9voqu\u00e9e?|abandonn\u00e9e?|retir\u00e9e?|rejet\u00e9e?|supprim\u00e9e?|invalid\u00e9e?"
    r"|enterr\u00e9e?|lev\u00e9e?|inv\u00e1lid[oa]|anulad[oa]|obsolet[oa]|caducad[oa]|revocad[oa]|cancelad[oa]"
    r"|descartad[oa]|derogad[oa]|retirad[oa]|eliminad[oa]|invalidad[oa]|rechazad[oa]|muert[oa]"
)
CLOSED: Final = (
    r"resolved|done|closed|fixed|completed?|finished|solved|settled|unblocked|answered|sorted(?: out)?|merged|shipped"
    r"|finali[sz]ed|live|handled|taken care of|wrapped up|behind us|off (?:the|our|my) (?:list|table|plate|desk|board"
    r"|mind)|implemented|delivered|deployed|released|rolled out|enforced|cleared(?: up)?|dealt with|(?:ticked|crossed"
    r"|checked|struck) off|signed off|complete|through|over(?: and done with)?|done and dusted|in the bag|good to "
    r"close|(?:ready )?to close|all set|history|gone|put to (?:bed|rest)|(?:no longer|not) (?:a problem|an issue|a "
    r"concern|open)(?: any ?more)?|no longer needs? (?:attention|work)|addressed|mitigated|a wrap|a false alarm"
    r"|wrapped|a non-?issue|out of the (?:way|door)|ready(?= (?:and|to close)\b)|(?:work|run|behav)(?:s|es|ing) "
    r"(?:now|again|fine|as it should)"
)
CLOSED_GERMAN: Final = (
    r"erledigt|gel\u00f6st|fertig|abgeschlossen|behoben|geschlossen|beendet|durch(?!\s+(?:\w*\d|d[eai]))|gefixt"
    r"|umgesetzt|gekl\u00e4rt|vom tisch|abgehakt|bereinigt|zu|weg|zugemacht|repariert|live|fertiggestellt"
    r"|beantwortet|geschafft"
)
CLOSED_ROMANCE: Final = (
    r"r\u00e9solue?|termin\u00e9e?|ferm\u00e9e?|r\u00e9gl\u00e9e?|faite?|close?|cl\u00f4tur\u00e9e?|finie?"
    r"|achev\u00e9e?|corrig\u00e9e?|boucl\u00e9e?|trait\u00e9e?|livr\u00e9e?|en production|r\u00e9par\u00e9e?"
    r"|resuelt[oa]|terminad[oa]|cerrad[oa]|list[oa]|solucionad[oa]|finalizad[oa]|completad[oa]|acabad[oa]|hech[oa]"
    r"|arreglad[oa]|corregid[oa]|cerrar|cerrarse"
)
