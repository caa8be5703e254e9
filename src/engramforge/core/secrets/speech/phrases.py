"""Secrets that are made of words, and secrets called so in languages of which only the words for them are known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.chance import KIND, is_chosen, is_held_value, is_random, is_technical
from engramforge.core.secrets.made_up import DIGIT, PASSWORDS_ABROAD
from engramforge.core.secrets.names import PW_WORD, SPEECH, is_mixed, is_plain_word
from engramforge.core.secrets.service_tokens import Span
from engramforge.core.secrets.speech.told import is_own_word, told
from engramforge.core.text.late_pattern import late

_NAMES: Final = (
    r"(?:\w{0,12}(?:passphrase|password|passwort|pass[ ]?phrase|kennwort)|passwd|pwd|pass(?=[ ]{0,2}[:=])"
    r"|mot[ ]de[ ]passe|phrase[ ](?:de[ ]passe|secrète)|contraseña|frase[ ]de[ ]contraseña|\w{0,12}[_-]?secret"
    r"|(?:signing|encryption|master|jwt|app)[_-]?key)"
)
_WORDS: Final = (
    r"(?:(?=[^\"'\n]{0,40}\d)[a-z]{3,12}[ -][a-z]{3,12}[ -]\d{1,6}"
    r"|[a-z]{3,12}(?:[ -](?:[a-z]{3,12}|\d{1,4}(?=[ -]))){2,11}(?:[ -]?\d{1,4})?[!?.]?)"
)
_PHRASE: Final = late(
    rf"(?<![A-Za-z]){_NAMES}(?P<what>(?:[ ]\(?[\w'\u2019-]{{1,20}}\)?){{0,5}}?)[\"'`*]{{0,3}}[ "
    rf"]{{0,2}}(?P<sign>(?:\b(?:is|was|ist|lautet|est|es|è|to|auf|as|now)\b[ ]?:?|[:=])"
    rf"|(?=[\"'`“„«]))[ ]{{0,3}}[*]{{0,2}}b?(?:(?P<quote>[\"'`“„«_])[ ]?)?(?P<phrase>{_WORDS})"
    rf"(?P<end>[\"'`”“»_]|[*]{{1,2}}|[ \t]*(?=[\n,;)]|\Z)|[.](?=\s|\Z))",
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST: Final = 120
_OF_KEY: Final = late(r"key\b|\b(?:id_|ssh|gpg|pgp|luks)", re.IGNORECASE)
_SEED: Final = late(
    r"\b(?:seed|mnemonic|bip-?39|wallet|ledger|trezor|metamask|recovery|wiederherstellung\w*|récupération"
    r"|recuperación)\b"
    r"[^\n:=\"'`]{0,60}(?:[:=]|\b(?:is|are|ist|est|es)\b|(?=[\"'`]|\s*\n))\s{0,3}[\"'`]{0,3}(?:\w{0,9}\n)?\s{0,9}"
    r"(?P<phrase>(?:\d{1,2}[.):]?[ \t]{1,2})?[a-z]{3,8}(?:(?:[ \t]{1,2}|,[ \t]?|[ \t]?\n[ \t]{0,9})"
    r"(?:\d{1,2}[.):]?[ \t]{1,2})?[a-z]{3,8}){11,23})"
    r"(?![\w,])",
    re.IGNORECASE,
)
_WORDS_OF_SEED: Final = late(
    r"(?:(?<=[:\"'`>\n] )|(?<=[:\"'`>\n])|\A)(?P<phrase>[a-z]{3,8}(?:[ ][a-z]{3,8}){11,23})(?=[\"'`.]|[ \t\r]*\n|\Z)"
)
"""As many words as a wallet has, by themselves."""
_WALLETS: Final = late(
    r"\b(?:wallets?|ledger|seed|mnemonic|backup|recovery|phrase|my words|(?:12|15|18|21|24)[ -]words?|wörter|mots"
    r"|palabras)\b",
    re.IGNORECASE,
)
_WALLET_CLUES: Final = (
    *("wallet", "ledger", "seed", "mnemonic", "backup"),
    *("recovery", "phrase", "words", "wörter", "palabras", " mots"),
)
_NETWORKS: Final = ("wi-fi", "wifi", "wlan", "ssid")
_FAR_FROM_SEED: Final = 250
_WIRELESS: Final = late(
    r"\b(?i:wi-?fi|wlan|ssid)\b[^\n]{0,60}?\b(?i:key|pass\w{0,5}|code|pw|schlüssel|clé|clave|chiave|chave)[ :=]{1,3}"
    r"[`\"'*]{1,2}(?P<secret>[^\s`\"'*]{8,63})[`\"'*]"
)
_SEED_CLUES: Final = (
    *("seed", "mnemonic", "bip", "wallet", "ledger", "trezor", "metamask"),
    *("recovery", "wiederherst", "récup", "recup"),
)
_RENEWED: Final = late(
    r"\b(?i:old|new|previous|former|current|before|after|from|to|alte[rs]?|neue[rs]?|bisherige[rs]?|vorher|jetzt"
    r"|ancien(?:ne)?|nouve(?:au|lle)|viej[oa]|antigu?[oa]|nuev[oa]|vecchi[oa]|nuov[oa]|nov[oa]|oude|nieuwe)"
    r"(?:[ ](?:one|ones|value|password|token|key|passwort)s?)?(?:[ ]?(?:[:=→]|->|\b(?:is|was|are|ist|war|lautet|est"
    r"|était|es|era|è|é|wordt)\b:?)[ ]?|(?<=from)[ ]|(?<=to)[ ])[\"'`“„«]?(?P<secret>[^\s\"'`<>,;]{8,200})"
)
"""One of two, of which the one came for the other."""
_RENEWED_WORDS = (
    "old|new|previous|former|current|before|after|from |alte|neue|bisherig|vorher|jetzt|ancien|nouve|viej|antig|nuev"
    "|vecchi|nuov|nova|novo|oude|nieuw| von | de | da | van "
)
_RENEWED_CLUES: Final = tuple(_RENEWED_WORDS.split("|"))
_CHOSEN_RENEWALS: Final = late(rf"\b{PW_WORD}\b|(?i:credential)")
_RENEWALS: Final = late(rf"{_CHOSEN_RENEWALS.pattern}|(?i:rotat|zugangsdaten|secret|token|api[ -]key)")
_OLD_AND_NEW: Final = late(
    r"\b(?:(?P<from>from|von|de|da|van)|(?i:old|previous|former|alte?[rs]?|bisherige[rs]?|ancien(?:ne)?|viej[oa]|antigu[oa]"
    rf"|vecchi[oa]|oude)(?:[ ](?:one|value|{PW_WORD}))?(?:[ ]?[:=]|[ ](?:was|is|war|ist|était|est|era|es))?)[ ]"
    r"[\"'`“„«]?(?P<old>[^\s\"'`<>,;]{4,200})[\"'`”“»]?(?(from)[ ](?:to|auf|zu|in|à|a|naar)[ ]"
    r"|[,;]?[ ](?:(?:and|the|und|das|et|le|la|l'|y|->|→)[ ]){0,2}"
    r"(?i:new|neue?[rs]?|nouve(?:au|lle)|nuev[oa]|nuov[oa]|nieuwe)"
    rf"(?:[ ](?:one|value|{PW_WORD}))?(?:[ ]?[:=]|[ ](?:is|was|now|ist|lautet|est|es|è)){{0,2}}[ ])"
    r"[\"'`“„«]?(?P<new>[^\s\"'`<>,;]{4,200})"
)
"""Both, one behind the other."""
_DIRECTLY: Final = late(
    rf"{PW_WORD}(?:[ ](?:was|is|got|has been|wurde|wird)){{0,2}}(?:[ ](?:changed|reset|rotated|updated|renewed))?[ ]$"
)
_CHANGES: Final = late(
    r"chang|rotat|reset|updat|renew|replac|set\b|änder|wechsel|passé|modifi|cambi|verander|gewijzig",
    re.IGNORECASE,
)
_RENEWAL_CLUES: Final = (
    *("pass", "kennwort", "contrase", "senha", "wachtwoord", "credential", "rotat", "zugangsdaten", "secret"),
    *("token", "api key", "api-key"),
)
_GIVEN: Final = late(
    r"(?i:\b(?:type|enter|use|using|give(?:[ ]it)?|try|with|and|then|tippe|gib|nimm|verwende|nutze|mit|und|dann"
    r"|saisis(?:sez)?|tape[zr]?"
    r"|utilise[zr]?|mets|entre|avec|et|puis|escribe|usa|pon|introduce|con|y|luego|inserisci|digita|e|poi|digite|use"
    r"|com|typ|gebruik|met|en)|(?<=[\w)*\"'`])[ ]?/)[ ][*\"'`“„«]?(?P<secret>[^\s\"'`<>,;/]{8,100})"
)
"""What somebody is told to give."""
_ASKED: Final = late(
    r"\b(?:sudo|prompt(?:s|ed)?|logs?[ -]?(?:in|on)|logged in|log(?:ging)? in|sign(?:ed|ing)?[ -]?in|unlock\w*"
    r"|decrypt\w*|wi-?fi|wlan|basic auth|denied|authenticat\w+|vpn|anmeld\w*"
    r"|melde|einloggen|logg?\w{0,3} (?:dich|euch)|entsperr\w*|connecte\w*|connexion|déverrouill\w*|inicia sesión"
    r"|entra|accedi|acced[ei]\w*|sblocca|inloggen|fais le login|faz\w* login|(?:ssh|it|it'll|he|server|system"
    r"|router)[ ](?:asks?|wants?|fragt|demande|pide|chiede|pede|vraagt)"
    r"|(?:asks?|fragt|demande|pide|chiede|pede|vraagt)\b)",
    re.IGNORECASE,
)
_ASKED_WORDS = (
    "sudo|prompt|log in|login|log-in|logs in|log on|logon|logg|log dich|sign in|sign-in|signin|signed in|unlock"
    "|decrypt|vpn|wifi|wi-fi|wlan|basic auth|denied|authenticat|meld|sperr|connecte|connexion|verrouil|sesi|entra"
    "|acced|sblocc| ask|wants|fragt|demand|pide |chiede|pede |vraagt"
)
_ASKED_CLUES: Final = tuple(_ASKED_WORDS.split("|"))
_REACH: Final = 100
_NEXT: Final = 40
_FAR: Final = 200
_FUNCTION = "the and for not with from are was were has its der die das und les des una los"
_FUNCTION_WORDS: Final = frozenset(_FUNCTION.split())
_ABROAD: Final = late(
    rf"(?:{'|'.join(PASSWORDS_ABROAD)})(?:et|em|a|u|ya)?(?:[ ][^\s:=\"'`<>]{{1,24}}){{0,5}}?[ ]?"
    r"(?::|\uff1a|=|→|(?<=[ ])(?:is|c'est|é|è|este|jest|to|är|er|on"
    r"|\u2014|\u2013|-)(?=[ ])|[是为為は은는이]|[ ])[ ]?[\"'`“「„]?"
    r"(?P<secret>(?=[!-~À-ÿ]{0,99}[\d!$%#?&*^~@])[!-~À-ÿ]{4,100})",
    re.IGNORECASE,
)
_CHOSEN: Final = late(
    r"(?=\S*\d)(?=\S*[A-Za-z])\S{6,}|(?=\S*[A-Za-z0-9])(?=\S*[!$%#?&*^~@]\S)\S{6,}|\d{4,12}"
)


def phrases(text: str) -> Iterator[Span]:
    """Spans of passphrases and seed phrases, and of passwords behind a word of a further language."""
    lowered = text.lower()
    if any(map(lowered.__contains__, ("pass", "kennwort", "contraseña", "secret", "pwd", "key"))):
        for match in _PHRASE.finditer(text):
            if _is_phrase(match):
                yield *match.span("phrase"), "passphrase"
    yield from told(text, lowered)
    for match in _SEED.finditer(text) if any(map(lowered.__contains__, _SEED_CLUES)) else ():
        words = re.findall(r"[a-z]+", match["phrase"].lower())
        if (len(words) % 3 == 0 or "phrase:" in match[0].lower()) and _FUNCTION_WORDS.isdisjoint(words):
            yield *match.span("phrase"), "seed-phrase"
    if any(map(lowered.__contains__, _WALLET_CLUES)):
        for match in _WORDS_OF_SEED.finditer(text):
            words = match["phrase"].split()
            around = max(match.start() - _FAR_FROM_SEED, 0), match.end() + _FAR_FROM_SEED
            if len(words) % 3 == 0 and SPEECH.isdisjoint(words) and _WALLETS.search(text, *around):
                yield *match.span("phrase"), "seed-phrase"
    for match in _WIRELESS.finditer(text) if any(map(lowered.__contains__, _NETWORKS)) else ():
        if is_held_value(match["secret"]):
            yield *match.span("secret"), KIND
    yield from _renewed(text, lowered)
    if DIGIT.search(text) is not None and any(map(lowered.__contains__, _ASKED_CLUES)):
        for match in _GIVEN.finditer(text):
            secret = match["secret"].rstrip("*.:!?)]}»”")
            begin = match.start("secret")
            line = text.rfind("\n", max(begin - _REACH, 0), begin) + 1
            if is_chosen(secret) and _ASKED.search(text, max(line, begin - _REACH, 0), match.start()):
                yield begin, begin + len(secret), KIND
    if any(map(lowered.__contains__, PASSWORDS_ABROAD)):
        for match in _ABROAD.finditer(text):
            secret = match["secret"].rstrip(".,:;)]}>\"'`")
            if _CHOSEN.fullmatch(secret) and is_held_value(secret):
                begin = match.start("secret")
                yield begin, begin + len(secret), KIND


def _renewed(text: str, lowered: str) -> Iterator[Span]:
    """One secret and the other that came for it."""
    if not all(any(map(lowered.__contains__, clues)) for clues in (_RENEWAL_CLUES, _RENEWED_CLUES)):
        return
    for match in _OLD_AND_NEW.finditer(text):
        around = max(match.start() - (_NEXT if match["from"] else _REACH), 0), match.end() + _REACH
        if _CHOSEN_RENEWALS.search(text, around[0], match.start() if match["from"] else around[1]) is None:
            continue
        values = {name: match[name].rstrip(".:!?)]}»”") for name in ("old", "new")}
        are_made = any(map(_is_made, values.values()))
        are_words = len(set(values.values())) > 1 and all(
            value.isalpha() and not is_plain_word(value) for value in values.values()
        )
        is_change = match["from"] is None or (
            _CHANGES.search(text, *around) is not None
            and (are_made or _DIRECTLY.search(text[around[0] : match.start()]) is not None)
        )
        for name, value in values.items() if is_change and (are_made or are_words) else ():
            if is_held_value(value) and not is_plain_word(value) and not is_technical(value):
                yield match.start(name), match.start(name) + len(value), KIND
    for match in _RENEWED.finditer(text):
        secret = match["secret"].rstrip(".:!?)]}»”")
        begin = match.start("secret")
        words = text[max(begin - _FAR, 0) : begin]
        if ((is_random(secret, 12) or is_mixed(secret)) and _RENEWALS.search(words)) or (
            is_chosen(secret) and _CHOSEN_RENEWALS.search(words)
        ):
            yield begin, begin + len(secret), KIND


def _is_made(value: str) -> bool:
    """Whether it is made up of letters with digits or signs, as no thing is called that goes from one to the other."""
    is_mixture = any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and len(value) > 5
    return is_mixture and is_held_value(value) and not is_technical(value) and "/" not in value


def _is_phrase(match: re.Match[str]) -> bool:
    """Whether it is words in small letters without those that make a sentence."""
    phrase = match["phrase"]
    words = re.findall(r"[A-Za-z]+", phrase)
    is_closed = match["quote"] is not None and match["end"].strip() != ""
    if (is_closed and len(words) == 2 and phrase[-1].isdigit()) and SPEECH.isdisjoint(map(str.lower, words)):
        return True
    if (" " not in phrase and len(words) < 4) or not SPEECH.isdisjoint(word.lower() for word in words):
        return False
    if not match["sign"] and not is_closed:
        return False
    is_small = phrase.islower() or all(word.istitle() for word in words)
    is_of_key = (
        len(words) == 3
        and "passphrase" in match[0].lower()
        and _OF_KEY.search(match.string, max(match.start() - _REACH, 0), match.start("phrase")) is not None
    )
    least = 3 if is_closed or (is_of_key and all(map(is_own_word, words))) else 4
    return is_small and len(words) >= least and len(phrase) <= _LONGEST
