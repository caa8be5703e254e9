"""Words that only greet, thank, agree or say that something follows, and those that say who else speaks."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.language_cues import GREETINGS
from engramforge.core.detection.passages import sentences
from engramforge.core.text.late_pattern import late

MEETING: Final = (
    r"(?:meeting|call|review|retro\w*|sync|stand-?up|planning|discussion|vote|round|talk|chat|workshop|1:1"
    r"|weekly|board|today|yesterday|morning|week|lunch)s?"
)
GREETING: Final = late(
    rf"(?i)^\W*(?:(?:{GREETINGS}|hi|hey|hello|dear|good (?:morning|evening|afternoon)|morning|thanks?|thank you"
    rf"|thx|ok|(?:nur )?(?:kurz )?(?:zur|als) info|kurze? (?:info|notiz|frage|update)|pour info|para (?:tu "
    r"|su )?informaci\u00f3n|okay|yes|yeah|yep|no|nope|sure|great|good|nice|perfect|cool|right|alright|awesome|done"
    r"|agreed|exactly|correct|lgtm|update|updates|status|news|recap|progress|so far|today|yesterday|summary|note"
    r"|notes|fyi|btw|also|and|but|so|then|plan|changes|decisions?|threads?|todos?|well|sorry|hm+|wait|one sec"
    r"|(?:an?\s+)?(?:one|two|three|four|five|some|a few|a couple|couple|several|quick|more|other|last|next|final"
    r"|first|small|short|little|tiny|important|minor|another)(?:\s+\w+){0,2}\s+(?:things?|points?|notes?"
    r"|updates?|items?|changes?|decisions?|news|thoughts?|ones?|info|corrections?|additions?|clarifications?"
    r"|heads-?up)|(?:quick|small|short) (?:one|info)|something (?:else|new|important|small)"
    r"|change of plans?)\b[\s,:!-]*){1,4}(?:(?:(?-i:[A-Z]\w+)|all|team|everyone|again|there|folks|of|for|from|my"
    r"|our|the|side|end|that|you|done|now|before|after|lunch|today|this|morning)\b[\s,:!.-]*){0,4}$"
)
_ANNOUNCES: Final = late(
    rf"(?i)\W*+(?:(?:so|ok|okay|and|but|hey|hi|hm+|well|right|just|fyi|also|in|pour|zur|{GREETINGS})\b[\s,]*+){{0,4}}"
    r"(?:(?:an?|one|the|some|my|our|another|eine?|une?)\s)?(?:(?:quick|short|small|brief|little|big|good|great|bad"
    r"|important|final"
    r"|kurze[rs]?|kleine[rs]?|petite|breve|long)\s){0,2}(?:updates?|news|info|note|one|thing|heads-?up|announcement"
    r"|recap|summary|verdict|outcome|result|conclusion|upshot|bottom line|decisions?|story short|notiz|nachtrag"
    r"|tl;?dr|dato|pr\u00e9cision)\b(?:\s(?:avant|antes|before|vorab|vorweg|bevor)\b(?:\s[\w'\u2019-]+){0,4}"
    r"|\s(?:from|of|before|after|by)"
    rf"\s(?:(?:the|our|my|a)\s)?(?:[\w'\u2019-]+\s){{0,3}}?(?:{MEETING}|team|me|us|leadership|management)"
    r"(?:\s(?:this|today|yesterday|last|on|with)\b(?:\s[\w-]+){0,4})?)?\W*\Z"
)
"""Says that something follows: "Short update from the team call this morning"."""
_THANKS: Final = late(
    r"(?i)\W*+(?:many )?(?:thanks|thank you|thx|sorry|apologies|danke|entschuldige?|merci|désolée?|gracias|perdón)"
    r"(?: \w+){0,2} (?:for|für|pour|por)\b[^.!?\n]{0,60}\W*\Z"
)
_PLACE: Final = (
    r"(?:meadow|field|fields|garden|orchard|vineyard|workshop|shed|garage|lab|laborator(?:y|ium)|barn|stable|farm|yard"
    r"|greenhouse|cellar|basement|attic|roof|kitchen|harbou?r|pier|dock|boat|ferry|ship|lake|river|beach|coast"
    r"|estuary|hill"
    r"|mountain|forest|woods|road|train|car|van|site|building site|shop ?floor|warehouse|studio|bench|test bench|rack"
    r"|server room|plant|mill|tower|hall|classroom|library|museum|theatre|gym|hive|hives|apiary|trenches"
    r"|front(?: line)?|sofa|couch|hospital|balcony|terrace|island|village|allotment|weekend|trip|visit|inspection)"
)
_OWN_STORY: Final = late(
    r"(?i)\W*(?:(?:so|ok|okay|and|but|hey|hi|hm+|well|right|look|listen|now|anyway|yeah|yes|alright)\b\W*){0,4}"
    r"(?:here(?:['\u2019]?s| is) (?:the|my|our) (?:thing|deal|catch|situation|kicker|snag|rub|trouble|short version"
    r"|bottom line|state of (?:play|things|affairs))"
    r"|here(?:['\u2019]?s| is) (?:what happened|where (?:we|i) (?:are|stand|landed)|how (?:it|that) went)"
    r"|(?:the )?(?:thing|deal|catch|short version|bottom line) is"
    r"|(?:an? |one |the )?(?:(?:quick|short|small|brief|little|good|bad|big|important|latest)\s){0,2}"
    rf"(?:updates?|news|info|report|greetings|hello|hi|word|status) from (?:the|our|my"
    rf"|this) (?:[\w'\u2019-]+\s)?{_PLACE}"
    r"(?:\s(?:today|yesterday|again|this (?:morning|evening|week)))?)\W*\Z"
)
"""Begins what somebody tells of their own: "here's the thing", "update from the meadow"."""
FROM_ANOTHER: Final = late(
    r"(?i)\b(?:notes?|fyi|updates?|news|info|word|message|status|reminders?|announcements?|ps|fwd?"
    r"|forward(?:ed)?) (?:from|by) (?!me\b|us\b|(?:my|our|this)\b"
    r"|(?:(?:the|today\S*|yesterday\S*) )?(?:\w+ )?(?:call|meeting|retro|sync|stand-?up|review|planning|today"
    r"|yesterday)\b)\w+"
)
"""Says who else speaks: "Notes from Tom"."""
TELLS_THERE: Final = late(
    r"(?i)^(?:(?!\b(?:i|we|you|i['\u2019]ve|we['\u2019]ve|ich|wir)\b)[^.:?!\n])*?\b(?:says?|said|wrote|writes|written"
    r"|posted|posts|put|left|dropped|shared|commented|comments|replied|replies|answered|announced|pinned|sent"
    r"|reported|published|schrieb|schreibt|postete|sagte)(?: (?:me|us|this|that|it|back|something|mir|uns))?"
    r" (?:in|into|on|onto|at|to|under|below|via|over|auf|unter|an|per|im)(?: [\w'\u2019#@./-]+){1,6}\W*$"
)
"""Tells that somebody else wrote something, and where: "my boss posted in the channel"."""
SENT_BY: Final = late(
    r"(?i)^\W*(?:[\w-]+ ){0,3}?(?:e-?mails?|mails?|letters?|messages?|posts?|memos?|newsletters?|announcements?"
    r"|circulars?|notices?|sms|dms?|comments?|statements?|press releases?|repl(?:y|ies)|brief|schreiben"
    r"|nachricht|lettre|courrier|carta|correo) (?:\w+ ){0,2}?(?:from|by|von|vom|de|du|del)"
    rf" (?!me\b|us\b|mir\b|uns\b)(?!(?:[\w'\u2019-]+ ){{0,2}}{MEETING}\b)"
    r"(?!.*\b(?:i|we|is|are|was|were|has|have|says?)\b)[^,:?!\n]{2,60}\W*$"
)
"""A text and who sent it, without a verb: "Mail from the bank."."""

TO_MODELS: Final = late(
    r"(?i)^\W*(?:please\s+)?(?:ignore|disregard|forget|override|bypass)\s+(?:[\w']+\s+){0,4}?(?:instructions?|prompts?"
    r"|rules|guidelines|directives?)(?=\W*\Z|\s+(?:and|above|before|you|given|from|that)\b)"
    r"|^\W*(?:as|you are|you['\u2019]re)\s+(?:an?|the)\s+(?:[\w-]+\s+){0,2}?(?:ai|llm|language model|assistant|agent"
    r"|(?:chat)?bot)\b"
)
"""Orders to a language model, as planted texts begin."""


_YES: Final = late(
    r"(?i)\A\W*(?:(?:yes|yeah|yep|ok(?:ay)?|sure|right)\b\W{0,3}){1,2}(?:(?:let['\u2019]?s|we(?:['\u2019]ll)?"
    r"|i(?:['\u2019]ll)?|just)\s)?(?:do(?:ing)? (?:that|it|so)|go (?:for it|with that)|decided|that['\u2019]?s it"
    r"|make it so)\W*\Z"
)
"""Answers a question with a yes: "yes, let's do that"."""


def says_yes(said: str) -> bool:
    """Whether words do no more than to answer a question with yes, as who asked it may do: "yes, let's do that"."""
    return _YES.match(said) is not None


def tells_own(said: str) -> bool:
    """Whether words only begin what their speaker tells: "ok, here's the thing", "update from the meadow".

    >>> tells_own("here's the thing"), tells_own("here's the thing they sent me"), tells_own("update from the vendor")
    (True, False, False)
    """
    return _OWN_STORY.match(said) is not None


def is_signal(said: str) -> bool:
    """Whether words only greet, thank, agree or say that something follows: "Hi Ann", "Quick update", "Two things"."""
    if tells_own(said):
        return True
    if FROM_ANOTHER.search(said):
        return False
    signals = (GREETING, _ANNOUNCES, _THANKS)
    return all(any(x.match(each.rstrip(" .")) for x in signals) for each in sentences(said)) and bool(said)
