"""Texts for the benchmark of redaction: secrets as services shape them in eight carriers, and talk that looks like it.

A template stands for a shape: `{h32}` is 32 lower-case hexadecimal digits, `H` upper-case ones, `a` letters and digits,
`A` capitals and digits, `l` small letters and digits, `d` digits, `b` the URL alphabet of base64, `s` its plain one,
`{u}` a UUID. So no secret, real or made up, stands in this repository.
"""

from __future__ import annotations

import random
import re
import string
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_ALPHABETS: Final = {
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "a": string.ascii_letters + string.digits,
    "A": string.ascii_uppercase + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "d": string.digits,
    "b": string.ascii_letters + string.digits + "-_",
    "s": string.ascii_letters + string.digits + "+/",
    "w": "023456789ACDEFGHJKLMNPQRSTUVWXYZ",
}
_PLACE: Final = re.compile(r"\{(?:([a-zA-Z])(\d+)|(u))\}")

SHAPED: Final = """
databricks DATABRICKS_TOKEN dapi{h32}
vault VAULT_TOKEN hvs.{a24}{b70}
google-oauth GOOGLE_TOKEN ya29.a0{b120}
google-client CLIENT_KEY GOCSPX-{b28}
google-refresh GOOGLE_REFRESH 1//0{b60}
google-api MAPS_KEY AIza{b35}
stripe-webhook STRIPE_WEBHOOK whsec_{a32}
stripe-live STRIPE_KEY sk_live_{a24}
stripe-restricted STRIPE_KEY rk_live_{a40}
digitalocean DIGITALOCEAN dop_v1_{h64}
digitalocean-oauth DIGITALOCEAN doo_v1_{h64}
doppler DOPPLER dp.pt.{a43}
doppler-service DOPPLER dp.st.prd.{a43}
linear LINEAR lin_api_{a40}
notion NOTION ntn_{d11}{a35}
notion-old NOTION secret_{a43}
shopify SHOPIFY shpat_{h32}
shopify-shared SHOPIFY shpss_{h32}
groq GROQ gsk_{a52}
replicate REPLICATE r8_{a37}
docker DOCKERHUB dckr_pat_{b27}
terraform TFE {a14}.atlasv1.{b67}
newrelic NEWRELIC NRAK-{A27}
newrelic-license NEWRELIC {h36}NRAL
grafana GRAFANA glsa_{a32}_{h8}
grafana-cloud GRAFANA glc_eyJ{b120}
age AGE_IDENTITY AGE-SECRET-KEY-1{w58}
atlassian JIRA ATATT3xFfGF0{b170}={H8}
bitbucket BITBUCKET ATBB{a24}{H8}
rubygems RUBYGEMS rubygems_{h48}
postman POSTMAN PMAK-{h24}-{h34}
planetscale PLANETSCALE pscale_tkn_{b43}
planetscale-password PLANETSCALE pscale_pw_{b43}
supabase SUPABASE sbp_{h40}
supabase-key SUPABASE sb_secret_{b22}_{b8}
dynatrace DYNATRACE dt0c01.{A24}.{A64}
figma FIGMA figd_{b40}
airtable AIRTABLE pat{a14}.{h64}
github GITHUB ghp_{a36}
github-app GITHUB ghs_{a36}
github-fine GITHUB github_pat_{a22}_{a59}
gitlab GITLAB glpat-{b20}
gitlab-runner GITLAB glrt-{b20}
slack SLACK xoxb-{d12}-{d13}-{a24}
slack-app SLACK xapp-1-A{A10}-{d13}-{h64}
slack-hook SLACK https://hooks.slack.com/services/T{A9}/B{A9}/{a24}
aws-id AWS_ID AKIA{A16}
openai OPENAI sk-proj-{b74}T3BlbkFJ{b74}
openai-old OPENAI sk-{a20}T3BlbkFJ{a20}
anthropic ANTHROPIC sk-ant-api03-{b93}AA
openrouter OPENROUTER sk-or-v1-{h64}
perplexity PERPLEXITY pplx-{a48}
xai XAI xai-{a80}
huggingface HF hf_{a34}
langsmith LANGSMITH lsv2_pt_{h32}_{h10}
langfuse LANGFUSE sk-lf-{u}
pinecone PINECONE pcsk_{a6}_{a63}
sendgrid SENDGRID SG.{b22}.{b43}
mailchimp MAILCHIMP {h32}-us14
mailgun MAILGUN key-{h32}
brevo BREVO xkeysib-{h64}-{a16}
resend RESEND re_{a8}_{a24}
twilio TWILIO SK{h32}
telegram TELEGRAM {d10}:AA{b33}
discord-hook DISCORD https://discord.com/api/webhooks/{d18}/{b68}
square SQUARE sq0csp-{b43}
braintree BRAINTREE access_token$production${l16}${h32}
pypi PYPI pypi-AgEIcHlwaS5vcmc{b140}
npm NPM npm_{a36}
cargo CARGO cio{a32}
nuget NUGET oy2{l43}
clojars CLOJARS CLOJARS_{l60}
jwt SESSION eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{b43}
fly FLY FlyV1 fm2_{s100}
netlify NETLIFY nfp_{a36}
heroku HEROKU HRKU-AA{b58}
sentry SENTRY sntryu_{h64}
sonar SONAR sqp_{h40}
jfrog ARTIFACTORY AKCp{a69}
pulumi PULUMI pul-{h40}
prefect PREFECT pnu_{a36}
readme README rdme_{l70}
shippo SHIPPO shippo_live_{h40}
typeform TYPEFORM tfp_{b44}_{b12}
adafruit ADAFRUIT aio_{a28}
alibaba ALIBABA LTAI{a20}
easypost EASYPOST EZAK{a54}
flutterwave FLUTTERWAVE FLWSECK_TEST-{h32}-X
frameio FRAMEIO fio-u-{b64}
mapbox MAPBOX sk.eyJ{b80}.{b22}
duffel DUFFEL duffel_live_{b43}
neon NEON napi_{l64}
posthog POSTHOG phx_{a43}
launchdarkly LAUNCHDARKLY api-{u}
buildkite BUILDKITE bkua_{h40}
circleci CIRCLECI CCIPAT_{a22}_{h40}
harness HARNESS pat.{b22}.{h24}.{a20}
octopus OCTOPUS API-{A26}
scalingo SCALINGO tk-us-{b48}
sourcegraph SOURCEGRAPH sgp_{h16}_{h40}
infracost INFRACOST ico-{a32}
contentful CONTENTFUL CFPAT-{b43}
asana ASANA 2/{d16}/{d16}:{h32}
trello TRELLO ATTA{h64}
hubspot HUBSPOT pat-na1-{u}
tailscale TAILSCALE tskey-auth-{a12}CNTRL-{a32}
onepassword OP ops_eyJ{b250}
yandex YANDEX AQVN{b36}
facebook META EAA{a120}
azure-secret AZURE {a3}8Q~{b34}
planetscale-oauth PLANETSCALE pscale_oauth_{b43}
"""
"""Kind, name of a variable (which gives nothing away), shape."""

