"""How decisions and open matters are worded in German, French and Spanish: a vocabulary of each language, one grammar.

The words are written as dictionaries have them; accents may be missing where people type without them, and
apostrophes may be curved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engramforge.core.detection.cues.cue_rule import CueRule, rule
from engramforge.core.text.late_pattern import late

_DECIDED: Final = 0.74
_CHOSEN: Final = 0.64
_FROM_NOW: Final = 0.62
_SETTLED: Final = 0.66
_OPEN: Final = 0.64
_TYPED: Final = (
    *((letter, f"[{letter}{bare}]") for letter, bare in zip("éèêàâçûîôñáíóú", "eeeaacuionaiou", strict=True)),
    *(
        (letter, f"(?:{letter}|{bare})")
        for letter, bare in zip("äöüß", ("ae", "oe", "ue", "ss"), strict=True)
    ),
    ("'", "['\u2019]"),
)
_AFTER: Final = (
    r"(?:,? (?:und|am|im|in|mit|von|vom|durch|beim|nach|heute|gestern|so|worden|der|des|le|la|les|avec|par|hier|ce"
    r"|en|au|à|de|du|con|por|hoy|ayer|el|del|esta|este)\b[^,;:.?!]{0,50})?"
)
_SOME: Final = r"[^.;:?!]{0,60}?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The words with which a language decides; each is a pattern.

    Parameters
    ----------
    stems : words, or their beginnings, of which every wording has one.
    decides : who decides, with the verb of deciding where that comes next.
    chooses : verbs that say a choice by themselves, with who chooses: "we go with".
    deciding, choosing : words of which every one of these wordings has one; none of them where empty.
    from_now : "from now on"; instead : "instead of".
    others : words beside which these say nothing, since somebody speaks of their own day.
    uses : who uses or does something, with the verb; a decision only beside `instead`.
    settled : a clause that says that what is beside it is decided; insists : words that do so behind a comma only.
    decision_label, thread_label : what stands before a colon.
    is_open : says that something is not known or not done yet.
    unsure : takes a statement away wherever it stands: conditions, hedges, hearsay, proposals.
    requests : asks for work, which takes a decision away, too.
    wished : takes it away where it stands before the cue: "we want to".
    greeting : greets, thanks, or says that something follows.
    """

    name: str
    stems: str
    decides: str
    chooses: str
    from_now: str
    instead: str
    others: str
    uses: str
    settled: str
    insists: str
    decision_label: str
    thread_label: str
    open_stems: str
    is_open: str
    unsure: str
    requests: str
    wished: str
    greeting: str
    deciding: str = ""
    choosing: str = ""


_GERMAN_DONE: Final = (
    r"(?:entschieden|entschlossen|beschlossen|geeinigt|einig|verständigt|festgelegt|vereinbart|verabredet|abgemacht"
    r"|ausgemacht|abgesegnet|abgestimmt|freigegeben|verabschiedet|abgenickt|genehmigt|besprochen und \w+)"
)
_GERMAN_GROUP: Final = (
    r"(?:\w*team|\w*gruppe|runde|\w*kreis|\w*board|vorstand|gremium|\w*führung|\w*leitung|betrieb|kunden?|mehrheit"
    r"|\w*abteilung|architektur|entwicklung|produkt|alle|und ich)"
)


def _german_we(verbs: str, singular: str) -> str:
    """ "We" or a group before or after a verb."""
    return (
        rf"(?:wir(?: \w+)?? (?:{verbs})|(?:{verbs}) wir|{_GERMAN_GROUP} (?:{singular})|es (?:{singular}))\b"
    )


