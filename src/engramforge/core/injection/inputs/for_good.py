"""The wordings of warnings that hold for longer than the moment, and of what they name: a session that starts is told
of those, before anything is done.

As in `warning_words`, the sentence has its apostrophes.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.injection.warning_words import CLAUSE, DONE, ORDERED, worded

_OF_THE_MOMENT: Final = (
    r"(?![^.!?\n]{0,80}\b(?:yet|now|today|tonight|tomorrow|until|till|so far|for the moment"
    r"|this (?:week|time|morning|evening|sprint))\b)"
)
_NOT: Final = r"(?:don't|do not)"
_TOLD: Final = (
    "mind|again|ever|say|in|on|at|the|to|an|any|as|been|before|for|from|more|less|once|quite|really|so|such|that|this|with"
    "|after|a|of|by|had|saw|seen|lost|broke|heard|knew|known|got|was|were|did|done|gone|went|came|took|made|thought|found"
    "|felt|gave|kept|left|ran|built|bought|brought|caught|met|paid|sent|sold|understood|won|wrote|written|held|led|fell"
)
_NO_ORDER: Final = r"change a (?:running|winning)\b|\w{1,14}(?:[^e]ed|\w{3}ing|[^s]s|ier)\b"
"""Sayings, and verbs that report."""
_RULE: Final = (
    rf"(?:never(?: ever)?|{_NOT} ever) (?!(?:{_TOLD})\b|{_NO_ORDER})[a-z]{{2,14}}"
    r"(?: (?:up|off|on|out|down|in|from|to|with|at))? (?:the|our|my|any|an?|all|more than|less than)\b"
)
"""An order that holds for good, of whatever it is: "never wake the cat"."""
_DEEDS: Final = (
    r"no (?!problems? |luck |need |idea |chance )(?:[a-z-]{2,12} ){0,2}?(?:force[- ]?push(?:es|ing)?|pushes|deploys"
    r"|deployments|publishes|merges)\b(?! (?:came|went|were|was|are|is|have|has|had|happen\w*|since|found|there|left"
    rf"|pending|needed|necessary|required|from|last|in the)\b){_OF_THE_MOMENT}"
)
FORBIDS_A_DEED: Final = worded(CLAUSE, _DEEDS)
"""What forbids a deed by its noun: "no force pushes"."""
_PROGRAMS: Final = (
    r"(?:npm|npx|pnpm|yarn|pip3?|pipx|conda|uv|poetry|apt(?:-get)?|dnf|brew|cargo|gem|go|mix|git|make|just|docker|podman"
    r"|kubectl|helm|terraform|ansible|systemctl|sudo|gradle|mvn|rake|composer|bundle)"
)
_BARE: Final = (
    r"(?:problems?|issues?|idea|luck|rush|worr(?:y|ies)|hurry|stress|pressure|panic|thanks?|offen[cs]e|need|more|fuss|further"
    r"|matter|way|doubt|errors?|tests?|changes?)\b"
)
_WITHOUT: Final = (
    rf"no (?!{_BARE})[a-z][\w.+@/-]{{1,40}}(?: [a-z][\w.+-]{{1,20}})?"
    r" (?:(?:on|in|at|for|inside) (?:the|our|my|any|this)\b|anywhere\b|here\b)"
)
_AT_NO_TIME: Final = r"(?:(?:not )?ever(?: again)?|under any circumstances|no exceptions)"
_SPOKEN: Final = (
    r"(?:answers?|repl(?:y|ies)|responses?|news|results?|signs?|trace|complaints?|customers?|users?|one|body)\b|"
    r"(?:apolog(?:y|ies)|capitals|chit-?chat|code|comments?|details?|drama|emojis?|essays?|excuses|explanations?|fluff"
    r"|jokes?|lectures?|lists?|output|poems?|questions?|small ?talk|spoilers?|summar(?:y|ies)|surprises?|tables?|text"
    r"|tricks|words|yet|wait|stop|not|sorry|long|big|extra|other|new|one)\b"
)
"""What somebody wants a turn without, and not the project."""
_NEVER_USED: Final = (
    rf"no (?!{_BARE})(?!{_SPOKEN})[a-z][\w.+@/-]{{1,30}}(?: (?!{_SPOKEN})[a-z][\w.+-]{{1,20}})?"
    rf",? (?:pls|plz|please|{_AT_NO_TIME})(?=\s*(?:[.,;:!(]|\Z))"
)
"""What somebody asks to do without, wherever it be: "no orm pls"."""
_ON_A_SYSTEM: Final = (
    r"(?:run|use|call|start|execute|invoke|trigger) (?:the |our )?[`'\"]?[a-z][\w:.-]{2,30}[`'\"]?"
    r" (?:on|in|against|at|over) (?:the |our )?(?:prod(?:uction)?|live|staging|main|real|customer)\b"
)
_PINNED: Final = (
    r"(?:(?:is|are|'s|stays?|remains?) (?:now )?(?:frozen|locked|fixed|held)|(?<!longer )(?<!not )(?<!n't )pinned)"
    r" (?:to|at|on) (?:version )?v?\d+(?:\.\d+){0,3}(?!\.?\d)"
)
"""A version that is not to be changed."""
_THING: Final = (
    rf"(?:(?<=\bpls )|(?<=\bplz )|(?<=\bplease )){_WITHOUT}{_OF_THE_MOMENT}"
    rf"|{_WITHOUT}(?: [\w-]{{2,30}}){{0,2}},? (?:pls|plz|please|{_AT_NO_TIME})(?=\s*(?:[.,;:!]|\Z))"
    rf"|(?:^|[,;:.!(\u2013\u2014-][ ]{{0,2}}|\b(?:so|and|but|ok|okay|then)[ ])(?:so |and )?{_NEVER_USED}"
    rf"|\b{_PINNED}(?![^.!?\n]{{0,60}}\b(?:until|till|for now|for the moment|for today|no longer|any ?more)\b)"
    r"|(?<!\bi )(?<!\bwe )(?<!\bhe )(?<!\bshe )(?<!\bthey )(?<!\bit )"
    rf"\b(?:never|{_NOT} ever) (?:again |ever )?{_PROGRAMS} [a-z]"
)
FORBIDS_A_THING: Final = worded(_THING)
"""What somebody asks to do without ("pls no redux in the shop"), and a program's call that is never to be made."""
_NO_VERB: Final = (
    "able|about|above|actually|all|alone|also|an?|and|anything|appear|around|arrive|ate|away|back|bad|be(?:at|gan|lieve)?|below"
    "|better|big|but|by|care|chose|clear|come|cost|could|did|drank|drew|drove|dull|easy|either|end|enough|even|exactly|expect"
    "|fail|far|fast|feel|flew|forgot|fought|free|fun|funny|get|give|gonna|good|great|grew|guess|guilty|half|happen|happy"
    "|hard|have|hear|here|hid|hit|home|hurt|if|into|its?|judge|just|know|late|learn|less|like|long|look|lucky|many"
    "|matter|me|mine|much|my|near|need|new|nice|no|not|nothing|off|old|one|only|or|our|out|over|own|perfect|quit|rang"
    "|reach|ready|right|rode|rose|safe|same|sane|see|seem|shook|short|sick|simple|slept|slow|small|smart|smooth|sorry|spent"
    "|spoke|stable|stole|stood|stop|stuck|sure|sweet|taught|their|there|they|threw|told|too|tore|true|two|under"
    "|understand|unless|until|up|want|wanna|we|what|when|where|who|why|will|woke|wonder|wore|work|worse|would|wrong"
    r"|yours?|you|(?!(?:ap|re|sup|multi|im|com)ply\b)[a-z]{3,14}ly"
)
"""What stands behind "never" and orders nothing: no verb, a verb of a state, the past of one."""
_LINKS: Final = (
    "an?|the|our|my|your|any|all|more|less|than|in|on|at|to|from|with|as|into|for|by|via|up|out|off|over"
)
_BEHIND_VERB: Final = (
    rf"(?: (?:{_LINKS})){{0,3}} (?!(?:{_LINKS}|its?|that|this|them|these|those|me|us|you|him|her|here|there|again|any"
    r"|now|yet|ever|and|or|but|so|too|enough|something|anything|anyone|because|since|before|after|when|while|if|about|of"
    r"|like|know|how|what|why|back|down|away|hope|lol|haha)\b)[`'\"]?[a-z0-9./~@_*-]{2}"
)
"""What an order is of, by a word of its own: "never tell me" is of nothing."""
_NEVER_DO: Final = (
    rf"never(?: ever)? (?!(?:{_TOLD}|{_NO_VERB})\b|{_NO_ORDER})"
    rf"(?:[a-z]{{2,14}}-[a-z]{{2,12}}\b|[a-z]{{2,14}}{_BEHIND_VERB})"
    r"(?![^.,;!?\n]{0,80}\b(?:before|so far|until now|till now|in my life|anyway|lol)\s*(?:[.,;!]|\Z))"
)
_NEVER: Final = (
    r"(?:(?:^|[;:.!(\u2013\u2014][ ]{0,2})(?:(?:and|so|but|ok|okay|also|please|pls|plz),? ){0,3}"
    r"|^(?:(?!\b(?:i|we|you|they|it)\b)[^\n]){0,160}?(?:,|[ ]so)[ ](?:(?:so|please|pls) )?"
    rf"|^[^\n]{{0,160}}?(?:\b(?:please|pls|plz)[ ]|\b(?:must|should) (?=never))){_NEVER_DO}"
)
"""An order that begins a clause, of what nobody tells that he does: "never email guests from staging"."""
_PATH: Final = (
    r"(?:the |our )?(?:file |folder |directory )?[`'\"]?"
    r"(?:[\w@~.*-]{0,40}/[\w./*@~-]{0,120}|[\w-]{1,60}\.[a-z]{1,8}\b)(?![\w./*@~-])[`'\"]?"
)
_HERE_ALONE: Final = (
    rf"{_OF_THE_MOMENT}"
    r"(?![^.!?\n]{0,80}(?:\b(?:while|for this|right away|when i|in this|instead)\b|[,;]? (?:just|only)\b))"
)
_LEAVES: Final = (
    rf"(?:leave|keep) {_PATH}(?: file| folder)? (?:alone|be|untouched|unchanged|as (?:it|they) (?:is|are))\b"
    rf"{_HERE_ALONE}"
)
_KEPT: Final = (
    rf"{_NOT} (?:you )?(?:touch|mess with|fiddle with) (?:anything (?:in|under) )?{_PATH}{_HERE_ALONE}"
    rf"|{_NOT} (?:edit|change|modify|alter|delete|remove|rename|move|overwrite|format) {_PATH}{_HERE_ALONE}"
    r"(?=[^.!?\n]{1,80}\b(?:depends?|needs?|relies|rely|uses?|reads?|generated|vendored|breaks?|belongs?|owns?"
    r"|imports?)\b)"
)
"""What is not to be touched, by its file or folder; of another deed, by the reason too: it may be of one answer."""
_DAY: Final = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_AT_TIMES: Final = (
    rf"{_NOT} (?!(?:{_TOLD}|{_NO_VERB}|worry|stress|panic|bother)\b)[a-z]{{2,14}} (?:[\w`'-]{{1,30}} ){{0,4}}?"
    rf"(?:(?:on|at) (?:{_DAY}s|week-?ends|(?:bank |public )?holidays)|on an? {_DAY}"
    rf"|outside (?:of )?(?:office|working|business|opening) hours)\b{_OF_THE_MOMENT}"
)
_WE_NEVER: Final = (
    rf"\bwe (?:must |should |will )?never(?: ever)? (?:{ORDERED})\b"
    r"(?! (?:into|out of|it|that|this|them|these|those|up)\b)"
    r"(?![^!?\n]{0,100}\b(?:anyway|sadly|unfortunately|sorry|enough|properly|until|till|before|yet|so far|nobody"
    r"|which is why|that's why|but|though|any ?more|on time|correctly)\b)"
)
"""What a house does not do, as its practice: "we never edit files under gen/"."""
_WE_NEVER_SO: Final = (
    rf"{_WE_NEVER}[^.!?\n]{{1,80}}?\b(?:by hand|manually|directly|(?:in|on)"
    r" (?:prod(?:uction)?|live|main|master))\b"
)
_UNSECURED: Final = (
    r"without (?:an? |the |our |any |first )?(?:\w{2,15} )?(?:backups?|dumps?|snapshots?|reviews?|approval|permission"
    r"|sign-?off|dry[- ]run|rollback)\b"
)
"""What has to be there before a deed, whenever it is done."""
LEAVES_ALONE: Final = worded(CLAUSE, _LEAVES)
"""What is to be left as it is, by its file or folder."""
FORBIDS_AT_ALL: Final = worded(rf"{_NEVER}|{_WE_NEVER_SO}|", CLAUSE, rf"(?:{_AT_TIMES})")
"""An order that holds for good by its own words, of whatever matter."""
FOR_GOOD: Final = worded(
    _THING,
    "|",
    CLAUSE,
    rf"(?:never(?! ?mind\b) (?:ever )?(?:{ORDERED})\b|(?:be )?careful with\b|hands off\b|{_RULE}|{_DEEDS}"
    rf"|{_NOT} (?:you )?ever (?:{ORDERED})\b|{_NOT} (?:{ORDERED})\b[^!?\n]{{1,80}}?"
    rf"\b(?:by hand|directly|anything|ever(?! since\b)|(?:in|on|against) prod\w*|{_UNSECURED})\b{_OF_THE_MOMENT}"
    r"|(?:keep|stay|steer) (?:well |far )?(?:away from|clear of)\b"
    rf"|{_LEAVES}|{_KEPT}|{_AT_TIMES}"
    rf"|{_NOT} (?:{ORDERED}) (?:[^!?\n.,;]|\.\w){{1,80}}? again\b(?! (?:until|till|before|today|now|yet)\b))"
    rf"|\b(?:nobody|no one) (?:else )?(?:(?:may|should|must|can) )?(?:{ORDERED})(?:e?s)?\b"
    rf"|\b(?:must|should) never (?:be (?:{DONE})|{ORDERED})\b"
    r"|\b(?:is|are) (?:strictly )?(?:off[- ]limits|forbidden|prohibited|taboo|sacred)\b"
    rf"|{_WE_NEVER}|{_NEVER}|\b(?:in|into|under|to) {_PATH},? (?:(?:and|that|which|they|must) ){{0,3}}never (?:get|be)"
    r" (?:edited|changed|touched|overwritten|modified|moved|renamed|deleted)\b",
)
"""A warning that holds for longer than the moment, whatever it is of."""
NAMES_A_THING: Final = worded(
    r"`[^`\n]{2,80}`|\b[\w-]{1,40}/[\w*.-]|\b[\w-]{3,40}/(?=[\s,;:.!)]|\Z)|\b[\w-]{2,40}\.[a-z]{2,8}\b"
    r"|(?<![\w.])\.[a-z][\w-]{1,20}\b|\b[a-z]{2,20}[_-][a-z]{2,20}\b|\b(?:git|npm|push|deploy|commit|drop|reset|migrate|publish|merge)(?:e?s|ing)?\b"
    rf"|\b(?:run|call|use|start|execute|invoke|do) (?:a |the )?{_PROGRAMS} [a-z]"
    rf"|\b{_ON_A_SYSTEM}|{_THING}|",
    CLAUSE,
    _RULE,
)
"""A file, a folder, code or a command; of an order that holds for good, what it is of."""
