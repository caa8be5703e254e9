"""Tokens that services publish with a shape of their own: a prefix, an alphabet, a length.

One table, one expression: a service is a line. The shapes are those that the services document; the end of each is
open, since services lengthen their tokens. Below it the same for services that nobody listed: a prefix that says what
follows (`..._key_`, `..._token_`, `sk-`), or any prefix before a long run of chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.chance import is_random
from engramforge.core.text.late_pattern import late

Span = tuple[int, int, str]

_SHAPES: Final = {
    "1password-token": r"ops_eyJ[\w+/=-]{50,}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,4}[A-Z0-9]{5}",
    "ably-key": r"[\w-]{6}\.[\w-]{6}:[\w-]{43}",
    "adafruit-key": r"aio_[A-Za-z0-9]{28}",
    "age-secret-key": r"AGE-SECRET-KEY-1[A-Z0-9]{50,}",
    "airtable-token": r"pat[A-Za-z0-9]{14}\.[0-9a-f]{60,}",
    "alibaba-access-key": r"LTAI[A-Za-z0-9]{12,}",
    "anthropic-api-key": r"sk-ant-[\w-]{20,}",
    "apify-token": r"apify_api_[A-Za-z0-9]{30,}",
    "artifactory-credentials": r"AKCp[A-Za-z0-9]{50,}|cmVmd[A-Za-z0-9]{50,}",
    "asana-token": r"[12]/\d{12,}(?:/\d{12,})?:[0-9a-f]{32}",
    "astra-token": r"AstraCS:[A-Za-z0-9+/=]{10,}:[0-9a-f]{40,}",
    "atlassian-token": r"AT(?:ATT|CTT|BB)[A-Za-z0-9]{3}[\w=-]{20,}",
    "aws-access-key": r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[A-Z0-9]{16}|ABSK[A-Za-z0-9+/=]{60,}",
    "azure-client-secret": r"[\w~.-]{3}\dQ~[\w~.-]{31,34}",
    "bitwarden-token": r"0\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[A-Za-z0-9]{20,}(?::[A-Za-z0-9+/=]{20,})?",
    "braintree-token": r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[0-9a-f]{32}",
    "brave-key": r"BSA[\w-]{25,30}",
    "brevo-key": r"xkeysib-[0-9a-f]{60,}-[A-Za-z0-9]{12,}",
    "buildkite-token": r"bku[ait]_[A-Za-z0-9]{36,}",
    "cargo-token": r"cio[A-Za-z0-9]{32}",
    "cerebras-key": r"csk-[a-z0-9]{40,}",
    "circleci-token": r"CCI[PR][A-Z]{2}_[A-Za-z0-9]{20,}_[0-9a-f]{40}",
    "clickup-token": r"pk_\d{5,}_[A-Z0-9]{32}",
    "clojars-token": r"CLOJARS_[A-Za-z0-9]{50,}",
    "cloudflare-origin-key": r"v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}",
    "cloudflare-tunnel": r"eyJhIjoi[\w+/=-]{80,}",
    "cockroach-key": r"CCDB1_[A-Za-z0-9]{20,}_[A-Za-z0-9]{36,}",
    "contentful-token": r"CFPAT-[\w-]{40,}",
    "databricks-token": r"(?:dapi|dose)[0-9a-f]{32}(?:-\d)?",
    "defined-networking-token": r"dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}",
    "deno-token": r"dd[pow]_[A-Za-z0-9]{36}",
    "digitalocean-token": r"do[opr]_v1_[0-9a-f]{60,}",
    "discord-bot-token": r"[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,}",
    "discord-webhook": r"(?<=/webhooks/)\d{17,20}/[\w-]{60,}",
    "docker-swarm-token": r"SWM(?:TKN|KEY)-1-[\w+/-]{40,}",
    "docker-token": r"dckr_[op]at_[\w-]{24,}",
    "doppler-token": r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,}",
    "dropbox-token": r"sl\.(?:u\.)?[\w=-]{100,}",
    "duffel-token": r"duffel_(?:live|test)_[\w-]{40,}",
    "dynatrace-token": r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{60,}",
    "easypost-key": r"EZ[AT]K[A-Za-z0-9]{50,}",
    "elevenlabs-key": r"sk_[0-9a-f]{40,}",
    "endor-key": r"endr\+[A-Za-z0-9-]{16,}",
    "exoscale-key": r"EXO[0-9a-f]{24}",
    "facebook-token": r"EAA[A-Za-z0-9]{60,}",
    "figma-token": r"fig[a-z]{0,2}_[\w-]{36,}",
    "firebase-cloud-key": r"AAAA[\w-]{7}:[\w-]{100,}",
    "firecrawl-key": r"fc-[0-9a-f]{32}",
    "fireworks-key": r"fw_[A-Za-z0-9]{20,}",
    "flutterwave-key": r"FLWSECK(?:_TEST)?-[0-9a-zA-Z]{12,}-X",
    "fly-token": r"(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=,_]{60,}|fo1_[\w-]{40,}",
    "frameio-token": r"fio-u-[\w=-]{50,}",
    "github-token": r"gh[oprsu]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,}",
    "gitlab-token": r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[\w.-]{20,}|GR1348941[\w-]{20,}",
    "google-api-key": r"AIza[\w-]{35,}",
    "google-oauth-token": r"ya29\.[\w.-]{30,}|GOCSPX-[\w-]{20,}|1//0[\w-]{30,}",
    "grafana-token": r"gl(?:sa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}|c_[\w+/=-]{60,})|eyJrIjoi[\w+/=-]{40,}",
    "groq-key": r"gsk_[A-Za-z0-9]{40,}",
    "harness-token": r"[ps]at\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}",
    "heroku-key": r"HRKU-[\w-]{30,}",
    "hubspot-token": r"pat-(?:na|eu|ap)\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "hugging-face-token": r"(?:hf|api_org)_[A-Za-z0-9]{30,}",
    "infisical-token": r"st\.[0-9a-f]{20,}\.[0-9a-f]{20,}\.[0-9a-f]{20,}",
    "infracost-key": r"ico-[A-Za-z0-9]{32}",
    "intra42-secret": r"s-s4t2(?:ud|af)-[0-9a-f]{60,}",
    "klaviyo-key": r"pk_[0-9a-f]{34}",
    "langfuse-key": r"sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "langsmith-key": r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}",
    "launchdarkly-key": r"(?:api|sdk|mob)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "lichess-token": r"lip_[A-Za-z0-9]{20,}",
    "linear-key": r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}",
    "linkedin-secret": r"WPL_AP\d\.[\w.=-]{12,}",
    "lob-key": r"(?:live|test)_(?:pub_)?[0-9a-f]{31,}",
    "mailchimp-access-key": r"[0-9a-f]{32}-us[0-9]{1,2}",
    "mailersend-token": r"mlsn\.[0-9a-f]{60,}",
    "mailgun-key": r"(?:key|pubkey)-[0-9a-f]{32}",
    "mapbox-token": r"[st]k\.eyJ[\w-]{40,}\.[\w-]{20,}",
    "maxmind-key": r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk",
    "midtrans-key": r"(?:SB-)?Mid-server-[\w-]{16,}",
    "neon-key": r"napi_[a-z0-9]{50,}",
    "netlify-token": r"nf[pcoub]_[A-Za-z0-9]{36,}",
    "new-relic-key": r"NR(?:AK|II|IQ|RA|BR)-[\w-]{24,}|[0-9a-f]{32,40}NRAL",
    "nostr-key": r"nsec1[a-z0-9]{50,}",
    "notion-token": r"ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{40,}",
    "npm-token": r"npm_[A-Za-z0-9]{36,}",
    "nuget-key": r"oy2[a-z0-9]{43}",
    "nvidia-key": r"nvapi-[\w-]{50,}",
    "octopus-key": r"API-[A-Z0-9]{26,}",
    "ntfy-token": r"tk_[a-z0-9]{29}",
    "okta-token": r"(?<=SSWS )00[\w-]{40}",
    "openai-api-key": r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20,}",
    "openrouter-key": r"sk-or-(?:v\d-)?[0-9a-f]{40,}",
    "openshift-token": r"sha256~[\w-]{43}",
    "opsgenie-key": r"(?<=GenieKey )[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "perplexity-key": r"pplx-[A-Za-z0-9]{40,}",
    "persona-key": r"persona_(?:production|sandbox)_[0-9a-f-]{30,}",
    "pinecone-key": r"pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,}",
    "plaid-token": r"(?:access|link)-(?:production|development|sandbox)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "planetscale-token": r"pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}",
    "posthog-key": r"ph[xsa]_[A-Za-z0-9]{40,}",
    "postman-key": r"PMA[KT]-[\w-]{50,}",
    "product-key": r"(?=[A-Z-]{0,28}\d)[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}(?![\w-])",
    "prefect-key": r"pn[ub]_[A-Za-z0-9]{36,}",
    "pubnub-key": r"sec-c-[\w=-]{36,}",
    "pulumi-token": r"pul-[0-9a-f]{40}",
    "pypi-token": r"pypi-AgE[\w-]{50,}",
    "readme-key": r"rdme_[a-z0-9]{60,}",
    "render-key": r"rnd_[A-Za-z0-9]{24,}",
    "replicate-token": r"r8_[A-Za-z0-9_-]{32,}",
    "resend-key": r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}",
    "riot-key": r"RGAPI-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "rubygems-key": r"rubygems_[0-9a-f]{48}",
    "salesforce-session": r"00D[A-Za-z0-9]{12,15}![\w.]{60,}",
    "scalingo-token": r"tk-us-[\w-]{40,}",
    "sendgrid-api-key": r"SG\.[\w-]{16,}\.[\w-]{32,}",
    "sentry-token": r"sntry[su]_[\w+/=-]{50,}",
    "shippo-token": r"shippo_(?:live|test)_[0-9a-f]{36,}",
    "shopify-token": r"shp(?:at|ss|ca|pa|ua|tka)_[0-9a-fA-F]{32,}",
    "slack-token": r"xox[a-z](?:\.xox[a-z])?-[\w-]{10,}|xapp-\d-[A-Za-z0-9-]{20,}",
    "slack-webhook": r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/[\w/]{20,}",
    "sonar-token": r"sq[apu]_[0-9a-f]{40}",
    "sourcegraph-token": r"sg[pd]_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}",
    "square-access-token": r"EAAA[\w-]{60}",
    "square-oauth-secret": r"sq0[a-z]{3}-[\w-]{22,}",
    "stripe-access-key": r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}",
    "supabase-key": r"sbp_(?:[a-z0-9]+_)?[0-9a-f]{40}|sb_secret_[\w-]{20,}",
    "tailscale-key": r"tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9-]{20,}",
    "tavily-key": r"tvly-(?:dev-|prod-)?[\w-]{24,}",
    "telegram-bot-token": r"(?:bot)?\d{8,10}:(?:AA[\w-]{32,}|[\w-]{35}(?![\w-]))",
    "terraform-token": r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}",
    "together-key": r"tgp_v1_[\w-]{36,}",
    "trello-token": r"ATTA[0-9a-f]{60,}",
    "twilio-api-key": r"(?:SK|AC)[0-9a-f]{32}",
    "twitch-token": r"oauth:[a-z0-9]{30}|live_\d{6,12}_[A-Za-z0-9]{24,}",
    "twitter-bearer": r"A{16}(?=\w*\d)[\w%]{50,}",
    "typeform-token": r"tfp_[\w.=-]{40,}",
    "vault-token": r"hv[sbr]\.[\w-]{24,}",
    "vercel-blob-token": r"vercel_blob_rw_[A-Za-z0-9_]{20,}",
    "vercel-token": r"vc[pcikra]_[A-Za-z0-9]{24,}",
    "voyage-key": r"pa-[\w-]{40,}",
    "wallet-key": r"[xyz]prv[A-Za-z0-9]{80,}|(?:5[HJK]|[KL][1-5])[1-9A-HJ-NP-Za-km-z]{49,50}(?![\w+/=])",
    "xai-key": r"xai-[A-Za-z0-9]{60,}",
    "xata-key": r"xau_[A-Za-z0-9]{28,}",
    "yandex-key": r"AQVN[\w-]{35,}|t1\.[\w-]{20,}={0,2}\.[\w-]{60,}={0,2}|y[0-3]_[\w-]{50,}",
    "zapier-or-other-hook": r"(?<=hooks\.zapier\.com/hooks/catch/)\d+/\w{6,}",
}
"""Kind -> shape. A token stands free: no letter, digit or `_` before it."""

RUN: Final = late(r"(?<![\w.+/=:$~-])[\w.+/=:$~-]{20,}")
"""Where a token can be: no table is looked at for a text without a long run."""
_ANY: Final = late(rf"(?<![A-Za-z0-9_])(?:{'|'.join(_SHAPES.values())})", re.ASCII)
"""Without groups it tells by one character of most shapes that they do not begin at a place."""
_TOKEN: Final = late(
    r"(?<![A-Za-z0-9_])(?:"
    + "|".join(f"(?P<k{n}>{shape})" for n, shape in enumerate(_SHAPES.values()))
    + ")",
    re.ASCII,
)
_KINDS: Final = tuple(_SHAPES)

_MARK_WORDS: Final = (
    "key keys apikey token tok secret pat pass password api auth sk rk live cred priv private oauth access refresh "
    "admin pw webhook deploy license jwt "
)
_MARKS: Final = frozenset(_MARK_WORDS.split())
_PUBLISHED: Final = frozenset({"pk", "pub", "public"})
_ID_WORDS: Final = (
    "msg req toolu call chatcmpl resp run thread asst file cus evt pi cs ch sub prod price acct txn usr user org "
    "proj batch session conv item step ft rs fc srvtoolu container img image sha sha256 sha512 md5 rev commit "
)
PUBLIC_PREFIXES: Final = frozenset(_ID_WORDS.split())
"""Prefixes of ids that APIs show to everybody."""
_PREFIXED: Final = late(
    r"(?<![A-Za-z0-9_./+-])(?P<prefix>[A-Za-z][A-Za-z0-9]{0,19}(?:[_.-][A-Za-z0-9]{1,12}){0,3})"
    r"[_.-](?P<tail>[A-Za-z0-9]{16,})(?![A-Za-z0-9])"
)
_LONG: Final = 32


def tokens(text: str) -> Iterator[Span]:
    """Spans of tokens of known services, and of what has the shape of a token of some service."""
    for run in RUN.finditer(text):
        if (run[0].islower() or "/" in run[0]) and not any(map(str.isdigit, run[0])):
            continue  # words and paths
        taken = run.start()
        for found in _ANY.finditer(text, *run.span()):
            match = _TOKEN.match(text, found.start(), run.end())
            assert match is not None and match.lastgroup is not None
            taken = match.end()
            yield *match.span(), _KINDS[int(match.lastgroup[1:])]
        if taken == run.start():
            yield from _prefixed(text, *run.span())


def _prefixed(text: str, begin: int, end: int) -> Iterator[Span]:
    """A prefix that says what follows, before a run of chance; or any but that of a public id, before a long one."""
    for match in _PREFIXED.finditer(text, begin, end):
        words = re.split(r"[_.-]", match["prefix"].lower())
        if words[0] in _PUBLISHED:
            continue
        tail = match["tail"]
        is_long = len(tail) >= _LONG
        if not _MARKS.isdisjoint(words):
            is_token = is_random(tail) or (is_long and any(map(str.isdigit, tail)))
        else:
            is_word = match["prefix"].islower() or match["prefix"].isupper()
            is_token = (
                is_long
                and is_word
                and "_" in match[0]
                and PUBLIC_PREFIXES.isdisjoint(words)
                and is_random(tail)
            )
        if is_token:
            yield *match.span(), "api-key"
