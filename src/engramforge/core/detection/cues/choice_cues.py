"""Wordings of a choice: what won, what it is, what is taken; decisions that are called so."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.decision_cues import CONTRAST, OPENING

_NO_NAME: Final = (
    r"what\w*|how\w*|as|so|that|this|where\w*|who|which\w*|when\w*|if|like|because|than|then|think|know|says?|said"
    r"|way|whether|is|are|was|not|believe|hope|see|guess|time|\w+day|tomorrow|tonight|noon|morning|here|there|now"
    r"|and|but|or|here's|since|though|while|until|unless|once|till"
)
"""Words in "X it is" with which X is no name."""
NO_PART: Final = (
    r"(?!(?:what|how|so|that|this|these|those|it|its|where|who|which|when|why|if|like|because|than|then|think|know|say"
    r"|way|whether|is|are|was|were|be|been|not|no|yes|ok|okay|see|guess|time|\w+day|tomorrow|tonight|today|noon|morning"
    r"|evening|night|week|month|year|later|soon|here|there|now|and|but|or|since|until|till|even|every|just|back|once"
    r"|i|we|you|he|she|they|me|us|him|her|them|my|your|his|their|let|lets|get|gets|got|have|has|had|do|does|did|done"
    r"|go|goes|went|going|gone|come|comes|came|make|makes|made|take|takes|took|show|shows|showed|use|uses|used|want"
    r"|wants|need|needs|print|prints|return|returns|give|gives|gave|see|sees|saw|look|looks|run|runs|ran|put|try|maybe"
    r"|perhaps|good|great|nice|fine|cool|bad|sad|happy|sure|right|wrong|well|bye|hi|hello|hey|thanks|thank|cheers|sorry"
    r"|welcome|luck|problem|worries|idea|deal|enough|all|everything|nothing|anything|something|next|first|last|step"
    r"|only|never|always|still|too|very|much|more|less|most|up|down|on|off|out|in|at|to|for|of|by|with|from|about|see"
    r"|talk|call|tell|ask|wait|stop|start|keep|leave|mind|forget|good|old|back|lunch|dinner|coffee|beer|bed|home"
    r"|work|job|done|ready|pick|choose|same|different|other|another|both|one|man|guys|wow|oh|ah|lol|haha|congrats"
    r"|\w+ed|(?!(?:week|dai|month|night|hour|year|quarter)ly\b)\w+ly|\w+['\u2019]\w+)\b)[\w.+#/-]{2,24}"
)
"""A word of a name that stands without a verb."""
_TURNS_TO: Final = (
    r"(?:ah|oh|no|nah|nope|ok(?:ay)?|hm+|actually|wait|sorry|well|so|right|alright|yeah|yes|and|but|then)\b"
    r"[\s,.!:-]*"
)
_WHY: Final = r"(?:,? (?:because|since|as|so) .{3,100})?\W*$"
_BY_NAME: Final = rf"{NO_PART}(?: {NO_PART}){{0,2}}?"
CHOICE_RULES: Final = (
    rule("taken by its name", 0.64)(
        "then please after",
        rf"^\W*(?:{_TURNS_TO}){{0,4}}{_BY_NAME} (?:instead of|rather than|and not|not) (?:the )?{_BY_NAME}"
        rf" (?:then|please|after all){_WHY}",
        rf"^\W*(?:{_TURNS_TO}){{0,4}}{NO_PART} {_BY_NAME} then{_WHY}",
    ),
    rule("taken by its name instead", 0.64)(
        "instead",
        rf"^\W*(?:{_TURNS_TO}){{1,4}}{_BY_NAME} instead of (?:the )?{_BY_NAME}{_WHY}",
    ),
    rule("the choice fell on", 0.68)(
        "fell went goes landed",
        r"\b(?:decision|choice|vote|verdict) (?:fell on|went to|goes to|landed on)\s+(?!(?:me|you|us|him|her|court"
        r"|trial)\b)\S",
    ),
    rule("a decision is", 0.68)(
        "decision desicion descision choice",
        r"(?:^\W*(?:so |and |ok |the |our |my |final |team )*|\b(?:the|our|my|team) (?:final )?)(?:decision|desicion"
        r"|descision|choice) (?:is|was)(?: to| that| for| against|:)?\s+(?!(?:still|pending|open|yours|up|not|made"
        r"|taken|hard|due|whether|between|based|an?|too|very|so|really|difficult|tough|simple|easy|important|wrong"
        r"|right|good|bad|his|her|their|your|currently|being|going|what|how|when|who|why|if|limited|final|reached"
        r"|clear|already|in|on|at|by|the (?:right|wrong|best|hardest|same))\b)\S",
    ),
    rule("it is this", 0.62, beside="is remains stays shall will")(
        "it",
        rf"(?:{OPENING}|[,:]\s)(?:(?:btw|then|therefore|in the end)"
        rf" )?(?:(?!(?:{_NO_NAME})\b)[\w.+#/'\u2019-]{{2,40}} ){{1,4}}it"
        r" (?:is|remains|stays|shall be|will be)(?=\W*$|\s*[,.;!\u2014\u2013-]|\s+(?:then|now|for|from|in"
        r"|everywhere)\b)",
    ),
    rule("team does", 0.54, needs_work=True, beside="we")(
        "do doing",
        r"\bwe(?:['\u2019]ll| will|['\u2019]re| are)(?: (?:now|just|only|all|going to))? (?:do|doing) (?!(?:an?|the"
        r"|it|that|this|these|so|our|my|some|any|more|all|what|fine|well|good|great|ok|okay|better|everything"
        r"|something|nothing|both|not|much|lots|another|just|\d+)\b)(?![^.;]*\b(?:today|tomorrow|tonight|first|later"
        r"|soon|next|right now|currently|because|at the moment)\b)\S",
    ),
    rule("a topic and its choice", 0.54, needs_work=True)(
        "instead rather not",
        rf"^\W*(?!(?:we|i)\b)[\w /-]{{2,40}}:\s+[^.;:,]{{2,60}}(?:\b{CONTRAST}\b|, not) [^.;:]{{2,40}}\W*$",
    ),
)
