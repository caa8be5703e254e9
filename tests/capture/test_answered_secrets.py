"""A password that answers the message before it is redacted, in batches, imports and one message after another."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import engramforge
from engramforge.model.memory import Draft

Talk = Sequence[str]
Store = Callable[[Path, Talk], list[str]]
MARK = "[REDACTED:secret-keyword]"


def one_by_one(folder: Path, talk: Talk) -> list[str]:
    with engramforge.open(folder / "home") as forge:
        return [forge.remember(each, kind="message", session_id="s1").content for each in talk]


def in_a_batch(folder: Path, talk: Talk) -> list[str]:
    drafts = [
        {"content": each, "kind": "message", "session_id": "s1", "sequence": n} for n, each in enumerate(talk)
    ]
    with engramforge.open(folder / "home") as forge:
        return [memory.content for memory in forge.remember_many(drafts)]


def imported(folder: Path, talk: Talk) -> list[str]:
    lines = [
        {
            "content": each,
            "kind": "message",
            "session_id": "s1",
            "sequence": n,
            "valid_at": f"2026-01-01T00:00:{n:02}Z",
        }
        for n, each in enumerate(talk)
    ]
    (folder / "talk.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with engramforge.open(folder / "home") as forge:
        forge.import_path(folder / "talk.jsonl")
        return [memory.content for memory in forge.memories(newest_first=False)]


@pytest.mark.parametrize("store", [one_by_one, in_a_batch, imported])
@pytest.mark.parametrize(
    ("question", "answer", "clean"),
    [
        ("What is the password for staging?", "rosebud-22", MARK),
        ("I can do that. What's the database password?", "it's rosenveld99", f"it's {MARK}"),
        ("Wie ist das WLAN-Passwort?", "Es ist Rosengarten77.", f"Es ist {MARK}."),
        ("The import needs the database password. What is it?", "`rosebud`", f"`{MARK}`"),
        ("what was the passphrase again?", "garden copper window tiger", MARK),
        ("Please enter your PIN:", "4711", MARK),
        ("who has the wiki password?", "rose-2291, I think", f"{MARK}, I think"),
        ("Could you share the credentials?", "ada / rosebud99", f"ada / {MARK}"),
        ("sudo apt install nginx", "Rosengarten77", MARK),
        ("! ssh root@ferry", "Rosengarten77", MARK),
        ("It asks: [sudo] password for ann:", "rosebud", MARK),
    ],
)
def test_an_answer_of_nothing_but_a_password(
    tmp_path: Path, store: Store, question: str, answer: str, clean: str
) -> None:
    assert store(tmp_path, [question, answer]) == [question, clean]


@pytest.mark.parametrize(
    "talk",
    [
        ("What is the password for staging?", "No idea, ask Marta."),
        ("What is the password for staging?", "Bitwarden"),
        ("What is the password for staging?", "It is in config/settings.yml"),
        ("What is the password policy?", "strict"),
        ("Where is the password stored?", "vault-2024"),
        ("Who has the wiki password?", "Marta"),
        ("Which branch has the password form?", "feature-login-2024"),
        ("What is the password for staging?", "PROJ-1234"),
        ("What is the plan?", "release-rose-2024"),
    ],
)
def test_other_answers_stay(tmp_path: Path, talk: Talk) -> None:
    assert in_a_batch(tmp_path, talk) == list(talk)


def test_one_message_may_come_between_and_a_conversation_is_one_of_its_project_and_tenant(
    tmp_path: Path,
) -> None:
    question, answer = "What is the password for staging?", "rosebud-22x"
    assert in_a_batch(tmp_path, [question, "one moment", answer])[-1] == MARK
    with engramforge.open(tmp_path / "home") as forge:
        forge.remember(question, kind="message", session_id="s2")
        for other in ({"session_id": "s3"}, {"session_id": "s2", "project": "other"}, {}):
            assert forge.remember(answer, kind="message", **other).content == answer
    with engramforge.open(tmp_path / "home", tenant="acme") as forge:
        assert forge.remember(answer, kind="message", session_id="s2").content == answer


ORDINARY = [
    ("Do we need credentials for this?", "Unfortunately."),
    ("Does the token have an expiry?", "Absolutely!"),
    ("Is the password correct?", "Apparently"),
    ("Which pin drives the motor?", "GPIO18"),
    ("Which library generates the token?", "itsdangerous"),
    ("Which provider gives us the token?", "Cloudflare"),
    ("Which day do we change the password?", "Thursday"),
    ("What is the token for?", "deployments"),
    ("What is the most common token in the corpus?", "Wikipedia"),
    ("What's the secret?", "Practice"),
    ("¿Cuál es la clave del éxito?", "Constancia"),
    ("What is the secret to good code reviews?", "small changes reviewed quickly"),
    ("Do you have the password?", "Unfortunately"),
    ("Do you know the password for staging?", "Certainly!"),
    ("Did you rotate the password?", "Yesterday"),
    ("Has the password been changed?", "Obviously"),
    ("Which team owns the password service?", "Platform"),
    ("Which table holds the password?", "accounts"),
    ("What does the password protect?", "backups"),
    ("What is the password used for?", "encryption"),
    ("Which algorithm makes the token?", "HS256"),
    ("What format does the API key have?", "base62"),
    ("What is the minimum password length?", "twelve"),
    ("Which user changed the password?", "deploybot"),
    ("What is a good password?", "randomness"),
    ("What is a token?", "subword"),
    ("What's the key?", "Patience"),
    ("What is the key to success?", "perseverance"),
    ("What is the pin for the LED?", "GPIO13"),
    ("Which pin is the reset?", "D7"),
    ("What is the pin of the button?", "PA10"),
    ("What type is the token?", "Identifier"),
    ("What is the next token?", "Ident2"),
    ("What is the current token?", "RightParen"),
    ("Who gave you the token?", "Marta"),
    ("Who manages the credentials?", "Infrastructure"),
    ("What's wrong with my password?", "Umlauts"),
    ("What happened to the token?", "Expired"),
    ("Which service needs the credentials?", "billing"),
    ("Do you need the PIN?", "Tomorrow"),
    ("Have you got the password from Marta?", "Finally!"),
    ("What is the plan for the password migration?", "gradually"),
    ("What is the password manager?", "KeePassXC"),
    ("Which password manager do we use?", "Vaultwarden"),
    ("What is the strongest password in the list?", "obscure"),
    ("What should replace the password?", "passkeys"),
    ("What is the password encrypted with?", "libsodium"),
    ("Can you rotate the token?", "Immediately"),
    ("Should the token be short?", "Definitely"),
    ("The password was rotated. Do you like it?", "Absolutely"),
    ("We change the password. When is it due?", "November"),
    ("Wie oft ändern wir das Passwort?", "Monatlich"),
    ("Ist das Passwort richtig?", "Offenbar"),
    ("Welche Bibliothek erzeugt das Token?", "itsdangerous"),
    ("Brauchen wir ein Passwort?", "Leider"),
    ("Wer hat das Passwort?", "Hannelore"),
    ("Was ist das Passwort wert?", "wenig"),
    ("Welcher Tag ist für das Passwort dran?", "Donnerstag"),
    ("Hast du das Passwort geändert?", "Natürlich"),
    ("Was ist der Schlüssel zum Erfolg?", "Geduld"),
    ("Welcher Pin steuert den Motor?", "GPIO18"),
    ("Wofür ist das Passwort?", "Datensicherung"),
    ("Quelle est la clé du succès ?", "Patience"),
    ("Est-ce que le mot de passe est correct ?", "Apparemment"),
    ("Quel service utilise le mot de passe ?", "facturation"),
    ("Quel jour change-t-on le mot de passe ?", "Vendredi"),
    ("As-tu le mot de passe ?", "Malheureusement"),
    ("Quelle bibliothèque crée le token ?", "itsdangerous"),
    ("Le mot de passe est-il long ?", "Absolument"),
    ("¿Necesitamos la contraseña?", "Desgraciadamente"),
    ("¿Tienes la contraseña?", "Claro"),
    ("¿Qué día cambiamos la contraseña?", "Jueves"),
    ("¿Cuál es el secreto?", "Paciencia"),
    ("¿Es correcta la contraseña?", "Aparentemente"),
    ("¿Qué servicio usa el token?", "facturación"),
    ("¿Qué biblioteca genera el token?", "itsdangerous"),
    ("What is the password for staging? Do we still need it?", "Unfortunately."),
    ("What is the secret ingredient?", "cinnamon"),
    ("Why do I need the password for staging?", "Migration"),
    ("Please send the password to Marta.", "Understood."),
    ("Is there a PIN?", "Sometimes"),
    ("I changed the password.", "Wonderful"),
    ("Wrong password?", "Apparently"),
    ("My password.", "Unforgettable"),
    ("Forgot your password?", "Occasionally"),
    ("Which is the password?", "rotated"),
    ("Do not send me the password.", "Understood"),
    ("What's the best password?", "entropy"),
    ("The password form is broken. What is it?", "JavaScript"),
    ("Do I need the password?", "Nevertheless"),
    ("What is the max token?", "8192"),
    ("What was the problem with the password?", "whitespace"),
    ("What is the reason for the password?", "compliance"),
    ("Give me the length of the password.", "sixteen"),
    ("What is in the password?", "umlauts"),
    ("What is the error code?", "404123"),
    ("What is the password field called?", "passwd_field"),
    ("What is the token limit of the model?", "200000"),
]
GIVEN = [
    ("What is the password for staging?", "rosebud-22", "[REDACTED:secret-keyword]"),
    ("What's the database password?", "it's rosenveld99", "it's [REDACTED:secret-keyword]"),
    ("What was the passphrase again?", "garden copper window tiger", "[REDACTED:secret-keyword]"),
    ("What is the password?", "swordfish", "[REDACTED:secret-keyword]"),
    ("Hey, what's the wifi password?", "bluegiraffe", "[REDACTED:secret-keyword]"),
    ("What is the admin password for db.example.org?", "rosebud", "[REDACTED:secret-keyword]"),
    ("What's our staging password again?", "Kittens!", "[REDACTED:secret-keyword]!"),
    ("Give me the password for the router.", "swordfish", "[REDACTED:secret-keyword]"),
    ("Send me the password please", "violet22", "[REDACTED:secret-keyword]"),
    ("I need the password for the wiki.", "rosebud-2291", "[REDACTED:secret-keyword]"),
    ("Tell me the PIN:", "4711", "[REDACTED:secret-keyword]"),
    ("What's the PIN?", "4711", "[REDACTED:secret-keyword]"),
    ("What is the PIN for the card?", "it's 482913", "it's [REDACTED:secret-keyword]"),
    ("What's the door code?", "2580", "[REDACTED:secret-keyword]"),
    ("What's the API token?", "tk7Qm2Zp9LxW4v", "[REDACTED:secret-keyword]"),
    ("what is the client secret?", "Hq8Rt2Lm5Zx0", "[REDACTED:secret-keyword]"),
    (
        "What is the API key for the mail service?",
        "8f14e45fceea167a5a36dedd4bea2543",
        "[REDACTED:secret-keyword]",
    ),
    ("Could you share the credentials?", "ada / rosebud99", "ada / [REDACTED:secret-keyword]"),
    ("Do you remember the password?", "rosebud-2291", "[REDACTED:secret-keyword]"),
    ("Who has the wiki password?", "rose-2291, I think", "[REDACTED:secret-keyword], I think"),
    ("Password for staging?", "swordfish", "[REDACTED:secret-keyword]"),
    ("Password:", "swordfish", "[REDACTED:secret-keyword]"),
    ("Which password should I use?", "rosebud77", "[REDACTED:secret-keyword]"),
    ("The import needs the database password. What is it?", "`rosebud`", "`[REDACTED:secret-keyword]`"),
    ("Please enter your password:", "tulipan", "[REDACTED:secret-keyword]"),
    ("What's the vault token?", "marigold-8842", "[REDACTED:secret-keyword]"),
    ("Wie lautet das Passwort?", "Sonnenblume", "[REDACTED:secret-keyword]"),
    ("Wie ist das WLAN-Passwort?", "Es ist Rosengarten77.", "Es ist [REDACTED:secret-keyword]."),
    ("Wie war nochmal das Passwort für den Router?", "rosengarten", "[REDACTED:secret-keyword]"),
    ("Gib mir bitte das Passwort für Staging.", "Apfelbaum12", "[REDACTED:secret-keyword]"),
    ("Ich brauche das Kennwort.", "Rosen-2291", "[REDACTED:secret-keyword]"),
    ("Wie ist die PIN?", "4711", "[REDACTED:secret-keyword]"),
    ("Hast du das Passwort?", "Rosengarten-77", "[REDACTED:secret-keyword]"),
    ("Quel est le mot de passe du wifi ?", "tournesol", "[REDACTED:secret-keyword]"),
    ("C'est quoi le mot de passe ?", "soleil2024!", "[REDACTED:secret-keyword]!"),
    ("Donne-moi le mot de passe de la base.", "tournesol77", "[REDACTED:secret-keyword]"),
    ("Quel est ton mdp ?", "papillon", "[REDACTED:secret-keyword]"),
    ("¿Cuál es la contraseña?", "girasol", "[REDACTED:secret-keyword]"),
    ("¿Cuál es la contraseña del wifi?", "mariposa77", "[REDACTED:secret-keyword]"),
    ("Dame la contraseña del servidor.", "girasoles22", "[REDACTED:secret-keyword]"),
    ("¿Cuál es la clave del wifi?", "mariposa77", "[REDACTED:secret-keyword]"),
    ("Necesito la contraseña para el correo.", "mariposa-2291", "[REDACTED:secret-keyword]"),
]


def test_only_what_is_asked_for_is_an_answer_in_four_languages(tmp_path: Path) -> None:
    """Each pair in a conversation of its own."""
    pairs = [(*pair, pair[1]) for pair in ORDINARY] + GIVEN
    drafts = [
        {"content": each, "kind": "message", "session_id": f"s{n}", "sequence": at}
        for n, (question, answer, _) in enumerate(pairs)
        for at, each in enumerate((question, answer))
    ]
    with engramforge.open(tmp_path / "home") as forge:
        kept = [memory.content for memory in forge.remember_many(drafts)]
    assert list(zip(kept[::2], kept[1::2], strict=True)) == [
        (question, clean) for question, _, clean in pairs
    ]


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("if token.kind == TokenKind::Ident2 { continue; }", None),
        ("Pin code of the area: 560001", None),
        ("The postal PIN code is 560 001", None),
        ("They wrote #Hello@World2024 on the wall", None),
        ("PIN code: 560001", "PIN code: [REDACTED:code]"),
    ],
)
def test_what_only_looks_like_a_secret_stays(tmp_path: Path, text: str, clean: str | None) -> None:
    assert in_a_batch(tmp_path, [text]) == [clean or text]


@pytest.mark.parametrize("said", ["rosenveld99", b"rosenveld99"])
def test_an_answer_is_known_however_its_kind_and_content_are_given(tmp_path: Path, said: str | bytes) -> None:
    talk = ["What's the database password?", said]
    drafts = [Draft(content=each, kind=" Message", session_id="s1") for each in talk]  # type: ignore[arg-type]
    with engramforge.open(tmp_path) as forge:
        assert [memory.content for memory in forge.remember_many(drafts)] == [talk[0], MARK]


@pytest.mark.parametrize("verb", ["revise", "supersede"])
def test_bytes_in_a_change_are_read_as_utf_8(tmp_path: Path, verb: str) -> None:
    with engramforge.open(tmp_path) as forge:
        chosen = forge.remember("The quay is dry.")
        assert getattr(forge, verb)(chosen.id, "The quay is naß.".encode()).content == "The quay is naß."
