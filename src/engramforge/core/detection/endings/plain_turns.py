"""Turns that leave no word for what is taken but its name, or that want again what was refused.

"forget sqlite, duckdb", "lora is dead, long live nb-iot", "webpack is out and vite is in", "not celery, rq is enough";
"actually we do need accounts", "so the login comes back"; "can we drop perl and take python? yes, let's do that".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engramforge.core.detection.passages import Passage
from engramforge.core.detection.traps import tells_departure
from engramforge.core.detection.whose.signals import says_yes
from engramforge.core.registries.complaints import ANY_WORD, bare_choice, may_be_name
from engramforge.core.text.late_pattern import late
from engramforge.model.registries.detection import Detection

_APOSTROPHE: Final = r"['\u2019]"
_LEFT: Final = rf"(?:(?:the|our|my|that|this|using) )?(?P<left>{ANY_WORD}(?:\s{ANY_WORD}){{0,3}}?)"
_TAKEN: Final = rf"(?P<taken>{ANY_WORD}(?:\s{ANY_WORD}){{0,2}}?)"
_DROPS: Final = r"(?:forget|scrap|scratch|drop|ditch|dump|kill|never ?mind|no more)(?: about)?"
SUFFICES: Final = (
    r"(?:(?:is|are) (?:(?:more than )?enough|fine|better|plenty|good enough)|will do"
    r"|does (?:it|the job)|suffices?)"
)
"""Takes what stands before it, as the simpler choice."""
_LEAD: Final = (
    r"\A\W*(?>(?:(?:ok(?:ay)?|actually|nope|nah|oh|hm+|well|sorry|wait|so|and|but|right|alright|yeah|yes|then|hey"
    rf"|on (?:second thoughts?|reflection)|no(?!\s(?!(?:no|not|actually|wait|sorry|{_DROPS})\b)))\b\W{{0,3}}){{0,4}})"
)
_WHY: Final = (
    r"(?=\W*\Z|\s*[,;(\u2014\u2013]\s*(?:and |as |since )?(?:because|i|we|he|she|they|it|its|theyre|thats?|there|my|our"
    r"|his|her|their|the|much|way|far|more|less|everyone|nobody)\b|\s-\s|\s(?:because|since|as|for)\s)"
)
"""No more follows but the reason or the purpose."""
_BARE: Final = tuple(
    late(rf"(?i){_LEAD}{frame}")
    for frame in (
        rf"{_DROPS} {_LEFT}\s*[,;:\u2014\u2013-]\s*(?:let{_APOSTROPHE}?s (?:use|take) )?{_TAKEN}"
        rf"(?: (?:then|it is|instead|please))?{_WHY}",
        rf"{_LEFT} (?:is|are) (?:dead|history|out|gone)\s*[,;:!.\u2014\u2013-]?\s*(?:and )?long live {_TAKEN}\W*\Z",
        rf"{_LEFT} (?:is|are|goes) out\s*(?:,|;|and|\u2014|-)\s*(?:and )?{_TAKEN} (?:is|are|comes|goes) in\W*\Z",
        rf"no {_LEFT}(?: after all)?\s*[,;:\u2014\u2013-]\s*(?:but |rather )?(?:just |only |simply )?(?:an? )?"
        rf"(?!(?:blank|empty|white|black|grey|gray|errors?)\b){_TAKEN}(?: (?:then|it is|instead|please))?{_WHY}",
        rf"not {_LEFT}\s*[,;\u2014\u2013-]\s*(?:but )?{_TAKEN} (?:{SUFFICES}|it is)\W*\Z",
    )
)
_CORRECTS: Final = (
    r"(?i)\A\W*(?>(?:(?:oh|oops|hm+|ok(?:ay)?|nah|well|so|and|ugh)\b\W{1,3}){0,3})"
    r"(?:(?:actually|no,? wait|wait,? no|hm+ no|nah|nope|sorry|correction|on (?:second thoughts?|reflection)"
    r"|(?:i(?: have|['\u2019]ve)? )?changed my mind|(?:scratch|scrap|strike|forget) that)\b\W{1,4}){1,3}"
)
"""Takes back what was said before, at the beginning of a sentence."""
_OTHER_THAN: Final = late(
    rf"{_CORRECTS}(?:i meant |let['\u2019]?s (?:use|take) |make (?:it|that) |(?:we )?(?:use|take|go with) )?"
    rf"{_TAKEN}\s?,? (?:and )?not {_LEFT}(?: (?:then|please|after all))?{_WHY}"
)
"""The same of what is left, named behind what is taken: "no wait, typer not rich"."""
_HATES_BOTH: Final = late(
    r"(?i)\A\W*(?>(?:(?:oh|hm+|ugh|ok(?:ay)?|no|nope|nah|wait|actually|sorry)\b\W{1,4}){1,4})(?:an? |the )?"
    rf"(?P<taken>{ANY_WORD}(?:\s{ANY_WORD}){{0,2}}?)(?: (?:then|instead|please|it is))?\s?[,;\u2014\u2013-]\s?(?:i|we)"
    rf" (?:really |just )?(?:hate|dislike|can(?:{_APOSTROPHE}?t|not) stand|don{_APOSTROPHE}?t (?:like|want|need))"
    r" (?:both|either|all of (?:it|them)|them(?: all| both)?|the others?)\W*\Z"
)
"""Leaves what was said before, without its name: "no, bar charts, i hate both"."""
_ONE_LAST: Final = late(
    r"(?i)\A\W*(?:(?:oh|hm+|ok(?:ay)?|nah|ah)\W{1,3})?(?:actually,? no|no,? wait|wait,? no|on second thoughts?)"
    rf"\W{{1,4}}(?P<taken>{ANY_WORD})(?: (?:then|instead|please|it is))?\W*\Z"
)
"""The same of one name: what it is for only what was said last can tell."""
_LAST: Final = late(
    r"(?i)\A\W*(?:(?:oh|hm+|ok(?:ay)?|nah)\W{1,3})?(?:actually,? no|no,? wait|wait,? no|scrap that"
    r"|on second thoughts?)\W{1,4}"
    rf"(?:an? |the )?(?P<taken>{ANY_WORD}\s{ANY_WORD}(?:\s{ANY_WORD})?)(?: (?:then|instead|please))?{_WHY}"
)
"""Leaves what was said last, without its name: "actually no, a light background"."""
KEPT: Final = late(
    r"(?i)\b(?:keep(?! [^,;:.]{1,40} (?:in|on) (?-i:[A-Z]))|kept|keeping|stay(?:s|ing)?(?! at\b| in\b)|stick(?:ing)?"
    r"|almost|nearly|tempted|joke|joking|kidding|(?:i|we) (?:thought|assumed|expected)(?! about\b)"
    r"|would|(?<!nobody )(?<!no one )could|should|might|may|want(?:s|ed)?|shall|must not|wish\w*"
    r"|prefer\w*|d rather|your call|up to you)\b"
)
"""Nothing is left, or it is only thought of."""
OTHERS_WANT: Final = late(
    r"(?i)(?<=[,;:.\u2014\u2013])\s*(?:(?:and|because|since|as|bc|cause)\s)?(?:the|our|my|his|her|their|all|most)"
    r"\s(?:\w{2,20}\s){1,2}?(?:wants?|wanted|asked for|insists? on)"
    r"(?!\sto\b)(?=\s\w)"
)
"""Says what others want, as the reason of a turn and what is taken: "scrap the map, the guests want a list"."""
MEANS_LAST: Final = r"\b(?:no|nah|nope)\W{1,3}(?:then |let['\u2019]s )?(?:rather|better)\b"
STOP: Final = r"(?=\W*\Z|\s*[,;:.!\u2014\u2013])"
"""A clause ends."""
OF_BEFORE: Final = (
    r"\b(?:(?:scrap|drop|ditch|scratch|forget|strike|reverse|undo|revert|cancel) (?:that|this|it)"
    rf"|take (?:that|it) back|no,? wait){STOP}"
)
_MEANS_BEFORE: Final = late(
    rf"(?i)(?:hate|dislike|stand|like|want|need) (?:both|either|all of (?:it|them)|them(?: all| both)?|the others?)"
    rf"\W*\Z|{OF_BEFORE}|{MEANS_LAST}|\bactually,? no{STOP}|\bi meant(?=\s)|\bchanged my mind{STOP}"
)
"""Means what was said last."""
_MEANT: Final = late(
    r"(?i)\A\W*(?>(?:(?:oh|oops|hm+|ok(?:ay)?|nah|well|actually|no|wait|ugh)\b\W{1,3}){0,3})"
    r"(?:(?:sorry\W{1,3})?i meant\s|(?:(?:scratch|scrap|strike) that|(?:i(?: have|['\u2019]ve)? )?changed my mind)"
    r"\s?[,;:\u2014\u2013-]\s?)"
    rf"(?P<taken>(?P<name>{ANY_WORD}(?:\s{ANY_WORD})?)"
    rf"(?:\s(?:for|in|on) (?:(?:the|our) )?{ANY_WORD}(?:\s{ANY_WORD})?)?)"
    r"(?: (?:then|instead|please))?\W*\Z"
)
"""The same of a name: "hm sorry, i meant typer", "changed my mind, hdf5 for the frames"."""
_CHOOSES: Final = late(
    r"(?i)\A(?P<before>\W*(?>(?:(?:ok(?:ay)?|so|alright|well|then|decided|decision)\b\W{1,3}){0,3})"
    r"(?:(?:we|i)(?:['\u2019]ll)?\s|let['\u2019]?s\s|let us\s)?(?:use|take|go with|pick|adopt)\s)"
    rf"(?P<name>{ANY_WORD}(?:\s(?!for\b|as\b|in\b|on\b){ANY_WORD})?)"
    r"(?P<behind>(?:\s(?:for|as|in|on) [^,;:.!?()]{2,60})?)\W*\Z"
)
"""A choice by its name, and nothing beside but what it is for."""
_SCRAPS_THAT: Final = late(
    rf"(?i)\W*(?:(?:actually|ok(?:ay)?|no|sorry|hm+|oh)\b\W{{1,3}}){{0,3}}{OF_BEFORE}\W*\Z"
)
"""Says no more than that: "scrap that."."""
_RATHER: Final = late(
    rf"(?i)\A\W*(?:(?:oh|hm+|ok(?:ay)?|wait|well|actually|sorry)\W{{1,3}}){{0,2}}{MEANS_LAST}\s(?:an? |the )?"
    rf"(?P<taken>{ANY_WORD}(?:\s{ANY_WORD}){{0,2}}?)(?: (?:then|instead|please|after all))?{_WHY}"
)
"""The same of what is taken rather: "hm no, rather blue"."""
_TURNS: Final = late(
    r"(?i)\b(?:on (?:second thoughts?|reflection)|actually|no,|wait|sorry|after all|nah|nope|hm+\b|ok(?:ay)?\b)"
)
"""What "not" and "no" need beside them to turn from something."""
_TURNING: Final = r"(?:actually|ok(?:ay)?|well|no|wait|turns out|hm+|so|now|then|sorry|alright|after all)"
_WANTED: Final = (
    rf"(?:the |an? |some |our )?(?P<wanted>(?!so\b|and\b|but\b|the\b|then\b){ANY_WORD}(?:\s{ANY_WORD}){{0,2}}?)"
    r"(?=\W*\Z|\s*[,;:.!(\u2014\u2013]|\s(?:in|on|at|for|now|after|because|since|as|so|and|too|again|then|comes?|goe?s?"
    r"|is|are)\b)"
)
_CLAUSE: Final = r"(?i)(?:\A|(?<=[,;:.!\u2014\u2013])|\b(?=so\b|and\b|but\b|then\b))\W{0,4}"
_WANTS: Final = tuple(
    late(rf"{_CLAUSE}{frame}")
    for frame in (
        rf"(?>(?:(?:{_TURNING}|and|but)\b\W{{0,3}}){{0,4}})(?:we|i) (?:do|did end up|really do) (?:actually |now "
        rf"|still )?"
        rf"(?:need(?:ing)?|want(?:ing)?|support|allow|offer|accept|require)(?: to (?:have|use|support|allow"
        rf"|show))? {_WANTED}",
        rf"(?>(?:{_TURNING}\b\W{{0,3}}){{1,4}})(?:we|i) (?:do|will) (?:now )?(?:use|show|keep|have|ship|take"
        rf"|send) {_WANTED}",
        rf"(?>(?:{_TURNING}\b\W{{0,3}}){{1,4}}){_WANTED} (?:comes?|go(?:es)?|is|are|is coming|are coming) back"
        r"(?: in)?(?=\W*\Z|\s*[,;:.!(\u2014\u2013]|\s(?:with|in|as|now|after)\b)",
    )
)
_CLAUSE_END: Final = late(r"[,;:\u2014\u2013]|[.!?]\s")
_ELSEWHERE: Final = late(r"(?i)\b(?:other|another|old|their|his|her|your)\b")
"""Speaks of something else than what was refused here."""
_ASKED: Final = late(
    r"(?i)\A\W*(?:(?:hm+|so|ok(?:ay)?|and|wait)\b\W{0,3}){0,2}(?:can|could|should|shall) (?=(?:we|i) )"
    r"|\A\W*(?:(?:hm+|so|ok(?:ay)?|and|wait)\b\W{0,3}){0,2}(?:why not|how about we|what if we) "
)


class BareTurn(NamedTuple):
    """What a sentence leaves and what it takes, by their names."""

    left: str
    taken: str
    end: int
    """Where the sentence has said both."""

    @property
    def decision(self) -> str:
        """The decision in a few words."""
        return f"{self.taken} rather than {self.left}" if self.left else self.taken


def bare_turn(passage: Passage) -> BareTurn | None:
    """What a sentence takes by its name alone in the place of something; None where it does not.

    >>> bare_turn(Passage("lora is dead, long live nb-iot", "lora is dead, long live nb-iot"))
    BareTurn(left='lora', taken='nb-iot', end=30)
    >>> bare_turn(Passage("drop Sass, too heavy", "drop Sass, too heavy"))
    """
    if (hit := _MEANT.match(passage.plain)) is not None and may_be_name(hit["name"]):
        return BareTurn("", passage.said[slice(*hit.span("taken"))], hit.end())
    is_other = _OTHER_THAN.match(passage.plain) is not None
    last = None if is_other else _HATES_BOTH.match(passage.plain) or _ONE_LAST.match(passage.plain)
    if last is not None and may_be_name(last["taken"]):
        return BareTurn("", passage.said[slice(*last.span("taken"))], last.end())
    if not is_other and (hit := _LAST.match(passage.plain) or _RATHER.match(passage.plain)) is not None:
        taken = passage.said[slice(*hit.span("taken"))]
        return BareTurn("", taken, hit.end()) if may_be_name(taken) else None
    for pattern in () if tells_departure(passage.plain) else (_OTHER_THAN, *_BARE):
        if (hit := pattern.match(passage.plain)) is None:
            continue
        if pattern in _BARE[-2:] and _TURNS.search(passage.plain) is None:
            continue
        left, taken = (passage.said[slice(*hit.span(name))].strip(" .\"'`") for name in ("left", "taken"))
        if pattern is _OTHER_THAN and not may_be_name(left):
            continue
        if may_be_name(taken) and left.casefold() != taken.casefold():
            return BareTurn(left, taken, hit.end())
    return None


def wanted_again(sentence: str) -> tuple[str, ...]:
    """What a sentence says to be wanted, as somebody does who refused it before: "we do need accounts".

    >>> wanted_again("actually we do need accounts.")
    ('accounts',)
    """
    if _ELSEWHERE.search(sentence):
        return ()
    return tuple(hit["wanted"] for each in _WANTS for hit in each.finditer(sentence))


def named_behind(after: Passage, left: str) -> str | None:
    """What the sentence behind one that leaves something takes by its name alone: "forget tar. zip then"."""
    name = bare_choice(after.plain) if left else ""
    return f"{name} rather than {left}" if name else None


def named_choice(turn: Detection) -> str:
    """A turn without the reason that stands behind, or between, the names of what it leaves and takes; "" for others.

    "drop tar, the box is too small for it. zip then" says nothing of what the box is for.
    """
    if (bare := bare_turn(Passage(turn.sentence, turn.sentence))) is not None:
        return turn.sentence[: bare.end]
    taken = turn.superseded_by or ""
    if not turn.text or taken != f"{taken.partition(' rather than ')[0]} rather than {turn.text}":
        return ""
    return f"{first_clause(turn.sentence)}, {taken}"


def first_clause(sentence: str) -> str:
    """What a sentence says first: "drop tar" of "drop tar, the box is too small"."""
    return _CLAUSE_END.split(sentence, maxsplit=1)[0]


def answered_by_oneself(said: Sequence[Passage]) -> list[Passage]:
    """The sentences of a text, a question that its writer answers with a yes as the statement that this makes it."""
    found: list[Passage] = []
    for passage in said:
        if found and found[-1].plain.rstrip().endswith("?") and says_yes(passage.plain):
            asked = _ASKED.match(found[-1].plain)
            if asked is not None:
                end = len(found[-1].plain.rstrip(" ?"))
                found[-1] = found[-1].part(asked.end(), end)
                continue
        found.append(passage)
    return found


def means_last(sentence: str) -> bool:
    """Whether a reversal means what was said last: "scratch that"."""
    return _MEANS_BEFORE.search(sentence) is not None


def chosen_instead(correction: str, before: str) -> tuple[str, str] | None:
    """What one turn chose by its name, and the turn with the name that a correction behind it takes; None where either
    says more.

    >>> chosen_instead("hm sorry, i meant typer", "lets use rich for the cli")
    ('rich', 'lets use typer for the cli')
    >>> chosen_instead("hm sorry, i meant typer", "add a footer")
    """
    hit, chosen = _MEANT.match(correction), _CHOOSES.match(before)
    if hit is None or chosen is None or not (may_be_name(hit["name"]) and may_be_name(chosen["name"])):
        return None
    if hit["taken"] != hit["name"] or hit["name"].casefold() == chosen["name"].casefold():
        return None
    return chosen["name"], f"{chosen['before']}{hit['name']}{chosen['behind']}"


def is_bare(text: str) -> bool:
    """Whether a text says no more than that what was said last does not hold: "scrap that"."""
    return _SCRAPS_THAT.match(text) is not None
