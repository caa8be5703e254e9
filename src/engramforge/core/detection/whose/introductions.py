"""Sentences that introduce somebody else's text, or ask for something to be done with it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engramforge.core.detection.cues.label_cues import CLOSED_LABEL, DECISION_LABEL, THREAD_LABEL
from engramforge.core.detection.cues.settling_cues import KEPT
from engramforge.core.detection.whose.signals import (
    FROM_ANOTHER,
    GREETING,
    MEETING,
    SENT_BY,
    TELLS_THERE,
    TO_MODELS,
    is_signal,
    tells_own,
)
from engramforge.core.text.late_pattern import late

TEXT_NOUN: Final = (
    r"(?:authors?|articles?|(?:web ?|home ?|landing )?pages?|(?:web)?sites?|documents?|docs?|documentation"
    r"|texts?|e-?mails?|mails?|messages?|(?:e-?mail |slack |twitter |reddit |forum )threads?|posts?|blogs?"
    r"|papers?|read-?mes?|reports?|transcripts?|logs?|outputs?|results?|responses?|repl(?:y|ies)|answers?"
    r"|snippets?|notes|minutes|letters?|drafts?|paragraphs?|passages?|sections?|excerpts?|extracts?|quot(?:e"
    r"|es|ations?)|changelogs?|stor(?:y|ies)|essays?|poems?|novels?|fiction|chapters?|scenes?|scripts?"
    r"|contracts?|proposals?|tickets?|comments?|contents?|pastes?|clipboard|files?|pdfs?|slides?|decks?"
    r"|memos?|newsletters?|announcements?|(?:press )?releases?|specs?|specifications?|rfcs?|wikis?|tutorials?"
    r"|guides?|manuals?|books?|reviews?|chats?|conversations?|discussions?|tweets?|write-?ups?|dumps?"
    r"|(?:stack ?)?traces?|tracebacks?|json|yaml|csv|html|xml|feeds?|payloads?|hits|findings|agreements?|statements?"
    r"|speech|interview|review|diff|patch|source|material|information|stuff|attachments?|things?|example|sample"
    r"|inputs?|utterances?|prompts?|instructions?|claims|sentences|words|versions|advisor(?:y|ies)|runbooks?|polic(?:y|ies)|terms"
    r"|std(?:out|err)|clauses?|abstracts?|preface|foreword|summar(?:y|ies)|brochures?|rfps?|prospectus|leaflets?|ocr"
    r"|(?:voice )?memos?|recordings?|captions?|subtitles|highlights)"
)
_WORK: Final = (
    r"(?:summari[sz]e|sum up|tl;?dr|translate|proof-?read|paraphrase|rephrase|reword|rewrite|review|critique"
    r"|analy[sz]e|explain|interpret|evaluate|assess|fact-?check|extract|classify|categori[sz]e|condense"
    r"|shorten|digest|skim|read|look (?:at|over|through|into)|(?:take|have) a look|go (?:over|through)|check"
    r"|see|consider|comment on|respond to|reply to|answer|edit|correct|improve|polish|clean up|format"
    r"|reformat|convert|turn|parse|process|break down|outline|simplify|compare|inspect|examine|audit|scan"
    r"|grade|rate|score|ingest|study|describe|list|identify|find|highlight|pull out|distill?|compress"
    r"|boil down|make sense of|walk me through|debug|tell me|understand|help me|give me|show me|write|compose"
    r"|imagine|pretend|complete|continue|finish|expand|spell-?check|count|tag|label|annotate|index|quote|cite"
    r"|store|save|file|archive|print|repeat|echo|sanity[- ]check|verify|use|apply|take|get|work through"
    r"|crunch|vet|judge|weigh|gist|run)"
)
_POLITE: Final = (
    r"(?:(?:hey|hi|hello|ok|okay|so|and|now|then|next|first|also|please|pls|plz|kindly|just|quick(?:ly)?"
    r"|could you|could u|can u|can you|would you|will you|can we|could we|let's|let us|you|claude|i(?:'d"
    r"| would) (?:like|love) (?:you )?(?:to)?|i (?:want|need) (?:you )?(?:to)?|i'm trying to|help me|mind"
    r"|maybe|briefly|quick (?:one|question|favou?r)|task|request|todo for you|assistant|everyone|team|folks"
    r"|all)\b[\s,:!.-]*){0,6}"
)
_ASKED: Final = late(rf"(?i)^\W*{_POLITE}{_WORK}\b")
WONDERED: Final = late(
    r"(?i)^\W*(?:(?:hey|hi|ok|okay|so|and|but|any|your|quick|got)\b[\s,]*){0,3}(?:what|which|who|how|why"
    r"|where|does|do|is|are|was|did|can|could|should|would|has|have|thoughts|opinions?|feedback|ideas"
    r"|comments|reactions?|takes?|summary|translation|review|key (?:points?|takeaways?)|takeaways?|gist"
    r"|main (?:points?|ideas?)|bullet points|explanation|questions? about)\b"
)
TEXT_OBJECT: Final = late(
    rf"(?i)\b(?:(?:this|that|these|those|following|attached|pasted|copied|linked|below|above)(?:\s+[\w'./-]+){{0,3}}?"
    rf"\s+{TEXT_NOUN}|the following|(?:text|page|article|document|content)s? (?:below|above))\b"
)
_SOMEWHERE: Final = (
    rf"[^:\n]{{0,80}}?(?:\b{TEXT_NOUN}\b|\bhttps?://|\b[\w-]{{1,60}}+\.(?:md|txt|py|js|ts|html?|pdf|json"
    rf"|ya?ml|log|csv|docx?|rst|toml)\b"
    r"|\b(?:slack|confluence|notion|jira|wikipedia|reddit|github|stack ?overflow|hacker news|twitter|linkedin"
    r"|teams|discord|google|vendor|customer|client|internet|web)\b)"
)
_POINTER: Final = late(
    r"(?i)\b(?:here(?:'s|\u2019s| is| are| comes?| goes)|below (?:is|are)|(?:this|these|that) (?:is|are|was"
    r"|were|comes|came)|found|got|received|saw|copied|pasted|forwarded|sent|posted|shared|grabbed|fetched|scraped"
    rf"|downloaded|came across|stumbled|pasting|copying|forwarding|attaching|sharing|quoting|citing){_SOMEWHERE}"
)
_TELLS: Final = late(
    r"(?i)\b(?:says?|said|wrote|writes|written|states?|stated|reads?|reports?|reported|claims?|claimed"
    r"|returns?|returned|prints?|printed|outputs?|posted|e?-?mailed|messaged|pinged|texted|sent(?: me| us)?"
    r"|shows?|told (?:me|us)|replied"
    r"|(?<!\bis )(?<!\bbeen )answered|goes|went|came back|came up|came in|turned up|contains?|pasted"
    r"|found|got|saw|heard|read|was|were|to say|like this|as follows|follows|replies|quote|commented"
    r"|responded|arrived|landed|transcribed|retrieved|suggest(?:s|ed)|recommend(?:s|ed)|propos(?:es"
    r"|ed))(?:\s+(?:back|with|that|this|me|us|out|today|yesterday|the following|something like))?\b[^\w]*$"
)
_FOLLOWS: Final = late(
    r"(?i)(?:\b(?:the following|following|below|above|attached|this one|read this|see this|get this)\b|\bthis)\W*$"
)
_WORK_ABROAD: Final = (
    r"^\W*(?:.{0,25}\b)?(?:übersetz\w*|zusammenfass\w*|zusammenzufassen|fass\w* (?:das|dies\w*|es)|prüf\w* (?:das"
    r"|dies\w*|mal)|erklär\w* (?:das|dies\w*|mir)|korrigier\w*|umformulier\w*|tradui\w*|résume\w*"
    r"|corrige\w*|explique\w*|vérifie\w*|traduc\w*|resum\w*|revisa\w*|explica\w*)\b"
)
_ASKED_ABROAD: Final = late(f"(?i){_WORK_ABROAD}")
_BARE_WORK: Final = late(
    rf"(?i)^\W*(?>(?:(?:{_POLITE})\W+){{0,4}})(?:{_WORK})\W+(?:this|that|it|these)\b"
    r"(?:\W+(?:for me|please|pls|quickly))?\W*$|^\W*(?:is|are) (?:this|that|it|these) (?:still )?(?:true|right"
    r"|correct|accurate|ok|okay|fine|good|real|legit)\W*$|^\W*how (?:would|do|can) (?:you|i|we|one) (?:say|phrase|put"
    r"|word|spell|translate) (?:this|that|it|these)\b|^\W*(?:please )?(?:make|fix|improve|polish|correct|change"
    r"|shorten)\b(?!.*\b[dt]-?\d).{0,30}\b(?:sound|grammar|wording|spelling|tone|style|typos?|shorter|friendlier"
    rf"|clearer|nicer|concise|readable)\b|{_WORK_ABROAD}"
)
"""Short requests for work on a text that is not named: it is what comes next."""
_GIVEN: Final = late(
    r"(?i)\b(?:got|found|received|saw|copied|pasted|pasting|posted|left|dropped|wrote(?: (?:me|us))?|came across"
    r"|(?:sent|gave|showed|forwarded|mailed|dm'?e?d) (?:me|us))\s+(?:this|these|it|that|the following)\b"
    r"|\b(?:the following|below)\b"
)
_GIVEN_ALONE: Final = late(
    r"(?i)\b(?:sent|gave|shown|showed|forwarded|mailed|given) (?:(?:me|us) )?(?:this|these)\b|\b(?:got"
    r"|found|received) this\b|\b(?:attached|enclosed) (?:is|are)\b|\bi (?:scraped|fetched|downloaded|copied|pasted)\b"
)
_TEXT_WORK: Final = late(
    r"(?i)\b(?:summari[sz]e|tl;?dr|translate|proof-?read|paraphrase|rephrase|reword|classify|categori[sz]e"
    r"|annotate|fact-?check|spell-?check|condense|shorten)\b"
)
MADE_OF_TEXT: Final = (
    r"(?:day|date|cycle|branch|train|window|number|format|store|storage|service|server|size|limit|level|retention"
    r"|rotation|provider|delivery|tool|library|type|name|encoding|layout|structure|hosting|handling|generation)s?"
)
"""What a word for a text names only with: "log retention", "release day"."""
_LABEL: Final = late(
    r"(?i)^\W*+(?:(?:part|piece|bit|rest|beginning|end|top|bottom|copy|scan|photo|picture) of\s++)?"
    rf"(?:(?!(?:of|for)\b(?! (?:the|an?|my|our|this|that|your)\b)|where\b)[\w'\u2019./-]++\s++){{0,4}}?"
    rf"(?:{TEXT_NOUN}|quote|zitat|citation|cita|context|background reading"
    rf"|reference|wiki)\b(?:,?\s++(?!{MADE_OF_TEXT}\b)[\w'./@-]++){{0,6}}"
    r"\W*+$|^[^\w./\\-]*+[\w./\\-]+\.\w{1,5}\W*+$"
    r"|^[^\w.-]*+(?:https?://)?[\w.-]+\.[a-z]{2,12}(?:/\S*+)?\W*+$"
)
_OURS: Final = late(
    r"(?i)\b(?:we|i|we've|i've|team)\s+(?:\w+\s+){0,2}?(?:decid|agree|cho[os]|settl|pick|plan|go(?:ing)? with"
    r"|went with|need(?! (?:an?|some|feedback|help)\b)|still|will|must)|\b(?:my|our)\s+(?:[\w-]+\s+){0,2}(?:decision"
    r"|choice|call|plan|update|status|todo|to-do|next step|open|conclusion|thread)|\bnext\?|\b(?:is|are|was"
    r"|were) (?:left|open|missing|outstanding|pending|remaining|unresolved|blocked|needed|decided|agreed"
    r"|settled|final)\b|^\W*(?:[\w'-]+\s+)?decision (?:for|about|on|regarding|re)\b|^\W*(?:new )?open (?:point"
    r"|question|issue|item|task)s?\b|\bsteht (?:jetzt |nun )?fest\W*$|\b(?:decisions?|threads?|todos?"
    r"|next steps?)\s*\W*$"
)
_OUTCOME: Final = late(
    r"(?i)\W*(?:(?:so|ok|okay|and|well|hey|hi|our|the)\b\W*){0,3}(?:final(?: (?:word|answer|call|say|verdict))?(?: from"
    r" (?:(?:the|our|my) )?(?:team|me|us|side|board))?|(?:[\w-]+ ){0,2}(?:review|audit|pentest|offsite|vote|poll|trial"
    r"|benchmark|meeting|workshop|retro|spike|board|committee)s? (?:results?|outcome|verdict|conclusion))\W*\Z"
)
"""Names what the writer's side came to."""
_TOPIC: Final = late(
    r"(?i)^\W*(?:(?:ok|okay|so|and|now|also)\b[\s,]*){0,2}(?:regarding|concerning|about|as for|as to|on|re"
    r"|for|with (?:regard|respect) to|in terms of|when it comes to|(?:let me be|to be) clear|after"
    r"|nach(?! (?:angaben?|aussagen?|ansicht|meinung|auskunft|berichten)\b)|apr\u00e8s|tras|despu\u00e9s de)\b"
    rf"|^\W*(?:per|since|during|following) [^:.]{{0,40}}?\b{MEETING}\W*$"
)
"""Words before a colon that name what a statement is about."""
_TOGETHER: Final = late(
    r"(?i)\b(?:where|what|how) we\b|\b(?:our|your|my) (?:discussion|meeting|talk|call|question|last|next|side|take)\b"
)
_YOURS: Final = late(r"(?i)\b(?:you|your)\b(?! (?:go|said)\b)")
_WANTED: Final = late(
    r"(?i)\b(?:please|pls|plz|bitte|s'il (?:te|vous)|por favor|per favore)\b|^\W*(?:i )?(?:need|want)s?"
    r" (?:an?|this|these|some|feedback)\b"
)
_HANDS_OVER: Final = late(
    r"(?i)\W*(?:fyi|notes?|summary|(?:for )?context|background|see below|below|for later|(?:nur )?(?:kurz )?"
    r"(?:zur|als) info|pour info|para (?:tu |su )?informaci\u00f3n)\W*\Z"
)
_ABOUT_TEXT: Final = late(
    rf"(?i)\b(?:this|these|the following|above|below)\W*\Z"
    r"|^\W*(?:is|are|was|does|do|did|given|based on|in|who|what|how|why|which)\b[^.]{0,60}\b(?:this|these)\b"
    rf"|\b(?:of|from|in|on|with|to) (?:the|my|this|an?) (?:[\w-]+ ){{0,2}}{TEXT_NOUN}\b"
)
_FIRST: Final = late(r"(?i)\b(?:i|we|i'm|i've|i'd|i'll|we're|we've|we'll|me|my|our|us|let's|\w+ed)\b")
_READS_OUT: Final = late(
    rf"(?i)\b(?:(?:the|this|that|their|its|his|her|an?|some)\s+(?:[\w'./-]+\s+){{0,3}}?(?:{TEXT_NOUN}|agent"
    rf"|sub-?agent|tool|bot|model|api|vendor|customer|client|author|website|search)(?:\s+(?:of|from|by"
    r"|at)\s+[\w'./-]+(?:\s+[\w'./-]+){0,2}?)?\s+(?:\w+\s+)?(?:says?|said|reads|states?|stated|claims?"
    r"|claimed|reports|reported|returned|tells|told|announces|announced|writes|wrote|goes(?=\s*[:,]))\b"
    r"|\b(?:(?:chat)?gpt\S*|claude|gemini|copilot|google|wikipedia|siri|alexa) (?:says|said|answered|told"
    r"|claims)\b|\bit (?:says|reads|claims|states|said)\b(?! (?:well|good|nice|great|fine|better)\b)"
    r"|\baccording to\b)"
)
_KEEP: Final = late(
    r"(?i)^\W*(?:(?:please|pls|ok|so|and|now|also|just|let's|for the record|(?:can|could) you)\W+){0,3}(?:remember"
    r"|keep track|note|record|log|mark|track|add(?! an? (?:[\w-]+ )*(?:tests?|cases?|fixtures?|messages?"
    r"|texts?|labels?))|write (?:this |that |it )?down|keep in mind|heads[- ]up|update|fyi"
    r"|important|reminder|register|capture|store|save|let['\u2019]?s not (?:lose|forget) (?:this|that|it))\b"
    rf"|^\W*{KEPT}\W*$"
    r"|^\W*(?:(?:please|pls|ok|so|we|i)\W+){0,3}(?:(?:decision )?(?:d-?\d+|dec_\w+) (?:is|was|has been) )?"
    r"(?:replaced?|superseded?|swap(?:ped)?|changed?) (?:(?:decision )?(?:d-?\d+|dec_\w+) )?"
    r"(?:with|by|to|for) this\W*$"
)
REWORDS: Final = late(
    r"(?i)\b(?:summar\w+|sum (?:this |it |that )?up|tl;?dr|translat\w+|proof-?read|paraphrase|rephrase|reword"
    r"|rewrite|shorten|condense|key (?:points|takeaways)|takeaways|gist|bullet points|what does (?:this|that"
    r"|it) (?:say|mean))\b"
)
_REWORKS: Final = late(
    r"(?i)\b(?:rewrite|shorten|condense)\s+(?:the|our|my)\s+(?!(?:[\w-]+\s+){0,2}?"
    rf"(?:{TEXT_NOUN}|above|following|whole|rest|wording|last|first)\b)\w"
)
"""Asks for work on code: "Rewrite the order list"."""
_DOUBTS: Final = late(
    r"(?i)\W*(?:(?:so|and|but|or|hm+)\b\W*)?(?:(?:(?:is|are|was|were|which|what|who|does"
    r"|do)\b[^.!,\n]{0,60}?\s)?(?:true|false|wrong|correct|a? ?lies?"
    r"|fake|legit|nonsense|made up|a joke|a myth|grammatical\w*|a mistake)\b[^.!,\n]{0,20}|right or wrong"
    r"|fact or fiction|says who|(?:who|what|where) (?:wrote|said|sent|posted|says|writes)\b[^.!,\n]{0,30})\W*\Z"
)
"""Asks whether what stands above is so, or whose it is."""
_DOES_ELSE: Final = late(
    rf"(?i)^\W*(?:(?:and|also|so|then)\b\W*)?(?:(?:can|could|would|will) you|please|pls|bitte)\b\W+(?:(?:please|also"
    rf"|now|then|just|maybe)\s+)*(?!(?:please|also|now|then|just|maybe)\b|{_WORK}\b)[a-z]"
    r"|^\W*(?:kannst|k\u00f6nntest) du\b(?!.*\b(?:\u00fcbersetz|zusammenfass|pr\u00fcf|erkl\u00e4r|korrig|umformul"
    r"|durch|les|an(?:schau|seh|guck)|check|sag|helf))"
)
"""Asks for work on something else than a text: "Could you update the README?"."""
TEXT_ABROAD: Final = late(
    r"(?i)\b(?:text|artikel|seite|dokument|absatz|mail|texte|article|page|texto|artículo|página)\s(?:oben|darüber"
    r"|de arriba|anterior|ci-dessus|plus haut)\b|\b(?:obige\w?|obenstehende\w?) \w+|^\W*(?:kannst|könntest|könnten"
    r"|können) (?:du|sie) (?:mir |bitte |uns ){0,2}(?:den|die|das|diese[nsr]?|dieses) (?:\w+ )?(?:text|artikel|seite"
    r"|dokument|bericht|mail|absatz|abschnitt|kapitel|ticket|protokoll|beitrag)\b"
)
_OF_TEXTS: Final = late(r"(?i)\W*(?:translations|summaries)\s(?!of|in|to|into|for|please|pls)\w")
"""States something of translations: "Translations come later"."""
_OF_MATTER: Final = late(r"(?i)\b(?:summar\w+|explain|outline)\s+(?:what|how|why|where|which|who)\b")
HAS_TEXT: Final = late(rf"(?i)\b{TEXT_NOUN}\b")
_FROM_THEM: Final = late(
    r"(?i)\bfrom (?:the |our |my |an? |their )?(?:[\w-]+ ){0,2}?(?:bots?|agents?|sub-?agents?|assistants?"
    r"|tools?|ci|pipelines?|jobs?|scripts?|servers?|monitors?|crawlers?|vendors?|customers?|clients?|support"
    r"|consultants?|auditors?|scanners?|models?)\W*\Z"
)
_OF_OTHERS: Final = late(r"(?i)\b(?:my|our|your) [\w-]{1,30}['\u2019]s\b")
_BRACKETED: Final = late(r"\([^()]{0,80}\)")
_LONGEST: Final = 400
_NAMED_ENTRY: Final = late(
    r"(?i)^\W*(?:(?:new )?(?:decision|thread) )?(?:[dt]-?\d+|adr\S*|dec-?\d+|thr-?\d+|rationale|reason\w*"
    r"|because|context|alternatives?|rejected|priority|owner|consequences?|background|goal|scope|user|human)\b"
)
_NAMED: Final = late(r"(?i)\b(?:the|my|our|your|an?|all)\b")
_BARE: Final = 4


