"""Something of the same kind taken by its name: "brevo then, because gdpr" where the mails go through Postmark.

Of what kind well-known names are is told by a list; no other name says of itself in whose place it comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engramforge.core.registries.named_stems import stems_in
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, words_of

_KINDS: Final = (
    "postmark brevo sendgrid mailgun mailjet mailchimp sendinblue sparkpost mandrill mailersend",
    "stripe mollie paypal adyen braintree klarna paddle sumup",
    "postgres postgresql mysql mariadb sqlite mongodb mongo dynamodb couchdb duckdb cassandra cockroachdb firestore",
    "redis memcached valkey",
    "rabbitmq kafka nats celery rq sidekiq sqs zeromq mosquitto",
    "heroku vercel netlify railway hetzner aws gcp azure digitalocean ovh",
    "leaflet mapbox maplibre openlayers",
    "slack discord telegram mattermost whatsapp",
    "jest vitest mocha jasmine",
    "playwright cypress selenium",
    "webpack vite rollup esbuild",
    "tailwind bootstrap sass bulma",
    "react vue svelte angular preact",
    "python rust golang java kotlin typescript javascript ruby php perl elixir scala",
    "jenkins travis circleci buildkite",
    "github gitlab bitbucket gitea codeberg forgejo sourcehut",
    "notion obsidian confluence mediawiki dokuwiki",
    "matomo plausible umami",
    "grafana datadog zabbix",
    "auth0 keycloak okta",
    "nginx caddy traefik haproxy",
    "jira asana trello",
    "zigbee zwave lora bluetooth",
    "bcrypt argon2 scrypt pbkdf2",
    "npm yarn pnpm",
)
_KINDS_OF_THINGS: Final = (
    "jpeg jpg png webp gif avif tiff bmp heic",
    "json yaml toml xml csv parquet",
    "mp4 webm mkv avi",
    "mp3 ogg flac wav opus aac",
    "pdf docx odt epub markdown asciidoc latex",
    "red green blue yellow orange purple pink brown grey gray black white teal",
    "hourly nightly daily weekly monthly quarterly yearly",
    "german french english italian spanish dutch portuguese",
    "oak larch pine birch beech walnut spruce",
    "metric imperial",
)
"""Kinds that many things have at once: a name counts only beside the thing."""
_KIND: Final = {
    stem_of(name): at for at, names in enumerate((*_KINDS, *_KINDS_OF_THINGS)) for name in names.split()
}
WORD: Final = r"(?>[\w+#/-]{1,30}(?:\.[\w+#-]{1,20}){0,2})"
_SHADED: Final = late(r"(?i)(?:\b(?:dark|light|deep|pale|bright)(?:er)?[ -])?\b(?P<name>[\w+#]{2,30})\b")
"""A name, and what a colour is beside it."""
_LEAD: Final = (
    r"(?i)\A\W*(?>(?:(?:ah|oh|no|nah|nope|ok(?:ay)?|hm+|actually|wait|sorry|well|so|right|alright|yeah|yes|and|but|then"
    r"|we|i|let['\u2019]?s|use|take|go with)\b\W{0,3}){0,5})"
)
_END: Final = (
    r"\s(?:then|now|instead|it is|from now on|after all)(?: then| now| please)?"
    r"(?=\W*\Z|\s*[,;(\u2014\u2013]|\s-\s|\s(?:because|since|cause|as)\s)"
)
_TAKEN: Final = late(rf"{_LEAD}(?P<taken>{WORD}(?:\s{WORD}){{0,3}}?){_END}")
_TAKEN_FOR: Final = late(
    rf"{_LEAD}(?P<what>{WORD}(?:\s{WORD}){{0,2}}?)\s(?:as|in|by|via|through|with|on)\s"
    rf"(?P<taken>{WORD}(?:\s{WORD}){{0,2}}?){_END}"
)

_MOVED: Final = late(
    rf"{_LEAD}(?:(?:have|had|['\u2019]?ve|just|now|finally|all)\s){{0,3}}(?:switched|migrated|moved|changed"
    rf"|ported) (?:the |our |all )"
    rf"(?P<what>{WORD}(?:\s{WORD}){{0,2}}?) (?:over )?to (?!(?:the|an?|our|my|your|this|that|here|there|another)\b)"
    rf"(?P<taken>{WORD}(?:\s{WORD}){{0,1}}?)(?: (?:now|yesterday|(?:last|this|on) \w{{4,10}}|today|already))?"
    r"(?=\W*\Z|\s*[,;(\u2014\u2013]|\s-\s|\s(?:because|since|cause|as)\s)"
)
"""Tells that a thing is done or kept by another from then on: "we switched the charts to uPlot last night"."""
_MOVE: Final = late(
    rf"{_LEAD}(?:please |can you )?(?:switch|migrate|move|port) (?:the |our |all |all the )"
    rf"(?P<what>{WORD}(?:\s(?!to\b|over\b){WORD}){{0,2}}?) (?:over )?to (?P<taken>{WORD})"
    r"(?: (?:now|then|please|pls|instead|today))?"
    r"(?=\W*\Z|\s*[,;.(\u2014\u2013]|\s-\s|\s(?:because|since|cause|as)\s)"
)
"""Has it done: "move the tests to vitest, jest is slow"."""
_NOT_TO: Final = late(r"(?i)(?:the|an?|our|my|your|this|that|here|there|another|\d.*)\Z")

_NO_MEANS: Final = late(
    r"(?i)\b(?:modes?|views?|pages?|tabs?|themes?|styles?|layouts?|sizes?|order|scales?|colou?rs?|width|height|landscape"
    r"|portrait|side|end|beginning|night|day|times?|units?|values?|channel|version)\Z"
)
"""How a thing looks or where it is, and not by what it is done."""
_DOES_AS_WELL: Final = late(
    r"(?i)\A\W{0,4}(?P<means>[\w+#/&-]{1,30}(?:\.[\w+#-]{1,20})?(?: (?!can\b)[\w+#/&.-]{1,30}){0,2}?) (?:can (?:also )?"
    r"(?:do|handle|cover)|(?:also )?(?:does|handles|covers)) (?:all (?:of )?)?(?:that|this|it|the same)"
    r"(?: (?:too|as well|already|anyway|by now|just fine))?\s?[,;\u2014\u2013-]\s?(?:so |and |then |let['\u2019]?s |we "
    r"|we can |we['\u2019]ll ){0,2}(?P<leaves>(?:kill|bin|dump|toss|nuke|ditch|drop|scrap|forget|retire|axe|remove)"
    r" (?!(?:the|an?|our|my|your|that|this|these|those|it|them|all|any|some|everything|me)\b)[\w@][\w.+#/@-]{0,30}"
    r"(?: [\w.+#/@-]{1,30})?(?: (?:then|please|again|completely|for good))?\W*\Z)"
)
"""What does the same as what is left: a bare "kill node" mostly ends a process; beside that, it leaves the thing."""


def moved_in(sentence: str) -> tuple[str, str] | None:
    """What a sentence says to be done or kept by something else now, and by what; None where it does not.

    >>> moved_in("we switched the charts to uPlot last night"), moved_in("we moved the meeting to the yard")
    (('charts', 'uPlot'), None)
    """
    hit = _MOVED.match(sentence)
    if hit is None or _NO_MEANS.search(hit["taken"]):
        return None
    return hit["what"], hit["taken"]


def moved_to(sentence: str) -> tuple[frozenset[str], str] | None:
    """The stems of what a sentence has moved to something else, and that; None where it has nothing moved.

    >>> moved_to("switch the mails over to rq"), moved_to("move the button to the left")
    ((frozenset({'mail'}), 'rq'), None)
    """
    hit = _MOVE.match(sentence)
    if hit is None or _NOT_TO.match(hit["taken"]) or _NO_MEANS.search(hit["taken"]):
        return None
    return frozenset(stems_in(hit["what"])), hit["taken"]


def with_such_name(decisions: Sequence[str], sentence: str) -> int | None:
    """The place of the only decision for another name of the kind that a sentence takes; None for none, or several.

    >>> decided = ("mails go through postmark", "thumbs are png", "covers are gif")
    >>> [with_such_name(decided, each) for each in ("brevo then, because gdpr", "jpeg thumbs then", "jpeg then")]
    [0, 1, None]
    >>> with_such_name(("we use jest for the tests",), "move the tests to vitest, its quicker")
    0
    """
    hit = _TAKEN.match(sentence) or _MOVE.match(sentence)
    named = [] if hit is None else _names_in(hit["taken"])
    if hit is None or len(named) != 1:
        return None
    (name,) = named
    beside = stems_in(hit["taken"]) - {name}
    if hit.re.groupindex.get("what"):
        beside |= stems_in(hit["what"])
    if not beside and _KIND[name] >= len(_KINDS):
        return None
    found = [at for at, each in enumerate(decisions) if beside <= stems_in(each) and _has_other(each, name)]
    return found[0] if len(found) == 1 else None


def with_name(decision: str, taken: str) -> str:
    """A decision with the name that is taken in the place of the only other one of its kind; "" where it has none.

    >>> with_name("we go with dark green as the main color", "blue")
    'we go with blue as the main color'
    """
    named = _names_in(taken)
    if len(named) != 1 or not _has_other(decision, named[0]):
        return ""
    kind = _KIND[named[0]]
    for hit in _SHADED.finditer(decision):
        if _KIND.get(stem_of(hit["name"].lower())) == kind:
            return f"{decision[: hit.start()]}{taken}{decision[hit.end() :]}"
    return ""


def taken_for(sentence: str) -> str:
    """What a sentence takes for what, as one says that turns to it; "" where it does not.

    >>> taken_for("grades as plain numbers now"), taken_for("grades are plain numbers now")
    ('back to plain numbers for grades', '')
    """
    if (moved := moved_in(sentence)) is not None:
        return f"back to {moved[1]} for {moved[0]}"
    hit = _TAKEN_FOR.match(sentence)
    return "" if hit is None else f"back to {hit['taken']} for {hit['what']}"


def of_one_kind(one: str, other: str) -> bool:
    """Whether two names are of one kind that is known, and not the same.

    >>> of_one_kind("sqlite", "postgres"), of_one_kind("sqlite", "dinner"), of_one_kind("jpg", "a jpg")
    (True, False, False)
    """
    mine, its = _names_in(one), _names_in(other)
    return len(mine) == len(its) == 1 and mine != its and _KIND[mine[0]] == _KIND[its[0]]


def has_known_kind(name: str) -> bool:
    """Whether it is known of what kind a name is.

    >>> has_known_kind("sqlite"), has_known_kind("the new thing")
    (True, False)
    """
    return len(_names_in(name)) == 1


class OtherMeans(NamedTuple):
    """What does the same as a thing, and where its sentence leaves that."""

    means: str
    behind: int


def other_means(sentence: str) -> OtherMeans | None:
    """What does the same as a thing that the words behind leave; None where they leave none.

    >>> other_means("ruff format can do that too, kill black")
    OtherMeans(means='ruff format', behind=29)
    >>> other_means("kill black"), other_means("ruff can do that too, kill the server")
    (None, None)
    """
    hit = _DOES_AS_WELL.match(sentence)
    return None if hit is None else OtherMeans(hit["means"], hit.start("leaves"))


def _names_in(text: str) -> list[str]:
    return list(dict.fromkeys(stem for word in words_of(text.lower()) if (stem := stem_of(word)) in _KIND))


def _has_other(decision: str, name: str) -> bool:
    """Whether a decision names one thing of the same kind, and another one."""
    others = [each for each in _names_in(decision) if _KIND[each] == _KIND[name]]
    return len(others) == 1 and others[0] != name
