"""The wordings of a decision: labels, verbs of deciding and choosing, plans of a team, rules for all.

After what people write in chats, commits, minutes, records and transcripts; English (other languages: language_cues).
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.deciders import DECIDER_STEMS, GROUP, I_HAVE, WE_HAVE
from engramforge.core.detection.cues.language_cues import GREETINGS
from engramforge.core.text.late_pattern import late

_DECIDED: Final = (
    r"(?:de[cs](?:i|ie|ei)ded|deicded|decded|dedided|decidd|dicided|agree?d(?! (?:that )?[^.;]{0,30}\b(?:was|were"
    r"|had)\b)|settled|opted|concluded|resolved|voted|elected|committed|aligned|signed off|landed|converged"
    r"|confirmed)(?=\s+(?:to|on|that|for|against|not|in favou?r|upon|by|unanimously|with|together|(?:yesterday|today"
    r"|earlier|recently|last \w+|this \w+|on \w+|a while ago)\b,?[^.;?]{0,60}?,? (?:to|that|on|against)|we|i|it(?!"
    r" was\b)|every|everything|all|each|no|there|(?:[\w.'-]+ ){1,8}?(?:is|are|stays?|will|gets?|goes|remains?|uses?"
    r"|must|expires?|needs?|returns?|follows?|takes? place|moves?|starts?|begins?|runs?|lives?))\b|\s+w/"
    r"|\s*[:\u2014\u2013-])"
)
_CHOSE: Final = (
    r"(?:cho(?:se|sen|osing)|picked|selected|adopted|approved(?! (?:(?:the|my|our|a|an|his|her|their|your|this|that)"
    r" )?(?:[\w-]+ )?(?:contract|invoices?|minutes|expenses?|vacation|holidays?|budget|leave|badge|prs?|patch"
    r"|tickets?|payments?|refund|visa|loan|timesheets?|bill|order|quote|offer|deal|request|trip)\b)|rejected"
    r"|discarded|dismissed|abandoned|ruled out|vetoed|accepted|dropped|green-?lit|finali[sz]ed|locked in"
    r"|standardi[sz](?:ed|ing) on|w(?:ent|ill go) (?:with|for|ahead with)|(?:go(?:ing|ne)?|goin|goign|gonig|going to"
    r" go|gonna go) (?:w(?:ith|iht|tih)|w/|ahead with)|ended up (?:choosing|using|going with|picking)|st(?:uck"
    r"|icking|ick) (?:with|to)|stay(?:ing|ed)? (?:with|on)|mov(?:ing|ed) (?:away from|over to|off)|switch(?:ing|ed)"
    r" (?:over )?(?:to|from)|dropping|ditch(?:ing|ed)|scrapp(?:ing|ed)|keeping|retiring|deprecat(?:ing|ed)"
    r"|sunsetting|replac(?:ing|ed)|scrapped|reverted to|made up (?:our|my) minds?|made the (?:call|decision)|choosed"
    r"|choosen|bann(?:ed|ing)|outlaw(?:ed|ing)|forbidding|forbade|prohibit(?:ed|ing)|mandat(?:ed|ing)|commit(?:ting"
    r"|ted)? to|sign(?:ed|ing) off on|settling on|landing on)\b(?!\s+(?:the flow|up|it through|around|out)\b)"
)
_CHOSE_STEMS: Final = (
    "chose chosen choosing picked selected adopted approved rejected discarded dismissed abandoned ruled vetoed"
    " accepted dropped finalised finalized locked standardis standardiz went will go going gone ended stuck"
    " sticking stick stay moving moved switch dropping ditch scrap keeping retiring deprecat sunsetting replac"
    " made settling landing goin goign gonig gonna choose banned banning outlawed outlawing forbidding forbade"
    " prohibited prohibiting mandated mandating committing committed commit signed signing"
)
LET_US: Final = r"\blet(?:['\u2019]?s| us)(?:\s+(?:just|then|all|definitely|now|simply))?\s+"
_I_GO: Final = r"\bi(?:['\u2019]?m (?:going|gonna go)| am going|['\u2019]ll go| will go| went)(?: ahead)?"
CONTRAST: Final = r"(?:instead of|rather than|in favou?r of)"
_COMMIT: Final = r"^\W*(?:(?:feat|fix|chore|refactor|build|docs|perf|ci|style|test)(?:\([\w-]+\))?!?:\s*)?"
OPENING: Final = (
    rf"^\W*+(?:(?:{GREETINGS}|ok|okay|alright|yeah|yes|so|and|right|fine|great|cool|sure|well|then|fyi|hi all"
    r"|quick summary)\b\W*+){0,3}"
)
_OPTION: Final = (
    r"(?:option|alternative|proposal|approach|idea|design|plan|variant|version|candidate|tool|library|vendor)"
)
_OF_BUYERS: Final = r"\b(?:refund\w*|money back|purchase\w*|bought|ordered|item|government|demand\w*)\b"
"""Beside these somebody takes a purchase back, or the news tell of demands."""

DECIDING_RULES: Final = (
    rule("team decided", 0.74, beside=f"i me pm devops {DECIDER_STEMS}")(
        "decided desided desieded decieded deceided deicded decded dedided decidd dicided agreed agred settled opted"
        " concluded resolved voted elected committed aligned signed landed converged confirmed",
        rf"{WE_HAVE}{_DECIDED}",
    ),
    rule("team chose", 0.66, beside=f"i me pm devops {DECIDER_STEMS}")(
        f"green {_CHOSE_STEMS}", rf"{WE_HAVE}{_CHOSE}"
    ),
    rule("let us choose", 0.66)(
        "let lets",
        rf"{LET_US}(?:go (?:ahead )?with|stick (?:with|to)|settle on|standardi[sz]e on|opt for|pick|choose|adopt"
        r"|switch (?:over )?(?:from [^.;,]{2,30} )?to|move (?:to|away from)|commit to|drop|ditch|scrap)\b"
        r"(?!\s+(?:the flow|(?:this|that|it) up|it\b|by|in on|off|together)|[^\w\u00b7]*$)",
        rf"{LET_US}do (?:it|this|that) (?:your|the other|the second|the first|the simple) way",
    ),
    rule("let us do", 0.53, needs_work=True)(
        "let lets",
        rf"{LET_US}(?:not\s+\w+|use|make|have|split|store|put|build|write|run|set|limit|default|version|avoid"
        r"|replace|ship|skip|start with|require|treat|name|call|merge|deploy|hold off|support|follow|prefer|expose"
        r"|enforce|encrypt|hash|log|cache|return|target|pin)\b",
        rf"{LET_US}(?:keep|stay)(?!\s+(?:\w+ing|each|up|at|it|in|[\w ]{2, 20} (?:open|undecided))\b)\b",
    ),
    rule("was decided", 0.7)(
        "decided agreed settled resolved concluded deal",
        r"\b(?:it|this|that|which|these|matter|everything)(?:['\u2019]s|\s+(?:is|was|has been|had been"
        r"|been))?(?:\s+(?:now|then|also|finally|all|been|unanimously))*\s+(?:decided|agreed|settled|resolved to"
        r"|concluded)\b(?! (?:by|in|at) (?:the |a )?(?:scheduler|runtime|compiler|config\w*|flag|server|client"
        r"|caller|value|type|parameter|code|browser|system)\b)",
        r"\bdone deal\b",
    ),
    rule("as decided", 0.62)(
        "decided agreed decision agreement confirmation",
        r"\bas (?:was |we |already |just |previously )*(?:decided|agreed)\b",
        r"\bper (?:our|the|your|management|board|team|[\w-]+['\u2019]s) (?:\w+ )?(?:decision|agreement"
        r"|confirmation)\b",
    ),
    rule("the chosen one", 0.72)(
        "chosen accepted selected agreed preferred final settled chose picked went",
        r"\b(?:the|our)\s+(?!final version)(?:chosen|accepted|selected|agreed|preferred"
        rf"|final)\s+(?:[\w-]+\s+)?(?:{_OPTION}"
        r"|solution|strategy|format|architecture|stack|method)\s+(?:is|was|will be)\b",
        rf"\b{_OPTION} (?:i|we)(?:['\u2019]ve)? (?:settled on|chose|picked|went with)\b",
    ),
    rule("minds changed", 0.64, unless=_OF_BUYERS)(
        "minds mind scrap final",
        r"\bchanged (?:my|our) minds?\b",
        r"\bscrap (?:the|that)\b",
        r"\b(?:that['\u2019]?s|is) the final\b",
    ),
    rule("two decided", 0.58)(
        "decided agreed settled",
        r"^\W*\w+ and \w+ (?:have )?(?:decided|agreed|settled)(?=\s+(?:to|on|that|against|not)\b)",
    ),
    rule("team chooses", 0.6)(
        "choose select adopt reject settle opt",
        r"\b(?:we|this (?:rfc|adr|pr|record|document)) (?:hereby |therefore |now )?(?:chooses?|selects?|adopts?"
        r"|rejects?|settles? on|opts? for)\b",
    ),
    rule("team keeps", 0.54, needs_work=True, beside="we")(
        "keep drop stay stick", r"\bwe (?:keep|drop|stay (?:with|on)|stick (?:with|to))\b(?!\s+\w+ing\b)"
    ),
    rule("i go with", 0.57, beside="i im")("going go went", rf"{_I_GO} with\b(?! the flow)"),
    rule("i go with it for", 0.62, beside="i im")(
        "going go went sticking staying",
        rf"(?:{_I_GO}|\bi['\u2019]?m (?:sticking|staying)) (?:with|to(?! (?:an?|the|my|our|his|her)\b))"
        r" (?:[\w.+#-]+ ){1,4}for (?!(?:an? (?:walk|run|drive|swim|hike|ride|while)|fun)\b)",
    ),
    rule("switching", 0.54, needs_work=True)(
        "switching moving migrating renaming replacing changing dropping",
        rf"{OPENING}(?:switching|moving|migrating|renaming|replacing|changing|dropping)\b[^.;,]{{2,60}}\b(?:to"
        r"|with|by|from)\b",
    ),
    rule("left out", 0.56)(
        "table scope",
        r"\boff the table\b",
        r"\bout of scope\b",
    ),
    rule("the reason for choosing", 0.58)(
        "rationale reasoning reason",
        r"\b(?:the|our|my) (?:rationale|reasoning|reason) (?:for|behind) (?:picking|choosing|selecting|using"
        r"|adopting|going with|dropping|rejecting|keeping)\b",
    ),
    rule("the decision to", 0.55, needs_work=True)(
        "decision", r"\b(?:the|our|this|that) decision (?:to|that|against)\b"
    ),
    rule("bare decision", 0.64)(
        "decided agreed opted resolved voted elected concluded settled goin sticking ruled went switching moving"
        " dropping chose picked selected approved rejected adopted",
        rf"{OPENING}(?:decided|agreed|opted|resolved|voted|elected|concluded)(?=\s+(?:to|on|that|for|against"
        r"|not|in favou?r)\b)",
        rf"{OPENING}(?:settled on|(?:were |its )?(?:going|goign|goin) with(?! (?:the (?:kids|train|bus|car)|friends"
        rf"|him|her|them)\b)|sticking with|ruled out|went with|switching to|moving (?:to"
        r"|away from)|dropping)\b",
        rf"{OPENING}(?:chose|picked|selected|approved|rejected|adopted)(?=\s+\S+)",
    ),
    rule("from now on", 0.62, beside="on onwards forward henceforth immediately")(
        "now forward henceforth effective from",
        r"\b(?:from now on|from (?:today|tomorrow|monday) on(?:wards)?|going forward|henceforth|from here on"
        r"|effective immediately)\b",
    ),
    rule("i decided", 0.56, beside="i")(
        "deci agre settled opted concluded resolved voted committed landed confirmed",
        rf"{I_HAVE}(?!(?:agreed|committed) to\b){_DECIDED}",
    ),
    rule("i decided of work", 0.63)(
        "decided opted",
        rf"{I_HAVE}(?:decided|opted) (?:to (?:use|drop|switch (?:to|from|over)|replace|remove|migrate|adopt"
        r"|rename|merge|deprecate|ban|standardi[sz]e|disable|enable|rewrite|convert|scrap|stick (?:with|to)|go"
        r" (?:with|for)|keep"
        rf"|stay (?:with|on)|rely on|default to)\b(?! (?:it|this|that|them)\W*$)|[^.;]{{3,80}}{CONTRAST})",
    ),
    rule("i chose", 0.52, beside="i")(_CHOSE_STEMS, rf"{I_HAVE}{_CHOSE}"),
    rule("option chosen", 0.6, beside="was were has have got is are considered")(
        "rejected ruled discarded dropped turned dismissed chosen selected approved accepted adopted preferred"
        " picked",
        rf"\b(?:{_OPTION}|{GROUP})\b[^.;]{{0,40}}\b(?:was|were|has been|have been|got|is"
        r"|are)\s+(?:\w+ly\s+)?(?:rejected|ruled out|discarded|dropped|turned down|dismissed|chosen|selected"
        r"|approved|accepted|adopted)\b",
        r"\bconsidered (?:and|but) (?:then )?(?:rejected|ruled out|dismissed|discarded|dropped)\b",
        r"\bwas (?:rejected|ruled out|dropped) (?:in favou?r|as (?:too|it))\b",
        r"^\W*(?!the\b)(?-i:[A-Z])[\w.+#]*(?: [\w.]+)? was (?:rejected|ruled out|dropped|dismissed) (?:because|due"
        r" to|for)\b",
    ),
    rule("against alternatives", 0.53, needs_work=True)(
        "instead rather favor favour", rf"\b(?:we|i)(?:['\u2019](?:ve|re|m))?\s+(?:\w+\s+){{0,12}}?{CONTRAST}"
    ),
    rule("work is changed", 0.53, needs_work=True)(
        "instead rather favor favour because agreed decided",
        rf"{_COMMIT}(?:use|switch|adopt|replace|migrate|move|drop|prefer|standardi[sz]e on|keep|pin|retire"
        r"|deprecate|store"
        rf"|implement|make|host|remove|run|serve|write)\b[^.;]*?(?:{CONTRAST}|because\b|\bas agreed|as decided)",
    ),
    rule("work is settled", 0.54, needs_work=True)(
        "adopt standardise standardize switch migrate move prefer retire deprecate",
        rf"{_COMMIT}(?:adopt|standardi[sz]e (?:on|all|the)|(?:switch|migrate|move) (?:\w+ ){{0,3}}(?:from|to)"
        r"|prefer|retire|deprecate)\b",
    ),
    rule("rationale", 0.54, needs_work=True)(
        "rationale reasoning begr\u00fcndung", r"^\W*(?:rationale|reasoning|begr\u00fcndung)\s*:"
    ),
)
ORDERS: Final = frozenset({"work is settled", "work is changed", "let us do", "let us use it"})
"""Rules of what is to be done now: it says little of what holds, and an assistant's lists of advice are full of it."""
NOT_OURS: Final = late(
    r"(?i)\b(?:the user|the server|the client|the judge|competitor|customer|your ip|the compiler|the scheduler"
    r"|promise|hypothesis|participants|patients)\b[^.]{0,20}\b(?:rejected|decided(?! (?:on|that we|we|against)\b)"
    r"|chose|chooses|decides|picks)\b"
)
OTHERS: Final = late(r"(?i)^\W*(?:\w+,\s+)?(?:you|he|she|they|his|her|their)\b")
