"""Which of two marked spans of a sentence is the cause and which the effect: pure rules over the words around them.

And the English wordings of cause and effect, as patterns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_BY: Final = r"(?:\s+\w+ly|\s+in\s+part|\s+at\s+least\s+in\s+part|\s+either|\s+both|\s+only|\s+just)?"
_DETERMINER: Final = r"(?:the|a|an|its|their|his|her|our|my|your|this|that|these|those|any|some)"

# A verb's stem with its endings; `by` forms turn it round.
_VERBS_OF_CAUSE: Final = (
    r"caus(?:e[sd]?|ing)|trigger(?:s|ed|ing)?|provok(?:e[sd]?|ing)|induc(?:e[sd]?|ing)|generat(?:e[sd]?|ing)"
    r"|produc(?:e[sd]?|ing)|spark(?:s|ed|ing)|prompt(?:s|ed|ing)|instigat(?:e[sd]?|ing)|ignit(?:e[sd]?|ing)"
    r"|inflict(?:s|ed|ing)?|elicit(?:s|ed|ing)?|evok(?:e[sd]?|ing)|precipitat(?:e[sd]|ing)|incit(?:e[sd]?|ing)"
    r"|aggravat(?:e[sd]?|ing)|exacerbat(?:e[sd]?|ing)|worsen(?:s|ed)|fuel(?:s|led|ed|ling|ing)|creat(?:e[sd]?|ing)"
    r"|necessitat(?:e[sd]?|ing)|engender(?:s|ed|ing)?|spawn(?:s|ed|ing)?|occasion(?:ed|ing)|entail(?:s|ed|ing)?"
    r"|unleash(?:e[sd]|ing)?|stimulat(?:e[sd]?|ing)|motivat(?:es|ing)|catalyz(?:e[sd]?|ing)"
)
_WORKING_VERBS: Final = (
    r"fix(?:e[sd])?|solv(?:e[sd])|resolv(?:e[sd])|br(?:eaks|oke|oken)|crash(?:e[sd])|prevent(?:s|ed)"
    r"|introduc(?:e[sd])|affect(?:s|ed)?|influenc(?:e[sd])|damag(?:e[sd])|destroy(?:s|ed)|kill(?:s|ed)|delay(?:s|ed)"
    r"|block(?:s|ed)|slow(?:s|ed)|disrupt(?:s|ed)|corrupt(?:s|ed)|delight(?:s|ed)|upset(?:s)?|injur(?:e[sd])"
    r"|driv(?:es|en)|drove|forc(?:e[sd])|heal(?:s|ed)|cur(?:e[sd])|reduc(?:e[sd])|improv(?:e[sd])|increas(?:e[sd])"
    r"|threaten(?:s|ed)|enabl(?:e[sd])|inspires|disturb(?:s|ed)|hinder(?:s|ed)"
)
_SENDING_VERBS: Final = (
    r"emit(?:s|ted|ting|ing)?|radiat(?:e[sd]?|ing)|releas(?:e[sd]|ing)|transmit(?:s|ted|ting)|yield(?:s|ed|ing)"
    r"|giv(?:es|ing)\s+off|gave\s+off|sends?|sent|outputs?|exud(?:e[sd]?|ing)|establish(?:e[sd])|deliver(?:s|ed)"
)
_SUFFERED: Final = (
    r"(?:pain|ache|injur(?:y|ie)|damage|harm|loss(?:e)?|death|fever|headache|nausea|fatigue|stress|anxiety|discomfort|tension"
    r"|pressure|noise|smoke|pollution|contamination|radiation|irritation|inflammation|infection|burn|scar|wound|bruise|blister"
    r"|rash|allerg(?:y|ie)|wrinkle|stain|swelling|bleeding|stiffness|soreness|weakness|dizziness|exhaustion|suffocation"
    r"|dehydration|starvation|famine|flood(?:ing)?|fire|explosion|erosion|corrosion|deformation|distortion|interference|delay"
    r"|outage|downtime|failure|error|bug|regression|crash(?:e)?|breakage|overflow|leak|congestion|backlog|timeout|slowdown|lag"
    r"|trouble|problem|complication|symptom|disorder|disease|illness(?:e)?|trauma|grief|sorrow|fear|rage|anger|frustration"
    r"|happiness|joy|pleasure|relief|benefit|profit|revenue|income|gain|boost|improvement|risk|threat|danger|hazard|fallout"
    r"|debris|waste|emission|heat|glare|warmth|glow|smell|stench|odou?r|stink|shock|surprise|disappointment|embarrassment"
    r"|guilt|shame|boredom|confusion|chaos|panic|protest|riot|unrest|crisis|recession|downturn|unemployment|debt|poverty"
    r"|evacuation|growth|weight\s+gain|shrinkage|cough(?:ing)?|suffering|disability|impact|insomnia|hangover|mess|dust)s?"
)
_FORWARD_VERBS: Final = (
    r"lead(?:s|ing)?\s+(?:\w+\s+){0,3}?to|led\s+(?:\w+\s+){0,3}?to|result(?:s|ed|ing)?\s+(?:\w+ly\s+)?in(?!\s+from)"
    r"|giv(?:e|es|ing|en)\s+rise\s+to|gave\s+rise\s+to|br(?:ing|ings|inging|ought)\s+(?:about|on|forth)"
    r"|set(?:s|ting)?\s+off|touch(?:es|ed|ing)?\s+off|contribut(?:e|es|ed|ing)\s+(?:\w+ly\s+)?to"
    r"|(?:is|are|was|were|be|been|being)\s+(?:\w+\s+){0,2}?(?:responsible|to\s+blame)\s+for|responsible\s+for"
    r"|account(?:s|ed)?\s+for|culminat(?:e[sd]?|ing)\s+in|end(?:s|ed|ing)?\s+(?:up\s+)?(?:in|with)(?=\s)"
    r"|ma(?:de|kes?|king)(?=\s+(?:(?:it|me|us|them|him|her|you|people)\s|"
    rf"(?:{_DETERMINER}\s+)?(?:\w+\s+){{0,3}}(?:fail|crash|break|stop|slow|hang|wait|lose|feel|faster|slower|worse|better"
    r"|impossible|possible|unstable|sick|angry|happy|sad|noise|sound|mistake)))"
    r"|turn(?:s|ed|ing)?\s+into(?=\s)|leav(?:es|ing)(?=\s+(?:at\s+least\s+)?\w+\s+(?:\w+\s+)?(?:dead|injured|without|in))"
    r"|(?:is|are|was|were|be|been|remains?|became)\s+(?:\w+\s+){0,2}?(?:(?:the|a|an|one\s+of\s+the|another|one)\s+)"
    r"(?:[\w-]+\s+){0,4}?(?:causes?|sources?|reasons?|triggers?|origins?|roots?|culprits?)\s+"
    r"(?:of|for|behind|why|that)|(?:cause|reason|trigger|source)s?\s+(?:of|for|behind)(?=\s)"
)
_BACKWARD_VERBS: Final = (
    r"(?:result|stem|aris|ris|emanat|originat|deriv|com|spring|radiat|emerg|develop|evolv|follow|flow)"
    r"(?:e|es|s|ed|ing|med|ming|ting)?\s+(?:\w+ly\s+)?(?:out\s+of|from)|(?:arose|arisen|came|sprang|sprung)\s+(?:\w+ly\s+)?"
    r"(?:from|out\s+of)|root(?:ed|s)\s+in|(?:attribut|ascrib|trac)(?:ed|able|es?)(?:\s+back)?\s+to|blam(?:ed|es?)\s+on"
    r"|(?:die[sd]?|dying|suffer(?:s|ed|ing)?|recover(?:s|ed|ing)?)\s+(?:of|from)|owe[sd]?\s+to"
    r"|(?:is|are|was|were|be|been)\s+(?:\w+\s+)?(?:a|the)\s+(?:\w+\s+)?(?:result|consequence|effect|product|outcome"
    r"|symptom|sign|by-?product)s?\s+of|(?:start(?:s|ed|ing)?|beg(?:in|ins|an|inning))\s+(?:with|by)(?=\s)"
)
_CONNECTIVES_BACKWARD: Final = (
    r"because(?:\s+of)?|cause\s+of(?=\s+that)|due\s+(?:\w+\s+)?to(?!\s+(?:be|do|get|go|start|begin|arrive|leave)\b)"
    r"|owing\s+to|thanks\s+to|on\s+account\s+of|by\s+(?:virtue|reason)\s+of|on\s+the\s+grounds\s+(?:of|that)"
    r"|as\s+a\s+(?:\w+\s+)?(?:result|consequence)\s+of|in\s+the\s+(?:wake|aftermath)\s+of|in\s+response\s+to"
    r"|in\s+consequence\s+of|under\s+the\s+(?:weight|influence)\s+of|given\s+that|inasmuch\s+as|in\s+view\s+of"
    r"|in\s+light\s+of|for\s+fear\s+of|courtesy\s+of|through\s+lack\s+of|for\s+(?:lack|want)\s+of"
    r"|(?:the\s+)?(?:root\s+)?(?:cause|reason)\s+(?:is|was|being|turned\s+out\s+to\s+be)(?:\s+that)?|root\s+cause:"
)
_CONNECTIVES_FORWARD: Final = (
    r"so\s+that(?!')|therefore|thus|hence|thereby|whence|consequently|accordingly|as\s+a\s+(?:direct\s+)?(?:result|consequence)"
    r"(?!\s+of)|for\s+(?:this|that|which)\s+reason|(?:that|this|it|which)(?:'s|\s+is|\s+was)\s+(?:\w+\s+)?why"
    r"|with\s+the\s+(?:result|effect|consequence)\s+that|so(?=\s+(?:i|we|they|he|she|it|you|the|this|now|there|my|our)\b)"
    r"|(?<=[,;]\s)so(?=\s+[a-z]+\s)(?!\s+(?:that|far|much|many|long|called|on|to|as|be|am|is|are|was|were|do|does|did"
    r"|can|could|will|would|should|has|have|had|what|how|why|when|where|who)\b)"
    r"|because\s+of\s+(?:this|that)(?=\s*,)|in\s+consequence(?!\s+of)"
)

WORKING: Final = re.compile(rf"(?i)\b(?:{_WORKING_VERBS})\b")
"""Verbs whose own meaning is part of the effect: "broke the build", "was fixed"."""

_BEGINS: Final = (
    r"-(?:bo|ca|dr|in|re|tr)|a(?:c[ch]|ff|gg|ll|n[gx]|r[eio]|s[\sc]|tt)"
    r"|b(?:ac|e[\scegin]|l[aeio]|o[or]|r[eiou]|u[gr]|y\s)|c(?:a[mntu]|ha|lo|o[lmnru]|r[aei]|u[lr])"
    r"|d(?:a[mn]|e[abfhlrsv]|i[esz]|ow|r[io]|u[es]|yi)|e(?:li|m[abei]|n[adgt]|r[or]|st|v[ao]|x[ahpu])"
    r"|f(?:a[ilmt]|e[av]|i[rx]|lo|o[lr]|ru|ue)|g(?:a[iv]|en|iv|l[ao]|r[io]|ui)|h(?:a[nprz]|e[an]|in|un)"
    r"|i(?:gn|ll|mp|n[\sacdfjst]|rr|s\s|t[\s'])|j(?:oy)|k(?:il)|l(?:ag|e[ad]|os)|m(?:a[dk]|es|ot)|n(?:au|ec|oi)"
    r"|o(?:cc|do|n\s|ri|ut|ve|w[ei])|p(?:a[in]|le|o[lv]|r[eo])|r(?:a[dgs]|e[acdglmsv]|i[os]|oo)"
    r"|s(?:ca|e[nt]|h[aor]|in|lo|m[eo]|o|p[ar]|t[aeior]|u[fr]|we|ym)|t(?:en|h[aeiru]|im|ou|r[aio]|ur)"
    r"|u(?:n[delr]|ps)|w(?:a[rs]|e[air]|h[ei]|it|o[ru]|ri)|y(?:ie)"
)
"""The first three letters of every wording of CUE, so that most words are passed over at once."""

WORDINGS: Final = (
    rf"(?:(?P<because>{_CONNECTIVES_BACKWARD})|(?P<thus>{_CONNECTIVES_FORWARD})"
    r"|(?P<since>since)(?=\s+(?:i|we|they|he|she|it|you|the|there|this|that|my|our|its|their|nobody|no)\b"
    r"|\s+[a-z]+\s+(?:is|was|are|were|had|has|did|does|could|can|will|would|never|[a-z]+ed)\b)"
    rf"|(?P<by>(?:{_VERBS_OF_CAUSE}){_BY}\s+(?:by(?!\s+far\b)|from|through|when|after|with)"
    rf"|(?:{_WORKING_VERBS}|set\s+off|touched\s+off|brought\s+(?:about|on|forth)|made|sent|inspired|motivated|developed|released|emitted|radiated|established){_BY}\s+by)(?=\s)(?!\s+far\b)"
    r"|(?P<broke>(?:broke|broken|breaks|fail(?:s|ed|ing)?|crash(?:es|ed|ing)?|stopp?(?:s|ed)\s+working|collapsed?|died?"
    r"|hangs?|hung|timed\s+out|injured|killed|closed|cancelled|canceled|delayed)\s+(?:\w+\s+){0,2}?"
    r"(?:after|when|once|following|in\s+the\s+wake\s+of))(?=\s)"
    rf"|(?P<comes>{_BACKWARD_VERBS})|(?P<leads>{_FORWARD_VERBS})"
    rf"|(?P<suffered>{_SUFFERED}\s+(?:\(\w+\)\s+)?(?:from|after|following|out\s+of|due|by|through|over)"
    r"(?!\s+(?:\d|the\s+(?:start|beginning)|time|now|then|all|scratch)))(?=\s)"
    r"|(?P<induced>-(?:induced|caused|related|triggered|driven|borne))(?=\s)"
    rf"|(?P<verb>{_VERBS_OF_CAUSE})|(?P<works>{_WORKING_VERBS})|(?P<sends>{_SENDING_VERBS}))(?!\w)"
)
"""What CUE finds at the beginning of a word."""
CUE: Final = re.compile(rf"\b(?={_BEGINS}){WORDINGS}")
"""One match per wording of cause and effect; the name of its group says what kind.

