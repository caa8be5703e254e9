"""The wordings of warnings, one pattern each, tried on a sentence in which marks stand for the names that it has.

The sentence has its apostrophes (`dont` is read as `don't`). What is asked, told of the past or of somebody's own
doing warns of nothing.
"""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.text.late_pattern import late

RUN: Final = "\u2588"
OTHER: Final = "\u2592"
"""What stands for a program, command or script that is run, and for any other name."""
_NAME: Final = f"[{RUN}{OTHER}]"


def worded(*parts: str) -> re.Pattern[str]:
    """A wording in any case, compiled at first use."""
    return late("(?i)" + "".join(parts))


CLAUSE: Final = (
    r"(?:^|[,;:.!(\u2013\u2014-][ ]{0,2}|\b(?:so|and|but|ok|okay|please|pls|then|really|just)[ ])(?:please )?"
)
"""Where a clause begins that tells somebody to do something."""
ORDERED: Final = (
    "run|use|call|start|edit|change|touch|write|delete|remove|move|rename|push|publish|deploy|execute|invoke|do"
    "|upgrade|update|install|commit|merge|restart|reset|format|build|trust|regenerate|modify|alter"
)
DONE: Final = (
    "run|used|called|started|edited|changed|touched|written|deleted|removed|moved|renamed|pushed|published|deployed"
    "|executed|invoked|upgraded|updated|installed|opened|committed|merged|restarted|modified|altered|regenerated"
)
CHANGES: Final = worded(
    r"\b(?:edit|chang|touch|writ|overwrit|rewrit|delet|remov|mov|renam|format|modify|alter|updat|regenerat|fix)"
    r"(?:e|es|ed|s|ing|ten|ted)?\b|\b(?:wrote|written)\b"
)
RUNS: Final = worded(
    r"\b(?:run|start|execut|call|invok|launch|trigger|restart|deploy|push|publish|upgrad|us)(?:e|es|ed|s|ing|ning)?\b|\bran\b"
)
"""Words for changing a thing, and for running it."""
_RUN_IT: Final = (
    r"(?:run(?:s|ning)?|start(?:s|ing)?|execut(?:e|ing)|call(?:ing)?|invok(?:e|ing)|launch(?:ing)?)"
)
_CHANGE_IT: Final = (
    r"(?:edit(?:ing)?|chang(?:e|ing)|modify(?:ing)?|alter(?:ing)?|renam(?:e|ing)|format(?:ting)?)"
)
_BE: Final = (
    r"(?:file |script )?(?:must|should|may|can|is|has|needs?)(?:n't)?(?: not| never| only| to| ever){0,2} be"
)
OF_RUNNING: Final = worded(
    rf"\b{_RUN_IT} (?:the |our |that |this )?{_NAME}|{_NAME} {_BE} (?:only )?(?:run|started|executed|called|invoked)\b"
)
OF_CHANGING: Final = worded(
    rf"\b{_CHANGE_IT} (?:the |our |that |this )?{_NAME}|{_NAME} {_BE} (?:only )?(?:edited|changed|modified|renamed)\b"
)
"""A sentence that speaks of running the thing, and one that speaks of changing it."""
_ALTER: Final = (
    r"(?:touch|edit|chang|writ|overwrit|delet|remov|mov|renam|modify|alter|updat|clean|sav|put|add|creat|mess|replac)"
    r"(?:e|es|ed|s|ing|ten|ting|ning)?"
)
_ALL_IN: Final = (
    r"(?:(?:anything|everything|any|all|files?|things?|stuff|something|a|one|single|rows?|of|with|to|that(?:'s| is)?"
    r"|what(?:ever)?(?:'s| is)?|in|under|inside|below|within|from|into|on|the(?: [\w-]{2,30} (?:in|under|inside))?|our"
    r"|my|this) ){0,6}"
)
_NOT: Final = (
    r"(?:never(?: ever)?|don't(?: you)?(?: ever)?|do not(?: ever)?|must not|mustn't|avoid|shouldn't|should not"
    r"|may not|can't|cannot|(?:nobody|no one|noone)(?: else)?(?: (?:may|should|can|must|is to|gets to|ever))?)"
)
_ALTERED: Final = (
    "edited|changed|touched|written|overwritten|deleted|removed|moved|renamed|modified|altered|cleaned"
    "|regenerated"
)
_STILL: Final = r"(?![^.!?\n]{0,40}\b(?:any ?more|these days|anyway)\b)"
OF_A_PLACE: Final = worded(
    rf"\b(?:{_NOT} (?:(?:[a-z]{{3,12}}|,) (?:or|and) )?(?:{_ALTER} {_ALL_IN})?{OTHER}{_STILL}"
    rf"|(?:hands|paws|fingers) off (?:of )?{_ALL_IN}{OTHER}"
    rf"|(?:careful|watch out) (?:with|in|around|about|inside) {_ALL_IN}{OTHER}"
    rf"|(?:keep|stay|steer) (?:well |far )?(?:away from|clear of|out of) {_ALL_IN}{OTHER}"
    rf"|leave {_ALL_IN}{OTHER} (?:alone|be|untouched|as)\b"
    rf"|nothing (?:in|under|inside|of|below) (?:the )?{OTHER} (?:(?:may|must|should|gets|is to)\b"
    rf"|is (?:ever )?(?:{_ALTERED})\b))"
    rf"|{OTHER} (?:is|are) (?:strictly |absolutely )?(?:read[- ]only|off[- ]limits|sacred|untouchable|taboo|frozen"
    rf"|not to be)\b|{OTHER} (?:must|should|may|can)(?: not|n't| never) be (?:{_ALTERED})\b"
    rf"|\b(?:in|into|under|inside|from|to) {OTHER},?"
    r" (?:(?:and|but|that|which|they|it|files|must|may|should|can) ){0,3}"
    rf"(?:never|not) (?:ever )?(?:get|gets|be|are|is) (?:{_ALTERED})\b{_STILL}"
    rf"|{OTHER}[^.!?\n]{{1,60}}[,;:\u2013\u2014-] ?(?:so |and |please ){{0,2}}{_NOT}"
    rf" (?:[a-z]{{3,12}},? (?:or |and )?){{0,2}}{_ALTER} {_ALL_IN}there\b"
)
"""What forbids to change anything in a folder, or in a table."""
_COMMIT: Final = (
    r"(?:commit(?:s|ting)?|check(?:s|ing)? in|stag(?:e|es|ing)|track(?:s|ing)?|version|push(?:es|ing)?"
    r"|git add|add)"
)
_INTO_GIT: Final = r"(?:(?:in|into|to) (?:the |our )?)?(?:git|repo|repository|version control|history|vcs)"
OF_COMMITTING: Final = worded(
    rf"\b{_NOT} (?:(?:ever|accidentally|just|please) )?(?:{_COMMIT} {_ALL_IN}{OTHER}"
    rf"|(?:put|add|get|let) {_ALL_IN}{OTHER} (?:end up |get |go )?(?:in|into|to|under) {_INTO_GIT}\b)"
    rf"|\bno (?:commits?|files?|commit of anything)(?: to git)? (?:from|of|in|under) (?:the )?{OTHER}"
    rf"|\bkeep {_ALL_IN}{OTHER} out of {_INTO_GIT}\b"
    rf"|\bnothing (?:in|from|under|of|inside|below) (?:the )?{OTHER} (?:(?:may|must|should|is to|gets|goes|ever|be) )*"
    rf"(?:{_INTO_GIT}|commit\w*|checked in)\b"
    rf"|{OTHER} (?:folder |directory |file )?(?:(?:must|should|may|can|is|are|do|does)(?: not|n't| never)"
    r"|never|stays? out of)"
    rf"(?: (?:to|ever|be|get|gets|go|goes|belong|belongs|end up))* (?:commit\w*|checked in|{_INTO_GIT})\b"
)
"""What forbids to commit anything of a folder, or a file."""
_PUSH: Final = r"(?:force[- ])?(?:push|commit|merg)(?:e|es|ing)?"
_STRAIGHT: Final = r"(?:(?:directly|straight|right|anything|code|stuff|things|changes|commits|it|this) ){0,2}"
_TO_IT: Final = rf"(?:to|on|onto|into) (?:the |our |origin[ /]){{0,2}}{OTHER}"
OF_PUSHING: Final = worded(
    rf"\b{_NOT} (?:(?:ever|just|simply|directly|again) )?{_PUSH} {_STRAIGHT}{_TO_IT}"
    rf"|\bno (?:more |direct )?(?:force[- ])?(?:push(?:es|ing)?|commits?|commit?ting) {_STRAIGHT}{_TO_IT}"
    rf"|\b{_PUSH} {_STRAIGHT}{_TO_IT}(?: branch)? (?:is|are) (?:strictly )?"
    r"(?:forbidden|prohibited|banned|off[- ]limits|taboo|not (?:allowed|permitted))\b"
    rf"|\bonly (?!to\b)[\w-]{{1,20}} (?:(?:may|can|should|must) )?{_PUSH} {_TO_IT}"
    rf"|\b(?:the |our ){OTHER}(?: branch)? (?:is|are) (?:protected|off[- ]limits|frozen|locked|sacred)\b"
    rf"|{OTHER} branch (?:is|are) (?:protected|off[- ]limits|frozen|locked|sacred)\b"
    rf"|\bhands off (?:the |our )?{OTHER}(?: branch)?\s*(?:[.,;:!]|\Z)"
)
"""What forbids to push to a branch."""
FORCED: Final = worded(r"\bforc(?:e|ed|es|ing)\b|--force|\s-f\b")
BY_FORCE: Final = worded(r"(?: branch)?(?: with| by| using| via)? [`'\"]?(?:--force|-f\b|force\b)")
"""What tells that it is of a forced push, within what forbids it and right behind that."""
_ASK: Final = (
    r"(?:(?:call|talk|speak|connect|query|quer|reach|contact|ask|hit|ping|poll|access|touch|request|curl|fetch|read|use|log|ssh"
    r"|send|post|write|copy|upload|deploy|stream|scp|rsync)(?:s|es|ing|ting|ies|y)?)"
)
_THERE: Final = (
    rf"{OTHER}(?:'s)?"
    r"(?: (?:network|api|server|host|box|machine|controller|endpoint|interface|port|web ?site))?"
)
OF_CALLING: Final = worded(
    rf"\b(?:{_NOT}|stop|no|not) (?:(?:ever|just|directly) )?{_ASK}"
    r"(?: (?:to|with|into|in|from|at|anything|things|data|directly|on)){0,3}"
    rf" (?:the |our )?{OTHER}{_STILL}"
    rf"|\b(?:hands|paws|fingers) off (?:of )?(?:the |our )?{OTHER}|\bcareful with (?:the |our )?{OTHER}"
    rf"|\b(?:keep|stay|steer) (?:well |far )?(?:away from|clear of|out of|off) (?:the |our )?{OTHER}"
    rf"|\bleave (?:the |our )?{_THERE} (?:alone|be)\b"
    rf"|{_THERE} (?:is|are) (?:strictly |absolutely )?(?:off[- ]limits|forbidden|prohibited|banned|taboo|sacred"
    r"|not (?:ours|to be (?:called|touched|used|queried|asked)))\b"
    rf"|{_THERE} (?:must|should|may|can)(?: not|n't| never) be (?:called|queried|polled|asked|touched|used|reached)\b"
)
"""What forbids to call a host."""
ALLOWED_WAY: Final = worded(
    rf"\b(?:only|always|just|exclusively|but)(?: ever)? (?:through|via|by|using|over)"
    rf" (?:running |calling )?(?:the |our )?{RUN}"
    rf"|\b(?:run|use|call|take|go through) (?:the |our )?{RUN} (?:instead|for (?:that|this|it))\b"
)
"""By which command a thing is to be done that is forbidden to be done otherwise."""
_OPTION: Final = r"[`'\"]?-{1,2}[A-Za-z][\w-]{0,40}[`'\"]?"
_OPTIONS: Final = rf"({_OPTION}(?:(?:,| or| and|, or|/| nor)? (?:with )?{_OPTION}){{0,3}})"
_UNTOLD: Final = (
    r"^(?![^.!?\n]{0,200}?\b(?:always|only|unless|except|make sure|must(?! not\b)|has to|have to"
    r"|should(?! not\b)|instead|anything but|other than)\b)"
)
OPTIONS_MEANT: Final = worded(
    rf"{_UNTOLD}[^.!?\n]{{0,200}}?(?:{RUN}(?: [\w'-]{{1,20}}){{0,4}}? (?:with|using|plus|and) (?:the |its |an? |any )?"
    rf"(?:flags? |options? |switch )?{_OPTIONS}"
    rf"|\b(?:use|using|pass|passing|add|adding|give|set|put|run) (?:the )?{_OPTIONS} (?:flags? |options? |switch )?"
    rf"(?:with|to|for|in|on|of) (?:the )?{RUN})"
)
OBEYED: Final = worded(
    rf"{RUN}(?: [\w'`-]{{1,20}}){{0,4}}? without (?:the |its |an? )?(?:flags? |options? |switch )?{_OPTIONS}"
    rf"|\b(?:only|always)\b[^.!?\n]{{0,60}}?{RUN}(?: [\w'`-]{{1,20}}){{0,4}}? (?:with|using) (?:the |its )?{_OPTIONS}"
)
"""With which options a program has to be run: a call that has them does what it is told."""
WORD_MEANT: Final = worded(
    rf"\b(?:run|running|use|using|call|calling|execute|executing|do|start|try|invoke) (?:the )?[./~]{{0,4}}[`'\"]?{RUN}"
    rf" (?P<word>[a-z][\w:-]{{1,30}})\b|`{RUN} (?P<code>[a-z][\w:-]{{1,30}})`"
)
TARGET_MEANT: Final = worded(
    rf"{RUN}`?(?: (?:directly|straight|anything|commits|right))? (?:to|onto|into|over to"
    r"|on(?= (?:the )?(?:(?:main|master|trunk|develop|staging|production|prod)\b|[\w.-]{1,30}/[\w.-]"
    r"|[\w.-]{2,30} branch\b))) (?:the (?=[\w./-]{1,40} branch\b))?[`'\"]?"
    r"(?P<target>(?!(?:the|a|an|it|this|that|them|any|our|my|your|get|make|do|see|be|have|check|test|try)\b)"
    r"[A-Za-z][\w./-]{1,40})"
)
"""With which options, which word behind it and where to a program is not to be run: another call is not meant."""
_SYSTEM: Final = (
    r"prod(?:uction)?|live|staging|stage|dev(?:elopment)?|test(?:ing)?|qa|uat|pre-?prod(?:uction)?|demo|sandbox"
    r"|canary"
)
SYSTEM: Final = worded(rf"(?<![a-z])(?:{_SYSTEM})(?![a-z])")
"""The name of one of several systems, as part of an address."""
_SCOPE: Final = r"(?:context|namespace|cluster|workspace|environment|env|profile|account|stack)"
PLACE_MEANT: Final = worded(
    rf"{RUN}`?(?: (?!(?:in|on|against|at|for|to)\b)[\w./*-]{{1,30}}){{0,4}} (?:in|on|against|at|for|to) (?:the |our )?"
    rf"(?:(?P<system>{_SYSTEM})\b|(?P<named>[\w./-]{{2,40}}) {_SCOPE}\b|{_SCOPE} [`'\"]?(?P<scope>[\w./-]{{2,40}}))"
)
NOT_THERE_ALONE: Final = worded(r"\b(?:only|except|but|outside|unless|other than|anywhere|else)\b")
"""On which of several systems a program is not to be run, where no word says that it is the others."""
_ANY_MORE: Final = r"(?![^.!?\n]{0,60}\b(?:any ?more|these days)\b)"
_OBLIGED: Final = "must|should|may|can|is to|are to|has to|have to|needs to|need to"