NAMED: Final = """
aws-secret AWS_SECRET_ACCESS_KEY {s40}
okta OKTA_API_TOKEN 00{b40}
datadog DD_API_KEY {h32}
cloudflare CLOUDFLARE_API_TOKEN {b40}
algolia ALGOLIA_ADMIN_API_KEY {h32}
wandb WANDB_API_KEY {h40}
cohere COHERE_API_KEY {a40}
mistral MISTRAL_API_KEY {a32}
vercel VERCEL_TOKEN {a24}
travis TRAVIS_TOKEN {a22}
ngrok NGROK_AUTHTOKEN 2{a26}_{a21}
snyk SNYK_TOKEN {u}
password DB_PASSWORD {a12}!
jwt-key JWT_SECRET {b32}
session SESSION_SECRET {h48}
encryption ENCRYPTION_KEY {s43}=
"""
"""Kinds without a shape of their own: their name gives them away."""

CARRIERS: Final = (
    "export {name}={secret}",
    '{{"host": "db.example.org", "{small}": "{secret}", "retries": 3}}',
    "deploy:\n  region: eu-west-1\n  {small}: {secret}\n  timeout: 30",
    'curl -s -H "Authorization: Bearer {secret}" https://api.example.org/v1/things',
    'client = Client("{secret}", timeout=5)  # {small}',
    "We ran it with {secret} yesterday and the job went through.",
    "Open https://app.example.org/callback?state=ab12&access_token={secret}&lang=en once.",
    "| {small} | `{secret}` | rotated in May |",
)
"""Shell, JSON, YAML, a header, code, prose, an address, a Markdown table; the first three say what it is."""

