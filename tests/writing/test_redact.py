"""Nothing secret, private or injected gets through; prose does."""

import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.model.memory import Attachment, Draft
from engramforge.writing.redact import Redactor, may_hold_secret
from engramforge.writing.secret_patterns import SecretPatterns

REDACTOR = Redactor()
MIXED = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6"
TOKENS = [
    ("aws-access-key", "AKIA" + "IOSFODNN7EXAMPLF"),
    ("github-token", "ghp_" + MIXED[:36]),
    ("gitlab-token", "glpat-" + MIXED[:20]),
    ("slack-token", "xoxb-" + "123456789012-" + MIXED[:20].lower()),
    ("stripe-access-key", "sk_live_" + MIXED[:24]),
    ("json-web-token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." + MIXED[:20]),
    ("telegram-bot-token", "123456789:" + MIXED[:35]),
    ("sendgrid-api-key", "SG." + MIXED[:22] + "." + MIXED[:43]),
    ("twilio-api-key", "SK" + "0123456789abcdef" * 2),
    ("mailchimp-access-key", "0123456789abcdef" * 2 + "-us12"),
    ("npm-token", "//registry.npmjs.org/:_authToken=npm_" + MIXED[:36]),
    ("pypi-token", "pypi-AgEIcHlwaS5vcmc" + MIXED + MIXED[:30]),
    ("openai-api-key", "sk-" + MIXED[:20] + "T3BlbkFJ" + MIXED[:20]),
    ("square-oauth-secret", "sq0csp-" + MIXED[:43]),
    ("azure-storage-account-access-key", "AccountKey=" + (MIXED + MIXED)[:86] + "=="),
    ("anthropic-api-key", "sk-ant-api03-" + MIXED),
    ("github-token", "github_pat_" + MIXED[:30]),
    ("google-api-key", "AIza" + MIXED[:35]),
    ("hugging-face-token", "hf_" + MIXED[:34]),
    ("artifactory-credentials", "AKC" + MIXED[:20]),
]


@pytest.mark.parametrize(("kind", "token"), TOKENS, ids=[f"{kind}-{token[:6]}" for kind, token in TOKENS])
@pytest.mark.parametrize("frame", ["use {} please", "{}", "first line\nkey: {}\nlast line"])
def test_tokens_are_replaced_by_their_type(kind: str, token: str, frame: str) -> None:
    text = frame.format(token)
    assert may_hold_secret(text)
    redaction = REDACTOR.redact(text)
    assert token not in redaction.text
    assert f"[REDACTED:{kind}]" in redaction.text
    assert sum(redaction.secrets.values()) == 1
    assert REDACTOR.redact(redaction.text).text == redaction.text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ('password = "hunter2"', 'password = "[REDACTED:secret-keyword]"'),
        ("DB_PASSWORD=supersecret", "DB_PASSWORD=[REDACTED:secret-keyword]"),
        (
            '{"password": "hunter2", "user": "bob"}',
            '{"password": "[REDACTED:secret-keyword]", "user": "bob"}',
        ),
        ("password: Tr0ub4dor&3 works", "password: [REDACTED:secret-keyword] works"),
        ("pass='a' secret='d4e5f6'", "pass='a' secret='[REDACTED:secret-keyword]'"),
        ("postgres://bob:s3cr3t@db/x", "postgres://bob:[REDACTED:basic-auth-credentials]@db/x"),
        ('f(x), password="hunter2"', 'f(x), password="[REDACTED:secret-keyword]"'),
    ],
)
def test_assigned_values_are_replaced_and_their_names_stay(text: str, clean: str) -> None:
    assert REDACTOR.redact(text).text == clean


@pytest.mark.parametrize(
    "text",
    [
        "The secret: never give up on the small things.",
        'She said the secret is "to be kind to people".',
        "password: see the wiki, chapter two",
        'password = os.environ["DB_PASSWORD"]',
        "secret = get_secret_key()",
        "client_secret: ${SECRET}",
        "password: ********",
        "The key idea of the paper is a token bucket with 32 tokens.",
        "See https://example.org/a/b?x=1 and mail bob@example.org about it.",
        "def test_password_is_hashed_before_it_is_stored_anywhere(): pass",
        "Version 1.2.3.4 of the thing runs on 8.8.8.8 since Asia moved.",
        "eyJ is how a web token begins, and -----BEGIN is how a key does.",
    ],
)
def test_prose_and_code_without_secrets_stay(text: str) -> None:
    assert REDACTOR.redact(text) == REDACTOR.redact(text)
    assert REDACTOR.redact(text).text == text


KEY_LINES = "MIIEpAIBAAKCAQEA1234567890abcdef\nabcdefghijklmnop1234567890ABCDEF\nQUJD=="


@pytest.mark.parametrize(
    "name", ["RSA PRIVATE KEY", "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"]
)
def test_key_blocks_go_whole(name: str) -> None:
    text = f"before\n-----BEGIN {name}-----\n{KEY_LINES}\n-----END {name}-----\nafter"
    redaction = REDACTOR.redact(text)
    assert redaction.text == "before\n[REDACTED:private-key]\nafter"
    assert redaction.secrets == {"private-key": 1}


def test_two_key_blocks_keep_what_stands_between() -> None:
    block = f"-----BEGIN PRIVATE KEY-----\n{KEY_LINES}\n-----END PRIVATE KEY-----"
    assert REDACTOR.redact(f"{block}\nand then\n{block}").text == (
        "[REDACTED:private-key]\nand then\n[REDACTED:private-key]"
    )