OF_ITSELF: Final = (
    # The words of an order, and of a decision.
    worded(
        r"\b(?:never(?! ?mind\b| (?:had|saw|seen|lost|broke|failed|worked|heard|knew|got|was|were|did)\b)"
        r"|(?<!\bi )(?<!\bwe )(?<!\byou )(?<!\bthey )(?:do not|don't)"
        r"(?! (?:work|pass|match|exist|seem|matter|fit|know|understand)\b)"
        r"|must not|mustn't|avoid|careful|beware|warning|caution|caveat|gotcha|pitfall|"
        r"deprecated|only ever|always(?! (?:good|nice|fun|great|worked|works|was|been)\b)|(?<!\bto )make sure"
        r"|known (?:bug|issue)|workaround|decided)\b"
    ),
    worded(
        CLAUSE,
        r"(?:watch out|watch it|look out|mind (?:that|the|your)|(?:remember|keep in mind|bear in mind)(?! to\b)"
        r"|hands off|paws off|fingers off|no touching|ask (?:me|us|\w+)? ?(?:first )?"
        r"before)\b(?! of\b)",
    ),
    worded(r"\b(?:keep|get|take) (?:your|all|the|our) (?:hands|fingers|paws) off\b"),
    worded(r"(?<!for the )(?<!for your )\bheads[- ]?up\b(?! display)"),
    # What is not permitted.
    worded(r"(?<!\bnot )(?<!\blonger )(?<!n't )\boff[- ]limits\b"),
    worded(
        r"\b(?:is|are|'s|be|remains?|strictly|absolutely|expressly) (?:strictly |absolutely |totally |completely )?"
        r"(?:forbidden|prohibited|banned|verboten|taboo|a no-go|untouchable|sacred)\b",
        r"(?! (?:any ?more|error|errors|response|status|words?)\b)",
    ),
    worded(
        r"\b(?:not|isn't|aren't|ain't|never) (?:allowed|permitted|supposed|meant|safe|yours)\b(?! any ?more\b| error)"
    ),
    worded(
        rf"\b(?:is|are|'s) (?:not|only) to be (?:{DONE})\b|\b(?:should|may|can)(?: ?not|n't) be (?:{DONE})\b"
    ),
    worded(
        r"\b(?:nobody|no one|noone)(?: else)? (?:may|should|must|can|shall|is to|changes|edits|touches|runs"
        r"|deletes|moves"
        r"|(?:is )?(?:allowed|supposed) to)\b",
        _ANY_MORE,
    ),
    worded(
        r"\bunder no circumstances?\b|\bon no account\b|\bat (?:your|our) (?:own )?(?:peril|risk)\b|\bthink twice\b"
    ),
    # Only so, and no other way.
    worded(
        rf"\b(?:{_OBLIGED}) (?:only (?:ever )?be (?:{DONE})|(?:never |not |always )*be (?:{DONE}) only)\b"
    ),
    worded(
        r"\bonly (?:ever )?(?:read|look|query|select)\b[^.!?\n]{0,30}\b(?:there|here|please|from it|on it|in it)\b"
        r"|\bfor reading only\b|\bread[- ]only (?:please|there|here)\b"
    ),
    worded(r"\b(?:only|not) (?:with|without|after) (?:my|our|asking|[\w-]{1,20}'s)\b"),
    # What is to be left as it is.
    worded(
        rf"\bleave (?:it|this|that|them|those|these|the \w{{1,30}}|{_NAME})(?: file)? (?:alone|be|untouched"
        rf"|as (?:it|they|is))\b"
    ),
    worded(rf"\bkeep (?:it|this|that|them|those|these|{_NAME}) (?:untouched|unchanged|as (?:it|they|is))\b"),
    worded(r"\b(?:keep|stay|steer) (?:well |far )?(?:away from|clear of|out of)\b"),
    worded(
        r"(?<!\bi )(?<!\bwould )\b(?:must|has to|have to|needs to|need to|should|ought to|gotta|shall)",
        r" (?:always |all |both |really )?(?:stay|remain|be (?:left|kept))\b",
    ),
    worded(r"(?<!\bto )\bstop \w{1,20}ing (?:it|this|that|them)\b"),
    # What it is.
    worded(
        r"\b(?:is|are|'s) (?:really |very |so |quite |damn |super )?(?:dangerous|destructive|irreversible"
        r"|fragile|brittle|unsafe|risky|evil|poison|a trap|a minefield)\b"
    ),
)
"""Wordings that warn of whatever the sentence names."""