def introduces(sentence: str, *, is_person: bool, at_colon: bool) -> bool:
    """Whether what comes after a sentence is somebody else's text, wherever in a message it stands.

    `is_person`: whether a person speaks: an assistant asks nobody to read. `at_colon`: whether the sentence ends there
    with a colon.
    """
    said = _BRACKETED.sub("", sentence.strip()[-_LONGEST:]).strip()
    if is_person and tells_own(said):
        return False
    named = TEXT_OBJECT.search(said) is not None
    if at_colon and is_person and _WANTED.search(said) and HAS_TEXT.search(said) and not _is_ours(said):
        return True
    is_others = _FROM_THEM.search(said) or FROM_ANOTHER.search(said) or TO_MODELS.match(said)
    if is_person and (_is_bare_work(said) or (at_colon and is_others)):
        return True
    if not said or _is_entry_label(said, at_colon=at_colon) or (_KEEP.match(said) and not named):
        return False
    if is_person and (
        (named and REWORDS.search(said)) or (at_colon and _ASKED.match(said)) or _GIVEN_ALONE.search(said)
    ):
        return True
    if _is_ours(said):
        return False
    if at_colon and _tells(said):
        return True
    if at_colon and not _TOPIC.match(said) and (_POINTER.search(said) or _LABEL.search(said)):
        return not is_signal(said)
    if not is_person:
        return named and at_colon
    if _FOLLOWS.search(said) or _GIVEN.search(said):
        return True
    is_bare = len(said.split()) <= _BARE and not _NAMED.search(said)
    asks = _ASKED.match(said) or WONDERED.match(said)
    return bool(asks and (at_colon or named or is_bare or _TEXT_WORK.search(said)))