SPOKEN: Final = """
the password is {p}
The root password for the staging box is "{p}", please change it.
my password: {p}
Passwort: {p}
Das Passwort lautet {p}
le mot de passe est {p}
la contraseña es {p}
mysql -u root --password {p} shop
mysqldump --password={p} shop > shop.sql
psql postgres://shop:{p}@db.example.org:5432/shop
redis://:{p}@cache.example.org:6379/0
mongodb+srv://app:{p}@cluster0.example.net/prod
amqp://guest:{p}@mq.example.org/
https://ada:{p}@git.example.org/ada/tools.git
machine ftp.example.org login ada password {p}
Cookie: sessionid={a32}; theme=dark
Set-Cookie: auth_token={b40}; HttpOnly; Secure
x-api-key: {b32}
X-Auth-Token: {h40}
Authorization: Basic {s36}==
Authorization: token {h40}
https://store.blob.core.windows.net/c/f?sv=2022-11-02&se=2026-01-01&sr=b&sp=r&sig={s43}%3D
DefaultEndpointsProtocol=https;AccountName=store;AccountKey={s86}==;EndpointSuffix=core.windows.net
https://bucket.s3.amazonaws.com/f?X-Amz-Credential=x&X-Amz-Signature={h64}
curl -u ada:{p} https://example.org/private
gh auth login --token {a40}
API_TOKEN={b36}
"access_token": "{b40}",
"refresh_token" : "{b40}"
client_secret={a32}&grant_type=client_credentials
//npm.example.org/:_authToken={u}
docker login -u ada -p {p} registry.example.org
sshpass -p {p} ssh ada@host.example.org
wifi password = {p}
PGPASSWORD={p} psql -h db shop
passwd={p}
private_key_id: {h40} and private_key: {s60}
user: ada / pass: {p}
credentials: ada:{p}
the api key is {a32}
"""
"""Sentences and lines whose words give the secret away; {p} is a password of people."""

