"""Sentences that retell: "the output is ...", "the README says that ...", "in der README steht ...".

What a text, a tool or a program says is not said by who tells of it, nor what follows in the same breath.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.cue_rule import beginning_set, beginnings
from engramforge.core.detection.rule_extractor import detect, may_say
from engramforge.core.detection.traps import own_clause
from engramforge.core.detection.whose.introductions import (
    TEXT_NOUN,
    TEXT_OBJECT,
    WONDERED,
    is_label_of_own,
    names_text,
)
from engramforge.core.detection.whose.signals import MEETING, TO_MODELS, is_signal
from engramforge.core.detection.whose.surroundings import HAS_VERB
from engramforge.core.text.late_pattern import late

_PRINTED: Final = (
    r"(?:output|stdout|stderr|response|error|warning|(?:error |commit |log |status )?message|title|subject(?: line)?"
    r"|head(?:ing|line)|caption|banner|log|logs|printout|console|terminal|tooltip|reply|answer|body|label|text|content"
    r"|(?:first|last|next|top|bottom|second|third) line)"
)
_TELLER: Final = (
    rf"(?:{_PRINTED}|{TEXT_NOUN}|agent|sub-?agent|tool|bot|model|api|vendor|customer|client|search|server|script|test"
    r"|tests|command|query|build|pipeline|job|program|app|page|line|field|cell|column|row|commit|issue|bug|ci|linter"
    r"|compiler|debugger|function|endpoint|screen|popup|dialog|sign|poster|consultant|competitor)"
)
_SAYS: Final = (
    r"(?:(?:now|just|also|still|only|\w+ly|then)\s+)?(?:says?|said|reads?|states?|stated|claims?|claimed|reports?"
    r"|reported|returns?|returned|prints?|printed|outputs?|outputted|shows?|showed|displays?|displayed|mentions?"
    r"|mentioned|lists?"
    r"|listed|contains?|contained|gives?|gave|echo(?:es|ed)?|yields?|yielded|logs?|logged|emits?|emitted|tells?|told"
    r"|writes?|wrote|announce[sd]?|finds?|found|(?:goes|went)(?= like\b|:)|answer(?:s|ed)|replie[sd]|respond(?:s"
    r"|ed)|spits? out|insist(?:s|ed)|suggest(?:s|ed)|recommend(?:s|ed)|(?:is|was) (?:titled|called|named|labell?ed))"
)
_TOOL: Final = (
    r"(?:read-?me\S*|std(?:out|err)|wikipedia|google|(?:chat)?gpt\S*|claude|gemini|copilot|curl|grep|rg|cat|jq|git"
    r"(?: \w+)?|npm|pip|pytest|kubectl|terraform|docker|make|ci|jenkins|sentry|jira|[\w/-]{1,60}\.[a-z]{2,5}"
    r"|https?://\S{1,200}|it)"
)
_SOMEBODY: Final = r"(?:the|my|our|his|her|their|an?|some)"
_RETOLD: Final = late(
    r"(?i)(?:^|(?<=[\s,;:(]))(?:"
    r"(?:(?:the|this|that|their|its|his|her|an?|my|our|your|one)\s+(?:[\w'./-]{1,40}+\s+){0,3}?"
    rf"(?:{_PRINTED}\s+(?:is|was|were|are)\b|{_TELLER}(?:\s+(?:of|from|by|at|in|on)\s+[\w'./-]{{1,40}}+"
    rf"(?:\s+[\w'./-]{{1,40}}+){{0,2}}?)?\s+{_SAYS})|{_TOOL}\s+{_SAYS})"
    rf"|{_SOMEBODY}\s+(?:[\w'-]+\s+){{1,3}}?(?:writes?|wrote|tells?|told|texts?|texted|messages|messaged|e?-?mails"
    r"|e?-?mailed|answers|answered|replies|replied|says|said)\s+(?:to\s+)?(?:me|us)(?=\s+[A-Z]|:)"
    r"|i\s+(?:get|got)(?: back)?(?= this\b| the following\b|:| [DTdt]-?\d)"
    r"|(?<!\bich )(?:sagte?|meinte?|schreibt|schrieb|behauptete?|meldete?|antwortete?|lautete?|gibt aus)"
    r"|(?:in|im|auf|es|da|dort)\b[^,.:\n]{0,40}\s?\b(?:steht|stand|heißt)(?! fest\b)"
    r"|(?:\w*ausgabe|\w*meldung|antwort|titel|betreff|überschrift)\s+(?:ist|war)"
    r"|(?<!\bje )(?:dit|disait|répond\w*|écrit|affirme|indique|affiche|renvoie|annonce|précise|suggère|contient)"
    r"|(?:sortie|réponse|message|titre|objet|erreur)\s+(?:[\w'-]{1,40}+\s+){0,2}?(?:est|était)"
    r"|dice|dijo|decía|respondió|afirma|escribió|indica|muestra|devuelve|anuncia|anunció|sugiere|contiene"
    r"|(?:salida|respuesta|mensaje|título|asunto|error)\s+(?:[\w'-]{1,40}+\s+){0,2}?(?:es|era)"
    r")(?>(?:\s+(?:that|me|us|this|back|out|the following|dass|que|qu'))*)\s*[:,\u2013\u2014-]*\s+(?=\S)"
)
_MAY_RETELL: Final = beginning_set(
    "say says said read state claim report return print output show display mention list contain give gave"
    " echo yield log logs emit tell told write wrote announce goes went answer replie respond spit find found"
    " insist title called named label get got error warning message subject heading caption banner console"
    " terminal tooltip body text line suggest recommend sagt meint schreibt behauptet meldet antwortet lautet"
    " gibt steht stand heißt ausgabe titel betreff überschrift dit disait répond écrit affirme indique renvoie"
    " précise sortie titre objet erreur dice dijo decía afirma escribió muestra devuelve anuncia sugiere salida"
    " mensaje título asunto"
)
"""A sentence without any of these beginnings retells nothing."""
_TURNS: Final = late(
    r"(?i)(?:[,;]|\b(?:and|so|but|hence|therefore|then))\s+(?:so |then |now )?(?:we|i|let['\u2019]s|wir|ich|nous|on)\b"
)
"""Begins what the speaker did about it."""
_HEADS: Final = late(
    rf"(?i)^(?!.*\b{MEETING}\b)\W*(?:the|an?|this|that|his|her|their|(?:copy|part|scan|{TEXT_NOUN})\s+(?:of|from))"
    r"\s+(?:[\w'\u2019-]+\s+){0,4}?[\w'\u2019-]+\W*$"
)
"""Words that begin as a name does, and not as somebody's "Updated the docs"."""
_WRITES: Final = late(
    r"(?i)^\W*(?!(?:i|we|you|ich|wir)\b)(?:[\w'\u2019-]+\s+){1,5}?(?:e-?mailed|mailed|messaged|texted|wrote|posted"
    r"|commented|announced|follows?)(?:\s+(?:me|us|back|in|today|yesterday))?\W*$"
)
"""Tells that somebody else wrote, or that a text comes: "My manager emailed"."""
_SURE: Final = 0.7
_LONGEST: Final = 600


def retold_from(sentence: str) -> int:
    """Where in a sentence the words of others begin that it retells, if these state something; 0 if nowhere."""
    if _MAY_RETELL.isdisjoint(beginnings(sentence[:_LONGEST])) or own_clause(sentence):
        return 0
    for hit in _RETOLD.finditer(sentence, 0, _LONGEST):
        rest = sentence[hit.end() :]
        if may_say(rest) and not _TURNS.search(rest) and any(x.confidence >= _SURE for x in detect(rest)):
            return hit.end()
    return 0


def introduces_named(sentence: str) -> bool:
    """Whether a person's sentence gives what follows of named entries in its line to somebody else: "The trace."."""
    said = sentence.strip()[-_LONGEST:]
    if said.endswith("?"):
        return bool(WONDERED.match(said) and TEXT_OBJECT.search(said))
    is_own = HAS_VERB.search(said) or is_label_of_own(said) or is_signal(said)
    is_label = not is_own and _HEADS.match(said) and names_text(said)
    return bool(is_label or _WRITES.match(said) or TO_MODELS.match(said))
