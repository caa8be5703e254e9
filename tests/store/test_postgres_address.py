"""PostgreSQL URLs as people write them, and nothing of a password in what is shown of them."""

from __future__ import annotations

import pytest

from engramforge.errors import InvalidValue
from engramforge.store.postgres.connection import place, read_url

SECRET = "S3cret"


@pytest.mark.parametrize(
    ("url", "expected", "shown"),
    [
        (
            f"postgresql://ada:{SECRET}@db.example:5433/team",
            {"user": "ada", "password": SECRET, "host": "db.example", "port": "5433", "dbname": "team"},
            "postgresql://ada@db.example:5433/team",
        ),
        (
            "postgres://db.example/team",
            {"host": "db.example", "dbname": "team"},
            "postgresql://db.example/team",
        ),
        ("postgresql+psycopg://h/d", {"host": "h", "dbname": "d"}, "postgresql://h/d"),
        ("PostgreSQL://h/d", {"host": "h", "dbname": "d"}, "postgresql://h/d"),
        ("postgresql://", {}, "postgresql:///"),
        (
            f"postgresql://ada:{SECRET}@/team?host=/run/pg&port=6000",
            {"user": "ada", "password": SECRET, "host": "/run/pg", "port": "6000", "dbname": "team"},
            "postgresql://ada@/team?host=/run/pg&port=6000",
        ),
        (
            "postgresql://%2Frun%2Fpg/team",
            {"host": "/run/pg", "dbname": "team"},
            "postgresql:///team?host=/run/pg",
        ),
        (
            f"postgresql://h/d?user=ada&password={SECRET}&sslmode=require",
            {"host": "h", "dbname": "d", "user": "ada", "password": SECRET, "sslmode": "require"},
            "postgresql://ada@h/d",
        ),
        (
            "postgresql://a,b:6000/d?target_session_attrs=read-write",
            {"host": "a,b", "port": ",6000", "dbname": "d", "target_session_attrs": "read-write"},
            "postgresql://a,b:6000/d",
        ),
        (
            "postgresql://[::1]:5433/d",
            {"host": "::1", "port": "5433", "dbname": "d"},
            "postgresql://[::1]:5433/d",
        ),
        ("postgresql://h/a%20b", {"host": "h", "dbname": "a b"}, "postgresql://h/a%20b"),
    ],
)
def test_every_way_to_write_it(url: str, expected: dict[str, str], shown: str) -> None:
    assert read_url(url) == expected
    assert place(url) == shown


@pytest.mark.parametrize(
    "written",
    [
        "p%40ss",
        "p@ss",
        "a@b@c",
        "p%2Fw%3Fd%23%25",
        "%C3%A9%20%20x",
        "=&;'\"\\",
        "$(x)",
        "a%3Ab",
        "a:b",
        "1?a=b",
        "a?@b?",
    ],
)
def test_passwords_with_special_letters(written: str) -> None:
    from urllib.parse import unquote

    found = read_url(f"postgresql://ada:{written}@h:1/d")
    assert found == {"user": "ada", "password": unquote(written), "host": "h", "port": "1", "dbname": "d"}


@pytest.mark.parametrize(
    "url",
    [
        "",
        "team",
        "mysql://h/d",
        f"ada:{SECRET}@h/d",
        f"postgresql://ada:1/{SECRET}@h/d",
        f"postgresql://ada:x/{SECRET}@h/d",
        f"postgresql://ada:{SECRET}%zz@h/d",
        f"postgresql://ada:{SECRET} x@h/d",
        f"postgresql://ada:{SECRET}@h:port/d",
        f"postgresql://ada:{SECRET}@h:123456/d",
        f"postgresql://ada:{SECRET}@[::1/d",
        f"postgresql://ada:{SECRET}@h/d?nonsense=1",
        f"postgresql://ada:{SECRET}\x00@h/d",
        f"postgresql://ada:{SECRET}%00@h/d",
    ],
)
def test_what_cannot_be_read_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        read_url(url)
    assert "postgresql://user" in caught.value.mend
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None or caught.value.__suppress_context__
