"""Settings that a person states as facts: "the console talks OSC to the renderer, udp port 9137", "port is 9137".

They may as well tell how something is, so that they only wait for review. What somebody sees, measures or complains of
is no setting: "the log is 3 GB", "the test takes 30 s".
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from engramforge.core.detection.cues.decision_cues import OPENING
from engramforge.core.detection.cues.spoken.setting_cues import TOLD
from engramforge.core.detection.passages import Passage, passages
from engramforge.core.detection.said_parts import decision_said
from engramforge.core.detection.traps import is_asserted, is_conditional, is_request, is_unreal_request
from engramforge.core.text.late_pattern import late
from engramforge.model.registries.detection import Detection

HEARD: Final = "a setting, by its form"
"""The rule of what is read here."""
_UNSURE: Final = 0.5
_LONGEST: Final = 160
_SEEN: Final = late(
    rf"(?i){TOLD}|\b(?:what|which|whose|who|where|how|when|took|takes?|got|gets stuck|yesterday|already|almost|about"
    r"|around|roughly|nearly|looks?|feels?|sounds? (?:like|slow|bad)|hangs?|warnings?|exceptions?|failing|showed"
    r"|reports?|prints?|missing|funny|slow|full|(?:is|are|goes|be) down|taken|in use|busy|free|closed|blocked"
    r"|(?<!even )if|unless|i (?:think|wonder)|by default|in the (?:docs|logs?|output|readme|trace|example|browser)"
    r"|on (?:my|your|his|her|their) (?:machine|laptop|phone|side|box)|it|they|he|she|you|your|his|her|their|my"
    r"|nobody knows|no idea|unbelievable|never|always|keeps?|drops?|loses|flickers?|leaks?|eats?|grows?|grew|old|not"
    r"|here|there)\b|\?"
)
"""Beside these somebody tells what they see, or of others."""
_WORD: Final = r"[\w'\u2019/&-]{2,30}"
_WORDS: Final = rf"(?>(?:the |our |all )?){_WORD}(?: {_WORD}){{0,2}}?"
_AMOUNT: Final = r"\d[\d.,]{0,8} ?(?:%|[a-z\u00b0%]{1,12})"
_TIME: Final = (
    r"(?:\d[\d.]{0,6}|an?|two|three|five|ten|thirty)? ?(?:ms|milliseconds?|s|secs?|seconds?|min|mins?|minutes?|h|hours?"
    r"|days?|nights?|weeks?|months?|mornings?|evenings?)\b"
)
_MEASURED: Final = (
    r"(?!(?:[\w'-]+ ){0,2}(?:cpu|load|memory|mem|ram|usage|temperature|latency|ping|duration|runtime|uptime|time|size"
    r"|speed|throughput|progress|result|results|score|accuracy|loss|count|counter|total|sum|balance|battery|coverage"
    r"|measured?|output|error|errors|warning|warnings|note|status|diff|log|logs|test|tests|build|speedup|update|fyi"
    r"|today|now|before|after|times?|timings?|benchmarks?|measurements?|runs?|startup|example|hint|tip|p\d\d|median|average|avg|mean|max|min)\b)"
)
_PROTOCOL: Final = (
    r"(?:udp|tcp|https?|osc|mqtt|grpc|amqp|json|protobuf|msgpack|websockets?|serial|i2c|spi|can(?: bus)?|midi"
    r"|modbus|coap|sse|rest|xml|usb|bluetooth|ble|zigbee|lora)"
)
_STORE: Final = (
    r"(?:sqlite|postgres\w*|mysql|mariadb|duckdb|redis|csv|json|yaml|toml|parquet|s3|git|text|log|markdown|flat"
    r"|single|one|local|shared)"
)
_KEPT_IN: Final = (
    r"(?:file|files|db|database|table|folder|directory|bucket|repo|repository|spreadsheet|sheet)"
)
_NAMED_BY: Final = (
    r"(?:font|typeface|theme|licen[cs]e|encoding|charset|time ?zone|locale|prefix|suffix|domain|hostname|code name"
    r"|formatter|linter|accent colou?r|background|resolution|paper size|baud rate|frame rate|page size|sample rate)"
)
_NUMBERED: Final = (
    r"(?:port|baud rate|frame rate|timeout|retention|limit|threshold|interval|page size|margin|padding|gap|debounce"
    r"|cooldown|ttl|batch size|sample rate|resolution|line length|line width|max length)"
)
_SOFTWARE: Final = (
    r"(?:ui|gui|frontend|front end|backend|back end|app|server|cli|site|website|api|client|firmware|stack|dashboard"
    r"|console|engine|framework|runtime)"
)
_JOB: Final = (
    r"(?:heartbeats?|pings?|polls?|polling|sync|backups?|refresh|snapshots?|autosave|saves?|samples?|sampling|reports?"
    r"|reminders?|rotation|cleanup|sweeps?|keepalives?|health ?checks?|digests?|newsletters?|readings?)"
)
_DOES: Final = (
    r"(?:sends?|polls?|saves?|pings?|syncs?|writes?|reads?|samples?|refresh(?:es)?|pulls?|push(?:es)?|posts?)"
)
_STOP: Final = r"(?=\W*\Z|\s*[,;.(]\s?)"
_COLOUR: Final = (
    r"(?:#[0-9a-f]{3,8}|black|white|red|green|blue|yellow|orange|purple|pink|gr[ae]y|(?:dark|light) \w+)"
)
_FORMS: Final = tuple(
    late(rf"(?i){OPENING}{form}")
    for form in (
        rf"{_WORDS} (?:talks?|speaks?|listens?|connects?) (?=[^;?]{{0,60}}\b(?:{_PROTOCOL}"
        rf"|port \d{{2,5}})\b)[^;?]{{3,80}}\Z",
        rf"{_MEASURED}{_WORD}(?: {_WORD}){{0,2}}?: {_AMOUNT}(?: [a-z]{{2,12}}){{1,2}}(?:(?:,| and|, and) {_AMOUNT}"
        r"(?: [a-z]{2,12}){1,2}){1,3}\W*\Z",
        rf"(?>(?:the |our )?)(?:{_WORD} ){{0,2}}?{_NUMBERED}(?: (?:for|of) {_WORDS})? (?:is|stays?) \d[\d.x]{{0,9}}"
        rf"(?: ?[a-z%]{{1,12}})?{_STOP}",
        rf"(?>(?:the |our )?)(?:{_WORD} ){{0,2}}?{_NAMED_BY}(?: (?:for|of) {_WORDS})? is (?!(?:too|so|very|fine|ok|good"
        rf"|\w+ed|nice|ugly|bad|small|big|large|tiny|important|set|here|there|a|an|the|that|what|up|ready|done|optional|next)\b)"
        rf"[\w#][\w.+#/-]{{1,30}}(?: [\w.+#-]{{1,30}}){{0,2}}{_STOP}",
        rf"(?:an? )?(?:{_WORD} ){{0,2}}?{_JOB} every {_TIME}",
        rf"{_WORDS} {_DOES} (?:an? |the |its )?{_WORD}(?: {_WORD})? every {_TIME}",
        rf"{_WORDS} (?:go|goes) (?:in|into|to) (?:an? |the )?(?:{_STORE} )?{_KEPT_IN}\b[^;?]{{0,40}}?[,.] no {_WORD}",
        rf"(?>(?:the |our )?)(?:{_WORD} )?{_SOFTWARE} is (?!version\b|at\b"
        rf"|on\b)[a-z][\w.+#-]{{1,20}} \d[\d.]{{0,6}}{_STOP}",
        rf"(?>(?:the |our )?){_WORD}(?: {_WORD}){{0,2}}? in (?:steps|multiples) of \d",
        rf"(?>(?:the |our )?){_WORD}(?: {_WORD})? (?:is|are) {_COLOUR} on {_COLOUR}{_STOP}",
        rf"{_WORDS} \d[\d.]{{0,8}} (?:and|or) (?:up|newer|later|above)(?: only)?\W*\Z",
    )
)
_NONE_OF: Final = late(r"(?i)\W*no \w+(?: \w+)?\W*\Z")
"""Stands behind what is set as its contrast: "... into a sqlite file. no cloud"."""
_FEWEST: Final = 3


def settings_in(text: str) -> list[Detection]:
    """What a person's few words set, if they set anything: one detection, which is not sure.

    >>> [each.text for each in settings_in("ok. port is 9137")]
    ['port is 9137']
    >>> settings_in("the log is 3 GB"), settings_in("port is 9137 right now"), settings_in("the port is taken")
    ([], [], [])
    >>> settings_in("---")
    []
    """
    if len(text) > _LONGEST or "?" in text or "```" in text:
        return []
    said = list(passages(text))
    for each, after in pairwise([*said, Passage("", "")]):
        plain = each.plain
        if _NONE_OF.match(after.plain):
            plain = f"{plain.rstrip(' .')}, {after.plain}"
        if len(plain.split()) < _FEWEST or _SEEN.search(plain):
            continue
        if not any(form.match(plain) for form in _FORMS):
            continue
        is_own = is_asserted(plain) and not is_conditional(plain, 0)
        if is_own and not (is_request(plain) or is_unreal_request(plain)):
            return [decision_said(each.said, HEARD, _UNSURE, each.said)]
    return []
