"""Sentences that introduce somebody else's text, or ask for something to be done with it."""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.detection.cues.label_cues import CLOSED_LABEL, DECISION_LABEL, THREAD_LABEL

TEXT_NOUN: Final = (
    r"(?:authors?|articles?|(?:web ?|home ?|landing )?pages?|(?:web)?sites?|documents?|docs?|documentation|texts?"
    r"|e-?mails?|mails?"
    r"|messages?|(?:e-?mail |slack |twitter |reddit |forum )threads?|posts?|blogs?|papers?|read-?mes?|reports?"
    r"|transcripts?|logs?|outputs?|results?|responses?|repl(?:y|ies)|answers?|snippets?|notes|minutes"
    r"|letters?|drafts?"
    r"|paragraphs?|passages?|sections?|excerpts?|extracts?|quot(?:e|es|ations?)|changelogs?|stor(?:y|ies)"
    r"|essays?"
    r"|poems?|novels?|fiction|chapters?|scenes?|scripts?|contracts?|proposals?|tickets?|comments?|contents?"
    r"|pastes?"
    r"|clipboard|files?|pdfs?|slides?|decks?|memos?|newsletters?|announcements?|(?:press )?releases?"
    r"|specs?|specifications?|rfcs?|wikis?|tutorials?|guides?|manuals?|books?|reviews?|chats?|conversations?"
    r"|discussions?|tweets?|write-?ups?|dumps?|(?:stack ?)?traces?|tracebacks?|json|yaml|csv|html|xml"
    r"|feeds?|payloads?|hits|findings|agreements?|statements?|speech|interview|review|diff|patch|source"
    r"|material"
    r"|information|stuff|attachments?|things?|example|sample|input|prompt|instructions?|claims|sentences"
    r"|words|versions|advisor(?:y|ies)|runbooks?|polic(?:y|ies)|terms|clauses?|abstracts?|preface|foreword"
    r"|summar(?:y|ies)"
    r"|brochures?|rfps?|prospectus|leaflets?|ocr|(?:voice )?memos?|recordings?|captions?|subtitles|highlights)"
)
_WORK: Final = (
    r"(?:summari[sz]e|sum up|tl;?dr|translate|proof-?read|paraphrase|rephrase|reword|rewrite|review"
    r"|critique|analy[sz]e"
    r"|explain|interpret|evaluate|assess|fact-?check|extract|classify|categori[sz]e|condense|shorten|digest"
    r"|skim|read"
    r"|look (?:at|over|through|into)|(?:take|have) a look|go (?:over|through)|check|see|consider|comment on"
    r"|respond to|reply to|answer|edit|correct|improve|polish|clean up|format|reformat|convert|turn|parse"
    r"|process|break down|outline|simplify|compare|inspect|examine|audit|scan|grade|rate|score|ingest|study"
    r"|describe"
    r"|list|identify|find|highlight|pull out|distill?|compress|boil down|make sense of|walk me through"
    r"|debug|tell me"
    r"|understand|help me|give me|show me|write|compose|imagine|pretend|complete|continue|finish|expand"
    r"|spell-?check"
    r"|count|tag|label|annotate|index|quote|cite|store|save|file|archive|print|repeat|echo|sanity[- ]check"
    r"|verify"
    r"|use|apply|take|get|work through|crunch|vet|judge|weigh|gist|run)"
)
_POLITE: Final = (
    r"(?:(?:hey|hi|hello|ok|okay|so|and|now|then|next|first|also|please|pls|plz|kindly|just|quick(?:ly)?"
    r"|could you|could u|can u"
    r"|can you|would you|will you|can we|could we|let's|let us|you|claude|i(?:'d| would) (?:like"
    r"|love) (?:you )?(?:to)?"
    r"|i (?:want|need) (?:you )?(?:to)?|i'm trying to|help me|mind|maybe|briefly|quick (?:one|question|favou?r)"
    r"|task|request|todo for you|assistant|everyone|team|folks|all)\b[\s,:!.-]*){0,6}"
)
_ASKED: Final = re.compile(rf"(?i)^\W*{_POLITE}{_WORK}\b")
_WONDERED: Final = re.compile(
    r"(?i)^\W*(?:(?:hey|hi|ok|okay|so|and|but|any|your|quick|got)\b[\s,]*){0,3}(?:what|which|who|how|why"
    r"|where|does|do|is"
    r"|are|was|did|can|could|should|would|has|have|thoughts|opinions?|feedback|ideas|comments|reactions?|takes?"
    r"|summary|translation|review|key (?:points?|takeaways?)|takeaways?|gist|main (?:points?|ideas?)"
    r"|bullet points"
    r"|explanation|questions? about)\b"
)
_TEXT_OBJECT: Final = re.compile(
    rf"(?i)\b(?:(?:this|that|these|those|following|attached|pasted|copied|linked|below"
    rf"|above)(?:\s+[\w'./-]+){{0,3}}?"
    rf"\s+{TEXT_NOUN}|the following|(?:text|page|article|document|content)s? (?:below|above))\b"
)
_SOMEWHERE: Final = (
    rf"[^:\n]{{0,80}}?(?:\b{TEXT_NOUN}\b|\bhttps?://|\b[\w-]{{1,60}}+\.(?:md|txt|py|js|ts|html?|pdf|json|ya?ml"
    rf"|log|csv"
    rf"|docx?|rst|toml)\b"
    r"|\b(?:slack|confluence|notion|jira|wikipedia|reddit|github|stack ?overflow|hacker news|twitter|linkedin"
    r"|teams|discord|google|vendor|customer|client|internet|web)\b)"
)
_POINTER: Final = re.compile(
    r"(?i)\b(?:here(?:'s|\u2019s| is| are| comes?| goes)|below (?:is|are)|(?:this|these|that) (?:is|are|was"
    r"|were|comes|came)"
    r"|found|got|received|saw|copied|pasted|forwarded|sent|posted|shared|grabbed|fetched|scraped|downloaded"
    rf"|came across|stumbled|pasting|copying|forwarding|attaching|sharing|quoting|citing){_SOMEWHERE}"
)
_TELLS: Final = re.compile(
    r"(?i)\b(?:says?|said|wrote|writes|written|states?|stated|reads?|reports?|reported|claims?|claimed"
    r"|returns?|returned"
    r"|prints?|printed|outputs?|posted|e?-?mailed|messaged|pinged|texted|sent(?: me| us)?|shows?|told (?:me"
    r"|us)|replied|answered|goes|went"
    r"|came back"
    r"|came up|came in|turned up|contains?|pasted|found|got|saw|heard|read|was|were|to say|like this"
    r"|as follows|follows|replies|quote|commented|responded|arrived|landed|transcribed|retrieved)"
    r"(?:\s+(?:back|with|that|this|me|us|out|today|yesterday|the following|something like))?\b[^\w]*$"
)
_FOLLOWS: Final = re.compile(
    r"(?i)(?:\b(?:the following|following|below|above|attached|this one|read this|see this|get this)\b"
    r"|\bthis)\W*$"
)
_GIVEN: Final = re.compile(
    r"(?i)\b(?:got|found|received|saw|copied|pasted|pasting|posted|left|dropped|wrote(?: (?:me|us))?|came across"
    r"|(?:sent|gave|showed|forwarded|mailed|dm'?e?d) (?:me|us))"
    r"\s+(?:this|these|it|that|the following)\b|\b(?:the following|below)\b"
)
_GIVEN_ALONE: Final = re.compile(
    r"(?i)\b(?:sent|gave|shown|showed|forwarded|mailed|given) (?:(?:me|us) )?(?:this|these)\b|\b(?:got"
    r"|found|received) this\b"
    r"|\b(?:attached|enclosed) (?:is|are)\b|\bi (?:scraped|fetched|downloaded|copied|pasted)\b"
)
_TEXT_WORK: Final = re.compile(
    r"(?i)\b(?:summari[sz]e|tl;?dr|translate|proof-?read|paraphrase|rephrase|reword|classify|categori[sz]e"
    r"|annotate|fact-?check"
    r"|spell-?check|condense|shorten)\b"
)
_LABEL: Final = re.compile(
    rf"(?i)^\W*+(?:[\w'\u2019./-]++\s++){{0,4}}?(?:{TEXT_NOUN}|quote|context|background reading|reference|wiki)\b"
    r"(?:,?\s++[\w'./@-]++){0,6}\W*+$|^[^\w./\\-]*+[\w./\\-]+\.\w{1,5}\W*+$"
    r"|^[^\w.-]*+(?:https?://)?[\w.-]+\.[a-z]{2,12}(?:/\S*+)?\W*+$"
)
_OURS: Final = re.compile(
    r"(?i)\b(?:we|i|we've|i've|team)\s+(?:\w+\s+){0,2}?(?:decid|agree|cho[os]|settl|pick|plan"
    r"|go(?:ing)? with|went with|need(?! (?:an?|some)\b)"
    r"|still|will|must)|\b(?:my|our)\s+(?:[\w-]+\s+){0,2}(?:decision|choice|call|plan|update|status|todo"
    r"|to-do|next step"
    r"|open|conclusion|thread)"
    r"|\bnext\?|\b(?:is|are|was|were) (?:left|open|missing|outstanding|pending|remaining|unresolved|blocked|needed"
    r"|decided"
    r"|agreed|settled|final)\b|\b(?:decisions?|threads?|todos?|next steps?)\s*\W*$"
)
_TOPIC: Final = re.compile(
    r"(?i)^\W*(?:(?:ok|okay|so|and|now|also)\b[\s,]*){0,2}(?:regarding|concerning|about|as for|as to|on|re"
    r"|for|with (?:regard|respect) to|in terms"
    r" of|when it comes to|(?:let me be|to be) clear)\b"
)
"""Words before a colon that name what a statement is about."""
_GREETING: Final = re.compile(
    r"(?i)^\W*(?:(?:hi|hey|hello|dear|good (?:morning|evening|afternoon)|morning|thanks?|thank you|thx|ok"
    r"|okay|yes|yeah|yep|no|nope"
    r"|sure|great|good|nice|perfect|cool|right|alright|awesome|done|agreed|exactly|correct|lgtm|update"
    r"|updates|status|news|recap"
    r"|progress|so far|today|yesterday|summary|note|notes|fyi|btw|also|and|but|so|then|plan|changes"
    r"|decisions?|threads?|todos?|well"
    r"|sorry|hm+|wait|one sec|(?:one|two|three|four|five|some|a few|a couple|couple|several|quick|more"
    r"|other|last|next|final|first)"
    r"(?:\s+\w+){0,2}\s+(?:things?|points?|notes?|updates?|items?|changes?|decisions?|news"
    r"|thoughts?))\b[\s,:!-]*){1,6}"
    r"(?:(?:(?-i:[A-Z]\w+)|all|team|everyone|again|there|folks|of|for|from|my|our|the|side|end|that|you"
    r"|done|now)\b[\s,:!.-]*){0,4}$"
)
_TOGETHER: Final = re.compile(
    r"(?i)\b(?:where|what|how) we\b|\b(?:our|your|my) (?:discussion|meeting|talk|call|question|last|next|side|take)\b"
)
_YOURS: Final = re.compile(r"(?i)\b(?:you|your)\b(?! (?:go|said)\b)")
_WANTED: Final = re.compile(
    r"(?i)\b(?:please|pls|plz|bitte|s'il (?:te|vous)|por favor|per favore)\b"
    r"|^\W*(?:i )?(?:need|want)s? (?:an?|some|feedback)\b"
)
_HANDS_OVER: Final = re.compile(
    r"(?i)\W*(?:fyi|notes?|summary|context|background|see below|below|for later)\W*\Z"
)
_ABOUT_TEXT: Final = re.compile(
    rf"(?i)\b(?:this|these|the following|above|below)\W*\Z"
    r"|^\W*(?:is|are|was|does|do|did|given|based on|in|who|what|how|why|which)\b[^.]{0,60}\b(?:this|these)\b"
    rf"|\b(?:of|from|in|on|with|to) (?:the|my|this|an?) (?:[\w-]+ ){{0,2}}{TEXT_NOUN}\b"
)
_FIRST: Final = re.compile(r"(?i)\b(?:i|we|i'm|i've|i'd|i'll|we're|we've|we'll|me|my|our|us|let's|\w+ed)\b")
_READS_OUT: Final = re.compile(
    rf"(?i)\b(?:(?:the|this|that|their|its|his|her|an?|some)\s+(?:[\w'./-]+\s+){{0,3}}?(?:{TEXT_NOUN}|agent"
    rf"|sub-?agent|tool|bot|model"
    r"|api|vendor|customer|client|author|website|search)(?:\s+(?:of|from|by"
    r"|at)\s+[\w'./-]+(?:\s+[\w'./-]+){0,2}?)?"
    r"\s+(?:\w+\s+)?(?:says?|said|reads|states?|stated|claims?|claimed|reports|reported|returned|tells|told"
    r"|announces|announced"
    r"|writes|wrote|goes)\b|\b(?:(?:chat)?gpt\S*|claude|gemini|copilot|google|wikipedia|siri|alexa) (?:says"
    r"|said|answered|told|claims)\b"
    r"|\bit (?:says|reads|claims|states|said)\b(?! (?:well|good|nice|great|fine|better)\b)|\baccording to\b)"
)
_KEEP: Final = re.compile(
    r"(?i)^\W*(?:(?:please|pls|ok|so|and|now|also|just|let's|for the record)\W+){0,3}(?:remember|note"
    r"|record|log|mark|track|add"
    r"|write (?:this |that |it )?down|keep in mind|heads[- ]up|update|fyi|important|reminder|register"
    r"|capture|store|save)\b"
)
_REWORDS: Final = re.compile(
    r"(?i)\b(?:summar\w+|sum (?:this |it |that )?up|tl;?dr|translat\w+|proof-?read|paraphrase|rephrase"
    r"|reword|rewrite"
    r"|shorten|condense|key (?:points|takeaways)|takeaways|gist|bullet points|what does (?:this|that"
    r"|it) (?:say|mean))\b"
)
_DOES_ELSE: Final = re.compile(
    rf"(?i)^\W*(?:(?:and|also|so|then)\b\W*)?(?:can|could|would|will) you (?:(?:please|also|now|then|just|maybe)\s+)*"
    rf"(?!(?:please|also|now|then|just|maybe)\b|{_WORK}\b)"
)
"""Asks for work on something else than a text: "Could you update the README?"."""
_OF_MATTER: Final = re.compile(r"(?i)\b(?:summar\w+|explain|outline)\s+(?:what|how|why|where|which|who)\b")
_TAKES_IN: Final = re.compile(
    r"(?i)\b(?:summar\w+|tl;?dr|translat\w+|read|review|fetch|open|browse|visit|look (?:at|through)|search"
    r"|skim|scan|digest"
    r"|ingest|go (?:over|through)|explain|extract|research|what do(?:es)?|what (?:is|are))\b"
)
_READABLE: Final = re.compile(
    r"(?i)\bhttps?://|\bwww\.|\b[\w-]{1,60}+\.(?:md|txt|html?|pdf|docx?|rst|com|org|net)\b|\b(?:(?:web ?)?pages?"
    r"|(?:web)?sites?"
    r"|articles?|documents?|docs?|e-?mails?|posts?|blogs?|papers?|read-?mes?|reports?|transcripts?|letters?"
    r"|minutes"
    r"|wikis?|tickets?|pdfs?|newsletters?|comments?|chats?|books?|stor(?:y|ies)|release notes|changelogs?"
    r"|announcements?"
    r"|attachments?|inbox|the web|internet)\b"
)
_HAS_TEXT: Final = re.compile(rf"(?i)\b{TEXT_NOUN}\b")
_FROM_THEM: Final = re.compile(
    r"(?i)\bfrom (?:the |our |my |an? |their )?(?:[\w-]+ ){0,2}?(?:bots?|agents?|sub-?agents?|assistants?"
    r"|tools?|ci|pipelines?|jobs?"
    r"|scripts?|servers?|monitors?|crawlers?|vendors?|customers?|clients?|support|consultants?|auditors?"
    r"|scanners?|models?)\W*\Z"
)
_BRACKETED: Final = re.compile(r"\([^()]{0,80}\)")
_LONGEST: Final = 400
_NAMED_ENTRY: Final = re.compile(
    r"(?i)^\W*(?:(?:new )?(?:decision|thread) )?(?:[dt]-?\d+|adr\S*|dec-?\d+|thr-?\d+|rationale|reason\w*"
    r"|because|context"
    r"|alternatives?|rejected|priority|owner|consequences?|background|goal|scope|user|human)\b"
)
_NAMED: Final = re.compile(r"(?i)\b(?:the|my|our|your|an?|all)\b")
_BARE: Final = 4


