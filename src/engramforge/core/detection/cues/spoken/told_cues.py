"""Wordings that tell in a few words how it is to be: what nobody touches, which thing is taken for a part, in which
form and unit something is kept.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.decision_cues import OPENING
from engramforge.core.detection.cues.spoken.setting_cues import TOLD

_APOSTROPHE: Final = r"['\u2019]?"
_WORD: Final = r"[\w'\u2019/&-]{2,30}"
_BARE: Final = (
    r"(?!(?:the|my|your|his|her|their|its|this|that|these|those|an?|i|we|you|he|she|it|they|there|what|who|when|how"
    rf"|why|if|not|no|some|all|see|look|check|fix|put|find|lost|left|stuck)\b){_WORD}"
)
_SEEN: Final = (
    rf"{TOLD}|\b(?:typos?|issues?|problems?|faults?|leaks?|exceptions?|traces?|warnings?|missing|empty|sees?|saw"
    r"|yesterday|no idea|because of|cats?|dogs?|kids?)\b"
)
"""Beside these somebody tells what they see."""
_NO_LACK: Final = (
    r"(?!(?:luck|idea|clue|errors?|warnings?|problems?|data|output|signal|sound|picture|power|wifi|internet|network"
    r"|connection|reception|answer|change|changes|difference|results?|logs?|progress|news|way|need|milk|coffee|time"
    r"|room|space|seats?|one|body|entries|rows|matches|tests|messages?|mails?)\b)"
)
"""What is missing somewhere is seen, not ruled out."""
_FOR_NOW: Final = (
    r"\b(?:yet|for now|for the moment|until|till|while|this time|just (?:explain|tell|look|show|read|answer"
    r"|describe|list|say)|only (?:explain|tell|look|show|read|answer|describe|list)|let me|i['\u2019]?(?:m|ll)|wait"
    r"|first|in progress|wip|for this|before i|once|tests? (?:pass|are))\b"
)
"""Beside these it is left alone for the moment."""
_PATH: Final = (
    r"(?:[\w@.-]{0,40}/[\w@./*-]{0,80}|[\w-]{1,40}(?:\.[\w-]{1,20})?\.(?!(?:e|g|i)\b)[a-z][a-z0-9]{0,9})"
)
_THEN: Final = (
    r"(?:syncs?|flush|upload|expire|refresh|clear|purge|evict|retry|send|push|rotate|archive|compact|invalidate"
    r"|encrypt|replay|resend|reload|regenerate|drop|delete)"
)
_PART: Final = (
    r"(?:(?:message )?broker|message (?:bus|queue)|job queue|database|db|cache|orm|(?:web )?framework|front ?end"
    r"|back ?end|host(?:er|ing)|mail(?:er| provider| service)?|search|storage|auth|payments?|ci|language|runtime"
    r"|bundler|linter|formatter|test runner|charts?|maps?|map tiles|router|(?:reverse )?proxy|web ?server|monitoring"
    r"|styling|css|protocol|licen[cs]e|font|time ?zone|package manager|state management|deployment|containers?"
    r"|secrets|analytics|error tracking|feature flags|i18n|templates?|migrations|firmware|os|vpn|dns|cdn)"
)
_NO_STATE: Final = (
    r"(?!(?:ok(?:ay)?|fine|good|bad|up|down|on|off|yes|no|none|nothing|unknown|todo|tbd|later|maybe|broken|slow|fast"
    r"|full|empty|endless|very|quite|rather|really|too|so|long|short|high|low|large|huge|big|small|hit|miss|locked"
    r"|dead|green|red|yellow|stuck|open|closed|ready|healthy|timeout|error|errors|warning"
    r"|connection|cannot|can|could|not|still|why|what|how|which|who|when|where|is|are|see|check|fix|new|old|same|done"
    r"|works?|fails?|crash\w*|refus\w+|version|unable|access|permission|invalid|please|the|an?|my|our|your|some|it"
    r"|this|that|i|we|you|use|add|one|two|three|test|tests|\w+ed|\w+ing)\b)"
)
_SHAPE: Final = (
    r"(?:digits?|letters?|characters?|chars?|prefix|uppercase|lowercase|upper case|lower case|hex|uuids?|ulids?"
    r"|base(?:32|36|58|62|64)|check ?digit|zero[- ]padded|kebab-case|snake_case)"
)

TOLD_SPOKEN_RULES: Final = (
    rule("hands off", 0.66, unless=_FOR_NOW, is_denied=False, least=0.6)(
        "dont don do never",
        rf"{OPENING}(?:please |pls )?(?:do not|don{_APOSTROPHE}t|never) (?:ever )?(?:touch|edit|change|modify|rename"
        rf"|delete|remove|move|reformat|rewrite|overwrite|refactor) (?:anything (?:in|under|below) )?(?:the "
        rf"|our )?{_PATH}(?: (?:by hand|manually|folder|directory|dir|file|module))?"
        r"(?=\W*$|\s*[,;(\u2014\u2013]|\s-\s|\s(?:because|bc|since|as|cause)\b)",
    ),
    rule("none of it there, but that", 0.66, unless=_SEEN, is_denied=False, least=0.6)(
        "no",
        rf"{OPENING}no {_NO_LACK}{_BARE}(?: {_BARE})? (?:on|in|at) (?:the |our |any )?{_WORD}(?: {_WORD})?[,;:]"
        r" (?:(?:they|these|those|we|that one|that)\s)?(?:just|only|simply|always|plain)\s\w[^;?]{2,80}$",
    ),
    rule("used for all of it", 0.66, unless=_SEEN, least=0.6)(
        "use",
        rf"{OPENING}(?:and )?(?:we|i) (?:only )?use (?!(?:it|that|this|them|these|those|one|the|an?|my|your|our)\b)"
        r"[\w@][\w.+#/-]{1,30}(?: [\w.+#-]{1,20}){0,2} for (?:everything|anything|all|every|each|any)\b[^;?]{0,60}$",
    ),
    rule("in that unit everywhere", 0.66, unless=_SEEN, is_denied=False, least=0.6)(
        "everywhere throughout",
        rf"{OPENING}{_BARE}(?: {_BARE})? (?:are |is |go )?(?:always )?(?:in|as|via|with) {_BARE}(?: {_BARE})?"
        r" (?:everywhere|throughout)(?=\W*$|[,;])",
    ),
    rule("made up of these", 0.66, unless=_SEEN, is_denied=False, least=0.6)(
        "id ids number numbers code codes slug slugs key keys label labels tag tags sku skus name names filename"
        " filenames branch branches token tokens password passwords",
        rf"^\W*(?:(?!(?:error|exit|status|wrong|line|bad|http|return)\b){_WORD} ){{0,2}}(?:ids?|numbers|codes|slugs?"
        r"|keys|labels|tags|skus?|names|filenames|branches|branch names|tokens|passwords): (?!(?:what|how|why|which"
        rf"|no|not|still|only \d+ of)\b)[^.;:?]{{2,80}}?\b{_SHAPE}\b",
    ),
    rule(
        "kept there, and then that",
        0.64,
        unless=rf"{_SEEN}|\b(?:test|demo|you)\b",
        is_denied=False,
        least=0.58,
    )(
        "sync syncs flush upload expire refresh clear purge evict retry send push rotate archive compact invalidate"
        " encrypt replay resend reload regenerate drop delete",
        rf"{OPENING}{_BARE}(?: {_BARE}){{0,2}} (?:in|on|via) (?:an? )?{_BARE}(?: {_BARE})?, (?:and )?(?:then )?{_THEN}"
        r" (?!(?:it|that|this|them)\b)(?:[\w-]{2,20} ){0,3}?(?:when|once|on|every|at|after|as soon as|daily|weekly"
        r"|hourly|nightly)\b[^;?]{0,60}$",
    ),
    rule("that is taken for it", 0.66, unless=_SEEN, is_denied=False, least=0.6)(
        "broker bus queue database db cache orm framework front frontend back backend hoster hosting mail mailer search"
        " storage auth payment payments ci language runtime bundler linter formatter runner chart charts map maps"
        " tiles router proxy server webserver monitoring styling css protocol license licence font time timezone"
        " manager management deployment container containers secrets analytics tracking flags templates template"
        " migrations firmware os vpn dns cdn",
        rf"^\W*(?:(?:the|our) )?(?:(?!(?:error|note|todo|question|what|why|how|is|in|on)\b){_WORD} )?{_PART}"
        rf"(?: (?:on|for|in|of|at) (?:(?:the|our|each|every) )?{_WORD}(?: {_WORD})?)?: {_NO_STATE}"
        rf"[a-z@][\w.+#/-]{{1,30}}(?: {_NO_STATE}[\w.+#-]{{1,20}})?"
        r"(?=\W*$|, (?!(?:and|but|or|not|why|what|is|are|it)\b)[\w ./:-]{2,40}\W*$)",
    ),
)
