"""Secrets of 120 kinds are found in eight carriers and as they are spoken of; code talk stays; every rule is linear."""

from __future__ import annotations

import pytest
from bench.redaction_texts import plain, planted
from tests.timing import assert_in_proportion, repeated

from engramforge.core.secrets.arguments import arguments
from engramforge.writing.redact import Redactor, may_hold_secret

REDACTOR = Redactor()


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_planted_secrets_are_found(seed: int) -> None:
    secrets = list(planted(seed))
    left = [each for each in secrets if each.is_in(REDACTOR.redact(each.text).text)]
    assert len(secrets) > 300
    assert len(left) <= len(secrets) * 0.025, left
    assert all(may_hold_secret(each.text) for each in secrets)


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY----- is the header of a PKCS#8 file.",
        "STRIPE_SECRET_KEY=sk_test_...",
        "PASSWORD_RESET_TIMEOUT = 259200",
        "token_endpoint: https://auth.example.org/oauth2/v1/token",
        '"password": "Contraseña",',
        "password.reset.subject=Reset your password",
        "gcloud secrets versions access latest --secret=db-password",
        "Host key fingerprint is SHA256:a8Kd02mZqP7rT5vXw1Bn4Yc6Lf9Hj3Gsa8Kd02mZqP7",
        "last_token_refresh=1735689600",
        "The error code is 40412 and the postal code is 10115.",
        'PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]',
        "The gate number is 8150.",
        "kubectl get secret regcred-9f8d7c6b",
        "The token row was changed in " + "a1b2c3d4e5" * 4 + ".",
        '"nextPageToken": "Zt8Rb1Vn5qQ7xLw3mK9fZt8Rb1Vn"',
        "auth-proxy-7d9f8b6c5-x7k2p needs a token",
        "existingSecret: shop-db-v2",
        "TOKEN_ISSUER=https://auth.example.org/v2",
        "| Name | Password | Changed |\n|---|---|---|\n| ada | (none) | 2026-01-02 |",
        "The combination 3-4-3 suits the team.",
        "The passphrase has to be four words long",
        "Write the token to this file:\nconfig/auth2.yml",
        "email: required\npassword: required\n",
        "The password is checked in Python3!",
        "vault login -method=oidc",
        "Did you log in to Windows11? It asks for Office365!",
        'signal.connect("clicked", self.on_click, "button40")',
        "login attempts: 8203",
        "Wachtwoord vergeten? Klik hier.",
        "Your code is 100 lines shorter.",
        "Token:\nversion2\n",
        '{"name": "cache_key", "value": "orders"}',
        "Call 1234 5678 1234 5678 now.",
        '@app.post("/items", status_code=status.HTTP_201_CREATED)',
        "get(order, cache_key=profile_key_v2)",
        "https://shop.example/?promo_code=SPRING2026&sort_key=name_2",
        "- All tests pass: `pytest`",
        'second pass: "optimise"',
        "password: `bcrypt`",
        "https://example.org/login/compare/" + "ab12" * 10 + "..." + "cd34" * 10,
    ],
)
def test_labels_headers_and_settings_about_secrets_stay(text: str) -> None:
    assert REDACTOR.redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "password: s3cretTiger",
        "password: p4ssword",
        "the password is x7YellowBird",
        "login ada, pass: p4ssForZip",
    ],
)
def test_passwords_that_begin_like_a_version(text: str) -> None:
    assert text.rsplit(maxsplit=1)[1] not in REDACTOR.redact(text).text