AT_ITS_PLACE: Final = (
    worded(
        CLAUSE,
        rf"no (?:more |direct |manual )?{_NAME}(?! (?:found|there\b|needed|necessary|required|exists?|anywhere"
        rf"|problem"
        r"|issue|errors?|file|left|yet)\b)",
    ),
    worded(
        CLAUSE,
        r"no (?:more |direct |manual |further )?(?:\w{1,20}ing|edits?|changes?|commits?|writes?|deploys?|runs?)"
        rf"(?: \w{{1,15}}){{0,2}} {_NAME}",
    ),
    worded(rf"(?<!\bto )(?<!\bi )\b(?:stop|quit) \w{{1,20}}ing (?:\w{{1,15}} ){{0,2}}{_NAME}"),
    worded(
        r"\b(?:you|we|one|u|ya|nobody) (?:can ?not|can't|may not|should not|shouldn't|better not|are not to|aren't to"
        rf"|don't|do not) (?:just |simply |ever |even |really )?(?:(?:{ORDERED})"
        rf" (?:[\w-]{{1,15}} ){{0,3}}{_NAME}|{RUN})",
        r"(?! (?:any ?more|yet)\b)",
    ),
    worded(rf"(?<!\bi )(?<!\bto )\bonly (?:ever )?(?:{ORDERED}) (?:the |our )?{_NAME}"),
    worded(
        rf"{_NAME},? (?:runs |works |goes )?only (?:ever )?(?:in|on|from|inside|within|as|with|after|at|by"
        rf"|through|via|when|if)\b"
    ),
    worded(
        rf"{_NAME}(?: file)? (?:must|may|should|can|is to|has to)(?: not|n't)(?: ever)? (?:change|move|grow|go|run)\b"
    ),
    worded(
        rf"\bnothing (?:in|of|inside|about) (?:the )?{_NAME}(?: file)? (?:may|must|should|can|is to|changes)\b"
    ),
    worded(
        rf"\bonly (?:the )?(?!to\b)[\w-]{{1,20}} (?:(?:may|can|should|must|is to) (?:{ORDERED})|runs|edits"
        rf"|touches|changes|calls|deploys|writes(?: to)?|starts) (?:the )?{_NAME}"
    ),
    worded(rf"{_NAME} stays (?:as|the way|where|untouched)\b"),
    worded(rf"{_NAME}: (?:never|no|not|only|must|keep|hands off)\b"),
    worded(
        rf"\b(?:use|run|take|call)\b[^.!?\n]{{1,60}}?\b(?:instead of|rather than|not) (?:\w{{1,15}}ing )?{_NAME}"
    ),
    worded(
        rf"\b(?:i|we) (?:really |still |all |both |just )?(?:hate|detest|loathe|despise|can't stand|won't (?:use"
        rf"|have|touch)) {_NAME}(?![^.!?\n]{{0,80}}\b(?:but|though|although|anyway|today|right now|sometimes)\b)"
    ),
)
"""Wordings that warn of what stands at the place of the mark."""

