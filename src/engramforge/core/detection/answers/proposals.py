"""What a sentence of an assistant proposes to use, keep or have done from then on ("I'd use Redis rather than a file",
"I'd print the weight on the label").

A task of the moment ("I'd run the tests first") is no such proposal, nor is what serves to look at something, nor a
detail of the code at hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engramforge.core.text.late_pattern import late

_LONGEST: Final = 120

_APOSTROPHE: Final = r"['\u2019]"
_TAKES: Final = (
    r"(?:use|go with|go for|pick|choose|opt for|adopt|take|stick with|stay with|stick to|keep|switch to|move to"
    r"|migrate to|settle on|default to)"
)
_TAKING: Final = {
    **dict.fromkeys(("using", "going with", "going for", "picking", "choosing", "adopting", "taking"), ""),
    "keeping": "keep",
    "sticking with": "stick with",
    "staying with": "stay with",
    "sticking to": "stick to",
    "switching to": "switch to",
    "moving to": "move to",
    "migrating to": "migrate to",
}
"""Gerunds of these, and the verb that is told with the thing; none where that says only that the thing is taken."""
_ONLY_TAKES: Final = frozenset(
    ("use", "go with", "go for", "pick", "choose", "opt for", "adopt", "take", "settle on")
)
"""Verbs that are not told, since they say no more than that a thing is taken."""
_SHAPES: Final = (
    r"(?:store|save|cache|persist|version|pin|lint|encode|sign|encrypt|hash|render|host|serve|ship|write|log|index"
    r"|partition|queue|expose|model|represent|base|sync|authenticate|licen[cs]e|structure|organi[sz]e|number|draw"
    r"|express|compress|back up|generate|format|measure|name|lay out|split)"
)
"""Verbs that shape how a thing of the project is from then on."""
SHAPING: Final = late(
    r"(?i)\b(?:(?:should|shall|can|could|may|might|would|do you want|would you like|want)\s(?:i|we|you|me to|us to)"
    r"|(?:i|we|you)\s(?:can|could|may|might|would))\s"
    rf"(?:rather |better |also )?(?:{_SHAPES}|keep|put|build|talk|poll|implement|scaffold|bundle|style|set)\b"
)
_I_WOULD: Final = rf"i(?:{_APOSTROPHE}?d| would)(?: rather| probably| personally| definitely)?"
_WE: Final = (
    rf"(?:(?:do you want|would you like|want) (?:me|us) to|(?:shall|should) (?:i|we|you)|(?:could|might) we"
    rf"|we (?:could|should|might|can)|you should|let{_APOSTROPHE}?s)"
)
_ADVISE: Final = r"(?:recommend|suggest|propose|advise|favou?r|prefer|lean(?:ing)? towards?)"
_A_THING: Final = r"(?!(?:to|that|we|you|i|it|this|them|doing|a few|some|first|one of|either)\b)"
_THING: Final = rf"{_A_THING}\S[^\n]*"
_SOMETHING: Final = (
    r" (?:(?:an?|each|every|all|any|the|our) [\w-]{2,30}|(?!this|us\b)[a-z]{3,20}s)"
    r" (?!(?:know|decide|finish|run|sit|rest|settle|cool|see|wait|go|pass|fail|crash|build)\b)[a-z]"
)
"""Behind "let", what is allowed or made to be so: "let a link live for an hour", not "let it run"."""
_BY: Final = r" (?:with|via|by|through|as) [\w@]"
_TASKS: Final = (
    r"(?:run|rerun|check|test|look|try|retry|see|go|ask|tell|wait|start|restart|begin|continue|finish|proceed|stop"
    r"|fix|debug|read|review|clean|refactor|inspect|investigate|explain|describe|summari[sz]e|commit|push|pull|merge"
    rf"|rebase|squash|revert|undo|reset|rebuild|reload|repeat|bump|install|update|upgrade|deploy(?!{_BY})|edit"
    rf"|rewrite|revise|rework|rename"
    rf"|extract|inline|import|search|find|trace|watch|dump|reproduce|bisect|tackle|work|focus|help|get|give"
    rf"|let(?!{_SOMETHING})|kill"
    r"|clear|verify|confirm|patch|document|open|be|have|say|guess|think|expect|assume|need|like|love|hope|want|rather"
    r"|(?:(?:not|never) )?(?:worry|bother|say|expect|know|(?:do|call) (?:it|that|this)))"
)
"""What is done once, or is no deed at all."""
_EVERY: Final = (
    r"[^\n.?!,]{3,80}\b(?:every|each|per|once an?)\s(?:\w+ )?(?:seconds?|minutes?|hours?|days?"
    r"|nights?|mornings?|evenings?|weeks?|months?|years?)\b"
)
"""Behind a deed, says that it is done again and again, and is no task of the moment."""
_TASK: Final = late(rf"(?i){_TASKS}")
OF_THE_DESK: Final = late(
    r"(?i)\b(?:tests?|suite|branch(?:es)?|commits?(?! (?:sha|hash))|prs?|pull requests?|logs?|traces?|tracebacks?|stack"
    r"|files?|lines?|functions?|methods?|class(?:es)?|helpers?|variables?|constants?|loops?|imports?"
    r"|(?<!css )(?<!\bes )(?<!\bgo )modules?|scripts?"
    r"|(?:the|this|that) code|errors?|exceptions?|bugs?|build|changelog|readme|ticket|issues?"
    r"|(?<!by )(?<!via )(?<!per )e?mail|message|reply|output|diff|patch(?:es)?|console"
    r"|dependency|dependencies|lockfile|repo(?:sitory)?|stash|arguments?|params?|parameters?|fixtures?|mocks?"
    r"|assert(?:ion)?s?|null checks?|guards?|comments?|to-?dos?|callers?|type hints?"
    r"|now|first|again|once more|quickly|for now|today|tonight|tomorrow|this time|for a moment|next|then|temporarily"
    r"|th(?:is|at|ese|ose) (?:two|three|one|few)"
    r"|(?:it|this|that|these|those|them)(?=\Z|\s(?:and|to|for|in)\b))\b(?!-)"
)
"""What a programmer has before them, and a point in time: what is done with it, or then, holds for no longer."""
_MADE: Final = (
    rf"(?P<made>(?!{_TASKS}\b(?!{_EVERY}))(?:(?:not|never) )?[a-z]{{2,20}}"
    r" (?!(?:to|that|this|so|you|me|(?:it|them|these|those)(?! (?:on|to|as|in|at|by|per|with|every|for|via)"
    r" \S))\b)[^\n]*)"
)
_PROPOSES: Final = tuple(
    late(rf"(?i)\b{frame}(?P<thing>{_THING})")
    for frame in (
        rf"(?:{_I_WOULD}|i) {_ADVISE}\s"
        rf"(?:(?:that )?(?:(?:we|you) )?(?:to )?(?P<verb>{_TAKES})\s|(?P<using>{'|'.join(_TAKING)})\s)?",
        rf"{_I_WOULD} (?P<verb>{_TAKES})\s",
        r"my (?:recommendation|suggestion|pick|choice|proposal|vote)(?: is| would be|:)\s"
        r"(?:to (?P<verb>use|go with|keep)\s)?",
        rf"{_WE} (?P<verb>{_TAKES})\s",
    )
)
_WOULD_DO: Final = late(
    r"(?i)\A\W*(?:(?:then|well|maybe|perhaps) )?(?P<thing>(?!(?:that|this|it|which|what|there|something|anything|one"
    r"|both|nothing|i|we|you|they|he|she|an?|the|my|your|our|more|\w+ing)\b)[\w@][\w.+#/-]{1,30}"
    r"(?: (?!would\b)[\w.+#/-]{2,30}){0,3}) would (?:also )?(?:do|suffice|work|fit|be (?:enough"
    r"|(?:much |a lot |far |way )?(?:faster|simpler|lighter|cheaper|easier|better|nicer|quicker|smaller|leaner|safer)))"
    r"(?: (?:here|there|too|as well|for (?:us|you|this|that)))?\W*\Z"
)
"""Names what would do in the place of something, and says no more of it: "Plain files would do."."""
_DROPS: Final = (
    r"(?:drop|ditch|scrap|dump|retire|abandon|get rid of|move (?:off|away from)|throw out|rip out|kick out)"
)
_LEFT_ALONE: Final = (
    r"(?!(?:the|an?|that|this|these|those|it|them|all|any|old|our)\b)"
    r"[\w@][\w.+#/-]{1,30}(?: [\w.+#/-]{1,30}){0,2}?"
)
"""The name of what is left, with no article: "drop Weblate", and no "drop the index" of the moment."""
_IN_ITS_PLACE: Final = (
    rf"(?P<left>{_LEFT_ALONE}),? (?:and )?(?:then )?(?:(?:rather|just|simply|instead) )?"
    rf"(?P<does>{_TAKES}|let|have|put|store|manage|maintain|edit|track|write)\s(?P<taken>\S[^\n?]*)"
)
_DROPS_FOR: Final = late(
    rf"(?i)(?:{_I_WOULD}|{_WE}|\b(?:i|we) (?:could|can|would|should)|\b{_ADVISE} (?:that we|we|to)"
    rf"|\A\W*(?:(?:so|then|and|ok(?:ay)?|maybe|perhaps)\W+)*) ?(?P<drops>{_DROPS}) {_IN_ITS_PLACE}"
)
"""Leaves a thing by its name and takes another: "I'd drop Weblate and let them edit a shared sheet"."""
_IT_ALONE: Final = late(r"(?i)(?:it|them|that|this)(?: \w+)?\W*\Z")
_TAKES_IT: Final = late(rf"(?i){_TAKES}\Z")
_RELATIVE: Final = late(r"(?i)\s(?:that|which|who|where)\s.*")
_NAMES: Final = late(
    r"(?i)\A\W*(?:(?:and|so|then|ok(?:ay)?)\W+)*(?:the |an? )?"
    r"(?P<thing>(?!(?:same|ready|just|only|not|what|which|how|why|is|are|was|do|does|did|more|anything|something|all|it"
    r"|that|this|done|good|ok|okay|or|commit|push|use|see|leave|save|keep|mark|file|send)\b)"
    r"[\w.+#-]+(?: [\w.+#-]+){0,2}? as (?:the|our|its|your) [\w -]{2,40})\?\W*\Z"
)
"""Asks of a thing whether it is to be what is named: "Postgres as the database?"."""
_WHICH: Final = late(r"(?i)\W*(?:(?:so|and|now|then)\W+)*which\b[^?]*\?\W*\Z")
"""Asks which of what was told, and proposes nothing: "Which one should I set up?"."""
_DEED: Final = late(
    rf"(?i)\b(?:(?:{_I_WOULD}|i) {_ADVISE} (?:that we |we |that you |you |to )|{_I_WOULD} |{_WE} ){_MADE}"
)
_ITEM: Final = (
    r"(?!(?:its?|that|this|so|as|since|because|to|then|we|you|they|he|she|i|no|not|which|but|if|for|with|and|or|from|by"
    r"|there|just|also|only|is|are|has|in|on|at)\b|it['\u2019])[\w@][\w.+#/-]{0,30}(?: (?!and\b"
    r"|or\b)[\w.+#/-]{1,30}){0,2}"
)
_LIST: Final = rf"{_ITEM}(?:, {_ITEM}){{0,4}},? and {_ITEM}(?=\W*\Z|[.;?!,(]|\s[\u2014\u2013(-])"
"""The rest of an enumeration, which belongs to what it is said of: "with api, osrm and caddy"."""
_BREAKS: Final = late(
    rf"(?i)[.;?!\u2014\u2013](?:\s|\Z)|:(?:\s|\Z)(?!{_ITEM}, {_LIST})|\s[\u2014\u2013-]\s|\s\("
    rf"|(?<!\bboth),\s(?!{_LIST})|[?!]\Z"
    r"|\s(?:because|since|as (?:it|they|that)|so that|which|over (?!\d)|if|unless|though|but"
    rf"|and (?:then (?:i|we|you|it|they|{_TASKS})|i|we|you))\b|\s(?P<instead>instead of|rather than)\s"
)
"""Where what is proposed ends."""
_DOES: Final = late(
    r"(?i)\A(?P<stem>[a-z]{2,})ing\b(?! (?:library|framework|service|tool|server|bot|table|mode)\b)"
)
"""Begins with something to do: "running the tests"."""
_FOR_WHAT: Final = late(
    r"(?i)\A\W*(?:(?:and|then|so|now) )?(?:for|as for|with) (?P<what>[^,;:.?!]{3,50}?),?\s*\Z"
)
"""Leads in what a proposal is for."""
_POINTING: Final = late(r"(?i)\A(?P<verb>[a-z]{2,20}) (?:it|them|these|those)\b")
_LASTS: Final = late(rf"(?i)\A(?:{_SHAPES}|resize|scale|crop|limit|cap|archive|tag|group)\b")
_HANDS_OUT: Final = late(r"(?i)\A(?:ship|serve|publish|host|archive|encrypt|deliver|hand out)\b")
_REST: Final = late(r"(?i)\A[a-z]{2,20} the rest\b")
_FILE: Final = late(r"(?i)\bfiles?\b")
"""What is handed out as a file is a thing of the project."""
_LOOKS: Final = late(
    r"(?i)\bto (?:look|see|find|check|debug|inspect|watch|trace|measure|profile|verify|confirm|reproduce|understand"
    r"|narrow|figure|get (?:an|a) (?:idea|feeling|look))\b"
)
_ASKED_OF: Final = late(
    r"(?i)\A\W*(?:(?:and|so|then|also),? )?(?:(?P<should>should|shall)|(?:do you )?want|(?:would you )?like) "
    r"(?P<subject>(?:(?:the|our|each|every|all|an?) )?(?!(?:i|we|you|it|this|that|they|he|she|me|us)\b)[\w-]{2,30}"
    r"(?: [\w-]{2,30}){0,5}?) (?(should)|to )(?P<does>(?:show|display|hide|skip|ignore|carry|reject|accept|allow|refuse"
    r"|require|round|warn|expire|sort|group|store|save|keep|send|print|start|stop|open|close|lock|list|count|use|ask|play"
    r"|default to|contain|include|stay|come (?:back|first|last)|go (?:first|last|to)"
    r"|have (?:an?|its|their|one|two|no|\d)\b|get (?:an?|its|their|one|two|\d)\b|remind|notify|leave out|log out|end"
    r"|be (?:\w{3,}ed|shown|hidden|kept|sent|sold|hung|drawn|written|read|set|held))\b[^?\n]*)\?\W*\Z"
)
"""Asks of a thing what it is to do, or what is to be done with it: "Should the app show late trains in red?"."""
_CODE: Final = late(
    r"(?i)\A(?:[a-z]+ )?(?:an?|the|one|another|some)\s(?:[\w-]+ ){0,3}?(?:profiler|debugger|map|dict(?:ionary)?"
    r"|set|loop"
    r"|variable|constant|helper|functions?|methods?|class|lookup table|regex|comprehension|breakpoint|print"
    r"|context manager|decorator|mock|fixture|temp(?:orary)? file|break|look"
    r"|step|moment|minute|note|screenshot|snapshot|stab|guess)"
    r"(?=\Z|\s(?:in|of|for|to|that|there|with|as|on|at|per|around|inside)\b)"
)
_STATE: Final = late(
    r"(?i)\Akeep (?:(?:the|that|this|your|my|it)\b.*\s)?(?:open|closed|running|going|around|up|alive|as (?:it )?is)\Z"
    r"|\Akeep (?:\w+in(?:g|(?=['\u2019]))|an eye|in mind|track|your|calm|it)\b|\A(?:time|care|turns|part|it)\b"
)
_HERE: Final = late(r"(?i)(?:\s+(?:here|as well|too|then|please))+\Z")
_QUOTES: Final = "\"'\u201c\u201d\u2018\u2019"
POINTS: Final = late(r"(?i)\b(?:for|in|on|with|to|at) (?:it|this|that|them|those)\Z")
"""Ends with what points to a matter that is told elsewhere."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed: `thing`, and `other`, what it takes the place of, "" where nobody says. `begin`: where in its
    sentence."""

    thing: str
    other: str = ""
    begin: int = 0


def proposed(sentence: str) -> Proposal | None:
    """What a sentence proposes to use, keep, change or do from then on; None for nothing.

    >>> proposed("I'd lint with Biome rather than ESLint.") and proposed("I'd use 'Waage' here.")
    Proposal(thing='Waage', other='', begin=0)
    """
    if _WHICH.match(sentence):
        return None
    if (dropped := _dropped_for(sentence)) is not None:
        return dropped
    if (does := _WOULD_DO.match(sentence)) is not None and not OF_THE_DESK.search(does["thing"]):
        return Proposal(does["thing"])
    hit = next(filter(None, (each.search(sentence) for each in _PROPOSES)), None)
    is_deed, verb = hit is None, ""
    if hit is None and (named := _NAMES.match(sentence)) and not OF_THE_DESK.search(named["thing"]):
        return Proposal(named["thing"])
    if hit is None and (asked := _ASKED_OF.match(sentence)):
        return _asked_of(asked["subject"], asked["does"])
    if hit is None:
        if (hit := _DEED.search(sentence)) is None:
            return None
        thing = hit["made"]
    else:
        said = hit.groupdict()
        thing = said["thing"]
        verb = (said.get("verb") or "").lower()
        verb = "" if verb in _ONLY_TAKES else verb
        verb = verb or _TAKING.get((said.get("using") or "").lower(), "")
    end = _BREAKS.search(thing)
    other = _cut(thing[end.end() :]) if end is not None and end["instead"] else ""
    thing = unquoted(_HERE.sub("", (thing[: end.start()] if end else thing).strip(" .?!")))
    if not 0 < len(thing) <= _LONGEST or re.search(r"\bor\b", thing):
        return None
    if doing := _DOES.match(thing):
        is_deed = True
        if any(_TASK.fullmatch(doing["stem"] + end) for end in ("", "e")) or _TASK.fullmatch(
            doing["stem"][:-1]
        ):
            return None
    thing = f"{verb} {thing}".strip()
    if (points := _POINTING.match(thing)) and (led := _FOR_WHAT.match(sentence[: hit.start()])):
        # "For the names I'd suggest normalising them".
        thing = f"{points['verb']} {led['what']}{thing[points.end() :]}"
    if _LOOKS.search(sentence) or _CODE.match(thing) or _STATE.match(thing):
        return None
    if is_deed and (" " not in thing or _is_of_the_desk(thing)):
        return None
    return Proposal(thing, other, hit.start())


def would_do(sentence: str) -> bool:
    """Whether a sentence proposes a thing by saying that it would do."""
    return _WOULD_DO.match(sentence) is not None


def _dropped_for(sentence: str) -> Proposal | None:
    """A thing that is left by its name for another, both in one proposal; None where the rest is of the moment.

    >>> proposed("I'd drop Weblate and let them edit a shared sheet that a script pulls every night.").thing
    'drop Weblate and let them edit a shared sheet that a script pulls every night'
    >>> proposed("I'd drop Weblate and run the tests.") is None
    True
    """
    hit = _DROPS_FOR.search(sentence)
    if hit is None or OF_THE_DESK.search(hit["left"]):
        return None
    said = sentence[hit.start("drops") :]
    end = _BREAKS.search(said, hit.end("does") - hit.start("drops") + 1)
    thing = _HERE.sub("", (said[: end.start()] if end else said).strip(" .?!"))
    taken = _RELATIVE.sub("", thing[hit.start("taken") - hit.start("drops") :])
    is_task = any((_CODE.match(taken), _STATE.match(f"keep {taken}"), _IT_ALONE.match(taken)))
    is_task = is_task or (not _TAKES_IT.match(hit["does"]) and OF_THE_DESK.search(taken) is not None)
    if is_task or len(thing) > _LONGEST or re.search(r"\bor\b", thing):
        return None
    return Proposal(thing, "", hit.start("drops"))


def _asked_of(subject: str, does: str) -> Proposal | None:
    """What a thing of the project is asked to do from then on; None for a task."""
    done = does.split()[1].removesuffix("ed") if does.startswith("be ") else ""
    thing = f"{subject} should {does}".strip()
    is_task = any(_TASK.fullmatch(done + end) for end in ("", "e"))
    is_task = is_task or OF_THE_DESK.search(does) is not None
    is_task = is_task or OF_THE_DESK.search(subject.removesuffix("import")) is not None
    return None if is_task or len(thing) > _LONGEST or " or " in thing else Proposal(thing)


def _is_of_the_desk(thing: str) -> bool:
    """Whether a deed is one at the code at hand; "it" and "them" may be anything, so that how they are kept must be
    said: "store them as WebP"."""
    if pointing := _POINTING.match(thing):
        is_kept = _LASTS.match(thing) or any(map(str.isdigit, thing))
        return not is_kept or OF_THE_DESK.search(thing, pointing.end()) is not None
    if _REST.match(thing):
        return True
    return OF_THE_DESK.search(_FILE.sub("", thing) if _HANDS_OUT.match(thing) else thing) is not None


def _cut(other: str) -> str:
    """What a thing takes the place of, if it is a thing."""
    end = _BREAKS.search(other)
    plain = unquoted((other[: end.start()] if end else other).strip(" .?!"))
    return "" if _DOES.match(plain) or len(plain) > _LONGEST or " or " in plain else plain


def unquoted(text: str) -> str:
    """A text without a quotation mark that has no other, and without those around the whole of it."""
    plain = text.strip()
    if len(plain) > 1 and plain[0] in _QUOTES and plain[-1] in _QUOTES:
        plain = plain[1:-1].strip()
    if plain[:1] in _QUOTES[:3] and sum(plain.count(mark) for mark in _QUOTES) == 1:
        plain = plain[1:].strip()
    if plain[-1:] in (*_QUOTES[:3], "\u201d") and sum(plain.count(mark) for mark in _QUOTES) == 1:
        plain = plain[:-1].strip()
    return plain