def introduces(sentence: str, *, is_person: bool, at_colon: bool) -> bool:
    """Whether what comes after a sentence is somebody else's text, wherever in a message it stands.

    `is_person`: whether a person speaks: an assistant asks nobody to read. `at_colon`: whether the sentence ends there
    with a colon.
    """
    said = _BRACKETED.sub("", sentence.strip()[-_LONGEST:]).strip()
    named = _TEXT_OBJECT.search(said) is not None
    if at_colon and is_person and _WANTED.search(said) and _HAS_TEXT.search(said) and not _is_ours(said):
        return True
    if at_colon and is_person and _FROM_THEM.search(said):
        return True
    if not said or _is_entry_label(said, at_colon=at_colon) or (_KEEP.match(said) and not named):
        return False
    if is_person and (
        (named and _REWORDS.search(said)) or (at_colon and _ASKED.match(said)) or _GIVEN_ALONE.search(said)
    ):
        return True
    if _is_ours(said):
        return False
    if at_colon and _TELLS.search(said):
        return True
    if at_colon and not _TOPIC.match(said) and (_POINTER.search(said) or _LABEL.search(said)):
        return _GREETING.match(said) is None
    if not is_person:
        return named and at_colon
    if _FOLLOWS.search(said) or _GIVEN.search(said):
        return True
    is_bare = len(said.split()) <= _BARE and not _NAMED.search(said)
    asks = _ASKED.match(said) or _WONDERED.match(said)
    return bool(asks and (at_colon or named or is_bare or _TEXT_WORK.search(said)))