_HARMS: Final = (
    "kill(?:s|ed)|wip(?:es|ed)|zero(?:s|es|ed)|eras(?:es|ed)|delet(?:es|ed)|destroy(?:s|ed)|overwrit(?:es|ten)"
    "|overwrote|corrupt(?:s|ed)|brick(?:s|ed)|breaks|broke|los(?:es|t)|crash(?:es|ed)|drop(?:s|ped)|trash(?:es|ed)"
    "|nuk(?:es|ed)|ruin(?:s|ed)|mess(?:es|ed) up|clobber(?:s|ed)|truncat(?:es|ed)|hung|hangs|freezes|froze|took down"
    "|takes down|ate|eats|lock(?:s|ed) (?:up|out)|blows up|blew up|fr(?:ies|ied)|burnt|shuts down|damag(?:es|ed)"
    "|flood(?:s|ed)|cost|scrambl(?:es|ed)|reboot(?:s|ed)|resets?|empt(?:ies|ied)"
)
_HARM: Final = (
    "kill|wipe|zero|erase|delete|destroy|overwrite|corrupt|brick|break|lose|crash|drop|trash|nuke|ruin|mess up"
    "|clobber|truncate|hang|freeze|take down|eat|lock (?:up|out)|blow up|fry|burn|shut down|damage|flood|scramble"
    "|reboot|reset|empty"
)
_NO_OBJECT: Final = (
    "again|yesterday|today|on|in|at|when|because|with|after|for|and|but|since|until|as|if|while|once|twice|last|this"
    " (?:morning|week|time)|due|from|by|or|so|its|itself"
)
OF_A_RUN: Final = (
    worded(
        rf"{RUN} (?!(?:\w{{1,15}} )?(?:not|never|nothing|no|hardly|didn't|doesn't|hasn't"
        rf"|won't)\b)(?:\w{{1,15}} ){{0,2}}(?:{_HARMS}) (?!(?:{_NO_OBJECT})\b)\w"
    ),
    worded(rf"{RUN} (?:will|would|can|could|might|may|is going to|gonna) (?:just |also )?(?:{_HARM})\b"),
    worded(
        r"\b(?:lost|broke|killed|wiped|bricked|destroyed|erased|deleted|overwrote|corrupted|ruined|nuked|crashed)"
        r" (?!nothing\b|no\b)(?:[\w'-]{1,20} ){1,6}(?:with|by|through|because of|due to|thanks to|to|running|using)"
        rf" (?:an? |the |that |this |one |running |using )?{RUN}"
    ),
)
"""What running the thing did, or does: it may do so again."""

