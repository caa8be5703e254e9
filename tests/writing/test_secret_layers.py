"""Escapes, colours, invisible signs and prefixes of lines hide no secret; a text with them but without one stays."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.timing import assert_in_proportion, repeated

import engramforge
from engramforge.core.text.layers import views
from engramforge.writing.redact import Redactor

SECRET = "heron-4471-lamp"
KEY = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    "MIIEpAIBAAKCAQEA1234567890abcdefQUJDabcdefghijklmnop1234567890ABCDEF\n"
    "/T9rPJJQt5dKm1KLaWNjIaRhtV71W3vqYCamp6SW3mmNCgbiylNlxhA9kgibQUJDab12\n"
    "+hgYTUB5dKm1KLaWNjIaRhtV71W3vqYCamp6SW3mmNCgbiylNlxhA9kgibQUJDab12"
)
WAYS: dict[str, Callable[[str], str]] = {
    "entities": lambda text: html.escape(text).replace("o", "&#111;"),
    "entities of entities": lambda text: html.escape(html.escape(text)),
    "hexadecimal entities": lambda text: text.replace("=", "&#x3D;").replace(":", "&colon;"),
    "JSON": json.dumps,
    "JSON in JSON": lambda text: json.dumps({"body": json.dumps({"log": text})}),
    "three times JSON": lambda text: json.dumps(json.dumps(json.dumps(text))),
    "codes of characters": lambda text: text.replace("a", "\\u0061").replace("s", "\\x73"),
    "colours": lambda text: f"\x1b[1;31m{text[:4]}\x1b[0m{text[4:-5]}\x1b[38;5;12m{text[-5:]}\x1b[0m",
    "spelled colours": lambda text: f"\\x1b[31m{text[:4]}\\033[0m{text[4:]}\\u001b[0m",
    "invisible signs": lambda text: "\u200b".join(text),
    "soft hyphens": lambda text: f"{text[:5]}\u00ad{text[5:-4]}\u2060{text[-4:]}",
    "wide letters": lambda text: "".join(
        chr(ord(sign) + 0xFEE0) if (sign.isascii() and sign.isalpha()) or sign in "=:" else sign
        for sign in text
    ),
    "hard blanks": lambda text: text.replace(" ", "\u00a0"),
    "percent codes": lambda text: quote(text, safe=""),
    "percent codes twice": lambda text: quote(quote(text, safe=""), safe=""),
    "quoted-printable": lambda text: f"{text.replace('=', '=3D').replace('a', '=61')} =3D",
    "soft line breaks": lambda text: f"{('as I said ' * 7)[: 74 - len(text)]} {text[:-5]}=\n{text[-5:]}",
    "Markdown": lambda text: text.replace("_", "\\_").replace("-", "\\-"),
    "tags": lambda text: f'<span class="k">{text[:6]}</span><b>{text[6:-4]}</b><i>{text[-4:]}</i>',
}
SAID = (
    f"Ciao, la password è {SECRET}",
    f"password={SECRET}",
    f'{{"db_password": "{SECRET}"}}',
    f"the password is {SECRET}",
    f"DB_PASSWORD: {SECRET}",
)
PREFIXES: dict[str, Callable[[int], str]] = {
    "quotation": lambda _: "> ",
    "quotation of a quotation": lambda _: "> > ",
    "bar": lambda _: "| ",
    "comparison": lambda _: "+",
    "spaced comparison": lambda _: "+ ",
    "numbers": lambda line: f"{line}: ",
    "cat -n": lambda line: f"{line:6}\t",
    "an editor": lambda line: f"{line:5}│ ",
    "an assistant's reader": lambda line: f"{line:6}→",
    "grep": lambda line: f"conf/app.txt:{line}:",
    "a container's log": lambda line: f"[2026-01-02T10:00:{line:02}Z] app-1  | ",
    "a log": lambda line: f"2026-01-02 10:00:{line:02},118 INFO ",
    "syslog": lambda line: f"Jan  2 10:00:{line:02} host app[{line}]: ",
    "comments": lambda _: "# ",
    "comments of C": lambda _: "// ",
}
BLOCKS = (
    (KEY, KEY.split("\n")[1:]),
    (f"Password:\n{SECRET}\nThanks", [SECRET]),
    (f"user,password\nada,{SECRET}\nbob,tulip-9-kit", [SECRET, "tulip-9-kit"]),
    (f"| host | user | password |\n|---|---|---|\n| db1 | ada | {SECRET} |\n", [SECRET]),
    ("kind: Secret\ndata:\n  pin: aGVyb240NDcx\n", ["aGVyb240NDcx"]),
)


@pytest.mark.parametrize("way", WAYS)
def test_no_layer_hides_a_secret(way: str, tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        for said in SAID:
            hidden = WAYS[way](said)
            text = forge.remember(f"So: {hidden}").content
            for view in views(text):
                assert "heron" not in view.text and "lamp" not in view.text, (hidden, text)
            assert Redactor().redact(text).text == text


@pytest.mark.parametrize("kind", PREFIXES)
def test_no_prefix_of_lines_hides_a_secret(kind: str) -> None:
    redactor = Redactor()
    for block, secrets in BLOCKS:
        text = "".join(f"{PREFIXES[kind](line)}{said}\n" for line, said in enumerate(block.split("\n"), 11))
        for whole in (
            text,
            json.dumps({"text": f"It says:\n{text}"}),
            text.replace("\n", "\x1b[0m\n\x1b[36m"),
        ):
            redacted = redactor.redact(whole).text
            assert not [each for each in secrets if each in redacted], redacted
            assert redactor.redact(redacted).text == redacted


def test_what_is_found_below_a_layer_goes_from_the_rest_of_the_text() -> None:
    text = (
        f"The lamp is {SECRET}, as in password%3D{SECRET} and {json.dumps(SECRET)} and heron-4471&#45;lamp."
    )
    assert "4471" not in Redactor().redact(text).text


@pytest.mark.parametrize("way", WAYS)
def test_a_layer_alone_is_no_secret(way: str) -> None:
    for said in (
        "The password is read from the vault, see docs/login.md; no key = no entry",
        "if token == None and len(users) > 3 and user_name != 'ada': return a / b",
        "J'ai perdu mon mot de passe, comment le récupérer ? Please don't paste passwords here.",
        "kubectl create secret generic db --from-file=password=./db-pass.txt; auth.error.password=The one is wrong",
    ):
        assert Redactor().redact(WAYS[way](said)).secrets == {}


@pytest.mark.parametrize(
    "piece",
    [
        "&amp;",
        "\\u0041",
        "\\\\",
        "%25",
        "%25%",
        "\x1b[",
        "\u200b",
        "=\n",
        "> ",
        "> a\n",
        "1: a\n",
        "[a] [",
        "<b ",
    ],
)
def test_layers_are_taken_off_in_time_by_the_length_of_their_text(piece: str) -> None:
    assert_in_proportion(views, repeated(piece, "a =3D "), 200_000)
    assert_in_proportion(views, repeated(piece, "\n"), 200_000)


def test_places_in_a_view_are_those_of_the_text() -> None:
    text = '> a &amp;amp; b\n> \x1b[1m\u200bc%2520d\\u0065 \\\\"f\uff47\n> last'
    view = views(text)[-1]
    assert view.text == 'a & b\nc de "fg\nlast'
    shown = {sign: text[slice(*view.span(at, at + 1))] for at, sign in enumerate(view.text)}
    assert shown["&"] == "&amp;amp;" and shown["c"] == "c" and shown["e"] == "\\u0065"
    assert shown["d"] == "d" and shown['"'] == '\\\\"' and shown["g"] == "\uff47" and shown["t"] == "t"
    assert text[slice(*view.span(0, len(view.text)))] == text[2:]