@pytest.mark.parametrize("seed", [2, 3])
def test_code_talk_stays(seed: int) -> None:
    sentences = list(plain(seed))
    changed = [sentence for sentence in sentences if REDACTOR.redact(sentence).text != sentence]
    assert len(sentences) > 1_000
    assert len(changed) <= len(sentences) * 0.005, changed


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        # A service that nobody listed: its prefix says what follows.
        ("we use acme_live_9fK2mQ7xLw3Zt8Rb1Vn5 there", "we use [REDACTED:api-key] there"),
        ("zork-api-3f9a1c77e02b4d5588aa6b7c9d0e1f23 works", "[REDACTED:api-key] works"),
        ("qux_a8Kd02mZqP7rT5vXw1Bn4Yc6Lf9Hj3Gs", "[REDACTED:api-key]"),
        # People say it.
        (
            "The wifi password at the cabin is willow-4711.",
            "The wifi password at the cabin is [REDACTED:secret-keyword].",
        ),
        (
            "Das Passwort für den Server lautet Birke77!",
            "Das Passwort für den Server lautet [REDACTED:secret-keyword]",
        ),
        ("el token es 8f3kd02mzqp7rt5v", "el token es [REDACTED:secret-keyword]"),
        # Names as programs write them.
        ("dbPassword: 'rosebud'", "dbPassword: '[REDACTED:secret-keyword]'"),
        ("config.accessKey = 'a1b2c3d4e5'", "config.accessKey = '[REDACTED:secret-keyword]'"),
        ("PGPASSWORD=rosebud psql", "PGPASSWORD=[REDACTED:secret-keyword] psql"),
        ("STRIPE_KEY=Zt8Rb1Vn5qQ7", "STRIPE_KEY=[REDACTED:secret-keyword]"),
        ("user=ada;password=rose-8bud;host=db", "user=ada;password=[REDACTED:credentials];host=db"),
        ("pw: Rose!8bud", "pw: [REDACTED:secret-keyword]"),
        (
            "You can log in with the password Rose!8bud",
            "You can log in with the password [REDACTED:secret-keyword]",
        ),
        ("Use Rose$8bud as the password.", "Use [REDACTED:secret-argument] as the password."),
        ('os.getenv("API_TOKEN", "a8Kd02mZqP7rT5vX")', 'os.getenv("API_TOKEN", "[REDACTED:secret-keyword]")'),
        ('server.login("ada", "Rose$8bud")', 'server.login("ada", "[REDACTED:secret-argument]")'),
        (
            "ALTER USER a IDENTIFIED BY 'Rose8bud';",
            "ALTER USER a IDENTIFIED BY '[REDACTED:secret-argument]';",
        ),
        (
            '- name: DB_PASSWORD\n  value: "Rose8bud"',
            '- name: DB_PASSWORD\n  value: "[REDACTED:secret-argument]"',
        ),
        ("Your verification code is 983897.", "Your verification code is [REDACTED:code]."),
        ("Die PIN der Karte ist 9142", "Die PIN der Karte ist [REDACTED:code]"),
        ("Recovery codes:\nfcgu7-kzcry\na54b5-bd20b", "Recovery codes:[REDACTED:recovery-code]"),
        ("seed phrase: " + "tiger lemon arrow " * 4 + "end", "seed phrase: [REDACTED:seed-phrase]"),
        ("root:$6$" + "a1B2c3D4" * 5 + ":19000", "root:[REDACTED:password-hash]:19000"),
        (
            "https://ada:P@ss1738@db.example.org/",
            "https://ada:[REDACTED:basic-auth-credentials]@db.example.org/",
        ),
        # A word near a run of chance, before or after it.
        (
            "the key for the weather service (new) is Zt8Rb1Vn5qQ7xLw3mK9f",
            "the key for the weather service (new) is [REDACTED:secret-keyword]",
        ),
        ("Zt8Rb1Vn5qQ7xLw3mK9f is our new API key", "[REDACTED:secret-keyword] is our new API key"),
        ("La clé API : Zt8Rb1Vn5qQ7xLw3mK9f", "La clé API : [REDACTED:secret-keyword]"),
        # Columns and blocks.
        (
            "| user | password |\n|---|---|\n| ada | Rose8bud |",
            "| user | password |\n|---|---|\n| ada | [REDACTED:secret-keyword] |",
        ),
        ("name,password\nada,Rose8bud", "name,password\nada,[REDACTED:secret-keyword]"),
        (
            "INSERT INTO u (name, pwd) VALUES ('ada', 'Rose8bud');",
            "INSERT INTO u (name, pwd) VALUES ('ada', '[REDACTED:secret-keyword]');",
        ),
        (
            "kind: Secret\nstringData:\n  dsn: Rose8bud\n",
            "kind: Secret\nstringData:\n  dsn: [REDACTED:secret-keyword]\n",
        ),
        # Commands, addresses, codes.
        ("echo 'Rose8bud' | sudo -S ls", "echo '[REDACTED:credentials]' | sudo -S ls"),
        ("keytool -storepass Rose8bud", "keytool -storepass [REDACTED:credentials]"),
        (
            "https://example.org/hooks/Zt8Rb1Vn5qQ7xLw3mK9f",
            "https://example.org/hooks/[REDACTED:credentials]",
        ),
        ("my card is 4111 1111 1111 1111", "my card is [REDACTED:card-number]"),
        ("the safe's combination is 12-34-56", "the safe's combination is [REDACTED:code]"),
        # On the line below what calls them so, beside their names, in lists.
        (
            "Use this password to go on:\n\nRose8bud\n",
            "Use this password to go on:\n\n[REDACTED:secret-keyword]\n",
        ),
        ("## Password\n\n```\nRose8bud\n```", "## Password\n\n```\n[REDACTED:secret-keyword]\n```"),
        ("user: ada\npassword: rosebud\n", "user: ada\npassword: [REDACTED:secret-keyword]\n"),
        (
            '{"name": "DB_PASSWORD", "value": "Rose8bud"}',
            '{"name": "DB_PASSWORD", "value": "[REDACTED:secret-argument]"}',
        ),
        ("Backup codes:\n1. 4417-9902\n2. 5038-1145", "Backup codes:\n[REDACTED:recovery-code]"),
        # Of words, and in further languages.
        (
            'The passphrase for the drive is "garden copper window"',
            'The passphrase for the drive is "[REDACTED:passphrase]"',
        ),
        ("A senha do banco é Rose8bud", "A senha do banco é [REDACTED:secret-keyword]"),
        ("密码：Rose8bud", "密码：[REDACTED:secret-keyword]"),  # noqa: RUF001
        # What people make up, near a word for where it is asked for; codes sent to somebody.
        ("type Rosebud48! when the vpn asks", "type [REDACTED:secret-keyword] when the vpn asks"),
        ("Dein Code lautet 481516", "Dein Code lautet [REDACTED:code]"),
        # Said of a call, a function, an option; a pair behind other words.
        (
            'find("password").send_keys("Rose8bud")',
            'find("password").send_keys("[REDACTED:secret-argument]")',
        ),
        (
            'def admin_password():\n    return "Rose8bud"',
            'def admin_password():\n    return "[REDACTED:secret-argument]"',
        ),
        ('jwt.sign(user, "rosebud-cellar")', 'jwt.sign(user, "[REDACTED:secret-argument]")'),
        ("Zugang zum Portal: ada / Rose8bud", "Zugang zum Portal: ada / [REDACTED:credentials]"),
        ("JWT_SECRET=rose-bud-cellar", "JWT_SECRET=[REDACTED:secret-keyword]"),
        # Said once, it is one wherever it stands.
        (
            "password: Rose!8bud. Then Rose!8bud again",
            "password: [REDACTED:secret-keyword]. Then [REDACTED:secret-keyword] again",
        ),
        ('"refresh_token": "' + "a1B2" * 300 + '"', '"refresh_token": "[REDACTED:secret-keyword]"'),
    ],
)
def test_unlisted_services_and_speech(text: str, clean: str) -> None:
    assert REDACTOR.redact(text).text == clean


