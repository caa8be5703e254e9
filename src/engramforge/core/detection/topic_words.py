"""Words that tell work on a project from everyday life: "we chose Postgres" from "we chose the red curtains".

Whole words, general vocabulary of either side. What must not enter: anything of a data set.
"""

from __future__ import annotations

import re
from typing import Final

_WORK: Final = (
    r"api|apis|sdk|cli|endpoint|backend|frontend|server|client|service|microservice|monolith|monorepo|repo|repository|branch"
    r"|commit|merge|pull request|code|codebase|module|package|library|framework|dependency|compiler|runtime|script|function"
    r"|class|interface|schema|table|column|index|query|database|db|sql|cache|queue|stream|event|message broker|worker|job|cron"
    r"|batch|pipeline|deploy|deploys|deployed|deploying|deployment|release|rollout|rollback|canary|staging|production|prod|cluster|node|region|tenant"
    r"|container|image registry|registry|docker|dockerfile|kubernetes|helm|terraform|cloud|aws|gcp|azure|bucket|storage|snapshot"
    r"|backup|replica|shard|sharding|partition|migration|migrate|migrating|refactor|rewrite|prototype|test|tests|testing"
    r"|benchmark|linter|linting|formatter|ci|build|builds|artifact|artefact|version|versioning|semver|config|configuration"
    r"|setting|flag|feature|bug|bugfix|regression|crash|leak|race|flaky|timeout|retry|retries|latency|throughput|load|scale"
    r"|scaling|performance|memory|disk|cpu|thread pool|lock|token|tokens|auth|authentication|authorization|oauth|sso|jwt|tls"
    r"|certificate|encryption|encrypt|encrypted|secret|secrets|key rotation|signing|password|permission|permissions|access control"
    r"|security|vulnerability|pen test|audit|compliance|log|logs|logging|tracing|metrics|monitoring|alert|alerts|dashboard"
    r"|incident|outage|on-call|sla|rate limit|limit|limits|pagination|cursor|webhook|payload|json|yaml|toml|csv|xml|protobuf|grpc"
    r"|rest|graphql|http|https|websocket|url|dns|proxy|gateway|load balancer|firewall|network|vpc|ip|port|parser|tokenizer"
    r"|tokeniser|encoder|embedding|embeddings|model|algorithm|data|dataset|data model|field|fields|row|rows|record|records|file"
    r"|files|folder|directory|path|format|import|importer|export|exporter|archive|attachment|upload|download|document"
    r"|documentation|docs|readme|changelog|runbook|template|spec|specification|design|architecture|adr|rfc|prd|ticket|issue"
    r"|backlog|sprint|milestone|roadmap|quarter|stakeholder|vendor|contractor|customer|customers|user|users|rollover|sandbox"
    r"|session|cookie|cookies|header|headers|request|requests|response|error|errors|exception|fault|namespace|domain"
    r"|app|application|website|web|mobile|desktop|browser|platform|system|systems|software|hardware|infrastructure|tool"
    r"|tooling|plugin|extension|component|widget|page|screen|form|css|html|javascript|typescript|python|rust|golang|java"
    r"|kotlin|swift|node\.js|react|vue|django|flask|rails|postgres|postgresql|mysql|sqlite|redis|kafka|mongo|mongodb"
    r"|elasticsearch|nginx|linux|windows|macos|git|github|gitlab|jira|pr|prs|mvp|poc|etl|orm|ui|ux|qa|ops|devops|sre"
    r"|budget|contract|pricing|invoice|billing|licen[cs]e|policy|procedure|protocol|standard|standards|convention|naming"
    r"|experiment|hypothesis|baseline|sample size|dose|survey|analysis|report|proposal|requirement|requirements|scope|deadline"
    r"|agenda|retention|workflow|automation|integration|maintenance|maintainer|upgrade|deprecat\w+|obsolete|legacy"
    r"|review|reviewer|approval|sign-off|handler|middleware|daemon|binary|wheel|wheels|runner|runners|nightly|hook|hooks"
    r"|stdout|stderr|stdin|utf-8|utc|int8|float32|zstd|gzip|regex|lru|ttl|fifo|uuid|hash|checksum|stack|heap|buffer|byte|bytes"
)
_EVERYDAY: Final = (
    r"mom|mum|dad|mother|father|parents?|sister|brother|grandma|grandpa|grand(?:mother|father|parents|kids)|uncle|aunt"
    r"|cousin|wife|husband|girlfriend|boyfriend|fianc[e\u00e9]+|partner|kids?|children|daughter|son|baby|toddler|family|friends?"
    r"|neighbou?rs?|roommate|dog|dogs|cat|cats|puppy|kitten|pet|pets|vet|horse|dinner|lunch|breakfast|brunch|meal|cook|cooking"
    r"|bake|baking|recipe|cake|cookies and|pizza|pasta|salad|soup|coffee|tea|wine|beer|drinks?|restaurant|caf[e\u00e9]|bar"
    r"|kitchen|spoon|sofa|couch|bed|bedroom|curtains|garden|gardening|flowers|house|home|apartment|rent|furniture|movie|movies"
    r"|film|cinema|theat(?:er|re)|concert|music|song|guitar|piano|violin|band|dance|dancing|painting|paint|pottery|art|craft"
    r"|novel|book|books|bookstore|poem|poetry|museum|gallery|festival|party|birthday|wedding|married|marriage|engaged"
    r"|anniversary|christmas|thanksgiving|halloween|easter|holidays?|vacation|urlaub|trip|travel|traveling|travelling"
    r"|flights?|hotel|beach|lake|mountain|mountains|hike|hiking|camping|campsite|road trip|park|picnic|weekend|summer|winter"
    r"|walk|walking|running|run a race|marathon|yoga|gym|workout|exercise|swim|swimming|soccer|football|basketball|tennis"
    r"|baseball|match|game night|video games?|bike|bicycle|car|driving|drive|train|traffic|shopping|shoes|dress|clothes|outfit"
    r"|jacket|gift|gifts|present for|milk|bread|groceries|grocery|package|doctor|dentist|therapist|therapy|hospital|surgery"
    r"|knee|pregnan\w+|diet|sleep|nap|hobby|hobbies|school|college|university|teacher|class reunion|homework|degree|career"
    r"|job offer|my job|quit|retire|retired|volunteer\w*|charity|shelter|church|adopt(?:ion)? (?:a|an|agency)|love|loved|fun"
    r"|happy|excited|exciting|proud|scared|nervous|grateful|thankful|blessed|dream|dreams|passion|passionate|journey|life"
    r"|heart|soul|inspir\w+|amazing|awesome|wonderful|beautiful|lovely|cozy|relax\w*|enjoy\w*|memories|hugs?|snacks?|puzzle"
    r"|weather|snow|sunset|stars|nature|photo|photos|picture|selfie|newsletter|tattoo|haircut|lottery|argument|judge|court"
    r"|tenant in|jury|election|candidate|team spirit|season|coach|trophy|tournament|album|tour|studio|fashion|boutique|makeup"
)
_NAMES_OF_CODE: Final = (
    r"\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z][a-z]+[A-Z]\w+\b|\b\w+\.(?:py|js|ts|go|rs|java|md|json|ya?ml|toml|sql|sh|c|h)\b"
    r"|\b[a-z]+\.[a-z_]+\(|\b\w+\(\)|\bv\d+(?:\.\d+)*\b|--[a-z][\w-]+|\b[A-Z]{3,5}s?\b(?!!)|`|\b[DT]-?\d{3}\b|\bADR\b|(?<=\s)/[a-z]\w+"
)
_WORK_WORD: Final = re.compile(rf"\b(?:(?:{_WORK})(?:s|es)?)\b", re.I)
_CODE_NAME: Final = re.compile(_NAMES_OF_CODE)
_EVERYDAY_WORD: Final = re.compile(rf"\b(?:{_EVERYDAY})\b", re.I)
_NO_ACRONYM: Final = re.compile(
    r"\b(?:LGBTQ|USA|OMG|LOL|BBQ|NYC|DIY|TV|ASAP|FYI|BTW|IMO|AND|NOT|THE|ALL|YES|WOW)\b"
)


def work_words(text: str) -> int:
    """How many words speak of work on a project, counted up to 3."""
    found = sum(1 for _, _ in zip(_WORK_WORD.finditer(text), range(3), strict=False))
    if found < 3:
        names = _CODE_NAME.finditer(_NO_ACRONYM.sub("", text))
        found += sum(1 for _, _ in zip(names, range(3 - found), strict=False))
    return found


def everyday_words(text: str) -> int:
    """How many words speak of everyday life, counted up to 3."""
    return sum(1 for _, _ in zip(_EVERYDAY_WORD.finditer(text), range(3), strict=False))
