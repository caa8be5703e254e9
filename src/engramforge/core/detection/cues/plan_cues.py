"""Wordings of decisions about the future: a team's plans, and rules for everyone."""

from __future__ import annotations

from functools import partial
from typing import Final

from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.deciders import DECIDER_STEMS, GROUP
from engramforge.core.detection.cues.decision_cues import CONTRAST, OPENING

ADOPT: Final = (
    r"(?:use|go|adopt|move|switch|keep|store|host|support|run|migrate|deploy|build|drop|replace|write|terminate"
    r"|encrypt|expose|version|split|implement|create|continue|standardi[sz]e|rely|provide|maintain|manage|enforce"
    r"|require|stop|remove|rename|retire|deprecate|treat|apply|introduce|configure|provision|place|put|publish"
    r"|combine|merge|share|start|allow|serve|set|add|have|make|take|define|automate|separate|extend|limit|restrict"
    r"|proxy|route|install|stick|stay|follow|default|talk|live|expire|never|no longer|only|always|not|ship|accept"
    r"|record|log|sign|cache|hash|return|send|discard|exclude|include|measure|charge|offer|close|reduce|delay|skip"
    r"|freeze|pause|archive|delete|ignore|prefer|assume|target|license|rewrite|rebuild|call|name|prioriti[sz]e"
    r"|invest|hire|cap|hold off|squash|rebase|self-host|vendor|paginate|validate|generate|inline|batch|compress"
    r"|deduplicate|normali[sz]e|mock|lint|retry|queue|index|mirror)"
)
_BECOME: Final = (
    r"be (?:written|built|deployed|hosted|stored|based|kept|served|versioned|run|handled|managed|implemented"
    r"|configured|pulled|enforced|encrypted|rebuilt|done|made|limited|used|renamed|removed|retired|replaced|released"
    r"|moved|signed|reviewed|supported|required|dropped|migrated|split|merged|published|hashed|cached|logged|sent"
    r"|exposed|supporting|using|moving|dropping|running|keeping|switching)"
)
_CHANGING: Final = (
    r"(?:killing|moving|dropping|switching|retiring|removing|replacing|deprecating|sunsetting|freezing|adopting"
    r"|migrating|standardi[sz]ing|banning|forbidding|consolidating|splitting|pausing|rolling back|cutting"
    r"|cancell?ing|discontinuing|phasing out)"
)
_FROM_DAY: Final = (
    r"(?:from|as of|starting|beginning|effective)(?: from| with| on| in)? (?:(?:today|tomorrow|(?:next |this"
    r" )?(?:(?:mon|tues|wednes|thurs|fri)day|week|month|sprint|release|quarter|year)|(?:version|release|sprint|v)"
    r" ?\d[\w.]*|q[1-4]|january|february|march|april|june|july|august|september|october|november|december)\b)(?:"
    r" on(?:wards?)?\b)?,?"
)
_PRACTICE: Final = (
    r"(?:us(?:e|ing)|support(?:ing)?|accept(?:ing)?|issu(?:e|ing)|allow(?:ing)?|ship(?:ping)?|build(?:ing)?"
    r"|deploy(?:ing)?|merg(?:e|ing)|offer(?:ing)?|run(?:ning)?|maintain(?:ing)?|stor(?:e|ing)|writ(?:e|ing)"
    r"|publish(?:ing)?|releas(?:e|ing)|provid(?:e|ing)|sign(?:ing)?|host(?:ing)?|serv(?:e|ing)|send(?:ing)?"
    r"|generat(?:e|ing)|rely(?:ing)? on|target(?:ing)?|requir(?:e|ing)|do|doing|cache|caching|log(?:ging)?)"
)

_plan = partial(rule, needs_work=True, is_plan=True)

PLAN_RULES: Final = (
    _plan("team is changing", 0.54, beside=f"i {DECIDER_STEMS}")(
        "killing moving dropping switching retiring removing replacing deprecating sunsetting banning forbidding"
        " freezing adopting migrating standardising standardizing consolidating splitting pausing rolling",
        rf"(?:\bwe(?:['\u2019]re| are)|{GROUP} (?:is|are))(?:\s+(?:now|also|finally"
        rf"|not))?\s+{_CHANGING}\b(?!\s+(?:on|in|house|out)\b)",
    ),
    _plan("team will", 0.54, beside=DECIDER_STEMS)(
        "wil will shall won going gonna ll",
        rf"(?:\bwe|{GROUP})(?:['\u2019]ll|\s+(?:will?|shall|won['\u2019]?t|are (?:not )?(?:going to|gonna))"
        r"|['\u2019]?re (?:not )?(?:going to|gonna))(?:\s+(?:\w+ly|not|no longer))?\s+"
        rf"(?:{ADOPT}|{_BECOME})\b(?!\s+(?:to (?:decide|see|wait|discuss|check)|a look|time|back|\w+ing\b))",
    ),
    _plan("from a day on", 0.56)(
        "today tomorrow monday tuesday wednesday thursday friday week month sprint release quarter year version v q"
        " january february march april june july august september october november december",
        rf"{OPENING}{_FROM_DAY}\s+(?:we|everyone|everybody|nobody) (?:(?:only|all|always|no longer|now|also"
        r"|\w+ly) )?(?!(?:have|had|see|are|were|get|got|need|know|can|could|might|may|should|meet|think|want|is"
        r"|be)\b)\w+",
    ),
    _plan("no longer done", 0.55, beside="we team")(
        "longer anymore any",
        rf"\b(?:we|the team)(?:['\u2019]re| are| will|['\u2019]ll)? no longer {_PRACTICE}\b",
    ),
    _plan("all must", 0.54)("must shall", r"^\W*(?:all|every|each|no)\b[^.;,]{2,60}\b(?:must|shall)\b"),
    _plan("i will not the other", 0.53)(
        "instead rather favor favour",
        r"\bi(?:['\u2019]ll|['\u2019]m going to| will| am going to)\s+(?!be\b|need\b"
        rf"|have\b)[^.;?]{{3,120}}?\b{CONTRAST}",
    ),
)