_GERMAN: Final = Language(
    name="german",
    deciding="entschieden entschlossen beschlossen geeinigt einig verständigt festgelegt vereinbart verabredet"
    " abgemacht ausgemacht freigegeben genehmigt besprochen gewählt verworfen gestrichen legen wahl gewonnen",
    choosing="nehmen nimmt wählen behalten behält bleiben steigen stellen ziehen setzen verzichten standardisieren"
    " bauen führen schaffen schalten werfen wirft lassen lässt streichen wechseln ersetzen tauschen fliegt"
    " benutzen nutzen verwenden brauchen unterstützen",
    stems="wir das die der den dem unser final ist und im mit für auf haben hab habe wird werden ein eine ab von"
    " nur vom zu bei entsch beschlossen geeinigt fest vereinbart abge freigegeben endgültig"
    " beschluss künftig statt anst fliegt",
    decides=rf"\b(?:wir|{_GERMAN_GROUP})\b{_SOME}\b(?:{_GERMAN_DONE}|(?:aus)?gewählt|ausgesucht|verworfen|abgelehnt"
    r"|gestrichen|abgewählt|ausgesprochen)\b"
    rf"|(?:^\W*hab\w*|\bhabe? (?:ich )?(?:mich|uns)|\bich habe?)\b{_SOME}\b(?:entschieden|festgelegt|beschlossen)\b"
    rf"|\b(?:es|da|hier|gestern|heute)\s+(?:wurde|ist)\b{_SOME}\b(?:entschieden|beschlossen|festgelegt|vereinbart)\b"
    rf"|\bwurden?\b{_SOME}\b(?:entschieden|beschlossen|vereinbart)\b"
    r"|\b(?:entscheiden|einigen|einigten|entschieden) (?:wir )?uns (?:auf|für|gegen|darauf|dafür|dagegen)\b|\bwir"
    r" (?:legen uns fest|beschließen|beschlossen|vereinbaren)\b|\bwahl (?:fiel|fällt|ist"
    r"|auf)\b[^.;:?!]{0,40}?\b(?:auf|gefallen)\b|\bhat (?:die abstimmung )?gewonnen\b|\b(?:unsere|die|meine) (?:\w+"
    r" )?(?:wahl|entscheidung) (?:ist|lautet|heißt)\b",
    chooses=rf"\b{_german_we('nehmen|wählen|behalten', 'nimmt|wählt|behält')}(?: (?:nun|jetzt|also|dann|künftig"
    rf"|doch))*(?! (?:an|mal|uns|euch|teil|de[nrms]|die|das|eine?\w?|zu|zur|zum|am|im|sich|es|ihn|sie|noch)\b) "
    rf"|\b{_german_we('bleiben', 'bleibt')}(?: \w+){{0,2}} (?:bei(?! (?:mir|dir|uns|ihnen|ihm|ihr)\b)|auf|dabei)\b"
    rf"|\b{_german_we('steigen|stellen|ziehen', 'steigt|stellt|zieht')}[^.;:?!]{{0,60}}? um\b"
    rf"|\b{_german_we('setzen|verzichten|standardisieren|bauen', 'setzt|verzichtet')}(?: \w+){{0,3}} auf\b"
    rf"|\b{_german_we('setzen|führen|schaffen|schalten|stellen', 'setzt|führt|schafft|schaltet|stellt')}"
    r"[^.;:?!]{1,60}? (?:ein|ab)\b"
    rf"|\b{_german_we('werfen|lassen|streichen', 'wirft|lässt|streicht')}[^.;:?!]{{0,60}}? (?:raus|weg|fallen)\b"
    rf"|\b{_german_we('wechseln', 'wechselt')}[^.;:?!]{{0,40}}? (?:zu|zur|zum|auf)\b"
    rf"|\b{_german_we('ersetzen|tauschen', 'ersetzt|tauscht')}[^.;:?!]{{0,40}}? (?:durch|gegen)\b"
    r"|\bfliegt (?:jetzt |nun )?raus\b|\bwir (?:benutzen|nutzen|verwenden|brauchen|unterstützen) \S+(?: \w+)? nicht"
    r" mehr\b",
    from_now=r"\b(?:ab (?:sofort|jetzt|heute|morgen|montag|dienstag|mittwoch|donnerstag|freitag|januar|februar|märz"
    r"|april|mai|juni|juli|august|september|oktober|november|dezember|version|nächste\w|dem \d|\d)|von (?:nun|jetzt"
    r"|heute) an|in zukunft|künftig|zukünftig|fortan|nur noch(?! (?:\d|zwei|drei|ein|kurz|eben|schnell))|generell"
    r"|grundsätzlich|einheitlich)\b",
    instead=r"\b(?:statt|anstatt|anstelle|stattdessen)\b",
    others=r"ich|mich|mir|du|dich|dir|euch|urlaub|fehl\w+|wollen|sollen|soll",
    uses=r"\b(?:wir|gilt|gelten|wird|werden|läuft|laufen|liegt|liegen|steht|stehen|braucht|brauchen|ist|sind|muss"
    r"|müssen|kein\w*|nur noch|heißt|heißen|kommt|kommen|geht|gehen|macht|alle\w?|jede\w?)\b",
    settled=r"(?:(?:(?:und )?(?:das|dies|so|es|darauf|dafür|worauf) (?:ist|sind|hat|haben|habe|wurde|steht)|ist|haben"
    r"|hat|wurde|so|im team|gemeinsam|final|jetzt|vom|von|mit|durch)\b[^,;:.?!]{0,60}?)?"
    rf"\b(?:{_GERMAN_DONE}|(?:steht|stehen)(?: \w+){{0,2}} fest|beschlossene sache|entscheidung(?: \w+)? (?:steht"
    r"|gefallen|getroffen)|wahl ist gefallen|(?<=ist )(?:\w+ )?(?:final|fix|endgültig|gesetzt|klar)|endgültig"
    r"|(?:entscheidung|beschluss)(?= (?:des|der|vom|von)\b)|teamentscheidung|teambeschluss|diskussion beendet)",
    insists=r"punkt|basta|final|fix|fertig|ende der (?:diskussion|debatte)|schluss(?: damit| aus)?"
    r"|ohne wenn und aber|ein für alle mal",
    decision_label=r"(?:[\w-]+ ){0,2}(?:entscheid(?:ung)?|teamentscheidung|beschluss|festlegung|vereinbarung"
    r"|entschieden|beschlossen|festgelegt|vereinbart|abgemacht|geeinigt|einig)(?: (?:ist|steht|gefallen|getroffen"
    r"|von|vom|zu|zur|zum|für|aus|nach|im|in|am|des|der|heute|gestern|und)\b[^:]{0,40})?|wahl ist gefallen|neue"
    r" regel|wir legen uns fest|(?:damit )?steht fest",
    thread_label=r"(?:neue[rs]? |weitere[rs]? |noch |ein |eine )?(?:offene[rs]? (?:fragen?|punkte?|themen?|thema"
    r"|aufgaben?|baustelle)|threads?|aufgaben?|todos?|frage offen|offen(?: ist)?(?: noch)?|noch offen|noch zu \w+|zu"
    r" klären|(?:später|danach|demnächst)(?: noch)?(?: \w+)?|ungeklärt|ungelöst|nicht vergessen|ausstehend|fehlt"
    r" noch|unklar)",
    open_stems="noch offen offene unklar ungeklärt ungelöst vergessen aufgabe todo thread klären ausstehend fehlt"
    " nächster",
    is_open=r"\bnoch (?:immer )?(?:offen|unklar|ungeklärt|zu (?:tun|klären|erledigen|entscheiden)|nicht (?:geklärt"
    r"|entschieden|fertig|erledigt|klar|raus))\b|\bmüssen (?:wir )?(?:uns )?noch\b|\bwissen (?:wir )?noch nicht\b"
    r"|\bnicht vergessen\b|\b(?:ist|bleibt) (?:noch |weiterhin )?(?:unklar|ungeklärt|offen),|^\W*offen (?:ist|sind"
    r"|bleibt)\b|\bnächster schritt (?:ist|wäre)\b|\bmuss (?:ich |jemand )?noch\b",
    unsure=r"\b(?:vielleicht|vermutlich|wahrscheinlich|eventuell|womöglich|möglicherweise|angeblich|offenbar"
    r"|anscheinend|laut|falls|wenn|sobald|sofern|solange|könnte\w*|sollte\w*|würde\w*|hätte\w*|wäre\w*|möchte\w*"
    r"|müsste\w*|überleg\w+|vorschlag\w*|schlage|schlagen vor|diskutier\w+|hoffe\w*|glaube|denke|meint|meinte|findet"
    r"|sagt|sagte|behauptet\w*|schreibt|schrieb|gehört|steht, dass|im (?:artikel|bericht|dokument|ticket|blog|buch"
    r"|film|log|wiki)|konkurrenz|noch nicht|noch zu|noch offen|ihr habt|habt ihr|haben sie|sie haben|warum|wieso"
    r"|weshalb|wer|welche[rsnm]?|unentschieden)\b",
    requests=r"\b(?:kannst du|könntest du)\b|^\W*(?:(?:bitte|mach\w*|nutze|verwende|antworte|schreib\w*|nimm"
    r"|setz\w*|füge|erklär\w*|sag)\b)",
    wished=r"\b(?:wollen|will|müssen|muss|sollen|soll|dürfen|können|kann|ob)\b",
    greeting=r"hallo|moin|servus|guten (?:morgen|tag|abend)|kurze (?:info|frage|sache)|zur info|nur zur info|übrigens"
    r"|nebenbei|ach ja|noch was|eine sache|wichtig|danke|zusammen|leute|stand|gute nachrichten?|nachtrag",
)