def is_signal(said: str) -> bool:
    """Whether words only greet, thank, agree or say that something follows: "Hi Ann", "Quick update", "Two things"."""
    return _GREETING.match(said) is not None


def hands_over(line: str) -> bool:
    """Whether a line says no more than that something comes below: "FYI"."""
    return _HANDS_OVER.match(line) is not None


def is_label_of_own(said: str) -> bool:
    """Whether words are the label of an entry or a topic, or speak of the writer's own decisions and plans."""
    own = (_TOPIC, _KEEP, _NAMED_ENTRY)
    return _is_entry_label(said, at_colon=True) or _is_ours(said) or any(x.match(said) for x in own)


def asks_for_work(said: str) -> bool:
    """Whether a sentence asks for work of a kind that can be done on a text."""
    return _ASKED.match(said) is not None or _WANTED.search(said) is not None


def brings(said: str) -> bool:
    """Whether words tell that somebody said, sent or found something which comes next, or ask to reword it."""
    if _is_ours(said) or _YOURS.search(said):
        return False
    return any(
        x.search(said) for x in (_TELLS, _FOLLOWS, _GIVEN, _GIVEN_ALONE, _POINTER, _READS_OUT, _TEXT_WORK)
    )


def names_text(said: str) -> bool:
    """Whether a few words name a text or where it stands: "README excerpt", "Slide 3", "notes.md"."""
    return not _is_ours(said) and _LABEL.search(said) is not None