@pytest.mark.parametrize(
    "text",
    [
        "It costs 150-$500 a day.",
        "A shop needs $150,000-$500,000 to begin with.",
        "somewhere around 1000$-2000$, or 150k-$2M later",
        "The password reset costs ~150-$500 per seat",
    ],
)
def test_a_range_of_prices_is_no_password(text: str) -> None:
    assert REDACTOR.redact(text).text == text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("password: 1234-$5678", "password: [REDACTED:secret-keyword]"),
        ("the pw is '150-$500'", "the pw is '[REDACTED:secret-keyword]'"),
        ("it was Tr0ub4-$9x", "it was [REDACTED:secret-keyword]"),
        ("it was 8472!#9102", "it was [REDACTED:secret-keyword]"),
        ("DB_PASSWORD=150-$500", "DB_PASSWORD=[REDACTED:secret-keyword]"),
    ],
)
def test_what_is_written_like_prices_and_is_a_password(text: str, clean: str) -> None:
    assert REDACTOR.redact(text).text == clean


HOSTILE = r"""
password ¦password is ¦password='¦curl -u a:¦mysql -p ¦docker login ¦cookie: a=b;¦://a:¦
login a password ¦eyJaaaaaa.eyJ¦token.token_¦a.b_¦-¦=¦?token=¦Bearer ¦x-¦0.¦1//0¦
credentials: a:¦<private>¦SG.¦AccountKey=¦t1.a¦A3-AAAAAA-¦AAAA¦aws ¦to be password to ¦
schlüssel ist ¦İ¦[REDACTED:¦A1b2¦secret_¦PIN a ¦recovery key aaaa-¦seed phrase: abc ¦$2y$¦
a.login('¦jwt.sign(¦token {¦password value=¦a as my ¦a:1:b:c:¦password for a ¦password\n value: ¦
token aB1aB1aB1aB1aB1aB1 ¦aB1aB1aB1aB1aB1a/¦key of the key of ¦password,a\n¦a|password\n¦kind: Secret\ndata:\n a: bc\n¦
INSERT INTO a (password) VALUES ('a')¦curl -u a ¦net use a ¦echo a1b2c3 | b ¦a@b.c:¦4111 1111 ¦combination of ¦
security question answer ¦https://a/hooks/¦WIFI:P:¦Basic abcdefghijkl ¦a_session=¦Credentials("a", ¦abcdef (¦
| password | ¦password? It's ¦, token=¦sqlplus a/¦api_key=Zt8Rb1Vn5qQ7xLw3mK9f ¦;
¦password: a1b2c3 ¦eyJ¦sk-¦//¦-----BEGIN PRIVATE KEY-----\n!\n¦`a
"""
"""Parts of texts, each to be repeated."""


MULTIPLIED = (
    "20 * time.Minute",
    "price * quantity_total",
    "    width * height_px",
    "rows * columns",
    "    depth * height2px *\n    width",
    '2 * "indent"',
    "base_rate * (nights2 - 1)",
    "FILE * handle_out;",
    "speed * $delta2",
    "total * 1_000_000",
    "scale * lookup!(key1)",
)
LOGINS = (
    'client * "rosebudcellar" *',
    "ada * rosebudcellar *",
    "ada@line.example\t*\trosebudcellar 10.0.0.7",
    '"ada" * "rosebudcellar"',
    "# client server secret\nada * rose$bud2cellar",
)


def test_only_lines_of_logins_are_no_multiplications() -> None:
    assert [text for text in MULTIPLIED if list(arguments(text))] == []
    assert [text for text in LOGINS if not list(arguments(text))] == []


@pytest.mark.parametrize("part", HOSTILE.replace("\n", "").replace(r"\n", "\n").split("¦"))
def test_every_rule_takes_time_in_proportion(part: str) -> None:
    assert_in_proportion(REDACTOR.redact, repeated(part), 20_000)
