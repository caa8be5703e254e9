"""The wordings of an open matter and of its end, and how sure each is: labels, marks, what is still to do or blocked.

As decision_rules: a prior per wording, raised by words of work, lowered by those of everyday life, taken away by traps.
What must not enter: named entries (T001, in named_entries).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engramforge.core.detection.passages import Passage
from engramforge.core.detection.topic_words import everyday_words, work_words
from engramforge.core.detection.traps import (
    asks,
    is_conditional,
    is_hearsay,
    is_negated,
    is_question,
    is_request,
)
from engramforge.model.registry import ThreadStatus

_LABEL: Final = re.compile(
    r"^\W{0,4}(?:(?:our|the|my|remaining|other|main|still)\s+)?(?:to-?\s?dos?|action items?|actions?|ai|next steps?|next up|next|open questions?|open issues?|open points?|open problems?|open items?"
    r"|open tasks?|open threads?|open|outstanding(?: \w+)?|remaining(?: \w+)?|remains|pending|tbd|to be (?:decided|determined|discussed|done|defined|clarified)|unresolved|known (?:issues?|problems?|bugs?|gaps?|limitations?)"
    r"|follow[- ]?ups?(?: needed)?|still (?:to do|open|missing|needed|todo)|carried over(?: [^:]{0,30})?|deferred(?: [^:]{0,30})?|not yet (?:implemented|done|covered|tested|handled|supported)"
    r"|not done(?: yet)?|blockers?|blocked(?: by| on)?|parking lot|parking this(?: for later)?|parked|for later|later|fixme|missing|left to do|left|waiting (?:for|on)|offene? (?:fragen?|punkte?|themen?|aufgaben?)|offen"
    r"|n\u00e4chster? schritte?|n\u00e4chste schritte|noch zu (?:tun|kl\u00e4ren)|aufgaben?)\s*(?::|\u2014|\u2013|\s-\s)\s*(?P<said>\S.{3,})",
    re.I | re.S,
)
_WEAK_LABEL: Final = re.compile(
    r"^\W*(?:(?:the|our|my|other|main)\s+)?(?:next|open|later|left|missing|actions?|ai|remains|pending|outstanding|remaining)\s*(?::|\u2014|\u2013|\s-\s)",
    re.I,
)
_NOTHING: Final = re.compile(r"^\W*(?:none|nothing|no\b|n/?a|nil|keine?|nichts|all done|-+$)", re.I)
_CLOSED_LABEL: Final = re.compile(
    r"^\W{0,3}(?:resolved|fixed|closed|done|solved|completed|erledigt|gel\u00f6st)\s*(?::|\u2014|\u2013|\s-\s)\s*(?P<said>\S.{3,})",
    re.I | re.S,
)
_MARK: Final = re.compile(
    r"(?<![\w.#/\u00b7-])(?:TODO|FIXME|XXX|HACK)(?:\([\w .-]+\))?(?!s\b|\w|[.(])\s*[:\u2014-]?\s*(?P<said>.{0,300})",
    re.S,
)
_MEETING: Final = re.compile(r"^\W*next (?:meeting|call|standup|sync|session|week|month)", re.I)

_MATTER: Final = (
    r"(?:issue|issues|problem|bug|bugs|blocker|blockers|thread|question|ticket|leak|failure|outage|incident|regression|error|crash|conflict|deadlock|race"
    r"|vulnerability|defect|task|concern|discussion|item|point|matter|discrepancy|mismatch|timeout|slowdown|finding|dispute over the \w+)"
)
_CHORE: Final = (
    r"(?:revisit|figure out|find out|look (?:into|at)|investigate|decide|determine|come back|circle back|follow up|verify|check|clarify|confirm|discuss|handle|test|update|migrate|add|implement|fix"
    r"|write|document|define|measure|benchmark|review|clean up|refactor|remove|replace|rotate|schedule|plan|talk to|ask|sort out|agree on|pick|choose|finish|complete|address|resolve|support|make sure|set up|configure|wire|port|deploy|get)"
)
_WHO: Final = r"(?:we|i|someone|somebody|the team|ops|[A-Z][a-z]+)"


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    pattern: re.Pattern[str]
    prior: float
    needs_work: bool = False
    may_negate: bool = False


def _rule(
    name: str, pattern: str, prior: float, *, needs_work: bool = False, may_negate: bool = True
) -> _Rule:
    return _Rule(name, re.compile(pattern, re.I), prior, needs_work, may_negate)


_RULES: Final = (
    _rule(
        "still to do",
        r"\bstill (?:\w+ly )?(?:need(?:s|ed)?|ha(?:ve|s)|got|must|want)\b(?: to\b)?|\bstill (?:to (?:do|be)|open\b|missing\b|unresolved\b|unclear\b|outstanding\b|pending\b|undecided\b|broken\b|failing\b|unanswered\b|needed\b|required\b|todo\b|in progress\b|waiting\b)|\bstill (?:fails|flaky)\b",
        0.58,
    ),
    _rule(
        "next step",
        r"\bnext steps? (?:is|are|will be|would be|here is|for (?:us|me|this))\b(?! of\b)|^\W*(?:as a |my |our |the )?next step,? (?:i|we)\b",
        0.6,
    ),
    _rule(
        "next i",
        r"^\W*(?:next|then|tomorrow|after that|later),? (?:i|we)(?:['\u2019]ll| will| need to| have to| should| must| still)\b",
        0.5,
        needs_work=True,
    ),
    _rule(
        "needs doing",
        rf"\b{_WHO}(?:['\u2019]ll| will)?\s+(?:also\s+|then\s+)?(?:need(?:s)? to|ha(?:ve|s) (?:yet )?to|ought to)\s+(?:\w+ly\s+)?{_CHORE}\b",
        0.47,
        needs_work=True,
    ),
    _rule(
        "needs deciding",
        r"\b(?:we|i)(?:['\u2019]ll| will)?\s+(?:also\s+|still\s+)?(?:need|have) to\s+(?:decide|revisit|figure out|find out|investigate|come back|circle back|clarify|determine|follow up|discuss|agree on|sort out)\b",
        0.58,
    ),
    _rule("somebody should", r"\b(?:someone|somebody) (?:has to|should|must|needs to|ought to)\b", 0.62),
    _rule(
        "follow-up",
        r"\b(?:needs?|requires?|in|as) (?:a |an |some )?(?:separate |later )?follow[- ]?up\b|\bfollow[- ]?up (?:[\w-]+ )?(?:is|are|will be )?\s*(?:needed|required|necessary|planned)\b|\bfurther (?:work|investigation|analysis|discussion|research) (?:is|will be) (?:needed|required|necessary)\b",
        0.62,
    ),
    _rule(
        "to be done",
        r"\b(?:is|are|be|remain|remains|remaining|left|yet|still|has|have)?\s*to be (?:fixed|done|decided|determined|defined|verified|handled|discussed|clarified|confirmed|written|tested|investigated|resolved|agreed|implemented|addressed)\b(?: (?:in|later|once|by|before|soon|separately)\b)?",
        0.5,
    ),
    _rule(
        "remains open",
        r"\bit (?:still )?(?:remains?|is|stays) (?:open|unclear|undecided|unresolved|to be (?:seen|decided|determined))(?=,? (?:whether|how|what|which|who|if)\b)"
        r"|\bremains? (?:unresolved|undecided|unanswered|unsolved|outstanding|to be (?:\w+ed|done|seen))\b",
        0.6,
    ),
    _rule(
        "stays open",
        r"\b(?:remains?|stays?|kept|keep|left|leave|leaving|still) (?:it |this |that )?(?:open|unclear)\b",
        0.5,
        needs_work=True,
    ),
    _rule(
        "open question",
        r"\b(?:an?|one|two|three|several|some|the|another|the only|our)\s+(?:\w+\s+)?(?:open|outstanding|unresolved|unanswered|remaining|unsolved) (?:questions?|issues?|points?|problems?|items?|matters?|tasks?|threads?|topics?)\b(?! source)",
        0.6,
    ),
    _rule(
        "outstanding work",
        r"\b(?:outstanding|remaining|unfinished) (?:work|tasks?|items?|pieces?|parts?|bits?)\b",
        0.6,
    ),
    _rule(
        "is left",
        r"\b(?:is|are|remains?|what['\u2019]s|all that['\u2019]s) left(?: to do| open)?\s*(?::|to (?:do|be)\b)",
        0.56,
    ),
    _rule(
        "not done yet",
        r"\b(?:not|n['\u2019]t|never|never been)(?: \w+ly)?(?: yet)?(?: been)? (?:fixed|implemented|merged|tested|mitigated|covered|handled|migrated|supported|finished|done|wired|verified|documented|released|deployed|reviewed|addressed|solved|resolved)(?: yet| so far| until now)\b|\bnot yet (?:been )?(?:\w+ed|clear|known|done|written|ready)\b|\bhas(?: not|n['\u2019]t) been (?:merged|fixed|tested|implemented|reviewed|approved|resolved|verified|documented)\b|\bnever been (?:tested|verified|documented)\b",
        0.58,
        needs_work=True,
    ),
    _rule(
        "undecided yet",
        r"\b(?:have|has)(?:n['\u2019]t| not)(?: really| quite| yet)? (?:decided|agreed|settled|determined|figured out|worked out|solved|made up)\b[^.;]{0,40}?\b(?:yet|so far|how|which|where|who|when)\b|\byet to (?:decide|determine|agree|be|figure|define|settle|find|choose)\b|\b(?:no|without a) (?:final )?(?:decision|agreement|consensus|conclusion) (?:yet|so far|on|about|has been)\b|\bnot (?:yet )?sure yet\b|\bnot sure yet\b",
        0.56,
    ),
    _rule(
        "unclear",
        r"\b(?:it(?:['\u2019]s| is)|is|still) (?:not clear|unclear|unknown|not known|an open question)(?: to me| to us)? (?:who|how|whether|why|what|which|if|when|where)\b",
        0.56,
    ),
    _rule(
        "blocked",
        r"\b(?:(?:is|are|was|remains?|still|currently|we['\u2019]?re|i['\u2019]?m|it['\u2019]?s|this|that|all) (?:\w+ly )?(?:\w+ )?)?blocked (?:by|on|until|because)\b|^\W*blocked\b|\bblocks (?:the|our|us|this)\b|\bblockiert (?:durch|von)\b",
        0.52,
    ),
    _rule(
        "waiting",
        r"\b(?:still |currently |we(?:['\u2019]re| are) |i(?:['\u2019]m| am) |^)\W*waiting (?:on|for)\b|\bstuck (?:on|until|with|because)\b|\bon hold (?:until|because|for|pending)\b|^\W*waiting (?:on|for)\b|\bpending (?:approval|review|sign-off|a decision|feedback|confirmation)\b",
        0.5,
        needs_work=True,
    ),
    _rule(
        "cannot until",
        r"\b(?:can(?:['\u2019]t|not)|unable to|won['\u2019]t be able to) (?:\w+ ){1,6}?(?:until|before|unless)\b|\bdepends on [^.;]{3,60}?(?:not|n['\u2019]t) (?:yet )?(?:been )?(?:merged|ready|done|available|released|finished)\b",
        0.55,
        needs_work=True,
    ),
    _rule(
        "later",
        r"\b(?:come back to|circle back to|revisit|postpone[ds]?|defer(?:red|ring)?|park(?:ed|ing)?|put off|push(?:ed)? (?:back|out)|kick(?:ed)? down the road|pick (?:this|that|it) up)\b[^.;]{0,60}?\b(?:later|after|once|next|tomorrow|until|when|in the|for now)\b",
        0.56,
    ),
    _rule(
        "will look",
        r"\b(?:i|we)(?:['\u2019]ll| will| am going to|['\u2019]m going to) (?:\w+ly )?(?:look into|investigate|follow up|check (?:on|with|whether|if|why)|dig into|get back to|come back to|have a look|take a look|report back)\b",
        0.5,
        needs_work=True,
    ),
    _rule(
        "left a mark",
        r"\b(?:left|leave|added|with|has|there(?:['\u2019]s| is)) (?:a|an|the|another) (?:todo|fixme)\b|\bnot done yet\b|\b(?:paths?|cases?|parts?|tests?|docs?|pieces?) (?:is |are )?still missing\b",
        0.6,
    ),
    _rule(
        "german open",
        r"\b(?:noch (?:offen|zu (?:tun|kl\u00e4ren|erledigen)|nicht (?:gekl\u00e4rt|entschieden|fertig|erledigt))|m\u00fcssen (?:wir )?noch|n\u00e4chster schritt (?:ist|w\u00e4re))\b",
        0.58,
    ),
)
_CLOSING: Final = re.compile(
    rf"\b{_MATTER}\b[^.;]{{0,60}}?(?:\b(?:is|are|was|were|has been|have been|got|gets|now|finally)|['\u2019]s)(?:\s+(?:now|finally|all|already|fully|also|been))*\s+(?:resolved|fixed|closed|done|unblocked|sorted(?: out)?|solved|gone|behelf|settled|addressed)\b(?!\s+(?:by calling|to \d|in \d))",
    re.I,
)
_REOPEN: Final = re.compile(r"\bre-?open(?:ed|ing)?\b", re.I)
_NO_BLOCK: Final = re.compile(
    r"\b(?:firewall|mutex|ad ?block\w*|ublock|ip|ads?|account|tree|road|number|ad|ads|caller|spam|contact|main thread|i/o|browser|popup|user|users|traffic|sight|view|sun)\b",
    re.I,
)
_NO_STEP: Final = re.compile(
    r"\b(?:algorithm|tutorial|recipe|figure|dijkstra|chapter|iteration|loop|wizard)\b", re.I
)
_COUNTED: Final = re.compile(
    r"\b\d+ (?:\w+ )?open\b|\bopen (?:source|bar|air|door|minded|file|connection|port|office|house|mic|relationship)\b",
    re.I,
)
_MOST: Final = 0.95


def thread_in(passage: Passage) -> tuple[str, float, str, ThreadStatus] | None:
    """The rule, the confidence 0..1, the words and the status of a thread that a sentence says; None for none."""
    found = _labelled(passage)
    if found is not None:
        return found
    plain = passage.plain
    if (
        _MEETING.match(plain)
        or asks(plain)
        or is_hearsay(plain)
        or (is_request(plain) and "TODO" not in plain)
    ):
        return None
    closing = _CLOSING.search(plain)
    if (
        closing
        and not is_negated(plain, closing.end() - 4)
        and not is_conditional(plain, closing.start())
        and " not " not in closing[0]
    ):
        return "matter closed", _weighed(0.6, passage.said), passage.said, ThreadStatus.RESOLVED
    best: tuple[str, float] | None = None
    for rule in _RULES:
        hit = rule.pattern.search(plain)
        if hit is None:
            continue
        confidence = _confidence(rule, passage, hit)
        if confidence and (best is None or confidence > best[1]):
            best = (rule.name, confidence)
    return None if best is None else (*best, passage.said, ThreadStatus.OPEN)


def _labelled(passage: Passage) -> tuple[str, float, str, ThreadStatus] | None:
    """What a mark, a check list's item or a label says."""
    plain, said = passage.plain, passage.said
    if passage.box is not None:
        status = ThreadStatus.RESOLVED if passage.box else ThreadStatus.OPEN
        return "check list", _weighed(0.75 if not passage.box else 0.5, said), said, status
    mark = _MARK.search(plain)
    if mark and not is_question(plain) and not is_negated(plain, mark.start()):
        rest = said[mark.start("said") :].strip() if len(mark["said"].strip()) > 3 else said
        is_led = mark.start() <= 2 or plain[mark.start() - 2] in ";:,.-" or mark["said"][:1] == ":"
        return "mark", _weighed(0.8 if is_led else 0.66, said), rest, ThreadStatus.OPEN
    label = _LABEL.match(plain)
    if label and not _NOTHING.match(label["said"]) and not _MEETING.match(plain):
        prior = 0.64 if _WEAK_LABEL.match(plain) else 0.82
        return "label", _weighed(prior, said), said[label.start("said") :].strip(), ThreadStatus.OPEN
    closed = _CLOSED_LABEL.match(plain)
    if closed and not _NOTHING.match(closed["said"]):
        return (
            "closed label",
            _weighed(0.66, said),
            said[closed.start("said") :].strip(),
            ThreadStatus.RESOLVED,
        )
    return None


def _confidence(rule: _Rule, passage: Passage, hit: re.Match[str]) -> float:
    plain, said = passage.plain, passage.said
    work = work_words(said)
    if rule.needs_work and not work:
        return 0.0
    if is_conditional(plain, hit.start()) and rule.name not in ("unclear", "undecided yet"):
        return 0.0
    if rule.name in (
        "open question",
        "outstanding work",
        "next step",
        "blocked",
        "left a mark",
        "follow-up",
    ) and is_negated(plain, hit.start()):
        return 0.0
    if rule.name == "blocked" and _NO_BLOCK.search(plain):
        return 0.0
    if rule.name.startswith("next") and _NO_STEP.search(plain):
        return 0.0
    if _COUNTED.search(hit[0]):
        return 0.0
    return _weighed(rule.prior, said, work)


def _weighed(prior: float, said: str, work: int | None = None) -> float:
    """A prior, raised by words of work, lowered by words of everyday life."""
    work = work_words(said) if work is None else work
    confidence = prior + 0.07 * min(work, 2) - (0.09 if work else 0.2) * everyday_words(said)
    if not work and said.rstrip().endswith("!"):
        confidence -= 0.1
    return round(min(max(confidence, 0.0), _MOST), 3)