_FRENCH_DONE: Final = (
    r"(?:décidée?s?|choisie?s?|retenue?s?|convenue?s?|opté|tranchée?s?|validée?s?|actée?s?|arrêtée?s?|adoptée?s?"
    r"|votée?s?|entendue?s?|définitif|définitive|mis d'accord|tombés d'accord|d'accord sur)"
)
_FRENCH_GROUP: Final = (
    r"(?:équipe|groupe|comité|client|direction|réunion|majorité|architecture|conseil|produit)(?: \w+){0,2}"
)
_FRENCH: Final = Language(
    name="french",
    stems="le la les nous est des du une dans pour avec que ce sera tout"
    " décide décidé decidé décidons décision choisi opté valid acté arrêt entendu rest gard pren abandon bascul"
    " remplac migr utilis désormais dorénavant plutôt choix conse laiss vire retir sur à aujourd",
    decides=rf"(?:\b(?:nous (?:avons|sommes|nous sommes)|on (?:a|s'est|vient de)|j'ai|je me suis"
    rf"|{_FRENCH_GROUP} a|il a été|ça a été|c'est|cela a été|et moi avons)\b"
    rf"(?: (?!pas\b|jamais\b|rien\b|point\b|plus\b)\S+){{0,3}} {_FRENCH_DONE}(?!\w)"
    r"|\b(?:nous décidons|nous choisissons|on décide) |\b(?:notre|le|mon|la) (?:choix|décision)(?: \w+)? est (?:de "
    r"|d'|que |[A-Z]))",
    chooses=rf"(?<!si )\b(?:on|nous|{_FRENCH_GROUP}) (?:ne |n'|l'|le |la |les )?(?:part(?:ons|ira|irons)? (?:sur|avec"
    r"|pour)|pass(?:e|ons|era|erons) (?:à|sur|en)|rest(?:e|ons|era|erons) (?:sur|avec|chez|à|en)|prenons|prendra"
    r"|prendrons|prend|(?:gard|conserv|adopt|abandonn|remplac|supprim|arrêt|valid|retir|impos|bannir|introdui|vir"
    r"|stopp|standardis)(?:e|ons|eons|era|erons|t|sons)|(?:bascul|migr)(?:e|ons|era|erons) (?:sur|vers)|choisit"
    r"|choisissons|opte pour|optons pour|utiliser(?:a|ons)|laiss(?:e|ons) tomber|va (?:utiliser|prendre|garder"
    r"|partir sur|passer à)|(?:utilise|utilisons|supporte|supportons|gère|gérons|fait|faisons) plus) (?!table\b"
    r"|autre chose\b|la suite\b|la maison\b|côté\b)|\bce sera (?!bien|mieux|prêt|fait|fini|tout|pour|le\b|la\b|un\b)",
    from_now=r"\b(?:désormais|dorénavant|à partir (?:de (?:maintenant|demain|lundi|la|l'|cette|ce)|d'|du)"
    r"|dès (?:maintenant|aujourd'hui|à présent|demain|lundi)|à compter (?:de|d'|du)|à l'avenir|plus jamais)",
    instead=r"\b(?:au lieu d|plutôt que|à la place d)",
    others=r"je|j'\w+|me|tu|te|toi|vous|votre|vos|vacances|veut|voulons",
    uses=r"\b(?:on|nous|tout\w*|tous|les|le|la|l'|chaque|plus)\b",
    settled=r"(?:(?:(?:et )?(?:c'est|c'était|ça a été|nous l'avons|on l'a|ce qu'on a|ainsi"
    r"|voilà ce)\b[^,;:.?!]{0,40}?)?\b(?:décidée?|actée?|tranchée?|validée?|entendu|définitif|convenue?|votée?|réglé"
    r"|approuvée?)(?!\w)|(?:c'est (?:la|une) )?décision (?:prise|finale|définitive|d'équipe|collective)|(?:c'est"
    r" (?:la|une) )?décision(?= (?:de|du)\b)|le choix est fait|la décision est prise|on s'est mis d'accord|tout le"
    r" monde est d'accord)",
    insists=r"point final|point|définitivement|sans exception|un point c'est tout",
    decision_label=r"(?:[\w-]+ ){0,2}(?:décisions?|décidé|c'est (?:décidé|acté|tranché|validé|entendu)|choix|retenu"
    r"|convenu|on a tranché|on s'est mis d'accord|nous nous sommes mis d'accord)(?: (?:prise|finale|définitive|final"
    r"|d'équipe|de|du|avec|en|hier|ce|est|retenu|technique|pour|par)\b[^:]{0,40})?|nouvelle règle",
    thread_label=r"(?:autre |nouvelle |nouveau |encore une |une |un )?(?:questions? ouvertes?|points? ouverts?"
    r"|questions? en suspens|en suspens|points? en suspens|tâches?|(?<=nouveau )(?:sujet|fil|thread)|à (?:faire"
    r"|décider|clarifier|définir|vérifier|voir|discuter|trancher)|restent? à \w+|non résolu|pas encore résolu"
    r"|prochaines? étapes?|en attente)(?: plus tard| ensuite| demain)?",
    open_stems="reste restent encore sait savons suspens faut oublier question ouvert tâche faire sujet fil thread"
    " résolu décider clarifier vérifier voir trancher prochaine attente",
    is_open=r"\b(?:il )?reste(?:nt)? (?:encore )?à \w+(?:er|ir|re)\b|\bil faut encore\b|\bon ne sait (?:pas encore"
    r"|toujours pas)\b|\bnous ne savons (?:pas encore|toujours pas)\b|\b(?:est|reste) (?:encore |toujours )?en"
    r" suspens\b|\bn'est pas encore (?:clair|décidé|défini|réglé)\b|\bne pas oublier\b|\bon doit encore\b",
    unsure=r"\b(?:peut-être|sans doute|probablement|éventuellement|si|s'il|s'ils|selon|d'après|apparemment|paraît"
    r"|pourrai\w+|pourrions|devrai(?:t|ent|s)|devrions|voudrai\w+|aimerai\w+|faudrait|faudra|faut|propos(?:e|er|ez"
    r"|ons|ition)|hésit\w+|pense|crois|espère|souhait\w+|dit que|a dit|disent|prétend\w*|dans (?:l'article|le \w+)"
    r" \w+|quand|lorsque|dès que|pourquoi|est-ce que|pas encore|elle a|elles ont|ils ont|vous avez|tu as|qu'on"
    r"|l'article dit|n'a rien|n'avons rien)\b",
    requests=r"\b(?:peux-tu|pouvez-vous)\b|^\W*(?:(?:merci de|utilise|utilisez|réponds|répondez|écris|écrivez"
    r"|fais|faites|mets|mettez|ajoute|ajoutez|explique\w*)\b)",
    wished=r"\b(?:veut|voulons|veux|doit|devons|dois|peut|pouvons)\b",
    greeting=r"bonjour|bonsoir|salut|coucou|petite (?:info|question|chose)|pour info(?:rmation)?|au fait"
    r"|une chose|merci|bonne nouvelle|à noter|mise à jour|important|tout le monde|à tous",
)

