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
_NO_ORDER: Final = r"change a (?:running|winning)\b|\w{1,14}(?:[^e]ed|\w{3}ing|[^s]s)\b"
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
_SPOKEN: Final = (
    r"(?:apolog(?:y|ies)|capitals|chit-?chat|code|comments?|details?|drama|emojis?|essays?|excuses|explanations?|fluff"
    r"|jokes?|lectures?|lists?|output|poems?|questions?|small ?talk|spoilers?|summar(?:y|ies)|surprises?|tables?|text"
    r"|tricks|words|yet|wait|stop|not|sorry|long|big|extra|other|new|one)\b"
)
"""What somebody wants a turn without, and not the project."""
_NEVER_USED: Final = (
    rf"no (?!{_BARE})(?!{_SPOKEN})[a-z][\w.+@/-]{{1,30}}(?: (?!{_SPOKEN})[a-z][\w.+-]{{1,20}})?,? (?:pls|plz|please)"
    r"(?=\s*(?:[.,;:!(]|\Z))"
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
    rf"|{_WITHOUT}(?: [\w-]{{2,30}}){{0,2}},? (?:pls|plz|please)(?=\s*(?:[.,;:!]|\Z))"
    rf"|(?:^|[,;:.!(\u2013\u2014-][ ]{{0,2}}|\b(?:so|and|but|ok|okay|then)[ ])(?:so |and )?{_NEVER_USED}"
    rf"|\b{_PINNED}(?![^.!?\n]{{0,60}}\b(?:until|till|for now|for the moment|for today|no longer|any ?more)\b)"
    r"|(?<!\bi )(?<!\bwe )(?<!\bhe )(?<!\bshe )(?<!\bthey )(?<!\bit )"
    rf"\b(?:never|{_NOT} ever) (?:again |ever )?{_PROGRAMS} [a-z]"
)
FORBIDS_A_THING: Final = worded(_THING)
"""What somebody asks to do without ("pls no redux in the shop"), and a program's call that is never to be made."""
FOR_GOOD: Final = worded(
    _THING,
    "|",
    CLAUSE,
    rf"(?:never(?! ?mind\b) (?:ever )?(?:{ORDERED})\b|(?:be )?careful with\b|hands off\b|{_RULE}|{_DEEDS}"
    rf"|{_NOT} (?:you )?ever (?:{ORDERED})\b|{_NOT} (?:{ORDERED})\b[^!?\n]{{1,80}}?"
    rf"\b(?:by hand|directly|anything|ever(?! since\b)|in prod\w*)\b{_OF_THE_MOMENT}"
    r"|(?:keep|stay|steer) (?:well |far )?(?:away from|clear of)\b"
    rf"|{_NOT} (?:{ORDERED}) (?:[^!?\n.,;]|\.\w){{1,80}}? again\b(?! (?:until|till|before|today|now|yet)\b))"
    rf"|\b(?:nobody|no one) (?:else )?(?:(?:may|should|must|can) )?(?:{ORDERED})(?:e?s)?\b"
    rf"|\b(?:must|should) never (?:be (?:{DONE})|{ORDERED})\b"
    r"|\b(?:is|are) (?:strictly )?(?:off[- ]limits|forbidden|prohibited|taboo|sacred)\b",
)
"""A warning that holds for longer than the moment, whatever it is of."""
NAMES_A_THING: Final = worded(
    r"`[^`\n]{2,80}`|\b[\w-]{1,40}/[\w*.-]|\b[\w-]{3,40}/(?=[\s,;:.!)]|\Z)|\b[\w-]{2,40}\.[a-z]{2,8}\b"
    r"|\b[a-z]{2,20}[_-][a-z]{2,20}\b|\b(?:git|npm|push|deploy|commit|drop|reset|migrate|publish|merge)(?:e?s|ing)?\b"
    rf"|\b(?:run|call|use|start|execute|invoke|do) (?:a |the )?{_PROGRAMS} [a-z]"
    rf"|\b{_ON_A_SYSTEM}|{_THING}|",
    CLAUSE,
    _RULE,
)
"""A file, a folder, code or a command; of an order that holds for good, what it is of."""
