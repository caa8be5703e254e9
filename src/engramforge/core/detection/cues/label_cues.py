"""The labels and marks that say at once what follows: "Decision:", "Next steps:", "TODO", "Resolved:"."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.decision_cues import OPENING
from engramforge.core.detection.cues.language_cues import (
    GREETINGS,
    LANGUAGE_DECISION_LABELS,
    LANGUAGE_THREAD_LABELS,
)
from engramforge.core.text.late_pattern import late

LABEL: Final = "label"
"""The rule of what a label leads to."""
ITEM: Final = r"(?:questions?|issues?|points?|problems?|items?|matters?|tasks?|threads?|topics?|concerns?)"
DECISION_LABEL_STEMS: Final = (
    "decision desicion descision entscheidung beschluss agreed settled call answer choice resolution verdict"
    " conclusion consensus outcome motion chosen selected accepted approved forward policy rule ruling"
)
"""A text without any of these has no label of a decision."""
_DECISION_LABELS: Final = (
    r"(?:[\w'-]++\s++){0,2}(?:decision|desicion|descision|decison|decisions|decided|entscheidung|beschluss"
    r"|beschlossen|entschieden)(?:\s+(?:time|made|recorded|logged|reached|taken|from|of|at|after|in|by|on|today"
    r"|yesterday)\b[^:]{0,40})?|agreed|settled(?: then)?|(?:final|my|our|the) (?:call|answer|choice)|(?:design"
    r"|architecture|technical|implementation|final) choice|resolution|verdict|conclusion|consensus|(?:[\w-]+"
    r" )?outcome|we agreed|motion (?:carried|passed)|(?:chosen|selected|accepted|agreed)(?: [\w-]+){0,2}|(?:plan "
    r"|option |proposal )?approved(?: by [^:]{1,30})?|going forward|(?:new )?(?:policy|rule(?! of thumb)|ruling)(?:"
    r" change)?|user (?:chose|decided|selected|approved)"
)
DECISION_LABEL: Final = late(
    rf"(?is)(?:{OPENING}|[,;.:]\s+)(?:{_DECISION_LABELS}|{LANGUAGE_DECISION_LABELS})\s*(?::|\u2014|\u2013"
    rf"|\s-\s)\s*(?P<said>\S.{{3,}})"
)
WEAK_LABEL: Final = late(
    r"(?i)\b(?:conclusion|outcome|resolution|verdict|approved|selected|consensus|going forward|policy|rule|ruling"
    r"|change)\W*$"
)
NOT_MADE: Final = late(
    r"(?i)^\W*(?:none|pending|open|tbd|tba|tbc|n/?a\b|not (?:yet|made)|to be|postponed|deferred|unclear|no decision"
    r"|keine|offen)\b"
)
_FOOD: Final = (
    r"(?:coffee|espresso|tea|beer|beers|wine|pizza|lunch|dinner|breakfast|cake|chocolate|burgers?|kebab|noodles|pasta|ice"
    r" cream|cookies|donuts?|snacks?|sandwich|sushi|ramen|nap|sleep|holidays?|vacation|hug|drink|drinks|raise)"
)
OF_LIFE: Final = late(
    r"(?i)^\W*(?:i|we)(?:['\u2019]?(?:ll|m|re)| will| am| are)? (?:(?:really|just|now|definitely|desperately|urgently"
    r"|officially|hereby|going to|gonna|all) ){0,3}(?:(?:marry|marrying|adopt (?:a|the) (?:cat|dog)"
    r"|go(?:ing)? (?:home|to bed|fishing|outside|for a walk)|move to (?:the woods|an island|the moon|mars))\b"
    r"|(?:retire|quit|resign|sleep|nap|cry)(?=\W*\Z|\s(?:now|first|early|to (?:the|an?) (?:woods|island|beach|farm)))"
    rf"|(?:need|want|deserve|could use|order|eat|drink|have|get|take|buy|make)(?: [\w'-]{{1,20}}){{0,3}}? {_FOOD}"
    r"(?=\W*\Z|\s*[,;.!]|\s(?:now|first|please|today|before|and|so|for (?:me|all|everyone))\b))"
    rf"|^\W*(?:(?:more|first|some|no more|a|now|another|time for) )?{_FOOD}(?: (?:first|now|break|for (?:me|all"
    r"|everyone)))?\W*$"
)
"""What a joke leads to as a decision: what somebody wants of life, food and drink."""
_LEADS: Final = late(
    r"(?i)^\W*(?:(?:ok(?:ay)?|so|well|my|our|the|final|new|executive|important|today['\u2019]?s)\b\W*){0,4}"
    r"(?:decision|decided|agreed|verdict|conclusion|resolution)(?: of the day)?\s*(?::|\u2014|\u2013|\s-\s)\s*"
)


def is_of_life(sentence: str) -> bool:
    """Whether a sentence calls a decision what somebody wants of life, food and drink.

    >>> [is_of_life(each) for each in ("decision: i need more coffee", "decision: we need two pumps", "i need coffee")]
    [True, False, False]
    """
    label = _LEADS.match(sentence)
    return label is not None and OF_LIFE.match(sentence[label.end() :]) is not None


THREAD_LABEL: Final = late(
    rf"(?is)^\W{{0,4}}(?:(?:our|the|my|remaining|other|main|also|another|one more|still|status|two|three|new|first"
    rf"|we(?:['\u2019]ve got| have)?|i have|an?|so|please|pls|can you|could you|before i forget"
    rf"|{GREETINGS})(?:\s*+[:,!.])?\s++){{0,3}}(?:to-?\s?dos?(?: (?:before|for|on|in|by|list) ?[^:]{{0,30}})?"
    r"|action items?(?: for [^:]{1,30})?|actions?|ai|next steps?(?: (?:for|on|in|before"
    rf"|after) [^:]{{1,30}})?|next up|next|(?:open|outstanding|unresolved|unsolved|remaining) {ITEM}(?: (?:from|of"
    rf"|for|in|nobody|no one|that|which|we|after|left) [^:]{{1,50}}"
    r"| (?:on|about|regarding|with|around) (?P<about>[^:]{2,40}))?|open|outstanding(?: \w+)?|remaining(?: \w+)?"
    r"|(?:topic|thread|question|thing|item|matter)s?(?: for (?:us|me|all of us))?(?: to (?:pick up|look (?:at|into)"
    r"|discuss|tackle|come back to))?(?: for)? (?:next|after|before|later|tomorrow)[^:]{0,30}|remains|pending|tbd|to"
    r" be (?:decided|determined|discussed|done|defined|clarified|confirmed)(?: with [^:]{1,30}| by [^:]{1,30})?"
    r"|unresolved|known (?:issues?|problems?|bugs?|gaps?|limitations?)|follow[- ]?ups?(?: needed)?|still (?:to do"
    r"|open|missing|needed|todo)|carried over(?: [^:]{0,30})?|(?:deferred|postponed)(?: [^:]{0,30})?|not yet"
    r" (?:implemented|done|covered|tested|handled|supported)|not done(?: yet)?|blockers?|blocked(?: by| on)?|parking"
    r" lot|parking this(?: for later)?|parked|for later|later|fixme|missing|left to do|left|waiting (?:for|on)"
    r"|reminder|future work|offene? (?:fragen?|punkte?|themen?|aufgaben?)|offen|n\u00e4chster? schritte?"
    r"|n\u00e4chste schritte|noch (?:offen|zu (?:tun|kl\u00e4ren))|aufgaben?|(?:(?:an?|one|open|create|start|add"
    r"|track|file|make|(?<=new )|(?<=another ))\s*(?:an? |new |open )*)(?:threads?|tasks?|to-?\s?dos?|action"
    r" items?)(?: for \w+)?|(?:(?:one|a|two|some|the|few) )?(?:questions?|things?|points?|issues?|items?)"
    r" (?:(?:that['\u2019]?s|that is|that are|which is|which are) )?(?:still )?(?:open|unresolved|unclear|undecided"
    r"|unanswered|missing)|still (?:unresolved|unclear|undecided|unanswered|unknown|pending)|not (?:yet )?(?:decided"
    r"|clear|resolved|solved)(?: yet)?|note to (?:self|me|us)|(?:let['\u2019]?s )?(?:keep track of (?:this|that|it)"
    r"|keep (?:(?:this|that|it)(?: open)?|open)|track (?:this|that|it))(?: (?:as|under|in)(?: an?| the)? (?:open"
    r"|pending|unresolved|todo)(?: \w+)?)?|(?:add|put) (?:(?:this|that|it|one|another) )?(?:to|on|under|in) (?:the "
    r"|our |my )?(?:open (?:items|points|threads|questions|tasks|issues|list)|list(?: of open \w+)?|backlog"
    r"|to-?\s?dos?(?: list)?|task list)|remember for later|(?<=new )(?:issue|problem|bug|question|topic|point"
    r"|finding)s?|(?:unclear|unknown|undecided|unsolved)(?: so far| yet| still| to me| at the moment| for now)?|to"
    r" (?:investigate|figure out|look into|find out|clarify|decide|check later)"
    rf"|remind me|{LANGUAGE_THREAD_LABELS})"
    r"(?:\s+(?:please|pls|left|for later|for now|remaining|still open|though|open|needed|to discuss|to"
    r" track)){0,2}(?:\s+\([^)]{1,40}\))?\s*(?::|\u2014|\u2013|\s-\s)\s*(?P<said>\S.{3,})"
)
THREAD_LABEL_STEMS: Final = (
    "todo action ai next open outstanding unresolved unsolved unanswered remaining pending tbd decided"
    " determined discussed done defined clarified confirmed known follow still carried deferred postponed yet"
    " blocker parking later fixme missing left waiting reminder task thing point item note keep investigate"
    " figure look find check please pls question future offene n\u00e4chste noch aufgabe resolved fixed closed"
    " solved completed erledigt gel\u00f6st issue problem bug thread ticket leak failure outage incident"
)
"""A text without any of these has no label of a thread, and closes none."""
WEAK_THREAD_LABEL: Final = late(
    r"(?i)^\W*(?:(?:the|our|my|other|main)\s+)?(?:next|open|later|left|missing|actions?|ai|remains|pending"
    r"|outstanding|remaining|reminder)\s*(?::|\u2014|\u2013|\s-\s)"
)
CLOSED_LABEL: Final = late(
    r"(?is)^\W{0,3}(?:resolved|fixed|closed|done|solved|completed|erledigt|gel\u00f6st)\s*(?::|\u2014|\u2013"
    r"|\s-\s)\s*(?P<said>\S.{3,})"
)
NOTHING: Final = late(
    r"(?i)^\W*+(?:(?:none|nothing|no|n/?a|nil|keine?|nichts|all done)\W*+$|nothing\b|none\b|no (?:open|further|more"
    r"|known|other|new|blockers?|issues?|questions?|actions?|todos?)\b|(?<=-)$)"
)
BARE_TODO: Final = late(
    r"(?is)^\W{0,4}(?:(?:ok(?:ay)?|so|and|also|oh|another|next|new|one more|small|quick)\W+){0,2}to-?do"
    r" (?:for (?:me|us|later|tomorrow|next week|today) )?(?P<said>(?:fix|find out|figure out|look (?:into|at)"
    r"|investigate"
    r"|check|clarify|ask|test|update|migrate|add|implement|write|document|measure|review|clean up|refactor"
    r"|remove|replace"
    r"|order|buy|send|call|rename|upgrade|install|set up|configure|deploy|renew|mend|repair|build|make|move|sort out"
    r"|talk to|print|paint|solve|change|improve|rework|rewrite|draw|measure)"
    r"(?! (?:(?:is|was|are|were|has|had|have|will|can|in|of|for)\b|\w+(?:ed|es)\b|lists?\b|apps?\b|items?\b)) \S.{2,})"
)
"""A todo without a mark behind its label: "todo fix the flicker"."""
OUTRIGHT_LABEL: Final = late(
    r"(?i)\W{0,4}(?:decision|decided|agreed|open(?: (?:question|point|matter|issue)s?)?|entscheidung|beschluss|offen)"
    r"\s*:"
)
OUTRIGHT: Final = late(
    r"(?i)\W{0,4}(?:(?:ok(?:ay)?|so|then|and|good|great|right|fine|yes|wait)\b[,:]?\s+){0,2}"
    r"(?:(?:we|i)(?:['\u2019]ve| have)? (?:now |just |finally )?(?:decided|agreed) (?:to|on|that|against|for)\b"
    r"|agreed,? (?:we|let['\u2019]?s|i)\b|wir haben (?:uns )?(?:entschieden|beschlossen)\b)"
)
"""Says at once that something is decided or open, whatever it is about."""
MARKS: Final = ("TODO", "FIXME", "XXX", "HACK")
MARK: Final = late(
    r"(?s)(?<![\w.#/\u00b7-])(?:TODO|FIXME|XXX|HACK)(?:\([\w .-]+\))?(?!s\b|\w|[.(]|\s(?:is|was|as|lists?|comments?"
    r"|means)\b)\s*[:\u2014-]?\s*(?P<said>.{0,300})"
)