For lower-cased text: without regard to case it would take five times as long."""

_ANCHORS: Final = """
heada comin come comes stemm turne turni set sets end ends send give gives givin make makes makin
accor accou ache ached achee achei aches achin affec after aggra aller anger anxie arise arisi arose arosi ascri
attri backl becau began begin begun benef blame blami bleed blist block boost bored borne borni break bring
broke broki broug bruis bug buged buges bugin bugs bugse bugsi bugss burn burne burni burns came cance catal
cause causi chaos close colla comes compl confu conge conse conta contr corro corru cough court crash creat
crise crisi culmi culpr cured damag dange death debri debt debte debti debts defor dehyd delai delay delig deliv
deriv destr devel die died dieed diees diein dies diing disab disap disco disea disor disru disto distu dizzi
downt drive drove drovi due dust duste dusti dusts dying elici emana embar emerg emiss emit emite emiti emits
enabl ended endin engen entai erosi error estab evacu evoke evoki evolv exace exhau explo exude exudi fails
fallo famin fatig fear feare feari fears fever fire fired firee firei fires firin fix fixed fixes fixin fixs
flood flow flowe flowi flows follo force frust fuel fuele fueli fuell fuels gain gaine gaini gains gave gener
given glare glari glow glowe glowi glows grief groun growt guilt hangi hango hangs happi harm harme harmi harms
hazar heals heat heate heati heats hence henci hinde hung hurts ignit illne impac impro incit incom incre induc
infec infla infli influ injur insom inspi insti inter intro irrit joied joies joy joyed joyes joyin joys joyse
joysi joyss kill kille killi kills lack lacke lacki lacks lag laged lages lagge lagin lags lagse lagsi lagss
lead leade leadi leads leak leake leaki leaks leave leavi led losin loss losse lossi losss made make maked makee
makei makes makin mess messe messi messs motiv nause neces noise noisi occas odor odore odori odors odour origi
outag outco outpu overf owed owede owedi oweds owing pain paine paini pains panic pleas pollu pover preci press
preve probl produ profi promp prote provo radia rage raged ragee ragei rages ragin rash rashe rashi rashs reaso
reces recov reduc regre relat relea relie resol respo resul reven riot riote rioti riots rise rised risee risei
rises risin risk riske riski risks root roote rooti roots scar scare scari scars seein sends sent sets setti
shame shami shock shrin sign signe signi signs since sinci slow slowe slowi slows smell smoke smoki so solve
soren sorro sourc spark spawn spran sprin sprun stain start starv stem steme stemi stems stenc stiff stimu stink
stopp stres suffe suffo surpr swell sympt tensi thank there threa thus thuse thusi thuss timed timeo touch trace
traci trans traum trigg troub turns unemp unlea unres upset view viewe viewi views virtu wake waked wakee wakei
wakes wakin want wante wanti wants warmt waste wasti weigh why worse wound wrink yield
"""
ANCHOR_LETTERS: Final = 5
"""How many letters of a word tell whether a cue may be near."""
ANCHORS: Final = frozenset(_ANCHORS.split())
"""The beginnings of words one of which every cue holds: a cheap look before the pattern."""
COMMON_ANCHORS: Final = frozenset({"so", "thank"})
"""Anchors that mostly stand for something else."""
COMMON: Final = re.compile(
    r"(?i)\bso\s+(?:that|i|we|they|he|she|it|you|the|this|now|there|my|our)\b|[,;]\s+so\s+[a-z]|\bthanks\s+to\b"
)
"""What has to stand where only common anchors do."""


BACKWARD: Final = frozenset({"because", "since", "by", "comes", "broke", "suffered"})
"""Groups of CUE after which the cause stands; the others stand after it."""


def lowered(text: str) -> str:
    """The text in lower case with every character in its place, as CUE wants it."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(each if len(each.lower()) != 1 else each.lower() for each in text)