def own_part(line: str) -> str:
    """A line without those whom only the writer's "my" names: "my colleague's"."""
    return _OF_OTHERS.sub("", line)


def hands_over(line: str) -> bool:
    """Whether a line says no more than that something comes below: "FYI"."""
    return _HANDS_OVER.match(line) is not None


def is_label_of_own(said: str) -> bool:
    """Whether words are the label of an entry or a topic, or speak of the writer's own decisions and plans."""
    own = (_TOPIC, _KEEP, _NAMED_ENTRY)
    is_own = tells_own(said) or _is_entry_label(said, at_colon=True) or _is_ours(said)
    return is_own or any(x.match(said) for x in own)


def keeps(said: str) -> bool:
    """Whether a sentence asks to remember or to note something."""
    is_asked = said.endswith("?") and _YOURS.search(said) is None
    return _KEEP.match(said) is not None and not (is_asked or points_at_text(said))


def tells_outcome(said: str) -> bool:
    """Whether words before a colon name what the writer's side came to: "Security review result"."""
    return _OUTCOME.match(said) is not None


def asks_for_work(said: str) -> bool:
    """Whether a sentence asks for work of a kind that can be done on a text."""
    return _ASKED.match(said) is not None or _WANTED.search(said) is not None


def asks_for_else(said: str) -> bool:
    """Whether a sentence asks for work on something else than a text: "Please adapt the store"."""
    return _DOES_ELSE.match(said) is not None and not points_at_text(said)


