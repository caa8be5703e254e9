"""Wordings of rules and settings given in passing: what goes where, in which language, of which material."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.decision_cues import OPENING
from engramforge.core.detection.cues.spoken.setting_cues import TOLD

_TOLD: Final = rf"{TOLD}|\b(?:yesterday|last \w+|no idea|if|mine|spam)\b"
_WORD: Final = r"[\w'\u2019/&-]{2,30}"
_FEW: Final = rf"(?: {_WORD}){{0,3}}?"
_STOP: Final = r"(?=\W*$|[,;])"
_BARE: Final = (
    r"(?!(?:the|my|your|his|her|their|its|this|that|these|those|an?|i|we|you|he|she|it|they|there|what|who|when|how"
    rf"|why|if|not|no)\b){_WORD}"
)
_UNIT: Final = (
    r"(?:kg|g|grams?|kilos?|lbs?|t|mm|cm|m|km|ml|l|lit(?:re|er)s?|kb|mb|gb|percent|%|degrees|euros?|francs?|dollars?"
    r"|bucks|rpm|years?|months?|weeks?|days?|hours?|minutes?|items?|pieces?|pages|lines)"
)
_LANGUAGES: Final = (
    "english german french italian spanish dutch portuguese danish swedish norwegian finnish polish czech russian"
    " japanese chinese korean imperative"
)
_LANGUAGE: Final = (
    rf"(?:{_LANGUAGES.replace(' ', '|')}|lower ?case|upper ?case|title case|snake[_ ]case|kebab-case|camel ?case"
    r"|present tense)"
)
_TEXTS: Final = (
    r"(?:commit messages?|commits|(?:code )?comments|docs|documentation|docstrings"
    r"|(?:error|log|status) (?:messages|texts)|(?:variable|function|file|branch|test) names|identifiers"
    r"|changelog(?: entries)?|release notes|readmes?|(?:ui|button|menu) texts|strings|(?:issue|pr) titles|tickets"
    r"|headings)"
)
_GOES: Final = r"(?:runs?|goes|go|talks?|writes?|reads?|deploys?|connects?|builds?|sends?|pushes|push)"
_NO_PART: Final = r"(?!(?:lot|few|couple|bit|car|bus|van|taxi|hotel|similar|different|new|bunch|mix|trick)\b)"
_NO_MEAL: Final = (
    r"\b(?:dinner|lunch|breakfast|snack|beer|coffee|tea|cake|party|kids?|holiday|gift|present|joke)\b"
)
_SPINNING: Final = "turns runs spins stirs rotates heats idles cuts moves blows"
_SPINS: Final = rf"(?:{_SPINNING.replace(' ', '|')})"

HOUSE_RULES: Final = (
    rule(
        "what is so goes there",
        0.64,
        unless=_TOLD,
        is_denied=False,
        beside="unde over abov belo olde youn heav ligh larg bigg smal long shor more less",
    )(
        "go goes",
        rf"{OPENING}(?:an?|every|each|any|all) {_WORD}{_FEW} (?:under|over|above|below|(?:older|younger|heavier|lighter"
        rf"|larger|bigger|smaller|longer|shorter|more|less) than) [\d.]{{1,9}} ?{_UNIT} (?:always )?goes?"
        r" (?:straight |out )?(?:to|into|on|onto|in)"
        rf" (?!(?:me|my|waste|hell|sleep)\b){_WORD}{_FEW}{_STOP}",
    ),
    rule("only ever there", 0.64, unless=_TOLD, is_denied=False, beside="only")(
        "ever",
        rf"(?:{OPENING}|[,;] (?:and |but |so )?)(?>(?:the )?)(?!(?:it|he|she|they|that|this|i|you)\b){_WORD}{_FEW}"
        rf" only ever {_GOES} (?:against|on|in|to|from|with|over|at) (?!my\b)\S[^;:?]{{2,60}}$",
    ),
    rule(
        "texts in that language",
        0.64,
        unless=_TOLD.replace("|errors?", ""),
        is_denied=False,
        beside="please pls",
    )(
        f"{_LANGUAGES} lower upper title snake kebab camel present",
        rf"{OPENING}(?:all |our )?{_TEXTS} (?:only )?in {_LANGUAGE},? (?:please|pls)(?:, {_WORD}{_FEW} too)?\W*$",
        rf"{OPENING}(?:please |pls )(?:all |our )?{_TEXTS} (?:only )?in {_LANGUAGE}{_STOP}",
    ),
    rule("we use one there", 0.62, unless=rf"{_TOLD}|{_NO_MEAL}")(
        "use",
        rf"(?:{OPENING}|[,;] (?:so |and )?)we use an? {_NO_PART}{_WORD}(?: {_WORD}){{0,4}}?"
        r" (?:on|in|under|behind|inside|above|below) (?:the|each|every) (?!(?:office|kitchen|car|garden|weekends?"
        r"|evening|morning|meantime|end|past|beginning|house|bathroom|living|street|pub|bar)\b)"
        rf"{_WORD}(?: {_WORD})?{_STOP}",
    ),
    rule("none of it, the simpler is enough", 0.66, unless=rf"{_TOLD}|{_NO_MEAL}", is_denied=False)(
        "enough plenty suffices do",
        rf"{OPENING}(?:and )?no {_WORD}{_FEW} for now, (?:an?|the|plain|just an?) {_WORD}{_FEW}"
        r" (?:(?:is|are) (?:enough|plenty|fine)|will do|suffices?)\W*$",
    ),
    rule("made of that", 0.66, unless=rf"{_TOLD}|{_NO_MEAL}", is_denied=False)(
        "thick wide long high deep tall diameter",
        rf"{OPENING}(?>(?:the |our )?)(?!(?:they|these|those)\b){_WORD}(?: {_WORD}){{0,2}}? (?:is|are)"
        rf" {_WORD}(?: {_WORD})?(?:, {_WORD}(?: {_WORD}){{0,2}})?, \d[\d.]{{0,6}} ?(?:mm|cm|m|inch(?:es)?)"
        r" (?:thick|wide|long|high|deep|tall|in diameter)\W*$",
    ),
    rule("goes to one not another", 0.66, unless=_TOLD, is_denied=False, beside="not")(
        "go goes",
        rf"{OPENING}(?>(?:the |our |all )?)(?!(?:requests?|packets?|traffic|users?|everything|it|they|people)\b)"
        rf"{_BARE}{_FEW} (?:go|goes) (?:out )?to (?:the )?{_WORD}(?: {_WORD})?,? not (?:to )?(?:the )?{_WORD}{_STOP}",
    ),
    rule("mixed and run so", 0.64, unless=_TOLD, is_denied=False)(
        _SPINNING,
        rf"{OPENING}(?>(?:the )?)(?!(?:cpu|load|memory|ram|disk|battery|usage|humidity|coverage)\b){_WORD}(?: {_WORD})?"
        rf" is \d[\d.]{{0,5}} ?(?:%|percent) {_WORD}(?:,| and|, and) (?:the )?{_WORD}(?: {_WORD})? {_SPINS} at"
        rf" \d[\d.]{{0,6}} ?(?:rpm|degrees|hz|percent|%|mm/s|m/s|km/h)\W*$",
    ),
    rule("an alarm and its level", 0.66, unless=_TOLD, is_denied=False)(
        "alarm alarms alert alerts warning warnings setpoint",
        rf"{OPENING}(?:the )?{_WORD}(?: {_WORD})? (?:alarm|alert|warning|setpoint)s? (?:is |are |goes off )?"
        r"(?:at|below|above|under|over|from) -?\d[\d.]{0,6} ?(?:degrees|percent|%|celsius|volts?|v|bar|ppm|rpm|kg|mm"
        r"|cm|db|lux|\u00b0c?)(?=\W*$|[,;]| and )",
    ),
    rule("runs at that time", 0.62, unless=rf"{_TOLD}|{_NO_MEAL}", is_denied=False)(
        "runs run starts start happens",
        rf"(?:{OPENING})(?>(?:the )?)(?!(?:it|he|she|they|school|work|match|game|film|movie|train|concert"
        rf"|show|class)\b){_WORD}(?: {_WORD})? (?:runs?|starts?|happens) at \d{{1,2}}(?::\d\d)?(?: ?[ap]m)?"
        r"(?: (?:in the (?:morning|afternoon|evening)|at night))?,"
        r" (?:the|nobody|no one|everyone|we|because|since|then|so that) [^;?]{5,80}$",
    ),
)