Span = tuple[int, int]

_VERBS: Final = ("verb", "works", "sends")
_WEAK: Final = frozenset({"works", "sends"})
_REACH: Final = 400
_IS_PASSIVE: Final = re.compile(r"(?i)\b(?:is|are|was|were|be|been|being|gets?|got)\s+(?:\w+\s+)?\Z")
_NOUN_BEFORE: Final = re.compile(
    r"(?i)\b(?:causes?|reasons?|sources?|triggers?|root)\s+(?:of|for|behind)\s+(?:[\w-]+\s+){0,6}\Z"
)
_FRONTED: Final = re.compile(
    r"(?i)\b(?:because\s+of|due\s+to|owing\s+to|thanks\s+to|as\s+a\s+result\s+of|in\s+the\s+wake\s+of|given|following|after|from"
    r"|because|since)\s+(?:[\w'-]+\s+){0,6}\Z"
)
_RELATIVE: Final = re.compile(
    r"(?i)\s*+,?+\s*+(?>(?:that|which)?)\s*+(?>(?:(?:the|a|an|this|that|these|those|its|their|his|her|our|my|your)\s++)?)"
    r"(?>(?:[\w-]++\s++){0,3})\Z"
)
_PREPOSITION: Final = re.compile(
    r"(?i)\b(from|by|after|following|of|with|over|through|out\s+of|under|during|when|upon|for|to|into|in|about|without|against)\b"
)
_SECOND_IS_CAUSE: Final = frozenset(
    {"from", "by", "after", "following", "of", "over", "through", "out of", "under", "upon", "when", "during", "about"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CausalOrder:
    """Which of two spans is the cause.

    `cause`: 0: the one that was given first; 1: the other. `is_said`: whether a wording of cause and effect joins them;
    else it is the likelier of the two. `cue`: the words that decided, lower-cased; empty where none did.
    """

    cause: int
    is_said: bool
    cue: str


def direction_between(text: str, given: Span, other: Span) -> CausalOrder:
    """Which of two spans [start, end) of a text is the cause; the spans are distinct and within the text."""
    is_swapped = other < given
    first, second = (other, given) if is_swapped else (given, other)
    order = _order_of(lowered(text), first, second)
    return CausalOrder(order.cause ^ is_swapped, order.is_said, " ".join(order.cue.split()))


def _order_of(text: str, first: Span, second: Span) -> CausalOrder:
    between_start, between_end = first[1], max(first[1], second[0])
    cues = list(CUE.finditer(text, max(between_start, between_end - _REACH), between_end))
    if (fronted := _fronted(text, first, second)) is not None:
        return fronted
    strong = [cue for cue in cues if cue.lastgroup not in _WEAK]
    strong = [cue for cue in strong if cue.lastgroup != "induced"] or strong
    if strong or cues:
        return _by_cue(text, (strong or cues)[-1], between_end)
    return _by_relative(text, first, second) or _by_preposition(text[between_start:between_end])


def _by_cue(text: str, cue: re.Match[str], end: int) -> CausalOrder:
    """The order that a cue between the spans tells."""
    kind = str(cue.lastgroup)
    is_backward = kind in BACKWARD
    if kind in _VERBS:
        # "the harm produced, some say, by": a participle whose agent comes later.
        is_participle = cue.group().endswith(("ed", "t")) and re.search(r"\bby\b", text[cue.end() : end])
        is_backward = bool(_IS_PASSIVE.search(text[max(0, cue.start() - 40) : cue.start()]) or is_participle)
    return CausalOrder(int(is_backward), kind not in _WEAK, cue.group())


def _fronted(text: str, first: Span, second: Span) -> CausalOrder | None:
    """ "The cause of FIRST was SECOND", "Because of FIRST, SECOND"."""
    before, between = text[max(0, first[0] - 100) : first[0]], text[first[1] : second[0]]
    noun = _NOUN_BEFORE.search(before)
    if noun is not None and re.search(r"\b(?:is|are|was|were|include[sd]?|being)\b", between, re.I):
        return CausalOrder(1, True, noun.group())
    opened = _FRONTED.search(before)
    if opened is not None and "," in between and CUE.search(between) is None:
        return CausalOrder(0, True, opened.group())
    return None


def _by_relative(text: str, first: Span, second: Span) -> CausalOrder | None:
    """ "FIRST that the SECOND caused"."""
    if not _RELATIVE.match(text[first[1] : second[0]]):
        return None
    after = CUE.search(text, second[1], min(len(text), second[1] + 40))
    if after is None or after.lastgroup not in _VERBS:
        return None
    if not re.fullmatch(r"\s*(?:\w+\s+){0,2}", text[second[1] : after.start()]):
        return None
    return CausalOrder(1, True, after.group())


def _by_preposition(between: str) -> CausalOrder:
    """The likelier order, where only a preposition, or nothing, stands between."""
    found = _PREPOSITION.findall(between)
    if not found:
        return CausalOrder(0, False, "")
    last = " ".join(found[-1].split())
    return CausalOrder(int(last in _SECOND_IS_CAUSE), False, last)