_SPANISH_DONE: Final = (
    r"(?:decidid[oa]s?|acordad[oa]s?|elegid[oa]s?|optado|escogid[oa]s?|aprobad[oa]s?|definid[oa]s?|convenido|votado"
    r"|fijad[oa]s?|adoptad[oa]s?|descartad[oa]s?|confirmad[oa]s?|tomada)"
)
_SPANISH_GROUP: Final = (
    r"(?:equipo|grupo|cliente|comité|junta|dirección|mayoría|consejo|producto|arquitectura)(?: de \w+| \w+)?"
)
_SPANISH: Final = Language(
    name="spanish",
    stems="el la es está los las con se en por para del una hemos ya nos lo un su al"
    " decidi acord acuerdo eleg opta escog aprob resuelto votado descart vamos iremos pasa cambiamos migramos"
    " apostamos seguimos seguiremos mantenemos dejamos abandonamos reemplazamos sustituimos usar utilizaremos"
    " usamos desde adelante lugar vez decisión qued eliminamos retiramos ahora hoy",
    decides=rf"\b(?:hemos|he|{_SPANISH_GROUP} ha|se ha|se han|ha sido|queda|quedó|está|y yo hemos)"
    rf"(?: (?!no\b|nada\b|nunca\b)\w+){{0,2}} {_SPANISH_DONE}\b"
    r"|\b(?:decidimos|acordamos|elegimos|optamos por|escogimos|aprobamos|convenimos|resolvimos|descartamos)\b"
    rf"|\b(?:{_SPANISH_GROUP}|se) (?:decidió|acordó|eligió|optó|aprobó|resolvió|escogió|adoptó|descartó)(?!\w)"
    r"|\b(?:la|nuestra|mi) (?:elección|decisión|opción)(?: \w+)? es ",
    chooses=rf"(?<!no )\b(?:nos (?:quedamos con|decantamos por|mudamos a)|vamos (?:a usar|a utilizar|con|por)"
    r"|iremos (?:con|por)|pasamos a(?! \w+r(?:te|se|lo|la|me|nos)?\b)|cambiamos (?:a|de|\w+ por)|migramos (?:a|\w+"
    r" a)|apostamos por|seguimos con|seguiremos con|mantenemos|dejamos de (?:usar|utilizar|dar)|ya no (?:usamos"
    r"|utilizamos|soportamos)|abandonamos|reemplazamos|sustituimos|usaremos|utilizaremos|adoptamos|eliminamos"
    rf"|quitamos|retiramos|implantamos|{_SPANISH_GROUP} (?:usará|pasa a|se queda con|va a usar)) "
    r"(?!los niños\b|el coche\b|mis\b|tus\b|mi\b|tu\b)",
    from_now=r"\b(?:a partir de|desde (?:ahora|hoy|mañana|ya|el lunes)|de (?:ahora|hoy|aquí) en adelante|en adelante"
    r"|en lo sucesivo|nunca más|ya nunca)\b",
    instead=r"\b(?:en lugar de|en vez de)\b",
    others=r"me|mi|yo|te|tu|vacaciones|queremos|podemos",
    uses=r"\b(?:usamos|utilizamos|se|el|la|los|las|cada|todo\w*|toda\w*|nada|ya no|solo|sólo)\b",
    settled=r"(?:(?:(?:y )?(?:ya )?(?:está|queda|es|fue|ha sido|se ha|todo)\b[^,;:.?!]{0,30}? )?(?:decidid[oa]"
    r"|acordad[oa]|aprobad[oa]|definitiv[oa]|confirmad[oa])|(?:así )?(?:lo|se) (?:decidimos|acordamos|votamos"
    r"|(?:decidió|acordó)(?: \w+)?|hemos (?:decidido|acordado|votado|aprobado))|(?:es )?(?:la )?decisión (?:tomada"
    r"|final|definitiva|está tomada)|(?:es la )?decisión(?= (?:de|del)\b))(?!\w)",
    insists=r"punto final|punto|definitivamente|sin excepciones|y punto",
    decision_label=r"(?:[\w-]+ ){0,2}(?:decisión|decisiones|decidido|acordado|acuerdo|elección|está decidido|queda"
    r" decidido)(?: (?:tomada|final|definitiva|de|del|con|en|hoy|ayer|técnica|sobre|para)\b[^:]{0,40})?|nueva regla"
    r"|nueva norma",
    thread_label=r"(?:otra |otro |nueva |nuevo |una |un |queda |quedan )?(?:preguntas? abiertas?|puntos? abiertos?"
    r"|temas? abiertos?|pendientes?(?: de)?|tareas?(?: nuevas?| pendientes?)?|(?<=nuevo )hilo|hilo nuevo|por"
    r" (?:hacer|decidir|definir|aclarar|resolver|ver)|sin resolver|faltan?|queda por \w+|próximos? pasos?"
    r"|recordatorio|para (?:más tarde|después|luego))",
    open_stems="falta faltan queda quedan todavía aún averiguar pendiente olvidar tenemos sabemos pregunta"
    " abierto tarea hilo hacer decidir aclarar resolver próximo",
    is_open=r"\bfaltan? (?:por|aún|todavía|saber|definir|decidir|que)\b|\bquedan? (?:pendientes?|por \w+)"
    r"|\b(?:todavía|aún) no (?:sabemos|está claro|tenemos|se sabe|hemos)\b|\bno sabemos (?:todavía|aún)\b|\btenemos"
    r" que (?:averiguar|decidir|definir|aclarar|investigar)\b|\b(?:está|sigue|siguen) pendientes?\b|\bno olvidar\b",
    unsure=r"\b(?:quizás?|tal vez|a lo mejor|probablemente|posiblemente|si|según|dice que|dicen que|dijo"
    r"|dijeron|parece|podría\w*|debería\w*|quisiera\w*|gustaría|habría que|hay que|tenemos que|tengo que|propongo"
    r"|proponemos|propone|creo|pienso|espero|cuando|en cuanto|en el (?:artículo|informe|documento)|por qué|quién|aún"
    r" no|todavía no|no sé|ella|ellos|ellas|ojalá)\b",
    requests=r"\b(?:puedes|podrías)\b|^\W*(?:(?:por favor|a partir de ahora|desde ahora)\W+)?(?:(?:usa|utiliza"
    r"|responde|escribe|haz|pon|añade|explica)\b)",
    wished=r"\b(?:queremos|quiero|debemos|podemos|puede)\b",
    greeting=r"hola|buen(?:os d\u00edas|as(?: tardes| noches)?)|una cosa|por cierto|para que (?:conste|sepas)"
    r"|nota|aviso|gracias|buenas noticias|importante|actualización|a todos|equipo",
)
_LANGUAGES: Final = (_GERMAN, _FRENCH, _SPANISH)