def test_an_unclosed_key_block_goes_as_far_as_it_is_a_key() -> None:
    text = f"-----BEGIN PRIVATE KEY-----\n{KEY_LINES}\nThen we went on talking."
    assert REDACTOR.redact(text).text == "[REDACTED:private-key]\nThen we went on talking."


def test_a_key_on_one_line_goes_whole() -> None:
    text = '{"key": "-----BEGIN PRIVATE KEY-----\\nMIIEpAIB\\n-----END PRIVATE KEY-----\\n", "id": 5}'
    assert REDACTOR.redact(text).text == '{"key": "[REDACTED:private-key]\\n", "id": 5}'


@pytest.mark.parametrize(
    ("text", "clean", "dropped"),
    [
        ("a <private>b</private> c", "a  c", 1),
        ("a <PRIVATE>b\nc</Private> d", "a  d", 1),
        ("a <private>b <private>c</private> d</private> e", "a  e", 1),
        ("a <private>b", "a ", 1),
        ("a <private>b</private> c <private>d", "a  c ", 2),
        ("a </private> b", "a </private> b", 0),
        ("a privateer", "a privateer", 0),
        ('a <private reason="x">b</private>', "a ", 1),
        # Who speaks of the mark hides nothing; what somebody closes is private whatever stands before it.
        ("what stands in a <private> tag is not kept. The pump is blue.", None, 0),
        ("between `<private>` marks I see nothing. The pump is blue.", None, 0),
        ("no <PRIVATE> blocks here. The pump is blue.", None, 0),
        ("in a <private> tag: <private>plum</private> and pear", "in a <private> tag:  and pear", 1),
        ("the code in the <private> tag plum</private> and pear", "the code in the  and pear", 1),
        ("the <private> tag is shown\n<private>plum", "the <private> tag is shown\n", 1),
        ("<private> tag 12 opens the gate", "", 1),
        ("it is <private>plum", "it is ", 1),
    ],
)
def test_private_parts_are_dropped(text: str, clean: str | None, dropped: int) -> None:
    redaction = REDACTOR.redact(text)
    assert (redaction.text, redaction.private) == (text if clean is None else clean, dropped)


def test_injected_blocks_are_dropped() -> None:
    redaction = REDACTOR.redact("new <engramforge-context>old memory</engramforge-context> words")
    assert (redaction.text, redaction.injected) == ("new  words", 1)
    assert REDACTOR.redact("<engramforge-context>only old</engramforge-context>").is_empty


def test_every_text_of_a_draft_is_redacted() -> None:
    token = TOKENS[0][1]
    draft = Draft(
        content=f"uses {token}",
        name=f"about {token}",
        goal="<private>mine</private>",
        tags=(token, "plain"),
        attachments=(Attachment("a.png", caption=token, location=f"/tmp/{token}"),),
        metadata={"password": "hunter2", "list": [token, {"deep": token}], "count": 3, "note": "fine"},
    )
    cleaned, redaction = REDACTOR.redact_draft(draft)
    assert token not in repr(cleaned) and "hunter2" not in repr(cleaned)
    assert cleaned.goal is None
    assert cleaned.metadata["count"] == 3 and cleaned.metadata["note"] == "fine"
    assert redaction.secrets == {"aws-access-key": 7, "secret-keyword": 1}


def test_a_plain_draft_is_the_same_object() -> None:
    draft = Draft(content="nothing special")
    assert REDACTOR.redact_draft(draft)[0] is draft


@settings(max_examples=80, deadline=None)
@given(st.lists(st.one_of(st.sampled_from([token for _, token in TOKENS]), st.text(max_size=20)), max_size=6))
def test_redacting_twice_changes_nothing_and_no_token_survives(parts: list[str]) -> None:
    once = REDACTOR.redact("\n".join(parts))
    assert REDACTOR.redact(once.text).text == once.text
    for _, token in TOKENS:
        if token in parts and not any("<private" in part.lower() for part in parts):
            assert token not in once.text


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(
        ["password", "DB_PASSWD", "apiKey", "api_key", "client_secret", "token", "pwd", "Passwort", "clave"]
    ),
    st.sampled_from([' = "{}"', ": '{}'", "={}", ':"{}"', ' == "{}"', '("{}")', " is {}", " {}"]),
    st.text(alphabet="abcXYZ0189", min_size=6, max_size=12),
)
def test_the_quick_look_misses_nothing_that_the_rules_find(name: str, frame: str, value: str) -> None:
    text = name + frame.format(value)
    _, found, _ = SecretPatterns().replace(text)
    assert may_hold_secret(text) or not found


@pytest.mark.timed
def test_plain_sentences_are_quick() -> None:
    sentences = [
        "We met on Monday and chose the second plan, since it was cheaper.",
        "ok",
        "The key point was time.",
    ]
    began = time.process_time()
    for _ in range(2_000):
        for sentence in sentences:
            REDACTOR.redact(sentence)
    assert 6_000 / (time.process_time() - began) >= 20_000


def test_the_rules_are_loaded_only_when_a_text_may_hold_a_secret() -> None:
    script = (
        "import sys; from engramforge.writing.redact import Redactor; r = Redactor(); r.redact('a plain note');"
        "rules = 'engramforge.writing.secret_patterns'; assert rules not in sys.modules;"
        "r.redact('password = \"hunter2\"'); assert rules in sys.modules;"
        "assert 'detect_secrets.plugins.aws' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
