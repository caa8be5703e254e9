"""Long texts are shortened so that the redaction that follows leaves no part of a secret, wherever the cut falls."""

import pytest

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.transcript_text import shortened
from engramforge.writing.redact import Redactor

SECRETS = {
    "ghp_" + "a1B2c3D4e" * 4: "ghp_" + "a1B2c3D4e" * 4,
    "postgres://ada:rosebud77@db.example.org/x": "rosebud77",
    "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9."
    + "eyJzdWIiOiIxMjM0NTY3ODkw" * 9
    + ".s5x9Qk2LmN8p": "M0NTY3ODkw",
    "password: Tr0ub4dor&3horse!": "Tr0ub4dor&3horse!",
    "my password is correct-horse-battery-staple-9": "correct-horse-battery-staple-9",
    "curl -u ada:rosebud77x https://x.example.org": "rosebud77x",
    '{"client_secret": "Zt8Rb1Vn5qQ7xLw3"}': "Zt8Rb1Vn5qQ7xLw3",
    "pass\x1b[1mword\x1b[0m: rose-hip-7\x1b[32m-tulip-55\x1b[0m": "-tulip-55",
    "db_password%3Drose-hip-7-tulip-55": "rose-hip-7-tulip-55",
    "-----BEGIN PRIVATE KEY-----\n"
    + "MIIEpAIBAAKCAQEAx7x7x7x7\n" * 30
    + "-----END PRIVATE KEY-----": "AKCAQEAx7x7",
}


@pytest.mark.parametrize("secret", SECRETS, ids=lambda secret: secret[:12])
def test_no_part_of_a_secret_is_left_by_a_cut(secret: str) -> None:
    value, redactor, filler = SECRETS[secret], Redactor(), "ab1 w " * 1_000
    parts = {value[at : at + 6] for at in range(len(value) - 5)}
    for offset in range(-20, len(secret) + 20, max(len(secret) // 12, 3)):
        behind = filler[: max(492 - len(secret) + offset, 0)]
        for text in (
            shortened(f"{filler[: 999 - offset]} {secret} {filler}"),
            shortened(f"{filler} {secret} {behind}"),
            cut(f"{filler[: max(199 - offset, 0)]} {secret} {filler}", 200),
        ):
            shown = redactor.redact(text).text
            assert not [part for part in parts if part in shown], (offset, shown[-700:])


def test_a_plain_text_is_cut_between_its_words() -> None:
    assert cut("one two three", 9) == "one two "
    assert cut("one two three", 13) == "one two three"
    assert cut("\u4e00" * 300, 200) == "\u4e00" * 200
    assert cut("/usr/" * 100, 200) == "/usr/" * 40