def points_at_text(said: str) -> bool:
    """Whether words point at a text: "this comment", "from the text", "is this true?"."""
    return _TEXT_OBJECT.search(said) is not None or _ABOUT_TEXT.search(said) is not None


def introduces_beside(sentence: str) -> bool:
    """Whether what follows a person's sentence in the same line is somebody else's text: "Summarise this page. ..."."""
    said = sentence.strip()[-_LONGEST:]
    if _is_ours(said) or _YOURS.search(said):
        return False
    if _READS_OUT.search(said) or _GIVEN_ALONE.search(said):
        return True
    if _TEXT_WORK.search(said) and len(said.split()) <= _BARE:
        return True
    return bool((_ASKED.match(said) or _WONDERED.match(said)) and _TEXT_OBJECT.search(said))


def is_title(line: str) -> bool:
    """Whether a person's first line is no sentence: the title of what follows, a file's name, where it was found."""
    said = line.strip()[:_LONGEST]
    if said.endswith((".", "!", ",", ";")) or _GREETING.match(said) or _is_entry_label(said, at_colon=True):
        return False
    if _TELLS.search(said):
        return True
    return not (_OURS.search(said) or _KEEP.match(said) or _FIRST.search(said) or _TOPIC.match(said))


def asks_about_above(sentence: str) -> bool:
    """Whether a person's last sentence asks for work on the text above it, which is then not a statement."""
    said = sentence.strip()[-_LONGEST:]
    is_bare = len(said.split()) <= _BARE and not _NAMED.search(said)
    if not (is_bare or _ASKED.match(said) or _WONDERED.match(said)) or _DOES_ELSE.match(said):
        return False
    return bool((_REWORDS.search(said) and not _OF_MATTER.search(said)) or _TEXT_OBJECT.search(said))


def asks_to_take_in(text: str) -> bool:
    """Whether a person's turn asks to read something, so that the answer reports what was read."""
    return _TAKES_IN.search(text) is not None and _READABLE.search(text) is not None


def _is_ours(said: str) -> bool:
    """Whether words speak of what the writer decided, plans or did together with the one who reads."""
    if _OURS.search(said):
        return True
    return bool(_TOGETHER.search(said)) and not (_TELLS.search(said) or _GIVEN.search(said))


def _is_entry_label(said: str, *, at_colon: bool) -> bool:
    """Whether a sentence is a label of an entry, or holds one: "Decision:", "Next steps:"."""
    line = f"{said.rstrip(': ')}: something follows here" if at_colon else said
    return any(label.match(line) for label in (DECISION_LABEL, THREAD_LABEL, CLOSED_LABEL))
