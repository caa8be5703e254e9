"""Wordings of decisions about the future: a team's plans, and rules for everyone."""

from __future__ import annotations

from functools import partial
from typing import Final

from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.decision_cues import CONTRAST, GROUP

ADOPT: Final = (
    r"(?:use|go|adopt|move|switch|keep|store|host|support|run|migrate|deploy|build|drop|replace|write"
    r"|terminate|encrypt|expose|version|split|implement|create|continue|standardi[sz]e|rely|provide|maintain"
    r"|manage|enforce|require|stop|remove|rename|retire|deprecate|treat|apply|introduce|configure|provision"
    r"|place|put|publish|combine|merge|share|start|allow|serve|set|add|have|make|take|define|automate|separate"
    r"|extend|limit|restrict|proxy|route|install|stick|stay|follow|default|talk|live|expire|never|no longer"
    r"|only|always|not|ship|accept|record|log|sign|cache|hash|return|send|discard|exclude|include|measure"
    r"|charge|offer|close|reduce|delay|skip|freeze|pause|archive|delete|ignore|prefer|assume|target|license"
    r"|rewrite|rebuild|call|name|prioriti[sz]e|invest|hire|drop|cap|hold off|squash|rebase|self-host|vendor"
    r"|paginate|validate|generate"
    r"|inline|batch|compress|deduplicate|normali[sz]e|mock|lint|retry|queue|index|mirror)"
)
_BECOME: Final = (
    r"be (?:written|built|deployed|hosted|stored|based|kept|served|versioned|run|handled|managed|implemented"
    r"|configured|pulled|enforced|encrypted|rebuilt|done|made|limited|used|renamed|removed|retired|replaced"
    r"|released|moved|signed|reviewed|supported|required|dropped|migrated|split|merged|published|hashed|cached"
    r"|logged|sent|exposed|required|supporting|using|moving|dropping|running|keeping|switching)"
)
_CHANGING: Final = (
    r"(?:killing|moving|dropping|switching|retiring|removing|replacing|deprecating|sunsetting|freezing|adopting"
    r"|migrating"
    r"|standardi[sz]ing|consolidating|splitting|pausing|rolling back|cutting|cancell?ing|discontinuing|phasing out)"
)
_MUST: Final = (
    r"(?:will|must|shall|is going to|are going to)\s+(?:not |only |never |always |now )?"
    rf"(?:{ADOPT}|{_BECOME})\b"
)

_plan = partial(rule, needs_work=True, is_plan=True)

PLAN_RULES: Final = (
    _plan("team is changing", 0.54)(
        "killing moving dropping switching retiring removing replacing deprecating sunsetting"
        " freezing adopting migrating standardising standardizing consolidating splitting pausing rolling",
        rf"(?:\bwe(?:['\u2019]re| are)|{GROUP} (?:is|are))(?:\s+(?:now|also|finally"
        rf"|not))?\s+{_CHANGING}\b(?!\s+(?:on|in|house|out)\b)",
        rf"\bi(?:['\u2019]m| am)\s+{_CHANGING}\s+the\b",
    ),
    _plan("team will", 0.54)(
        "will shall won going ll",
        rf"(?:\bwe|{GROUP})(?:['\u2019]ll|\s+(?:will|shall|won['\u2019]?t|are (?:not )?going to)"
        r"|['\u2019]re (?:not )?going to)(?:\s+(?:\w+ly|not|no longer))?\s+"
        rf"(?:{ADOPT}|{_BECOME})\b(?!\s+(?:to (?:decide|see|wait|discuss|check)|a look|time|back|\w+ing\b))",
    ),
    _plan("rule for all", 0.48)(
        "will must shall going",
        rf"^\W*(?:all|every|each|no|any|teams|new|clients|services|developers|the)\b[^.;,]{{0,60}}\b{_MUST}",
    ),
    _plan("rule with a reason", 0.54)(
        "will must shall going",
        r"^\W*(?:so|therefore|thus|hence|consequently|(?:given|since|because|as|to"
        rf"|for)\s[^,]{{3,80}}),?\s[^.;,]{{2,60}}?\b{_MUST}",
    ),
    _plan("all must", 0.54)("must shall", r"^\W*(?:all|every|each|no)\b[^.;,]{2,60}\b(?:must|shall)\b"),
    _plan("i will not the other", 0.53)(
        "instead rather favor favour",
        r"\bi(?:['\u2019]ll|['\u2019]m going to| will| am going to)\s+(?!be\b|need\b"
        rf"|have\b)[^.;?]{{3,120}}?\b{CONTRAST}",
    ),
)
