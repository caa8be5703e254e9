"""Words that distinguish project work from everyday life: "we chose Postgres" from "we chose the red curtains".

General vocabulary, singular or plural. Words must not be picked from a data set that the rules are measured on.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engramforge.core.text.late_pattern import late

_MOST: Final = 3
"""Further words add nothing."""
_WORK_WORDS: Final = """
deadlock pool owner topic calibration sensor adr agenda alert algorithm analysis anwendung api app
application approval architecture archive artefact artifact attachment audit auth authentication authorization
automation aws azure backend backlog backup baseline batch benchmark billing binary branch browser bucket budget
buffer bug bugfix build byte cache canary certificate changelog checksum ci class cli client cloud cluster code
codebase cohort column commit compiler compliance component config configuration container contract contractor
convention cookie cpu crash cron css csv cursor customer daemon dashboard data database dataset datenbank db
deadline dependency deploy deployed deploying deployment design desktop devops directory disk django dns docker
dockerfile docs document documentation domain dose download elasticsearch embedding encoder encrypt encrypted
encryption endpoint error etl event exception experiment export exporter extension fault feature field fifo file
firewall flag flaky flask float32 folder form format formatter framework frontend function gateway gcp git github
gitlab golang graphql grpc gzip handler hardware hash header heap helm hook html http hypothesis import importer
incident index infrastructure int8 integration interface invoice ip issue java javascript jira job json jwt kafka
kotlin kubernetes latency leak legacy library licence license limit linter linting linux load lock log logging lru
macos maintainer maintenance memory merge metrics microservice middleware migrate migrating migration milestone
mobile model module mongo mongodb monitoring monolith monorepo mvp mysql namespace naming network nginx nightly node
node.js oauth obsolete on-call ops orm outage package page pagination parser participant partition password path
payload performance permission pipeline platform plugin poc policy port postgres postgresql pr prd pricing procedure
prod production proposal protobuf protocol prototype proxy python qa quarter query queue race rails react readme
record redis refactor regex region registry regression release replica repo report repository request requirement
response rest retention retries retry review reviewer rewrite rfc roadmap rollback rollout rollover row runbook
runner runtime rust sandbox scale scaling schema schnittstelle scope screen script sdk secret security semver server
service session setting shard sharding sign-off signing sla snapshot software spec specification sprint sql sqlite
sre sso stack staging stakeholder standard stderr stdin stdout stimuli storage stream survey swift system table
template tenant terraform test testing throughput ticket timeout tls token tokeniser tokenizer toml tool tooling
tracing trial ttl typescript ui umgebung upgrade upload url user utc utf-8 uuid ux vendor version versioning vpc vue
vulnerability web webhook website websocket wheel widget windows worker workflow xml yaml zstd bundle
bundler coverage iframe lockfile locking validate validation
"""
_EVERYDAY_WORDS: Final = """
album amazing anniversary apartment argument art aunt awesome baby bake baking band bar baseball basketball beach
beautiful bed bedroom beer bicycle bike birthday blessed boat book bookstore boutique boyfriend bread breakfast
brother brunch bus cafe cake camping campsite candidate car career cat charity children christmas church cinema
clothes coach coffee college concert cook cooking couch court cousin cozy craft curtains dad dance dancing daughter
degree dentist diet dinner doctor dog dream dress drink drive driving easter election engaged excited exciting
exercise family fashion father festival fiance film flight flowers football friend fun furniture gallery garden
gardening gift girlfriend grandchildren grandfather grandkids grandma grandmother grandpa grandparents grateful
groceries grocery guitar gym haircut halloween happy heart hike hiking hobbies hobby holiday home homework horse
hospital hotel house hug husband jacket journey judge jury kid kitchen kitten knee lake life lottery love loved
lovely lunch makeup marathon marriage married match meal memories milk mom mother mountain movie mum museum music
nap nature neighbor neighbour nervous newsletter novel outfit paint painting parent park partner party
passion passionate pasta pet photo piano picnic picture pizza poem poetry pottery proud pub puppy puzzle quit recipe
rent restaurant retire retired roommate running salad scared school season seat selfie shelter shoes shopping sister
sleep snack snow soccer sofa son song soul soup spoon stars studio summer sunset surgery swim swimming tattoo tea
teacher tennis thankful thanksgiving theater theatre therapist therapy toddler tour tournament traffic train travel
traveling travelling trip trophy uncle university urlaub vacation vet violin walk walking wardrobe wear wearing
weather wedding weekend wife window wine winter wonderful workout yoga café fiancé sushi burger taco ramen
curry chicken steak tonight bathroom shower laundry dishes plants
abendessen kaffee hund katze küche kleid pullover schuhe kinder garten hochzeit ferien regnet fahrrad freundin
vacances maison chien chat dîner robe enfants plage cuisine mariage copain copine soirée
vacaciones casa perro gato cena vestido niños playa cocina boda ejercicio novio novia fiesta
"""
_EVERYDAY_STEMS: Final = ("pregnan", "volunteer", "inspir", "relax", "enjoy")
"""Beginnings of words."""
_NAMES_OF_CODE: Final = (
    r"\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z][a-z]+[A-Z]\w+\b|\b\w+\.(?:py|js|ts|go|rs|java|md|json|ya?ml|toml"
    r"|sql|sh|c|h)\b|\b[a-z]+\.[a-z_]+\(|\b\w+\(\)|\bv\d+(?:\.\d+)*\b|--[a-z][\w-]+|\b[A-Z]{3,5}s?\b(?!!)|`"
    r"|\b[DT]-?\d{3,}\b|\bADR\b|(?<=\s)/[a-z]\w+"
)
_CODE_NAME: Final = late(_NAMES_OF_CODE)
_MAY_NAME_CODE: Final = late(r"[_`(\d/]|[a-z][A-Z]|[A-Z]{3}|\.[a-z]|--")
"""In every name of code."""
_NO_ACRONYM: Final = late(
    r"\b(?:LGBTQ|USA|OMG|LOL|BBQ|NYC|DIY|TV|ASAP|FYI|BTW|IMO|AND|NOT|THE|ALL|YES|WOW)\b"
)
_WORD: Final = late(r"[a-z\u00df-\u00ff][a-z\u00df-\u00ff0-9.-]*[a-z0-9\u00df-\u00ff]")
_HISSED: Final = ("xes", "ches", "sses")


def _counted(words: str) -> frozenset[str]:
    """Words, and each with the "s" or "es" of several."""
    alone = words.split()
    some = (f"{word}s" for word in alone if not f"{word}s".endswith(_HISSED))
    return frozenset((*alone, *some, *(f"{word}es" for word in alone if f"{word}es".endswith(_HISSED))))


_WORK: Final = _counted(_WORK_WORDS)
_EVERYDAY: Final = _counted(_EVERYDAY_WORDS)


@lru_cache(maxsize=16)
def work_words(text: str) -> int:
    """How many words speak of work on a project, counted up to 3; a text is asked for by each of its sentences."""
    found = sum(map(_WORK.__contains__, _WORD.findall(text.lower())))
    if found < _MOST and _MAY_NAME_CODE.search(text):
        found += len(_CODE_NAME.findall(_NO_ACRONYM.sub("", text)))
    return min(found, _MOST)


def everyday_words(text: str) -> int:
    """How many words speak of everyday life, counted up to 3."""
    words = _WORD.findall(text.lower())
    found = sum(1 for word in words if word in _EVERYDAY or word.startswith(_EVERYDAY_STEMS))
    return min(found, _MOST)
