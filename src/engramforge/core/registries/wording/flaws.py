"""Words that find fault with what was chosen: "... is too slow", "... kicked us out"."""

from __future__ import annotations

from typing import Final

_APOSTROPHE: Final = r"['\u2019]"
_NO_NAME: Final = (
    r"(?!(?:if|when|once|while|until|unless|whether|whenever|where|that|which|who|what|because|since|as|and|but|or|so"
    rf"|it|its|it{_APOSTROPHE}s|this|these|those|they|we|i|you|he|she|there|here|everything|nothing|something|one|my"
    r"|is|are|was|were|in|on|at|for|with|of|to|by)\b)"
)
PART: Final = rf"{_NO_NAME}(?>[\w+#/&'\u2019-]{{1,30}}(?:\.[\w+#-]{{1,20}}){{0,3}})"
_FULLY: Final = (
    r"(?>(?:(?:just|really|way|far|simply|still|pretty|quite|very|clearly|obviously|always|constantly"
    r"|a bit)\s){0,3})"
)
FLAW: Final = (
    rf"(?:is|are|was|were|feels?|proved|got|gets|has become|turned out(?: to be)?)\s{_FULLY}(?:too\s(?!bad\b)\w"
    r"|(?:terribly |awfully |painfully )?slow\b|overkill\b|wrong\b|broken\b|buggy\b|flaky\b|unstable\b|unmaintained\b"
    r"|deprecated\b|bloated\b|clunky\b|unusable\b|expensive\b|unreliable\b|annoying\b|painful\b|a (?:mistake|pain|mess"
    r"|nightmare|disaster|dead end|(?:bad|stupid|silly|dumb|terrible|horrible|awful|poor|lousy|crap)"
    r" (?:choice|idea|fit|call|decision|plan))\b"
    r"|the wrong (?:choice|tool|call|fit)\b|(?:silly|stupid|dumb|pointless|useless|nonsense)(?=\W*\Z|\s?[,;.!])"
    r"|not (?:working out|worth it|(?:fast|stable|good|small|cheap|big|strong) enough)\b)"
    r"|(?:eats?|drains?|wastes?|floods?|clogs?|ruins?|wears? out) (?:up )?(?:the|my|our|too|all)\b"
    rf"|{_FULLY}(?:(?:keeps? |kept )(?:(?:on|still) )?(?:crashing|failing|breaking|hanging|leaking|freezing|dying"
    rf"|stalling"
    r"|dropping out|timing out|going down|falling over|loo?sing|forgetting|evicting|eating|corrupting|stopping)\b"
    r"|(?:segfault|leak|hang|choke|suck|fail|crashe|freeze|break)s?\b"
    r"|(?:wants?|asks for|needs?) (?:(?:an?|our|my|your) (?:credit card|contract|subscription|account|licen[cs]e|fee"
    r"|sign-?up|phone number|deposit|jvm|gpu)\b|too much \w)|costs? (?:too much|a fortune)\b"
    r"|(?:takes?|took) (?:too long|too much|forever)\b"
    r"|(?:(?:is|are|was) )?(?:driv(?:es?|ing)|drove) (?:me|us|everyone|everybody) (?:mad|crazy|nuts|insane"
    r"|up the wall)\b"
    r"|(?:(?:is|are) )?mak(?:es?|ing) (?:me|us) (?:mad|cry|sad|sick)\b|(?:kicked|threw|locked|shut) (?:us|me) out\b"
    r"|let (?:us|me) down\b|banned (?:us|me)\b"
    rf"|(?:does|do|did)(?:n{_APOSTROPHE}?t| not) (?:work|scale|fit|build|run|cut it|last|cope|keep up|pay off|reach"
    rf"|get through|hold up|go well)\b|(?:can{_APOSTROPHE}?t|cannot) (?:cope|handle|keep up|do)\b|drops? out\b)"
)
CAUSED: Final = (
    rf"(?>(?:again|always|often|still|just|really)\s){{0,2}}(?:(?:[a-z]{{2,20}}(?:ed|[a-rt-z]s)|lost|ate|broke|got"
    rf"|went|took"
    rf"|fell|had|has|was|is|are|were)\s(?=[^,;:.!?]{{3,100}}(?<!today)\s?[,;\u2014\u2013-]\s?(?:(?:and )?so |therefore"
    rf" |hence )?"
    rf"(?:we|i)(?:{_APOSTROPHE}ve| have)? (?:(?:now|just|finally|all) )?(?:switched|moved|migrated|changed|went)"
    r" (?:over |back )?to\s))"
)
"""Says whatever of a thing, and that another thing took its place: "dexie lost rows, so we switched"."""
