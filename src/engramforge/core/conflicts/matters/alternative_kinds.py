"""Kinds of things of which one is chosen for one matter, and the alternatives of each kind, as the field names them.

Each alternative is written as its names, parted by "|"; a name of several words stands as these words. The kinds in
`WHOLE` are chosen once for everything that a team makes: who names one need not say for what.
"""

from __future__ import annotations

from typing import Final

KINDS: Final[dict[str, tuple[str, ...]]] = {
    "API style": ("rest|restful", "graphql", "grpc", "soap", "json rpc", "xml rpc", "odata", "trpc"),
    "repository layout": (
        "monorepo|mono repo|monorepository|single repository|single repo|one repository|one repo|shared repository"
        "|same repository",
        "multirepo|polyrepo|multi repo|own repository|own repo|own repositories|separate repository|separate repo"
        "|separate repositories|separate repos|repository per|repo per|multiple repositories|many repositories",
    ),
    "branching model": (
        "trunk based development|trunk based|trunk development",
        "gitflow|git flow", "github flow", "gitlab flow",
    ),
    "way of merging": ("squash|squashed|squash merge|squash merges", "merge commit|merge commits", "rebase|rebased"),
    "version control": ("git", "mercurial", "subversion|svn", "perforce", "fossil"),
    "kind of deletion": (
        "soft delete|soft deleted|soft deletes|soft deletion|soft deleting|mark as deleted|marked as deleted|tombstoned"
        "|logically deleted|logical deletion|flagged as deleted",
        "hard delete|hard deleted|hard deletes|hard deletion|physically deleted|physically removed|permanently deleted"
        "|permanently removed|physical deletion|deleted for good|really deleted|erased|removed from the database"
        "|deleted from the database",
    ),
    "time zone": (
        "utc|gmt|coordinated universal time|universal time",
        "local time|local times|local timezone|local time zone|wall clock|cet|cest|eastern time|pacific time"
        "|berlin time|london time",
    ),
    "representation of numbers": (
        "integer|integers|int|ints|bigint|cents|integer cents|minor units|whole numbers|pennies|smallest unit",
        "float|floats|floating point|floating point numbers|double|doubles|double precision",
        "decimal|decimals|numeric|bigdecimal|fixed point",
        "string|strings",
    ),
    "where services run": (
        "kubernetes|k8s|eks|gke|aks", "nomad", "docker swarm|swarm", "ecs|fargate", "systemd|systemd units",
        "virtual machines|virtual machine|vms|plain vms", "bare metal",
        "lambda|lambdas|serverless|serverless functions",
        "mesos", "docker compose", "cloud run", "heroku",
    ),
    "container runtime": ("docker", "podman", "containerd", "cri o", "lxc"),
    "CI system": (
        "jenkins", "github actions", "gitlab ci", "circleci|circle ci", "travis|travis ci", "concourse|concourse ci",
        "buildkite", "teamcity", "azure pipelines", "drone", "tekton", "bamboo", "woodpecker", "bitbucket pipelines",
    ),
    "hash function": (
        "bcrypt", "argon2|argon2id|argon2i", "scrypt", "pbkdf2", "md5", "sha1|sha 1", "sha256|sha 256|sha2", "sha512"
        "|sha 512", "blake2|blake3", "xxhash", "crc32|crc",
    ),
    "message broker": (
        "kafka", "rabbitmq", "nats", "activemq", "pulsar", "sqs", "pubsub|pub sub", "kinesis", "redis streams",
        "zeromq", "mosquitto", "service bus", "eventbridge", "redpanda", "sns",
    ),
    "store": (
        "postgresql|postgres", "mysql", "mariadb", "sqlite", "oracle", "sql server|mssql", "mongodb|mongo", "dynamodb",
        "cassandra", "scylladb", "couchdb", "couchbase", "redis", "memcached", "cockroachdb", "firestore|firebase",
        "neo4j", "elasticsearch", "opensearch", "clickhouse", "bigquery", "snowflake", "redshift", "duckdb", "influxdb",
        "timescaledb", "valkey", "etcd", "s3", "gcs|google cloud storage", "azure blob|blob storage", "minio",
        "local disk|local disks|file system|filesystem|flat files|nfs", "solr", "algolia", "meilisearch", "typesense",
        "hazelcast", "spanner", "h2", "rocksdb", "leveldb",
    ),
    "way of authentication": (
        "session cookie|session cookies|cookie|cookies|server side sessions", "jwt|jwts|json web tokens|bearer tokens",
        "basic auth|basic authentication", "api key|api keys", "oauth|oauth2|oidc|openid connect", "saml",
        "mtls|mutual tls|client certificate|client certificates", "ldap", "kerberos", "passkey|passkeys|webauthn",
        "magic link|magic links", "ssh key|ssh keys",
    ),
    "language": (
        "python", "golang|go", "java", "kotlin", "scala", "rust", "ruby", "php", "perl", "typescript", "javascript",
        "csharp", "swift", "elixir", "erlang", "haskell", "clojure", "dart|flutter", "elm", "objective c",
        "react native", "cobol", "lua", "fortran",
    ),
    "cloud": (
        "aws|amazon web services", "azure", "gcp|google cloud", "hetzner", "digitalocean", "ovh|ovhcloud", "scaleway",
        "on premises|on premise|on prem|own data centre|own data center|own hardware|own servers",
        "ibm cloud", "exoscale",
    ),
    "infrastructure tool": (
        "terraform", "pulumi", "cloudformation", "opentofu", "bicep", "aws cdk|cdk", "crossplane", "by hand",
    ),
    "configuration tool": ("ansible", "puppet", "chef", "saltstack"),
    "user interface framework": (
        "react", "angular", "vue", "svelte", "solidjs", "ember", "htmx", "jquery", "preact", "lit",
    ),
    "web framework": (
        "django", "flask", "fastapi", "rails", "spring boot|spring", "express", "nestjs", "laravel", "symfony",
        "phoenix", "quarkus", "micronaut", "sinatra",
    ),
    "format": (
        "json", "xml", "yaml", "protobuf|protocol buffers", "avro", "csv", "parquet", "msgpack|messagepack", "toml",
        "cbor", "thrift", "ini", "markdown", "asciidoc", "restructuredtext", "pdf", "html", "docx", "orc",
    ),
    "kind of identifier": (
        "uuid|uuids|uuidv4|uuidv7|random uuids", "ulid|ulids", "nanoid", "auto increment|autoincrement|auto incremented"
        "|auto incrementing|sequential integers|sequential ids|sequential numbers|serial|sequence numbers|bigserial",
    ),
    "way of updating": ("over the air|ota|over the network", "by hand|manually|by cable|by a technician"),
    "delivery guarantee": ("at least once", "exactly once", "at most once"),
    "consistency": ("strong consistency|strongly consistent", "eventual consistency|eventually consistent"),
    "architecture": (
        "monolith|monolithic|modular monolith|single deployable", "microservice|microservices|micro services",
    ),
    "rendering": (
        "server side rendering|server side rendered|ssr|server rendered|rendered on the server",
        "client side rendering|client side rendered|spa|single page app|single page application|client rendered"
        "|rendered in the browser",
        "static site|statically generated|static site generation|static pages|pre rendered|prerendered",
    ),
    "JavaScript package manager": ("npm", "yarn", "pnpm", "bun"),
    "Python package manager": ("poetry", "pip|pip tools", "uv", "pipenv", "conda", "pdm", "hatch"),
    "build tool": ("maven", "gradle", "bazel", "makefiles|make files", "cmake", "meson", "ninja", "sbt", "ant"),
    "bundler": ("webpack", "vite", "esbuild", "rollup", "parcel", "turbopack"),
    "test framework": ("pytest", "unittest", "jest", "vitest", "mocha", "junit", "rspec", "minitest"),
    "browser test tool": ("cypress", "playwright", "selenium", "puppeteer"),
    "log store": ("loki", "splunk", "cloudwatch", "datadog", "graylog", "papertrail", "elk"),
    "monitoring": ("prometheus", "new relic", "nagios", "zabbix", "dynatrace", "datadog", "cloudwatch", "icinga"),
    "secret store": (
        "vault|hashicorp vault", "secrets manager|aws secrets manager", "sops", "sealed secrets", "1password",
        "key vault", "parameter store", "environment variables|env vars|environment variable", "doppler",
    ),
    "versioning": ("semver|semantic versioning|semantic versions", "calver|calendar versioning|date based versions"),
    "place of a version": (
        "url|url path|path|uri", "header|headers|request header|accept header", "query parameter|query string",
    ),
    "naming": ("snake case", "camel case|camelcase", "kebab case", "pascal case|pascalcase", "upper case|uppercase"),
    "indentation": ("tabs|tab characters", "spaces|two spaces|four spaces"),
    "encoding": ("utf 8|utf8", "latin 1|latin1|iso 8859", "utf 16|utf16", "ascii", "windows 1252"),
    "proxy": ("nginx", "traefik", "haproxy", "envoy", "caddy", "apache"),
    "pagination": (
        "cursor|cursors|cursor based|keyset", "offset|offsets|offset based|page number|page numbers|limit and offset",
    ),
    "locking": ("optimistic|optimistically", "pessimistic|pessimistically"),
    "rollout": (
        "blue green", "canary|canaries", "rolling|rolling update|rolling updates", "big bang|all at once", "recreate",
    ),
    "payment provider": ("stripe", "adyen", "paypal", "braintree", "mollie", "worldpay", "klarna"),
    "mail provider": ("sendgrid", "mailgun", "ses|amazon ses", "postmark", "mailchimp", "own mail server"),
    "units": (
        "metric|metres|kilometres|kilograms|kilogrammes|grams|grammes|centimetres|millimetres|litres",
        "imperial|miles|feet|pounds|ounces|inches|gallons",
    ),
    "medium": (
        "paper|on paper|paper form|paper forms|by post|handwritten|hand written",
        "in the app|on the phone|on the tablet|online|electronically|digitally|by email|by e mail|on the website",
    ),
    "temperature scale": ("celsius", "fahrenheit", "kelvin"),
    "way of notification": (
        "polling|polls|poll|polled", "webhook|webhooks|callbacks", "websocket|websockets|web sockets",
        "server sent events|sse", "push notifications",
    ),
    "scheduler": ("cron|crontab", "airflow", "dagster", "prefect", "temporal", "celery beat", "quartz", "luigi"),
    "issue tracker": ("jira", "linear", "github issues", "gitlab issues", "trello", "asana", "youtrack", "redmine"),
    "chat": ("slack", "microsoft teams|ms teams", "mattermost", "zulip", "discord", "irc"),
    "operator": (
        "self hosted|self managed|own kubernetes|in house|run ourselves|operate ourselves|host ourselves|kops|kubeadm"
        "|own cluster",
        "managed service|fully managed|managed kubernetes|amazon eks|hosted by|saas|eks|gke|aks",
    ),
    "working place": ("remote|remotely|from home|work from home", "on site|onsite|in the office|at the office"),
    "API design": ("code first", "schema first|contract first|design first|spec first"),
    "failure": ("fail open|fails open", "fail closed|fails closed|fail close"),
    "way of calling": ("synchronous|synchronously", "asynchronous|asynchronously|async"),
    "way of starting": ("manual|manually|by hand", "automatic|automatically|automated"),
    "order": ("ascending|oldest first", "descending|newest first"),
    "licence": (
        "mit|mit licence|mit license", "apache 2|apache licence|apache license", "gpl|gplv3|gplv2", "agpl", "bsd",
        "mpl",
    ),
}  # fmt: skip
WHOLE: Final = frozenset(
    {"repository layout", "branching model", "way of merging", "version control", "CI system", "where services run",
     "cloud", "infrastructure tool", "architecture", "versioning", "issue tracker", "chat", "operator", "indentation",
     "licence", "API design"}
)  # fmt: skip
NAMES_ONLY: Final = frozenset(
    {"go", "swift", "express", "spring", "chef", "puppet", "flask", "rust", "ruby", "oracle", "drone", "bamboo",
     "temporal", "linear", "slack", "parcel", "ant", "bun", "dart", "elm", "lit", "spanner", "fossil", "envoy", "vault",
     "snowflake", "phoenix", "discord", "poetry", "conda", "hatch", "doppler", "rails", "react", "ember", "angular",
     "concourse", "travis", "caddy", "apache", "quartz", "prefect", "bicep", "ninja", "rest", "soap", "nomad", "azure"}
)  # fmt: skip
"""Words of the language, which name an alternative where they are written like a name."""
ALSO_FIRST: Final = frozenset({"go", "rest", "express", "react", "parcel", "drone", "spring", "ant", "lit"})
"""Of these, words that may begin a sentence as such."""