PLAIN: Final = r"""
Commit {h40} broke the build on main.
git checkout {h7} && make test
The image is pinned as app@sha256:{h64}.
Request {u} took {d3} ms.
"integrity": "sha512-{s86}=="
"password": "string"
"password": "Password"
"token": "string", "expires_in": 3600
password_hash = bcrypt.hashpw(password, salt)
The column password_hash holds {h64}.
api_key_created_at: 2026-03-0{d1}T10:00:00Z
token_count = {d5}
max_tokens: {d4}
The token is valid for {d2} minutes.
The password is stored as an argon2id hash.
The secret is read from Vault at start.
The password is at least 12 characters long.
Password: required, string, 8 to 64 characters
password: ${DB_PASSWORD}
password = os.environ["DB_PASSWORD"]
const token = process.env.GITHUB_TOKEN;
const token = await getToken(user.id);
token = request.headers.get("Authorization")
headers = {"Authorization": f"Bearer {token}"}
Send the header Authorization: Bearer <token> with each call.
x-api-key is a required header.
The Authorization header is missing.
Set-Cookie is sent without Secure.
secret_name: billing-db
secretName: tls-{l8}
secretKeyRef: {name: db, key: password}
kubectl get secret regcred -o yaml
aws secretsmanager get-secret-value --secret-id prod/db
arn:aws:secretsmanager:eu-west-1:{d12}:secret:prod/db-{a6}
arn:aws:iam::{d12}:role/deploy-{l6}
cache_key = f"user:{user_id}:{version}"
primary_key=True, foreign_key="user.id"
The public key is {s43}=
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{s43} ada@host
-----BEGIN CERTIFICATE----- {s64}
The partition key is tenant_id and the sort key is created_at.
Idempotency-Key: {u}
The id of the tool call is toolu_01{a22}.
msg_01{a22} was the last message.
chatcmpl-{a29} finished with stop.
run_{a24} failed in step_{a24}.
See https://github.com/acme/app/commit/{h40}.
See https://github.com/acme/app/blob/{h40}/src/main.py#L{d2}.
https://example.org/docs?page={d2}&sort=name
https://docs.example.org/d/1{b43}/edit
https://www.youtube.com/watch?v={b11}
https://example.org/search?q=password+reset&key=name
https://npm.example.org/left-pad/-/left-pad-1.3.0.tgz
etag: "{h32}"
md5: {h32}
SHA-1 {h40} and SHA-256 {h64} differ.
The digest is sha256:{h64}, as before.
trace_id={h32} span_id={h16}
00-{h32}-{h16}-01
session {u} ended after {d2} turns.
The order number is {d12}.
ISBN 978-{d10}
iPhone UDID {h8}-{h16}
Call me on +49 30 {d8}.
The tokenizer splits "unbelievable" into three tokens.
def test_token_is_refreshed_before_it_expires(): ...
class PasswordResetTokenGenerator:
from django.contrib.auth.tokens import default_token_generator
self.password = password
password=password, token=token
login(username, password)
if not check_password(password, user.password_hash): raise
SELECT password_hash FROM users WHERE id = {d4}
ALTER USER app WITH PASSWORD :'pw'
CREATE INDEX ix_token_expiry ON token (expires_at)
psql "host=db user=app password=$PGPASSWORD"
docker login -u "$USER" -p "$TOKEN"
curl -u "$USER:$PASS" https://example.org
mysql -u root -p shop
--token TOKEN   the token to use
Use --password-stdin instead of --password.
Pass the token by --token-file /run/secrets/token.
The API key lives in 1Password under "billing".
We rotate api keys every 90 days.
Keys: up, down, j, k and 4 others.
key: value pairs, one a line
The key insight: 80/20.
A key point of v2.3.1 is the new key-value store.
The monkey's password was a joke.
We passed the test on 2026-02-1{d1}.
He bypassed the compass reading at 14:32.
export PATH=/usr/local/bin:$PATH
export NODE_ENV=production
DATABASE_URL=sqlite:///tmp/x{d3}.db
DATABASE_URL=postgres://localhost:5432/app
postgres://user:password@localhost/db
redis://localhost:6379/0
mongodb://user:<password>@host/db
ftp://ftp.example.org/pub/file{d3}.gz
mailto:ada@example.org
git@github.com:acme/app.git
pip install app=={d1}.{d2}.{d1} --hash=sha256:{h64}
npm ERR! code E401 Incorrect or missing password.
401 Unauthorized: token expired at 2026-04-01T12:00:00Z
Error: invalid token at line {d3}, column {d2}
Unexpected token '<' in JSON at position {d2}
SyntaxError: Unexpected token } in JSON
The CSRF token check is off in tests.
next_page_token={b24}
"nextPageToken": "{b32}"
continuation_token: {b40}
"cursor": "{b32}"
The refresh token flow is RFC 6749, section 1.5.
OAuth2 needs client_id={l20}.apps.example.org
client_id: {h32}
tenant_id = {u}
The bearer of this letter is Ada.
Bearer authentication is described in RFC 6750.
Basic auth is off since 2025.
cookies: strictly necessary ones only
Cookie: theme=dark; lang=en
The secret to good tests is 3 assertions.
Our secret sauce: two-phase commits.
The secret ballot is on 2026-05-01.
my_secret_santa = ["ada", "bo"]
Password policy: min 14, max 128, no reuse of the last 5.
Forgot your password? Reset it here: https://example.org/reset
passwords.txt is in .gitignore
The passphrase prompt hangs on Windows 11.
access_token_lifetime = timedelta(minutes=15)
REFRESH_TOKEN_EXPIRE_DAYS=30
JWT_ALGORITHM=HS256
SECRET_KEY_FALLBACKS = []
AWS_REGION=eu-central-1
S3_KEY=uploads/2026/03/report-{d3}.pdf
object key: uploads/{u}.png
key = "uploads/{u}.png"
sort_key = lambda item: item.name
registry key HKEY_LOCAL_MACHINE\\SOFTWARE\\App{d2}
The ULID is 01{A24}.
nanoid gave us {b21}
snowflake id {d18}
base64 of "hello world, hello" is aGVsbG8gd29ybGQsIGhlbGxv
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ
blob {h40} {d5} src/app.py
index {h7}..{h7} 100644
Merge pull request #{d4} from acme/fix-{l6}
Build {d6} on runner gh-runner-{l8}-x64 passed.
container {h64} exited with 137
pod api-{h9}-{l5} restarted
node ip-10-0-{d2}-{d2}.eu-west-1.compute.internal
i-0{h16} in subnet-0{h16}
vpc-0{h16} peers with vpc-0{h16}
ami-0{h16} is Debian 12
acct_{a16} and cus_{a14} are test objects.
pi_3{a23} succeeded
price_1{a23} is 12 EUR
org-{a24} has 4 seats
file-{a22} was uploaded.
asst_{a24} answered.
The wallet 0x{h40} got 0.2 ETH.
tx 0x{h64}
bc1q{l38} is the address.
CID bafybei{l52}
DOI 10.1145/{d7}.{d7}
arXiv 24{d2}.{d5}
UUIDv7 {u} sorts by time.
{h8}-{h4}-4{h3}-a{h3}-{h12}
MAC 0{d1}:1a:2b:3c:4d:{d2}
IPv6 2001:db8:85a3::8a2e:370:{d4}
sourceMappingURL=app.{h20}.js.map
assets/index-{b8}.js is 210 kB
theme.{h8}.css
"version": "1.2.{d2}", "resolved": "https://npm.example.org/a/-/a-1.0.{d1}.tgz"
checksum = "{h64}"
h1:{s43}=
go.sum: golang.org/x/net v0.{d2}.0 h1:{s43}=
ModuleNotFoundError: No module named 'secrets_manager'
import secrets; secrets.token_urlsafe(32)
token = secrets.token_hex(16)
The function returns a random token of 32 bytes.
user_token_ids = [{d3}, {d3}, {d3}]
prompt_tokens={d4}, completion_tokens={d3}
"usage": {"input_tokens": {d4}, "output_tokens": {d3}}
cost per 1M tokens: $3.00 in, $15.00 out
Das Passwort ist falsch.
Das Passwort muss 12 Zeichen haben.
Le mot de passe est obligatoire.
La contraseña es incorrecta.
Die Schlüssel-IDs stehen in der Tabelle.
Wer hat das Passwort vergessen?
Le jeton expire dans 15 minutes.
"""
"""Code talk: names of secrets without values, references, place holders, and ids, hashes and keys that are public."""