OTHERWISE: Final = worded(
    r"\b(?:otherwise|or else)\b[^.!?\n]{0,60}?\b(?:tears?|breaks?|fails?|los(?:es?|t)|crash(?:es)?|kills?|wipes?"
    r"|corrupts?|overwrit\w{1,4}|hangs?|bricks?|burns?|dies?|stuck|gone|dead|leaks?|floods?|explodes?|bursts?|melts?"
    r"|jams?|rots?)\b"
)
TOLD_TO_RUN: Final = worded(
    rf"\b(?:run|call|use|start|do|try|execute)(?:ning)? (?:the |our )?{_NAME}[^.!?\n]{{0,60}}\b(?:otherwise"
    rf"|or else)\b"
)
"""What happens otherwise warns of the thing, unless this is what averts it."""

LEANS: Final = worded(r"\b(?:that|this|it|them|those|these|they|there|so|either|such)\b")
GOES_ON: Final = worded(r"\b(?:else|otherwise|too|also|others?)\b|\A(?:and|but|or|then)\b")
"""Words by which a sentence leans on the one before it, or goes on from it."""
LEANS_ON_NOTHING: Final = worded(
    r"(?<!remember )(?<!mind )(?<!forget )\bthat (?:the|a|an|we|you|i|he|she|they|it|there|if|when|every|all"
    r"|no)\b|\b(?:this|that|these|those) (?:file|week"
    r"|time|year|morning|folder|repo|repository|project|machine|month)s?\b|\bso that\b|\bit(?:'s| is"
    r"| was) (?=\w{1,20}"
    rf" (?:to|that)\b)|\bthere(?:'s| is| are| was| were)\b|\bthat {_NAME}"
)
"""The same words where they do not."""
REFERS_BACK: Final = worded(
    CLAUSE,
    r"(?:never|do not|don't|avoid|leave|keep|hands off|stay away from|be careful with|careful with"
    r"|watch out with|stop|only)"
    r"(?: ever)?(?: (?:\w{1,15}ing|run|use|call|start|edit|change|touch|write to|delete|remove|move|rename|push"
    r"|publish|deploy|execute|do|update|open|commit|merge|restart|reset|alter|modify))? (?:it|this|that"
    r"|them)\b(?! (?:up|with)\b)",
)
"""A warning of what was named just before."""
ORDERS_INSTEAD: Final = worded(
    r"\A\W*(?:(?:please|pls|just|always|and|but|rather|better|instead,?) ){0,2}"
    r"(?:write|make|add|create|use|run|call|take|put|go|send|open|copy|start|edit|change|ask|tell)\b"
    r"[^.!?\n]{0,60}\b(?:new (?:one|file)|another(?: one)?|instead|first|rather)\b"
)
"""What is to be done in the place of what a warning forbids."""
NOT_WARNED: Final = worded(
    r"\b(?:add|write|print|show|log|emit|raise|fix|remove|suppress|silence|ignore|put|give|return|handle)(?:s"
    r"|ed|ing)?"
    r" (?:(?:a|an|the|this|that|some|any|no|every|its|one|more) )?(?:\w{1,15} )?(?:warning|caution|caveat)s?\b"
)
"""What speaks of a warning and gives none."""