def brings(said: str) -> bool:
    """Whether words tell that somebody said, sent or found something which comes next, or ask to reword it."""
    if _is_ours(said) or _YOURS.search(said) or tells_own(said):
        return False
    return _tells(said) or any(
        x.search(said) for x in (_FOLLOWS, _GIVEN, _GIVEN_ALONE, _POINTER, _READS_OUT, _TEXT_WORK)
    )


def names_text(said: str) -> bool:
    """Whether a few words name a text or where it stands: "README excerpt", "Slide 3", "notes.md"."""
    return not _is_ours(said) and _LABEL.search(_BRACKETED.sub("", said)) is not None


def points_at_text(said: str) -> bool:
    """Whether words point at a text: "this comment", "from the text", "is this true?"."""
    return TEXT_OBJECT.search(said) is not None or _ABOUT_TEXT.search(said) is not None


def _is_bare_work(said: str) -> bool:
    return len(said.split()) <= 2 * _BARE and _BARE_WORK.match(said) is not None


def introduces_beside(sentence: str) -> bool:
    """Whether what follows a person's sentence in the same line is somebody else's text: "Summarise this page. ..."."""
    said = sentence.strip()[-_LONGEST:]
    if _is_bare_work(said) or _is_ours(said) or _YOURS.search(said):
        return _is_bare_work(said)
    is_short_work = _TEXT_WORK.search(said) and len(said.split()) <= _BARE
    if is_short_work or any(x.search(said) for x in (_READS_OUT, _GIVEN_ALONE, TEXT_ABROAD, SENT_BY)):
        return True
    return bool((_ASKED.match(said) or WONDERED.match(said)) and TEXT_OBJECT.search(said))