def _typed(words: str) -> str:
    """A pattern in which accents may be missing."""
    for letter, typed in _TYPED:
        words = words.replace(letter, typed)
    return words


def _stems(words: str) -> str:
    """Words with and without their accents."""
    bare = words
    for letters, plain in (("éèêàâçûîôñáíóú", "eeeaacuionaiou"),):
        bare = bare.translate(str.maketrans(letters, plain))
    for letter, plain in zip("äöüß", ("ae", "oe", "ue", "ss"), strict=True):
        bare = bare.replace(letter, plain)
    return f"{words} {' '.join(word for word in bare.split() if len(word) > 1)}"


_UNSURE: Final = _typed("|".join(each.unsure for each in _LANGUAGES))
_REQUESTS: Final = _typed("|".join(each.requests for each in _LANGUAGES))


def _decision_rules(language: Language) -> tuple[CueRule, ...]:
    """The wordings of decisions of a language, by the one grammar of all."""
    stems = _stems(language.stems)

    def worded(name: str, prior: float, *wordings: str, is_denied: bool = False, beside: str = "") -> CueRule:
        made = rule(
            f"{language.name} {name}",
            prior,
            is_denied=is_denied,
            unless=f"{_UNSURE}|{_REQUESTS}",
            wished=_typed(language.wished),
            beside=_stems(beside),
        )
        return made(stems, *map(_typed, wordings))

    return (
        worded("decided", _DECIDED, language.decides, is_denied=True, beside=language.deciding),
        worded("chooses", _CHOSEN, language.chooses, beside=language.choosing),
        worded(
            "from now on",
            _FROM_NOW,
            rf"^(?s:(?!.*\b(?:{language.others})\b)).*?{language.from_now}",
            rf"{language.uses}{_SOME}{language.instead}",
            rf"{language.instead}{_SOME}{language.uses}",
        ),
        worded(
            "is settled",
            _SETTLED,
            rf"(?:[,;\u2014\u2013]|\s-)\s*{language.settled}{_AFTER}[.!]*$",
            rf"[,\u2014\u2013-]\s*(?:{language.insists})[.!]*$",
        ),
    )


LANGUAGE_DECISION_RULES: Final = tuple(each for language in _LANGUAGES for each in _decision_rules(language))
LANGUAGE_THREAD_RULES: Final = tuple(
    rule(f"{each.name} open", _OPEN, is_denied=False)(_stems(each.open_stems), _typed(each.is_open))
    for each in _LANGUAGES
)
GREETINGS: Final = _typed("|".join(each.greeting for each in _LANGUAGES))
LANGUAGE_DECISION_LABELS: Final = _typed("|".join(each.decision_label for each in _LANGUAGES))
LANGUAGE_THREAD_LABELS: Final = _typed("|".join(each.thread_label for each in _LANGUAGES))
UNSURE: Final = late(f"(?i){_UNSURE}")
"""Takes a statement away in any of the languages."""
SETTLES: Final = late(
    "(?i)^\\W*(?:"
    + _typed("|".join(f"{each.settled}|(?:{each.insists})" for each in _LANGUAGES))
    + rf"){_AFTER}[.!]*$"
)
"""A sentence that only says that what was said before it is decided."""