_WORD_LIST = "harbour lantern copper meadow falcon granite willow ember saddle orchid"
_WORDS: Final = tuple(_WORD_LIST.split())


@dataclass(frozen=True, slots=True)
class Planted:
    """A secret in its carrier."""

    kind: str
    text: str
    secret: str

    def is_in(self, text: str) -> bool:
        """Whether it, or its end, still stands in a text."""
        return self.secret[-12:] in text


def plain(seed: int, rounds: int = 6) -> Iterator[str]:
    """Sentences and lines of code talk without a secret, each `rounds` times with other ids, hashes and numbers."""
    rng = random.Random(seed)
    for _ in range(rounds):
        for line in PLAIN.strip().splitlines():
            yield made(rng, line)


def planted(seed: int, rounds: int = 2) -> Iterator[Planted]:
    """Secrets of all kinds, each `rounds` times, in other carriers each time."""
    rng = random.Random(seed)
    for turn in range(rounds):
        for number, line in enumerate(SHAPED.strip().splitlines()):
            kind, name, shape = line.split(" ", 2)
            yield _carried(rng, kind, name, shape, (number + 3 * turn + seed) % len(CARRIERS))
        for number, line in enumerate(NAMED.strip().splitlines()):
            kind, name, shape = line.split(" ", 2)
            yield _carried(rng, kind, name, shape, (number + turn) % 3)
        for line in SPOKEN.strip().splitlines():
            text, secrets = _spoken(rng, line)
            yield Planted("spoken", text, secrets)


def _carried(rng: random.Random, kind: str, name: str, shape: str, carrier: int) -> Planted:
    secret = made(rng, shape)
    text = CARRIERS[carrier].format(name=name, small=name.lower(), secret=secret)
    return Planted(kind, text, secret)


def _spoken(rng: random.Random, line: str) -> tuple[str, str]:
    found = re.findall(r"\{p\}|\{[a-zA-Z]\d+\}=*|\{u\}", line)
    secret = ""
    for place in found:
        secret = password(rng) if place == "{p}" else made(rng, place)
        line = line.replace(place, secret, 1)
    return line, secret


def made(rng: random.Random, shape: str) -> str:
    """A secret of a shape."""

    def filled(place: re.Match[str]) -> str:
        if place[3]:
            return str(uuid.UUID(int=rng.getrandbits(128), version=4))
        return "".join(rng.choices(_ALPHABETS[place[1]], k=int(place[2])))

    return _PLACE.sub(filled, shape)


def password(rng: random.Random) -> str:
    """A password as people make them."""
    word, other = rng.sample(_WORDS, 2)
    return rng.choice(
        (
            f"{word.title()}{rng.randint(10, 99)}{rng.choice('!#%?')}",
            f"{word}-{other}-{rng.randint(100, 999)}",
            made(rng, "{a14}"),
            f"{word[:4].upper()}{other[:3]}_{rng.randint(1000, 9999)}",
        )
    )