def is_title(line: str) -> bool:
    """Whether a person's first line is no sentence: the title of what follows, a file's name, where it was found."""
    said = line.strip()[:_LONGEST]
    if said.endswith((".", "!", ",", ";")) or GREETING.match(said) or _is_entry_label(said, at_colon=True):
        return False
    if _tells(said):
        return True
    return not (
        _OURS.search(said) or _KEEP.match(said) or _FIRST.search(own_part(said)) or _TOPIC.match(said)
    )


def asks_about_above(sentence: str) -> bool:
    """Whether a person's last sentence asks for work on the text above it, which is then not a statement."""
    said = sentence.strip()[-_LONGEST:]
    if _DOUBTS.match(said) or (len(said.split()) <= 2 * _BARE and _ASKED_ABROAD.match(said)):
        return True
    is_bare = len(said.split()) <= _BARE and not (_NAMED.search(said) or _OF_TEXTS.match(said))
    if not (is_bare or _ASKED.match(said) or WONDERED.match(said)) or _DOES_ELSE.match(said):
        return False
    return not _REWORKS.search(said) and bool(
        (REWORDS.search(said) and not _OF_MATTER.search(said)) or TEXT_OBJECT.search(said)
    )


def _tells(said: str) -> bool:
    """Whether words end with somebody's saying, writing or finding something."""
    return _TELLS.search(said) is not None or TELLS_THERE.match(said) is not None


@lru_cache(maxsize=32)
def _is_ours(said: str) -> bool:
    """Whether words speak of what the writer decided, plans or did together with the one who reads."""
    if _OURS.search(said):
        return True
    return bool(_TOGETHER.search(said)) and not (_TELLS.search(said) or _GIVEN.search(said))


def _is_entry_label(said: str, *, at_colon: bool) -> bool:
    """Whether a sentence is a label of an entry, or holds one: "Decision:", "Next steps:"."""
    line = f"{said.rstrip(': ')}: something follows here" if at_colon else said
    return any(label.match(line) for label in (DECISION_LABEL, THREAD_LABEL, CLOSED_LABEL))
