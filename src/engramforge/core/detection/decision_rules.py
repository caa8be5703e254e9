"""The wordings of a decision, and how sure each is: labels, verbs of deciding, choices against alternatives, plans.

A rule's confidence is a prior: words of work on a project raise it, words of everyday life lower it (topic_words), and
traps take it away. What must not enter: named entries (D001, in named_entries), whole records (adr_text).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engramforge.core.detection.passages import Passage
from engramforge.core.detection.topic_words import everyday_words, work_words
from engramforge.core.detection.traps import (
    asks,
    has_condition_after,
    is_conditional,
    is_hearsay,
    is_negated,
    is_request,
)

_ADVERB: Final = (
    r"(?:\s+(?:\w+ly|all|just|now|then|already|both|also|therefore|thus|so|hereby|instead|ended up|went ahead and|in the end"
    r"|again|together|still|at last|of course)\b,?){0,3}"
)
_GROUP: Final = (
    r"(?:the\s+(?:[\w-]+\s+){0,2}?(?:team|group|committee|board|council|panel|architects?|leads?|maintainers?|meeting|owners?|members|developers"
    r"|engineers|stakeholders|majority|working group|project|company|org)|(?:our|my)\s+(?:[\w-]+\s+)?(?:team|group|squad|company|lead|manager)"
    r"|everyone|everybody|all of us|both of us|all participants|management|leadership|product|ops|engineering)"
)
_WE: Final = rf"\b(?:we|wir|{_GROUP})\b(?:['\u2019](?:ve|d|re|ll)\b)?(?:\s+(?:have|has|had|are|is|were|was|did))?{_ADVERB}\s+"
_I: Final = rf"\bi\b(?:['\u2019](?:ve|d|m|ll)\b)?(?:\s+(?:have|had|am|was|did))?{_ADVERB}\s+"
_DECIDED: Final = (
    r"(?:decided|agreed|settled|opted|concluded|resolved|voted|elected|committed|aligned|signed off)"
    r"(?=\s+(?:to|on|that|for|against|not|in favou?r|upon|by|unanimously)\b|\s*[:\u2014\u2013-])"
)
_CHOSE: Final = (
    r"(?:cho(?:se|sen)|picked|selected|adopted|approved|rejected|discarded|dismissed|abandoned|ruled out|vetoed|accepted|dropped"
    r"|standardi[sz](?:ed|ing) on|went (?:with|for|ahead with)|go(?:ing)? (?:with|ahead with)|gone with|ended up (?:with|choosing|using|going with|picking)"
    r"|choosing|st(?:uck|icking|ick) (?:with|to)|stay(?:ing|ed)? (?:with|on)|mov(?:ing|ed) (?:away from|over to|off)|switch(?:ing|ed) (?:over )?(?:to|from)"
    r"|dropping|ditch(?:ing|ed)|scrapp(?:ing|ed)|keeping|retiring|deprecating|made up (?:our|my) minds?|made the (?:call|decision))\b"
    r"(?!\s+(?:the flow|up|it through|around|out)\b)"
)
_ADOPT: Final = (
    r"(?:use|go|adopt|move|switch|keep|store|host|support|run|migrate|deploy|build|drop|replace|write|be (?:written|built|deployed|hosted|stored|based"
    r"|kept|served|versioned|run|handled|managed|implemented|configured|pulled|enforced|encrypted|rebuilt|done|made|limited|used|renamed|removed|retired|replaced|released|moved|signed)"
    r"|terminate|encrypt|expose|version|split|implement|create|continue|standardi[sz]e|rely|provide|maintain|manage|enforce|require"
    r"|stop|remove|rename|retire|deprecate|treat|apply|introduce|configure|provision|place|put|publish|combine|merge|share|start"
    r"|allow|serve|set|add|have|make|take|define|automate|separate|extend|limit|restrict|proxy|route|install|stick|stay|follow|default|talk|live"
    r"|expire|never|no longer|only|always|not)"
)

_LABEL: Final = re.compile(
    r"^\W{0,3}(?:(?:ok|okay|alright|yes|so|and|right|well|then|great)\W+){0,3}(?:(?:the\s+|our\s+|my\s+|final\s+|team\s+|design\s+|technical\s+|architecture\s+|group\s+|key\s+)?(?:decision|decisions|decided|decision made"
    r"|entscheidung|beschluss|beschlossen|entschieden)(?:\s+(?:from|of|at|after|in|by|made|taken|on|today|yesterday)\b[^:]{0,40})?"
    r"|agreed|settled(?: then)?|final (?:call|answer|choice)|(?:design|architecture|technical|implementation|final) choice|resolution|verdict|conclusion|consensus|outcome"
    r"|we agreed|chosen(?: (?:option|design|approach|solution))?|selected(?: option)?|approved|the call|going forward)"
    r"\s*(?::|\u2014|\u2013|\s-\s)\s*(?P<said>\S.{3,})",
    re.I | re.S,
)
_WEAK_LABEL: Final = re.compile(
    r"^\W{0,3}(?:conclusion|outcome|resolution|verdict|approved|selected|consensus|going forward)\b", re.I
)
_NOT_MADE: Final = re.compile(
    r"^\W*(?:none|pending|open|tbd|tba|tbc|n/?a|not (?:yet|made)|to be|postponed|deferred|unclear|no decision|keine|offen)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    pattern: re.Pattern[str]
    prior: float
    # What a sentence must have beside the cue: nothing, or words of work.
    needs_work: bool = False
    may_plan: bool = False


def _rule(
    name: str, pattern: str, prior: float, *, needs_work: bool = False, may_plan: bool = False
) -> _Rule:
    return _Rule(name, re.compile(pattern, re.I), prior, needs_work, may_plan)


_LET_US: Final = r"\blet(?:['\u2019]?s| us)(?:\s+(?:just|then|all|definitely|now|simply))?\s+"
_CONTRAST: Final = r"(?:instead of|rather than|in favou?r of|in place of|as opposed to|over (?=[A-Z]|\w+\.|the (?:old|other)))"
_RULES: Final = (
    _rule("team decided", rf"{_WE}{_DECIDED}", 0.74),
    _rule("team chose", rf"{_WE}{_CHOSE}", 0.66),
    _rule(
        "team then chose",
        rf"\bwe\b[^.;?]{{3,100}}?,?\s(?:and|but|so)\s(?:then\s|finally\s|eventually\s|have\s|we\s)*(?:{_CHOSE}|decided (?:to|on|against|that))",
        0.62,
    ),
    _rule(
        "and rejected",
        r";\s*(?:rejected|ruled out|chose|picked|decided (?:on|against|to))\s",
        0.52,
        needs_work=True,
    ),
    _rule(
        "team is settled",
        r"\b(?:we|wir)\b[^,;.]{0,30}\b(?:entschieden|beschlossen|geeinigt)\b|\bhaben (?:wir )?(?:uns )?(?:[\w ]{0,40})\b(?:entschieden|beschlossen|geeinigt)\b",
        0.74,
    ),
    _rule(
        "let us",
        rf"{_LET_US}(?:go (?:ahead )?with|stick (?:with|to)|settle on|standardi[sz]e on|opt for|pick|choose|adopt|switch to|move (?:to|away from)"
        r"|commit to|drop|ditch|scrap)\b(?!\s+(?:the flow|it\b|by|in on|off|together)|\W*$)",
        0.66,
    ),
    _rule(
        "let us do",
        rf"{_LET_US}(?:not\s+\w+|use|make|do|have|split|store|put|build|write|run|set|limit|default|version|avoid|replace|(?:keep|stay)(?!\s+(?:\w+ing|each|up|at|it|in)\b))\b",
        0.52,
        needs_work=True,
    ),
    _rule(
        "was decided",
        r"\b(?:it|this|that|which|these|matter|everything)(?:['\u2019]s|\s+(?:is|was|has been|had been|been))?(?:\s+(?:now|then|also|finally|all|been|unanimously))*\s+(?:decided|agreed|settled|resolved to|concluded)\b(?!\s+(?:in|by) (?:the )?(?:last|court|judge))",
        0.7,
    ),
    _rule(
        "as decided",
        r"\bas (?:was |we |already |just |previously )*(?:decided|agreed)\b|\bper (?:our|the|your) (?:decision|agreement|confirmation)\b",
        0.62,
    ),
    _rule(
        "the decision is",
        r"\b(?:the|our|my|final|a)\s+(?:[\w-]+\s+)?(?:decision|choice|verdict|plan|agreement)\s+(?:is|was|has been)\s+(?:to|that|made|taken|final|fixed|not to|reached|against)\b",
        0.72,
    ),
    _rule(
        "the chosen one",
        r"\b(?:the|our)\s+(?:chosen|accepted|selected|agreed|preferred|final)\s+(?:[\w-]+\s+)?(?:option|design|approach|solution|strategy|format|architecture|tool|stack|vendor|plan)\s+(?:is|was|will be)\b|\b(?:approach|option|design|solution) (?:i|we)(?:['\u2019]ve)? (?:settled on|chose|picked|went with)\b",
        0.72,
    ),
    _rule(
        "changed minds",
        r"\b(?:changed (?:my|our) minds?|revers(?:ing|ed) (?:our|the|my) (?:\w+ )?decision|scrap (?:the|that)|that['\u2019]?s (?:the )?final|final answer|(?:the|our) vote was)\b",
        0.64,
    ),
    _rule(
        "bare decision",
        r"^\W*(?:(?:ok|okay|alright|yeah|yes|so|and|right|fine|great|cool|sure)\b\W*){0,3}(?:(?:decided|agreed|opted|resolved|voted|elected|concluded)(?=\s+(?:to|on|that|for|against|not|in favou?r)\b)"
        r"|settled on|going with|sticking with|ruled out|went with|switching to|moving (?:to|away from)|dropping|(?:chose|picked|selected|approved|rejected|adopted)(?=\s+\S+))",
        0.64,
    ),
    _rule(
        "policy from now",
        r"\b(?:from now on|going forward|henceforth|from here on|effective immediately|as of (?:today|now)|ab sofort)\b",
        0.62,
    ),
    _rule("i decided", rf"{_I}{_DECIDED}", 0.56),
    _rule("i chose", rf"{_I}{_CHOSE}", 0.5),
    _rule(
        "rejected option",
        rf"\b(?:option|alternative|proposal|approach|idea|design|plan|variant|{_GROUP}|\w+ updates)\b[^.;]{{0,40}}\b(?:was|were|has been|have been|got|is|are)\s+(?:\w+ly\s+)?(?:rejected|ruled out|discarded|dropped|turned down|dismissed|chosen|selected|approved|accepted|adopted)\b",
        0.6,
    ),
    _rule(
        "against alternatives",
        r"\b(?:we|i)(?:['\u2019](?:ve|ll|re|m))?\s+(?:\w+\s+){0,12}?(?:instead of|rather than|in favou?r of)\b",
        0.5,
        needs_work=True,
    ),
    _rule(
        "work is changed",
        r"^\W*(?:(?:feat|fix|chore|refactor|build|docs|perf|ci|style|test)(?:\([\w-]+\))?!?:\s*)?(?:use|switch|adopt|replace|migrate|move|drop|prefer|standardi[sz]e on|keep|pin|retire|deprecate|store|implement|make|host|remove|run|serve|write)\b[^.;]*?(?:instead of|rather than|in favou?r of|because\b|\bas agreed)",
        0.52,
        needs_work=True,
    ),
    _rule(
        "work is settled",
        r"^\W*(?:(?:feat|fix|chore|refactor|build|docs|perf|ci)(?:\([\w-]+\))?!?:\s*)?(?:adopt|standardi[sz]e (?:on|all|the)|switch (?:\w+ ){0,3}(?:from|to)|migrate (?:\w+ ){0,3}(?:from|to)|prefer|retire|deprecate)\b",
        0.54,
        needs_work=True,
    ),
    _rule(
        "team will",
        rf"(?:\bwe|{_GROUP})(?:['\u2019]ll|\s+(?:will|shall|are going to|['\u2019]re going to))(?:\s+\w+ly)?\s+{_ADOPT}\b(?!\s+(?:to (?:decide|see|wait|discuss|check)|a look|time|back))",
        0.5,
        needs_work=True,
        may_plan=True,
    ),
    _rule(
        "rule for all",
        r"^\W*(?:(?:so|therefore|thus|hence|given [^,]{3,60}|as decided[^,]{0,40}),?\s+)?(?:all|every|each|no|any|teams|new|clients|services|developers|the)\b[^.;,]{0,60}\b(?:will|must|shall|may)\s+"
        rf"(?:not |only |never |always |now )?{_ADOPT}\b",
        0.46,
        needs_work=True,
        may_plan=True,
    ),
    _rule(
        "i will not the other",
        r"\bi(?:['\u2019]ll|['\u2019]m going to| will| am going to)\s+(?!be\b|need\b|have\b)[^.;?]{3,120}?\b(?:instead of|rather than|in favou?r of)\b",
        0.53,
        needs_work=True,
        may_plan=True,
    ),
    _rule("rationale", r"^\W*(?:rationale|reasoning|begr\u00fcndung)\s*:", 0.5, needs_work=True),
)
_NOT_OURS: Final = re.compile(
    r"\b(?:the user|the server|the client|the judge|competitor|customer|your ip|the compiler|the scheduler|promise)\b[^.]{0,20}\b(?:rejected|decided|chose|chooses|decides|picks)\b",
    re.I,
)
_OTHERS: Final = re.compile(r"^\W*(?:\w+,\s+)?(?:you|he|she|they|his|her|their)\b", re.I)
_ALL_IN_ALL: Final = 0.95


def decision_in(passage: Passage) -> tuple[str, float, str] | None:
    """The rule, the confidence 0..1 and the words of a decision that a sentence says; None for none.

    The words are the sentence without its label.
    """
    plain = passage.plain
    label = _LABEL.match(plain)
    if label and not _NOT_MADE.match(label["said"]) and not asks(label["said"]):
        prior = 0.7 if _WEAK_LABEL.match(plain) else 0.86
        return "label", _weighed(prior, passage.said), passage.said[label.start("said") :].strip()
    if asks(plain) or is_request(plain) or is_hearsay(plain):
        return None
    best: tuple[str, float] | None = None
    for rule in _RULES:
        for hit in rule.pattern.finditer(plain):
            confidence = _confidence(rule, passage, hit)
            if confidence and (best is None or confidence > best[1]):
                best = (rule.name, confidence)
    return None if best is None else (*best, passage.said)


def _confidence(rule: _Rule, passage: Passage, hit: re.Match[str]) -> float:
    plain = passage.plain
    begin = hit.start() if hit.end() - hit.start() < 12 else hit.end() - 4
    verb = hit.end()
    if is_conditional(plain, hit.start()) or (_NOT_OURS.search(plain) and rule.name != "label"):
        return 0.0
    if not rule.may_plan and (is_negated(plain, begin) or is_negated(plain, hit.start())):
        return 0.0
    if rule.may_plan and _OTHERS.match(plain):
        return 0.0
    work = work_words(passage.said)
    if rule.needs_work and not work:
        return 0.0
    confidence = _weighed(rule.prior, passage.said, work)
    return confidence - 0.15 if has_condition_after(plain, verb) else confidence


def _weighed(prior: float, said: str, work: int | None = None) -> float:
    """A prior, raised by words of work, lowered by words of everyday life."""
    work = work_words(said) if work is None else work
    everyday = everyday_words(said)
    confidence = prior + 0.07 * min(work, 2) - (0.09 if work else 0.2) * everyday
    if not work and said.rstrip().endswith("!"):
        confidence -= 0.1
    return round(min(max(confidence, 0.0), _ALL_IN_ALL), 3)
