"""The wordings of an open matter: labels and marks, what is still to do, unclear, blocked, put off; and of its end.

After what people write in chats, commits, minutes, records and transcripts; English (other languages: language_cues).
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.cue_rule import beginning_set, first_words, rule
from engramforge.core.detection.cues.label_cues import ITEM
from engramforge.core.text.late_pattern import late

_MATTER: Final = (
    r"(?:issues?|problems?|bugs?|blockers?|thread|question|tickets?|leaks?|failures?|outage|incident|regressions?"
    r"|errors?|crash|conflict|deadlock|race|vulnerability|defects?|task|concern|discussion|item|point|matter"
    r"|discrepancy|mismatch|timeouts?|slowdown|finding)"
)
_CHORE: Final = (
    r"(?:figure out|find out|look (?:into|at)|investigate|decide|determine|come back|circle back|follow up|revisit"
    r"|verify|check|clarify|confirm|discuss|handle|test|update|migrate|add|implement|fix|write|document|define"
    r"|measure|benchmark|review|clean up|refactor|remove|replace|rotate|schedule|plan|talk to|ask|sort out|agree on"
    r"|pick|choose|finish|complete|address|resolve|support|make sure|set up|configure|wire|port|deploy|get|move"
    r"|renew|order|collect|prepare|finali[sz]e|align|upgrade|raise|improve|reduce|rename|split|extend|bump|patch"
    r"|secure|back up|speed up|rework|rewrite|redo|restore|reindex|drain|extract|monitor|audit|drop)"
)
_PENDING_CHORE: Final = (
    r"(?:decide|revisit|figure out|find out|investigate|come back|circle back|clarify|determine|follow up|discuss"
    r"|agree on|sort out|understand|track down)"
)
_DONE: Final = (
    r"(?:fixed|implemented|merged|tested|mitigated|covered|handled|migrated|supported|finished|done|wired|verified"
    r"|documented|released|deployed|reviewed|addressed|solved|resolved|approved|decided|clarified|answered|written"
    r"|updated|added|renewed)"
)
_OPEN_STATE: Final = (
    r"(?:open|missing|unresolved|unclear|outstanding|pending|undecided|broken|failing|unanswered|needed|required"
    r"|todo|in progress|waiting|unknown|unfinished|to (?:do|be))"
)
_WHETHER: Final = r"(?:whether|how|what|which|who|if|why|when|where)"
_WHO: Final = r"(?:we|i|someone|somebody|the team|ops|[A-Z][a-z]+)"
_WILL: Final = r"(?:['\u2019]ll| will| am going to|['\u2019]m going to|['\u2019]re going to| are going to)"
ASKING: Final = "somebody has to be asked"

OPEN_RULES: Final = (
    rule("still to do", 0.58, is_denied=False)(
        "still",
        r"\bstill (?:\w+ly )?(?:need(?:s|ed)?|ha(?:ve|s)|got|gotta|must|want|requires?|owes?)\b(?: to\b)?",
        rf"\bstill {_OPEN_STATE}\b",
        r"\bstill (?:flaky|fails?|crash(?:es)?|hangs?|leaks?|breaks?|throws?|flickers?|times? out"
        r"|confuses?|misreads?|chokes?|stutters?)\b",
        r"\bstill (?:don['\u2019]?t|do not|doesn['\u2019]?t|does not) (?:know|understand|work|have)\b",
        r"\bstill (?:debugging|working on|investigating|looking (?:into|for|at)|trying|figuring|testing|negotiating"
        r"|chasing|unsure)\b",
        r"\bstill being (?:\w+ed|worked on|written)\b",
        rf"\b(?:should|must) still {_CHORE}\b",
        r"\bstill (?:has|have)(?:n['\u2019]t| not) \w+(?:ed|ne|en|t)\b",
        r"\bstill wide open\b",
    ),
    rule("still to be worked on", 0.62, is_denied=False)(
        "still",
        r"\bstill (?:need|needs|have|has|got) to (?:replace|implement|migrate|refactor|document|deploy|investigate"
        r"|merge|upgrade|configure|port|rotate|benchmark|debug|rename|review|test)\b",
    ),
    rule("put on a list", 0.62)(
        "todo todos list backlog thread",
        r"\b(?:put|add|keep|leave|note)\b[^.;?]{2,80}? (?:on|to|in) (?:(?:the|our|my) (?:to-?\s?do list|to-?\s?dos"
        r"|backlog)|(?:the|our) list)\b",
        r"\b(?:open|start|create|track|add|file) (?:an? )?(?:new )?(?:thread|task|to-?do) (?:for|about|on|to)\b",
    ),
    rule("reminder", 0.62)(
        "remind forget",
        # Who asks to be reminded who or what something is wants the answer now.
        r"^\W*(?:please )?(?:remind (?:me|us)(?! (?:again )?(?:who|whom|whose|what|which|where|how|why)\b"
        r"(?!.*\b(?:tomorrow|tonight|later|next \w+|on \w{3,6}day|at \d)\b))|don['\u2019]?t let (?:me|us) forget)\b",
    ),
    rule("reminder of what is said", 0.92, is_denied=False)(
        "remind forget",
        r"[,;\u2014\u2013-]\s*(?:and |so |please |pls )*(?:remind (?:me|us)|don['\u2019]?t let (?:me|us) forget)(?:"
        r" (?:of|about|it|that|this|later|tomorrow|please|pls))*\W*$",
    ),
    rule("put off beside what is said", 0.85, is_denied=False)(
        "later time sometime day someday point week month soon eventually tomorrow",
        r"^(?!\W*(?:if|when|whenever|once|unless|until|after|before|in case|as soon as|should"
        r"|and then)\b)[^?\n]{8,300}?"
        r"[,;\u2014\u2013-]\s*(?:(?:and|so|but|we|i|just|still|also|gotta|got to|have to|need to|should|must|will"
        r"|gonna"
        r"|let['\u2019]?s|(?:we|i)['\u2019]?(?:ll|ve))\s){0,4}(?:fix|repair|look (?:at|into)|check|sort out|solve"
        r"|deal with"
        r"|handle|(?:come|get|go) (?:back )?to|investigate|debug|see to|clean up|tidy up|address|figure out"
        r"|take care of"
        r"|revisit|redo) (?:it|that|this|them|these)(?: one| out| up| properly| again)?\s(?:later(?: on)?|some ?time"
        r"|some ?day|one day|at some point|another (?:day|time)|eventually|soon|tomorrow|next (?:week|month"
        r"|sprint))\W*$",
    ),
    rule(ASKING, 0.72)(
        "ask check confirm clear find",
        r"(?:^|[,;.\u2014\u2013-]\s|\b(?:and|but|so)\s)\W*(?:(?:i|we)(?:['\u2019]ve)?\s(?:still |also "
        r"|first )?)?(?:have to"
        r"|need to|got to|gotta|must|should)\s(?:still |also |first )?(?:ask|check with|clear with|confirm with"
        r"|find out from)\s(?!you\b|yourself\b|myself\b)(?:the |my "
        r"|our )?[\w'\u2019-]{2,20}(?:\s[\w'\u2019-]{2,20}){0,2}?\s(?:if"
        r"|whether|how|what|when|where|which|who|why|about)\b",
    ),
    rule(
        "to be found out",
        0.72,
        is_denied=False,
        unless=r"\b(?:my (?:cat|dog|kids?|son|wife|mum|back|knee)|already|yesterday|lol|haha|movie|film|recipe)\b",
    )(
        "find figure",
        r"^[^?\n]{10,200}?[,;\u2014\u2013-]\s*(?:(?:i|we|somebody|someone)\s)?(?:still\s)?(?:need(?:s)? to"
        r"|ha(?:ve|s) to|gotta"
        r"|got to|must|should)\s(?:find|figure) out (?:why|where from|what (?:it is|happens?|goes wrong"
        r"|causes it))\W*$",
    ),
    rule("left for later", 0.74)(
        "leave leaving save saving laisse laissons laiss dejamos dejo lassen lasse keep park table",
        r"\blet(?:['\u2019]?s| us) (?:leave|keep) (?:it|this|that|these|the (?:question|point|matter|issue|choice"
        r"|decision)) (?:open|undecided)(?! (?:for|on|to|in)\b)",
        r"\blet(?:['\u2019]?s| us) (?:leave|park|table|postpone) (?!you\b)[^.;?]{2,60}? (?:for|until|till) (?:later"
        r"|another|after|next|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|the end)\b",
        r"\b(?:we|i)(?:['\u2019](?:ll|re|m)| are| am| will)? (?:leav(?:e|ing)|sav(?:e|ing)) (?!you\b|home"
        r"|work\b)[^.;?]{2,60}?\b(?:for|until) (?:later|another (?:day|time|sprint|week)|after|next \w+)\b",
        r"\b(?:on|nous|je) laiss(?:e|ons) [^.;?]{2,60}? pour (?:plus tard|après|demain)\b",
        r"\b(?:dejamos|dejo) [^.;?]{2,60}? para (?:m[áa]s tarde|despu[ée]s|luego|otro d[íi]a)\b",
        r"\b(?:lassen|lasse) (?:wir|ich) [^.;?]{0,40}?(?:liegen|auf später|für später)(?!\w)",
    ),
    rule("next step", 0.6)(
        "next step steps",
        r"\bnext steps? (?:(?:is|are|will be|would be) (?:to\b|the\b|a\b|\w+ing\b|\d)|(?:for (?:us|me|this)|here)"
        r" (?:is|are)\b)",
        r"^\W*(?:as a |my |our |the )?next step,? (?:i|we)\b",
        r"\bnext steps? (?:is|are)\s*:",
    ),
    rule("next up", 0.58)("next", r"\bnext up\b(?! to\b)"),
    rule("next i", 0.52, needs_work=True)(
        "next then tomorrow after later",
        r"^\W*(?:next|then|tomorrow|after that|later),? (?:i|we)(?:['\u2019]ll| will| need to| have to| should| must"
        r"| still)\b",
    ),
    rule(
        "needs doing",
        0.5,
        needs_work=True,
        beside=f"{first_words(_CHORE)} docs migration triage before first until",
    )(
        "need needs have has ought must gotta got",
        rf"\b{_WHO}{_WILL}?\s+(?:also\s+|then\s+)?(?:needs? to|ha(?:ve|s) (?:yet )?to|ought"
        rf" to)\s+(?:\w+ly\s+)?{_CHORE}\b",
        rf"^\W*(?:need|needs|gotta|have|got|must remember) to {_CHORE}\b",
        r"\bneeds? (?:a |an |more |some |better |its own )?(?:tests?|fix|review|docs?|documentation|clean-?up"
        r"|refactoring|rewrite|update|migration|benchmark|triage|investigation|follow-?up)\b",
        rf"\bmust (?:still )?be {_DONE} (?:before|first|until)\b",
    ),
    rule("needs to be done", 0.6)("need needs", rf"\bneeds? to be (?:{_DONE}|\w+ed)\b"),
    rule("has to be found out", 0.56)(
        "gotta need nobody no awaiting awaits await owner owe",
        rf"^\W*(?:gotta|need to|have to) {_PENDING_CHORE}\b",
        r"\bawait(?:ing|s)\b",
        r"\bno owner\b",
    ),
    rule("somebody owes", 0.54, needs_work=True)("owe", r"\b(?:we|i) (?:still )?owe\b"),
    rule("nobody knows", 0.54, needs_work=True, is_denied=False)(
        "nobody no unassigned stalled backlog started progress",
        r"^(?!\W*(?:(?:and|it['\u2019]?s) )?(?:always|again|every time|once more) (?:the|this|that|an?) )[^\n]*?"
        r"\b(?:nobody|no one) (?:knows|owns|has looked)\b",
        r"\b(?:is|are|still) (?:unassigned|stalled|not started|in progress|half done)\b",
        r"\b(?:in|to|into|onto) (?:the|our) backlog\b",
        r"\b(?:opened|filed|created) (?:a |an )?(?:issue|ticket|bug)s? (?:for|to|about)\b",
    ),
    rule("assigned until", 0.54, needs_work=True)(
        "by until due before",
        r"^\W*[A-Z][a-z]+ (?:to|will|has to|should) [^.;]{5,100}\b(?:by|until|before) (?:next |the )?(?:mon|tues"
        r"|wednes|thurs|fri|satur|sun)?(?:day|week|end|tomorrow|\d)",
        r"\bis due (?:on|by|next|this|before)\b",
    ),
    rule("i need to decide", 0.56, beside="i")(
        "need have", rf"\bi{_WILL}?\s+(?:also\s+|still\s+)?(?:need|have) to\s+{_PENDING_CHORE}\b"
    ),
    rule(
        "needs deciding",
        0.6,
        beside="we decision clarification input feedback approval sign owner answer confirmation",
    )(
        "need needs have requires require awaits await pending",
        rf"\bwe{_WILL}?\s+(?:also\s+|still\s+)?(?:need|have) to\s+{_PENDING_CHORE}\b",
        r"\b(?:needs?|requires?|awaits?|awaiting|pending) (?:a |an |some |your |their |more |final |the"
        r" )?(?:decision|clarification|input|feedback|approval|sign-?off|confirmation|owner|answer)\b",
    ),
    rule("somebody should", 0.6, is_denied=False, beside="has should must needs need ought is")(
        "someone somebody nobody no",
        r"\b(?:someone|somebody) (?:has to|should|must|needs to|ought to)\b",
        r"\bneed (?:someone|somebody) to\b",
        r"\b(?:nobody|no one) (?:has|is) (?:yet )?(?:\w+ed|looked at|looking at|working on)\b[^.;]*\byet\b",
    ),
    rule("follow-up", 0.6)(
        "follow followup further later separately separate",
        r"\b(?:needs?|requires?|in|as) (?:a |an |some )?(?:separate |later )?follow[- ]?up\b",
        r"\bfollow[- ]?up (?:[\w-]+ )?(?:is|are|will be )?\s*(?:needed|required|necessary|planned)\b",
        r"\bfurther (?:work|investigation|analysis|discussion|research) (?:is|will be) (?:needed|required"
        r"|necessary)\b",
        rf"\bwill be {_DONE} (?:in a (?:later|separate|follow-?up)|later|separately)\b",
    ),
    rule("to be done", 0.52, needs_work=True, is_denied=False, beside="to")(
        "be",
        rf"\b(?:is |are |remains? |remaining |left |yet |still |has |have )?to be {_DONE}\b",
        r"\bto be (?:determined|defined|discussed|confirmed|investigated|agreed)\b",
    ),
    rule("remains open", 0.6, beside="is was were are remain stays")(
        "remain remains open unclear undecided unresolved stays missing thing point problem question issue part",
        r"\bwhat(?:['\u2019]?s| is) (?:still )?(?:missing|left|unsolved|unclear|open) is\b",
        r"\b(?:things?|points?|problems?|questions?|issues?|parts?)(?: that| which)? (?:we|i|nobody|no one)(?: have|"
        r" has|['\u2019]ve)?(?: not|n['\u2019]t)?(?: yet| really| ever)? (?:solved|decided|answered|looked (?:at"
        r"|into)|sorted out|figured out|dealt with|agreed on) (?:yet )?is\b",
        rf"\bit (?:still )?(?:remains?|is|stays) (?:open|unclear|undecided|unresolved|to be \w+),? {_WHETHER}\b",
        r"\bremains? (?:unresolved|undecided|unanswered|unsolved|outstanding|to be (?:\w+ed|done|seen))\b",
        r"\b(?:questions?|matters?|issues?|points?|topics?|decisions?)\b[^.;,]{0,40}\b(?:was|were|is|are|remains?"
        r"|stays?) (?:still |left )open\b",
        r"\b(?:questions?|issues?|points?|topics?|threads?|decisions?)\b[^.;,]{0,40}\b(?:remains?|stays?) open\b",
        rf"\b{ITEM} (?:still )?remain\b",
    ),
    rule("stays open", 0.5, needs_work=True)(
        "open unclear",
        r"\b(?:remains?|stays?|kept|keep|left|leave|leaving|still) (?:it |this |that )?(?:open|unclear)\b",
    ),
    rule("open question", 0.6)(
        "open outstanding unresolved unanswered remaining unsolved unfinished future left",
        r"\b(?:an?|one|two|three|several|some|the|another|the only|our|my)\s+(?:\w+\s+)?(?:open|outstanding"
        rf"|unresolved|unanswered|remaining|unsolved) {ITEM}\b",
        rf"\bopen {ITEM}(?: here| now)? (?:is|are|remains?)\b",
        r"\bleft for (?:a |an |another |the )?(?:later|future|next|follow|other)\b",
        r"\b(?:outstanding|remaining|unfinished) (?:work|tasks?|items?|pieces?|parts?|bits?)\b",
        r"\bfuture work\b",
    ),
    rule("is left", 0.56)(
        "left",
        r"\b(?:is|are|remains?|what['\u2019]s|all that['\u2019]s) left(?: to do| open)?\s*(?::|to (?:do|be)\b)",
    ),
    rule("not done yet", 0.55, needs_work=True, is_denied=False)(
        "not t never unable cannot",
        rf"(?:\bnot|n['\u2019]t|\bnever)(?: \w+ly)?(?: yet)?(?: been)? {_DONE}(?: yet| so far| until now)\b",
        rf"\b(?:i|we) haven['\u2019]t {_DONE} [^.;?]{{2,60}} yet\b",
        r"\bnot yet (?:been )?(?:\w+ed|clear|known|done|written|ready|complete)\b",
        rf"\bha(?:s|ve)(?: not|n['\u2019]t)(?: yet)? been {_DONE}\b",
        r"\bnever been (?:tested|verified|documented|reviewed)\b",
        r"\bplanned,? but not\b",
        r"\bha(?:s|ve)(?: not|n['\u2019]t)(?: yet)? been \w+ed(?: yet)?\b",
        r"\b(?:could(?: not|n['\u2019]t)|(?:was|were)(?: not|n['\u2019]t) able to|unable to) (?:yet )?(?:verify|test"
        r"|reproduce|run|confirm|check|reach|access|build|deploy|finish|complete)\b",
        r"\b(?:could|can)(?: not|not|n['\u2019]t) be (?:run|tested|verified|reproduced|built|deployed|merged)\b",
        r"\b(?:could(?: not|n['\u2019]t)|(?:was|were)(?: not|n['\u2019]t) able to|unable to)\b[^.;]{3,80}\byet\b",
    ),
    rule("undecided yet", 0.56, is_denied=False, beside="have has hasn yet no without don dont")(
        "decided agreed settled determined figured worked solved made found understood yet sure decision agreement"
        " consensus conclusion",
        r"\b(?:have|has)(?:n['\u2019]t| not)(?: really| quite| yet)? (?:decided|agreed|settled|determined|figured"
        r" out|worked out|solved|made up|found out|understood)\b[^.;]{0,40}?\b(?:yet|so far|how|which|where|who|when"
        r"|why|what)\b",
        r"^\W*(?:haven['\u2019]?t|hasn['\u2019]?t) (?:decided|figured out|worked out|found out|understood|settled)\b",
        r"\byet to (?:decide|determine|agree|be|figure|define|settle|find|choose)\b",
        r"\b(?:no|without a) (?:final )?(?:decision|agreement|consensus|conclusion) (?:yet|so far|on how|about how"
        r"|has been)\b",
        r"\bnot (?:yet )?(?:quite )?sure yet\b",
        rf"\bdon['\u2019]?t (?:yet know|know yet) {_WHETHER}\b",
        rf"\bdon['\u2019]?t (?:yet )?know (?:yet )?{_WHETHER}\b[^.;]*\byet\b",
    ),
    rule("yet to", 0.58, is_denied=False)("yet", r"\bha(?:s|ve) yet to\b"),
    rule("pending", 0.55)("pending", r"(?:^|[,;.]\s|\b(?:is|are|still)\s)pending\b"),
    rule("unclear", 0.6, is_denied=False)(
        "clear unclear unknown known open",
        r"\b(?:it(?:['\u2019]s| is)|is|still) (?:not (?:yet )?clear|unclear|unknown|not (?:yet )?known"
        rf"|an open question)(?: yet)?(?: to me| to us)?,? {_WHETHER}\b",
    ),
    rule("blocked", 0.53)(
        "blocked blocks blockiert",
        r"\b(?:(?:is|are|was|remains?|still|currently|we['\u2019]?re|i['\u2019]?m|it['\u2019]?s|this|that|all)"
        r" (?:\w+ly )?(?:\w+ )?)?blocked (?:by|on|until|because)\b",
        r"^\W*blocked\b",
        r"\bblocks (?:the|our|us|this)\b",
        r"\bblockiert (?:durch|von)\b",
    ),
    rule("waiting", 0.53, needs_work=True)(
        "waiting stuck hold",
        r"\b(?:still |currently |we(?:['\u2019]re| are) |i(?:['\u2019]m| am) )waiting (?:on|for|to hear)\b",
        r"(?:^|[:;,.]\s)\W*waiting (?:on|for)\b",
        r"\bstuck (?:until|because)\b",
        r"\b(?:still|currently|we(?:['\u2019]re| are)|i(?:['\u2019]m| am)) stuck (?:on|with|at)\b",
        r"\bon hold (?:until|because|for|pending)\b",
    ),
    rule("cannot until", 0.55, needs_work=True, is_denied=False)(
        "until before unless depends",
        r"\b(?:can(?:['\u2019]t|not)|unable to|won['\u2019]t be able to) (?:\w+ ){1,6}?(?:until|before|unless)\b",
        r"\bdepends on [^.;]{3,60}?(?:not|n['\u2019]t) (?:yet )?(?:been )?(?:merged|ready|done|available|released"
        r"|finished)\b",
        r"\bbefore we can\b",
    ),
    rule("later", 0.6)(
        "come circle revisit postpone defer park put push kick pick parking",
        r"\b(?:come back to|circle back to|revisit|postpone[ds]?|defer(?:red|ring)?|park(?:ed|ing)?|put off"
        r"|push(?:ed)? (?:back|out)|kick(?:ed)? down the road|pick (?:this|that|it) up)\b[^.;]{0,60}?\b(?:later"
        r"|after|once|next|tomorrow|until|when|in the|for now)\b",
    ),
    rule("will look", 0.53, needs_work=True, beside="ll will going")(
        "look investigate follow check dig get come have take report try",
        rf"\b(?:i|we){_WILL} (?:\w+ly )?(?:look into|investigate|follow up|check (?:on|with|whether|if|why)"
        r"|dig into|get back to|come back to|have a look|take a look|report back|try again)\b",
    ),
    rule("left a mark", 0.6, is_denied=False)(
        "todo fixme done missing",
        r"\b(?:left|leave|added|with|has|there(?:['\u2019]s| is)) (?:a|an|the|another) (?:todo|fixme)\b",
        r"\bnot done yet\b",
        r"\b(?:paths?|cases?|parts?|tests?|docs?|pieces?) (?:is |are )?still missing\b",
    ),
)
NEVER_CONDITIONAL: Final = frozenset({"unclear", "undecided yet", "remains open"})
"""Rules whose own wording has a conditional word (whether)."""
MEETING: Final = late(r"(?i)^\W*next (?:meeting|call|standup|sync|session|week|month)")
CLOSING: Final = late(
    rf"(?i)\b{_MATTER}\b[^.;]{{0,60}}?(?:\b(?:is|are|was|were|has been|have been|got|gets|now|finally)|['\u2019]s)"
    r"(?:\s+(?:now|finally|all|already|fully|also|been))*\s+(?:resolved|fixed|closed|done|unblocked|sorted(?: out)?"
    r"|solved|gone|settled|addressed)\b(?!\s+(?:by (?:calling|the bot)|to \d|in \d[\d.]*\s?(?:m?s|sec\w*|min\w*)\b))"
)
CLOSERS: Final = beginning_set("resolved fixed closed done unblocked sorted solved gone settled addressed")
"""A sentence without any of these closes nothing."""
NO_BLOCK: Final = late(
    r"(?i)\b(?:firewall|mutex|lock|ad ?block\w*|ublock|ip|ads?|account|tree|road|number|caller|spam|contact|main"
    r" thread|i/o|browser|popup|users?|traffic|sight|view|sun|nose|policy)\b"
)
NO_STEP: Final = late(
    r"(?i)\b(?:algorithm|tutorial|recipe|figure|dijkstra|chapter|iteration|loop|wizard|optional)\b"
)
TRACKS: Final = late(
    r"(?i)^\W*(?:(?:please|pls|let['\u2019]?s|so|and|can you|could you|we should|i)\s+){0,3}(?:track|keep|note|log"
    r"|record|file|open|add) (?:it|this|that|a thread for (?:it|this|that)) (?:as|in|on|under|please)\b"
)
"""Asks to keep the matter of the sentence before, and states none itself."""
COUNTED: Final = late(
    r"(?i)\b\d+ (?:\w+ )?open\b|\bopen (?:source|bar|air|door|minded|file|connection|port|office|house|mic"
    r"|relationship|access)\b"
)
