"""Several secrets behind one word, and others that stand beside what calls them so, through the door of the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.timing import assert_in_proportion, repeated

import engramforge
from engramforge.writing.redact import Redactor

ONE, TWO = "8f7a6b5c4d3e2f1a0b9c8d7e", "77aa6b5c4d3e2f1a0b9c8d70"


@pytest.fixture(scope="module")
def forge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[engramforge.Forge]:
    home: Path = tmp_path_factory.mktemp("lists")
    with engramforge.open(home) as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        (
            "2FA backup codes for the registry: 7741-2190, 6610-5483, 2934-6127",
            "7741-2190 6610-5483 2934-6127",
        ),
        ("recovery codes - 7741-2190, 6610-5483, 2934-6127", "7741-2190 6610-5483 2934-6127"),
        (
            "The backup codes for GitHub are k3f9-22ab, 9xz1-77qp and m2n8-41vv",
            "k3f9-22ab 9xz1-77qp m2n8-41vv",
        ),
        ("backup codes: 77412190; 66105483; 29346127 & 44556677", "77412190 66105483 29346127 44556677"),
        ("Wiederherstellungscodes: 7741-2190, 6610-5483 und 2934-6127", "7741-2190 6610-5483 2934-6127"),
        ("codes de récupération : 7741-2190, 6610-5483 et 2934-6127", "7741-2190 6610-5483 2934-6127"),
        ("códigos de recuperación: 7741-2190, 6610-5483 y 2934-6127", "7741-2190 6610-5483 2934-6127"),
        (f"API keys: prod {ONE}, staging {TWO}", f"{ONE} {TWO}"),
        (f"API keys\nprod {ONE}\nstaging {TWO}", f"{ONE} {TWO}"),
        (f"## API keys\n\n- prod: {ONE}\n- staging: {TWO}", f"{ONE} {TWO}"),
        (f"API key: prod {ONE}", ONE),
        ("passwords: Amsel.1987, Quitte46!, Geröll?52, Mango#88", "Amsel.1987 Quitte46! Geröll?52 Mango#88"),
        ("TANs: 774120, 338114", "774120 338114"),
        ("the pins are 5512 for the card and 8830 for the phone", "5512 8830"),
        ("the door code for the office is 3691#, alarm 8242", "3691 8242"),
        ("gate combination 41-22-7", "41-22-7"),
        ("auth PLAIN user mailer secret Gr4upel-wind", "Gr4upel-wind"),
        ("the router: admin/admin-Rhein9 at 192.168.1.1", "admin-Rhein9"),
        ("wifi HofGast / regen-7712-birne", "regen-7712-birne"),
        (
            "| door | holder | PIN |\n|---|---|---|\n| lab A | Tom | 11822 |\n| lab C | Ida | 5096 |",
            "11822 5096",
        ),
        ("New key in ~/.ssh/deploy, its passphrase is copper lantern drifts", "copper"),
    ],
)
def test_each_of_several_is_replaced(forge: engramforge.Forge, text: str, secrets: str) -> None:
    kept = forge.remember(text).content
    assert not [secret for secret in secrets.split() if secret in kept], kept


@pytest.mark.parametrize(
    "text",
    [
        "STRIPE_SECRET_KEY=sk_test_xxx",
        "The example has DB_PASSWORD= with nothing behind it",
        "The backup codes for the registry: see ticket SHOP-114",
        "API keys: prod and staging are rotated by SHOP-1144 in Q3",
        "API keys: rotated in commit 8f7a6b5c4d3e2f1a0b9c8d7e",
        "pins: 4, 17, 27",
        "the pins are 17 for the clock and 27 for the load",
        "passwords: Argon2, bcrypt, scrypt",
        "wifi 2.4GHz / 5GHz",
        "the page: admin/settings-2024 is slow",
        "its passphrase is stored in the vault, the key beside it",
        "| component | pin |\n|---|---|\n| U3 | 14 |",
        "backup codes - print 10 of them, store 2 offline",
        "TANs are gone since 2019",
        "alarm 7391 fired at 10:22",
    ],
)
def test_what_only_looks_so_stays(forge: engramforge.Forge, text: str) -> None:
    assert forge.remember(text).content == text


def test_what_follows_the_codes_stays(forge: engramforge.Forge) -> None:
    kept = forge.remember("Backup codes are 7741-2190 and 6610-5483, see ticket SHOP-114").content
    assert (
        kept == "Backup codes are [REDACTED:recovery-code] and [REDACTED:recovery-code], see ticket SHOP-114"
    )


@pytest.mark.parametrize(
    "part",
    [
        "backup codes: ",
        "backup codes: 7741-2190, ",
        "API keys: a ",
        "pins are 5512 ",
        "door code for a is 3691, alarm 8242, ",
        "admin/ router: ",
        "user a secret b1 ",
        "wifi a / b1 ",
    ],
)
def test_lists_take_time_in_proportion(part: str) -> None:
    assert_in_proportion(Redactor().redact, repeated(part), 20_000)
