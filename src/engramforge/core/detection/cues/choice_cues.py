"""Wordings of a choice: what won, what it is, what is taken; decisions that are called so."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.deciders import BODY, GROUP
from engramforge.core.detection.cues.decision_cues import CONTRAST, OPENING

_NO_NAME: Final = (
    r"what\w*|how\w*|as|so|that|this|where\w*|who|which\w*|when\w*|if|like|because|than|then|think|know|says?|said"
    r"|way|whether|is|are|was|not|believe|hope|see|guess|time|\w+day|tomorrow|tonight|noon|morning|here|there|now"
    r"|and|but|or|here's|since|though|while|until|unless|once|till"
)
"""Words in "X it is" with which X is no name."""
CHOICE_RULES: Final = (
    rule("the choice fell on", 0.68)(
        "fell went goes landed",
        r"\b(?:decision|choice|vote|verdict) (?:fell on|went to|goes to|landed on)\s+(?!(?:me|you|us|him|her|court"
        r"|trial)\b)\S",
    ),
    rule("the winner is", 0.6, needs_work=True)(
        "winner winning won",
        r"\bthe winn(?:er|ing option) (?:of [^.;:]{3,50} )?is\b(?! (?:not|still|unclear)\b)",
        r"\bwon the (?:vote|poll|bake-?off|comparison|evaluation)\b",
    ),
    rule("leave was given", 0.62, beside="green go blessing nod approval ok okay")(
        "gave given got",
        rf"\b(?:{GROUP}) (?:gave|has given|have given) (?:us |it )?(?:the|its|their|a) (?:green light|go"
        r"|go-?ahead|blessing|nod|approval) (?:for|to)\b",
        r"\b(?:got|was given|has|have) the (?:green light|go-?ahead|nod|blessing|approval|ok|okay) (?:from|by"
        rf"|of) (?:the |our )?{BODY}\b",
    ),
    rule("it will be this", 0.56, needs_work=True, beside="ll will s is")(
        "it",
        rf"{OPENING}it(?:['\u2019]ll be| will be|['\u2019]s going to be| is going to be"
        r"|['\u2019]s) (?!\w+day\b)(?-i:[A-Z])[\w.+#-]+(?= for\b| then\b|\W*$)",
    ),
    rule("a decision is", 0.68)(
        "decision desicion descision choice",
        r"(?:^\W*(?:so |and |ok |the |our |my |final |team )*|\b(?:the|our|my|team) (?:final )?)(?:decision|desicion"
        r"|descision|choice) (?:is|was)(?: to| that| for| against|:)?\s+(?!(?:still|pending|open|yours|up|not|made"
        r"|taken|hard|due|whether|between|based|an?|too|very|so|really|difficult|tough|simple|easy|important|wrong"
        r"|right|good|bad|his|her|their|your|currently|being|going|what|how|when|who|why|if|limited|final|reached"
        r"|clear|already|in|on|at|by|the (?:right|wrong|best|hardest|same))\b)\S",
        r"\b(?:unanimous|clear|final|joint|team|the|our|my) decision (?:for|in favou?r of|against) (?!you|me|us|the"
        r" next)\S",
        r"^\W*decision (?:for|in favou?r of|against) (?!you|me|us|the next)\S",
    ),
    rule("made the decision", 0.68, beside="decision choice call")(
        "made took taken reached",
        r"\b(?:we|i|the team|management|the board)(?:['\u2019]ve)?(?: (?:have|has|all|finally|already|now"
        r"|just)){0,2} (?:made|took|taken|reached) (?:the|a|our|my) (?:\w+ )?(?:decision|choice|call(?! to (?:the|my"
        r"|a|our|his|her)\b)) (?:to|that|for|on|against|not)\b",
    ),
    rule("consensus on", 0.64)(
        "consensus agreement",
        r"\b(?:there(?:['\u2019]s| is)|we have|we['\u2019]ve got|(?:we )?reached) (?:an? )?(?:clear |full |general "
        r"|broad )?(?:consensus|agreement) (?:on|that|to|for|about|around)\b(?! (?:how|whether|what|which)\b)",
        r"^\W*(?:the )?consensus (?:is|was)\b(?! (?:still|not|hard|missing)\b)",
    ),
    rule("set on", 0.66)(
        "set sold agreed settled decided aligned united",
        r"\bwe(?:['\u2019]re| are) (?:\w+ )?(?:set|sold|agreed|settled|decided|aligned|united) on\b(?! (?:fire"
        r"|edge)\b)",
    ),
    rule("hereby decide", 0.68)(
        "decide resolve hereby",
        rf"{OPENING}(?:we|i) (?:hereby |therefore |now |thus )?(?:decide|resolve) (?:that|to|on|against)\b",
        r"\b(?:we|i) hereby (?:decide|resolve|agree|adopt|approve|choose|retire|deprecate)\b",
    ),
    rule("it is this", 0.62, beside="is remains stays shall will")(
        "it",
        rf"(?:{OPENING}|[,:]\s)(?:(?:btw|then|therefore|in the end)"
        rf" )?(?:(?!(?:{_NO_NAME})\b)[\w.+#/'\u2019-]{{2,40}} ){{1,4}}it"
        r" (?:is|remains|stays|shall be|will be)(?=\W*$|\s*[,.;!\u2014\u2013-]|\s+(?:then|now|for|from|in"
        r"|everywhere)\b)",
    ),
    rule("is what we chose", 0.66, beside="what")(
        "decided agreed settled chose picked use using going taking",
        r"\b(?:is|are) (?:exactly |now )?what we(?:['\u2019](?:ve|re)| have| are)? (?:decided|agreed|settled on"
        r"|chose|picked|use|using|going with|taking)\b",
    ),
    rule("the way to go", 0.55, needs_work=True, beside="is are")(
        "way standard default choice pick banned forbidden mandatory prohibited deprecated",
        r"\b(?:is|are) (?:now )?(?:the way (?:to go|we go|we['\u2019]re going)|our (?:new )?(?:standard|default"
        r"|choice|pick))\b",
        r"\b(?:is|are) (?:now|hereby|officially) (?:banned|forbidden|mandatory|prohibited|deprecated|the (?:standard"
        r"|default))\b",
    ),
    rule("it has won after all", 0.58, needs_work=True)(
        "won wins came",
        r"\b(?:voted|vote|compar\w+|discussion|evaluation|debate|bake-?off|benchmarks?|spike|both|in the"
        r" end)\b[^;]{0,80}?\b(?:won|wins|came out (?:on top|ahead|first))\b",
    ),
    rule("team takes", 0.55, needs_work=True)(
        "take took taken taking",
        r"\bwe(?:['\u2019](?:ll|re|ve)| will| are| have)?(?: (?:now|just|then|finally|simply))? (?:take|took|taken"
        r"|taking) (?!(?:an?|the|it|that|this|these|our|my|his|her|some|any|no|place|part|care|time|turns|notes"
        r"|action|advantage|over|off|on|out|up|down|back|longer|too|about|into|account|pictures|photos|more|less"
        r"|things|everything|what|\d+)\b)\S",
    ),
    rule("team does", 0.54, needs_work=True, beside="we")(
        "do doing",
        r"\bwe(?:['\u2019]ll| will|['\u2019]re| are)(?: (?:now|just|only|all|going to))? (?:do|doing) (?!(?:an?|the"
        r"|it|that|this|these|so|our|my|some|any|more|all|what|fine|well|good|great|ok|okay|better|everything"
        r"|something|nothing|both|not|much|lots|another|just|\d+)\b)(?![^.;]*\b(?:today|tomorrow|tonight|first|later"
        r"|soon|next|right now|currently|because|at the moment)\b)\S",
    ),
    rule("a named thing is used", 0.62, beside="we")(
        "using taking adopting choosing switching use take",
        r"\bwe(?:['\u2019]ll| will|['\u2019]re going to| are going to) be (?:using|taking|adopting|running on"
        r"|switching to) (?-i:[A-Z])[\w.+#-]+",
        r"\bwe(?:['\u2019]re| are) (?:now |only )?(?:using|taking|adopting|choosing) (?-i:[A-Z])[\w.+#-]+(?=\W*$"
        r"|[,.;]| everywhere)",
    ),
    rule("a topic and its choice", 0.54, needs_work=True)(
        "instead rather not",
        rf"^\W*(?!(?:we|i)\b)[\w /-]{{2,40}}:\s+[^.;:,]{{2,60}}(?:\b{CONTRAST}\b|, not) [^.;:]{{2,40}}\W*$",
    ),
)
