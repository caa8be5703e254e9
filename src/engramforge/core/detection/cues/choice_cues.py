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
CHOICE_RULES: Final = (
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
