"""Kinds of things as questions call them, and names of each, beside those of which one is chosen against another."""

from __future__ import annotations

from functools import cache
from typing import Final

from engramforge.core.conflicts.matters.alternative_kinds import KINDS as ALTERNATIVES

_CALLED: Final[dict[str, tuple[str, ...]]] = {
    "store": ("database", "datastore", "data store", "db", "storage engine", "key value store"),
    "language": ("language", "programming language"),
    "message broker": (
        "message broker", "message queue", "message bus", "event bus", "event broker", "event stream", "broker",
        "queue", "bus", "messaging system",
    ),
    "mail provider": ("mail provider", "email provider", "e mail provider", "mail service", "email service"),
    "payment provider": ("payment provider", "payment service", "payment processor", "payment gateway"),
    "CI system": ("ci", "ci system", "ci tool", "ci server", "ci service", "build server"),
    "cloud": ("cloud", "cloud provider", "hosting provider"),
    "infrastructure tool": ("infrastructure tool", "infrastructure as code tool"),
    "user interface framework": ("ui framework", "frontend framework", "user interface framework"),
    "web framework": ("web framework", "backend framework"),
    "test framework": ("test framework", "testing framework"),
    "scheduler": ("scheduler", "orchestrator", "workflow engine", "job scheduler"),
    "monitoring": ("monitoring", "monitoring system", "monitoring tool"),
    "issue tracker": ("issue tracker", "ticket system", "bug tracker"),
    "chat": ("chat", "chat tool"),
    "secret store": ("secret store", "secrets manager", "secret manager"),
    "proxy": ("proxy", "reverse proxy", "load balancer"),
    "build tool": ("build tool", "build system"),
    "bundler": ("bundler",),
    "version control": ("version control", "version control system"),
    "container runtime": ("container runtime",),
    "hash function": ("hash function", "hash algorithm", "hashing algorithm", "password hash"),
    "log store": ("log store", "logging system", "log system"),
    "format": ("format", "file format", "serialisation format", "serialization format"),
    "configuration tool": ("configuration tool", "configuration management"),
    "error tracker": ("error tracker", "crash reporter", "error tracking", "crash tracker", "error monitoring"),
    "search engine": ("search engine", "search service", "search server"),
    "warehouse": ("warehouse", "data warehouse"),
    "feature flags": ("feature flag tool", "feature flag service", "feature flag system", "flag service"),
    "dashboards": ("dashboard tool", "bi tool", "reporting tool", "dashboard"),
    "identity provider": ("identity provider", "login provider", "sso provider", "auth provider", "sso"),
    "maps": ("map provider", "maps provider", "map service", "mapping service"),
    "text messages": ("sms provider", "sms gateway", "sms service", "text message provider"),
    "cache": ("cache", "caching layer"),
    "web analytics": ("analytics tool", "analytics provider", "analytics service"),
    "alerting": ("paging tool", "alerting tool", "paging service", "pager service"),
}  # fmt: skip
"""What a question calls a kind."""
_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "error tracker": ("sentry", "rollbar", "bugsnag", "airbrake", "raygun", "honeybadger", "crashlytics", "glitchtip"),
    "search engine": ("opensearch", "elasticsearch", "algolia", "meilisearch", "typesense", "solr", "vespa"),
    "warehouse": ("bigquery", "snowflake", "redshift", "clickhouse", "databricks", "synapse", "teradata", "duckdb"),
    "feature flags": ("unleash", "launchdarkly", "flagsmith", "growthbook", "split io", "configcat", "flipt"),
    "dashboards": ("metabase", "looker", "tableau", "power bi", "superset", "grafana", "redash", "kibana", "qlik"),
    "identity provider": ("keycloak", "auth0", "okta", "cognito", "entra", "zitadel", "authentik", "authelia"),
    "maps": ("mapbox", "maptiler", "google maps", "openstreetmap", "osm", "apple maps", "tomtom"),
    "text messages": ("twilio", "vonage", "messagebird", "sinch", "plivo", "infobip"),
    "cache": ("redis", "memcached", "varnish", "hazelcast", "valkey", "caffeine"),
    "web analytics": ("google analytics", "matomo", "plausible", "amplitude", "mixpanel", "posthog", "umami"),
    "alerting": ("pagerduty", "opsgenie", "victorops", "squadcast", "grafana oncall"),
}  # fmt: skip
COMMON: Final = frozenset(
    {"unleash", "looker", "vespa", "synapse", "cognito", "caffeine", "plausible", "amplitude", "sentry", "tableau",
     "superset", "varnish"}
)  # fmt: skip
"""Of these, words of the language too: names where they are written so."""


@cache
def _kinds() -> dict[tuple[str, ...], str]:
    return {tuple(called.split()): kind for kind, names in _CALLED.items() for called in names}


def kind_called(words: tuple[str, ...]) -> tuple[str, int]:
    """The kind that the last of some words call, and how many of them do; empty where they call none.

    >>> kind_called(("main", "message", "queue")), kind_called(("boat",))
    (('message broker', 2), ('', 0))
    """
    for count in range(min(len(words), 4), 0, -1):
        if kind := _kinds().get(words[-count:]):
            return kind, count
    return "", 0


@cache
def names_of(kind: str) -> tuple[tuple[str, ...], ...]:
    """The names of the things of a kind, each as its words."""
    alternatives = (*ALTERNATIVES.get(kind, ()), *_NAMES.get(kind, ()))
    return tuple(tuple(name.split()) for each in alternatives for name in each.split("|"))
