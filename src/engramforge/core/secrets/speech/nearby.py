"""Runs of chance near a word for a secret, in speech, code, logs and settings, before or after it.

The nearest word that says what a run is decides: `token`, `secret`, `api key`, or `commit`, `digest`, `public key`. Of
words that belong together (`the token of the user`) the first does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from engramforge.core.secrets.chance import KIND, MARK, is_public_id, is_random
from engramforge.core.secrets.service_tokens import PUBLIC_PREFIXES, Span
from engramforge.core.text.late_pattern import late

_CANDIDATE: Final = late(r"(?<![\w+/.~@-])[A-Za-z0-9_+/][\w+/.~!#$%^&*-]{11,2000}={0,2}")
_NOUN: Final = late(
    r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?i:"
    # What everybody may see.
    r"(?P<public>(?:public|publishable|cache|partition|primary|foreign|sort|object|s3|row|page|cursor|continuation|sync"
    r"|idempotency|dedup|index|group|host|site|next|gpg|pgp|kms|anon|evaluated|start|natural|schema|event"
    r"|composite|bucket|websocket)[ _-]?(?:keys?|tokens?)|(?:token|key|session|user)[ _-]?(?:ids?|name|path)"
    r"|(?:tokens?|keys?|secrets?|passwords?)[ _-]?(?:hash|digest|checksum|sha\d*|fingerprint|size|count|version|file)"
    r"|did:key|commits?|sha-?\d*|digests?|hash(?:es|ed)?|checksums?|md5|uuid|guid|ulid|ids?|identifiers?"
    r"|fingerprints?|etag"
    r"|requests?|trace(?:id)?|span|cursor|page|messages?|msg|caches?|order|tracking|serial|images?|public|publishable"
    r"|integrity|revisions?|rev|branch|ref|file|filename|path|versions?|release|tag|builds?|run|job|pod|container"
    r"|nodes?|address|contract|txid|tx|transaction|block|row|record|users?(?!Defaults)|customer|tenant|project|channel"
    r"|video|playlist"
    r"|documents?|docs|sheet|nonce|certificates?|cert|csr|model|snapshot|layer|artifacts?|object|bucket|host|hostname"
    r"|domain|number|ticket|invoice|coupon|issue|event|thread|batch|ssh-rsa|ssh-ed25519|ecdsa|base64(?!String"
    r"|_?decode|url)|b64(?!_?decode)|patch|diff"
    r"|merge|deployed|deployment|sample|fixture|plugin|class|function|method|variable|constant|import|device"
    r"|template|package|module|index|chunk|asset|namespace|cluster|conversation)"
    # What is secret, and what needs a longer run to be taken for it.
    r"|(?P<strong>(?:api|access|auth|merchant|partner|private|signing|encryption|secret|master|service|admin|client"
    r"|license|licence|root|storage|shared|deploy|hmac|aes|jwt|account|session|integration|app|server|consumer|write"
    r"|read|ingest|unseal|wallet|recovery|certificate)[ _-]?keys?|(?-i:[a-z]{0,16}|[A-Z]{0,16})(?:tokens?"
    r"|secreto|secrets?(?:[ _-]?id)?)|pat|bearer|credentials?|creds|[a-z]{0,8}passw(?:or[dt]|d)s?|kennwort"
    r"|passphrases?|passcode|pwd|(?-i:PK|SK)|privkey|jetons?|contraseñas?|mots? de passe|mdp|psk|wif"
    r"|zugangsdaten|identifiants)|(?P<weak>(?-i:[a-z]{0,20}|[A-Z]{0,20})keys?|auth|session|cookies?|salt"
    r"|pepper|login|\w{0,20}schlüssel|clés?|claves?|llaves?|signing|webhook|hmac|jwt|pass|seed|authorization"
    r"|unseal|private|license|licence))(?![a-z])"
)
_GOES_ON: Final = late(r" (?!(?:for|of|from|to|in|on|you|we|für|pour|para|de|and|und|et|y|is|was)\b)[a-z]+")
"""Behind the word for a secret, where it is told what becomes of one: `b50... (token refresh ran twice)`."""
_REACH: Final = 80
_LONG: Final = 40
_RUN: Final = late(r"[A-Za-z0-9+/_-]++={0,2}\n")
_BELONGS: Final = late(
    r"[ \t]{1,8}+(?:of|for|in|on|to|from|at|by|de|du|des|del|pour|para|für|von|vom"
    r"|zum)(?:[ \t]{1,8}+[\w'-]{1,20}){0,2}[ \t]{0,8}+"
)
_CONNECTIVE: Final = late(
    r"[\"'`)\]]{0,2}(?:[ ]for[ ][\w.-]{2,20})?(?:[ \t]*(?:is|was|ist|lautet|est|es|are|now|here|new|the|hex|\(hex\)"
    r"|value|#?\d{1,2}|[:=,\u2013\u2014-]{1,2}>?))*[ \t\n]*(?:(?:new[ ])?[A-Za-z_][\w.:]{1,40}\(\s?)?b?[\"'`]?",
    re.IGNORECASE,
)
_AFTER: Final = late(
    r"[\"'`)\]]{0,3}:?[ \t]{0,8}+(?:(?:[;,(/#=\u2013\u2014-]{1,2}|<-|\u2190)[ \t]{0,8}+|(?:that's|which is|it's"
    r"|das ist|c'est)[ \t]{1,8}+|(?:is|as|in as|est|es|ist|als|como|comme)[ \t]{1,8}+){1,2}"
    r"(?:(?:the|my|our|a|your|this|that|new|das|der|die|mein|le|la|mon|ma|el|mi|un|una)[ \t]{1,8}+){0,2}(?=\w)",
    re.IGNORECASE,
)
_WORDS_AFTER: Final = late(r"[\w-]{1,20}")
_SETS: Final = late(r"([\w-]{1,60})[\"']?=[\"']?$")
_PUBLIC_BEGIN: Final = late(
    r"(?:sha|md|blake|h)\d{1,3}[-:=_]|AAAA[BCE][23][NV]|iVBORw0|R0lGOD|/9j/|d09GM|data:|v?\d+\.\d+|age1[a-z\d]{50}"
    r"|[a-z]{3,20}/(?:[a-z]{3,20}/|\d{1,4}/){1,9}",
    re.IGNORECASE,
)
_OF_CACHE: Final = late(r"(?:[A-Za-z][\w.]{1,20}-){2,9}[\w.-]{0,40}[0-9a-f]{32,64}\Z")
"""Several words before a digest, as caches of builds are called."""
_WORD: Final = late(r"[A-Za-z]?[a-z]{2,}|[A-Z]{3,}")
_CHUNK: Final = late(r"[A-Za-z0-9+]+")
_FILE: Final = late(r"\.[a-z]{1,5}\d?$")


def names_public(words: str) -> bool:
    """Whether one of the words is for what everybody may see."""
    return any(noun.lastgroup == "public" for noun in _NOUN.finditer(words))


def calls_secret(words: str) -> bool:
    """Whether one of the words is for a secret."""
    return any(noun.lastgroup == "strong" for noun in _NOUN.finditer(words))


_HOST: Final = late(r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}\.[a-z]{2,10}")
_OF_SERVICE: Final = late(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+|\.[a-z]{2,4})[ ][Kk]ey[ ]\Z")
_LEAST: Final = {"strong": 16, "weak": 20}


def nearby(text: str, found: Sequence[Span]) -> Iterator[Span]:
    """Spans of runs of chance that a word near them calls secret; not again of those that lie within one of `found`."""
    known = sorted(span[:2] for span in found)
    begins = [begin for begin, _ in known]
    reaches = list(accumulate((end for _, end in known), max))
    for match in _CANDIDATE.finditer(text):
        begin, end = match.span()
        while text[end - 1] in ".!-":
            end -= 1
        run = text[begin:end]
        if not any(map(str.isdigit, run)) or _PUBLIC_BEGIN.match(run):
            continue
        if text[max(begin - 3, 0) : begin] == "h1:" or _HOST.fullmatch(run):
            continue  # a digest of Go, a host
        is_id = is_public_id(run)
        at = bisect_right(begins, begin) - 1
        if at >= 0 and end <= reaches[at]:
            continue
        if (len(run) < 32) if is_id else (not _is_chance(run)):
            continue
        if _is_called_secret(text, begin, end, len(run), is_id):
            yield begin, end, KIND


def _is_chance(run: str) -> bool:
    """Whether it is one of chance even without the words in it: names of pods have a tail of chance."""
    if not is_random(run) or _FILE.search(run):
        return False
    if is_public_id(run.rsplit("/")[-1]) or _OF_CACHE.match(run):
        return False
    chunks = [chunk for chunk in _CHUNK.findall(run) if not _WORD.fullmatch(chunk)]
    if len(chunks) == 1 and is_public_id(chunks[0]):
        return False
    return (
        sum(map(len, chunks)) >= 16
        and run.split("_", 1)[0].lower() not in PUBLIC_PREFIXES
        and (run.split("-", 1)[0].lower() not in PUBLIC_PREFIXES)
    )


def _is_set_to_number(before: str, run: str, at: int) -> bool:
    """Whether a hexadecimal number, but no UUID, is the value of a word that also means other things."""
    return "-" not in run and re.search(r"=|:[\s\"']", before[at:]) is not None


def _is_called_secret(text: str, begin: int, end: int, size: int, is_id: bool) -> bool:
    lowest = max(begin - _REACH, 0)
    line = text.rfind("\n", lowest, max(begin - 1, lowest))
    lowest = max(lowest, line + 1)
    mark = text.rfind(MARK, lowest, begin)
    before = text[lowest if mark < 0 else text.find("]", mark) + 1 : begin]  # its kind is no word of the text
    if len(before) > _LONG and before[-1] == "\n" and _RUN.fullmatch(before) and is_random(before[:-1]):
        before = ""  # the line above is one of chance itself
    nouns = list(_NOUN.finditer(before))
    at = len(nouns) - 1
    while at > 0 and _BELONGS.fullmatch(before, nouns[at - 1].end(), nouns[at].start()):
        at -= 1
    if at >= 0:
        noun = nouns[at]
        name = _SETS.search(before)
        if name is not None and name.start() > noun.end():
            return False
        if "arn:" in before[before.rfind(" ") + 1 :]:
            return False
        kind = noun.lastgroup or ""
        if kind != "public":
            is_direct = _CONNECTIVE.fullmatch(before, noun.end()) is not None
            if is_id:
                is_of_service = size == 32 and _OF_SERVICE.search(before) is not None
                is_set = _is_set_to_number(before, text[begin:end], noun.end())
                return is_direct and (kind == "strong" or is_of_service or is_set)
            return size >= _LEAST[kind]
        if not is_id and kind == "public" and len(before) - noun.end() < 12:
            return False
    after = _AFTER.match(text, end, end + 60)
    if after is None:
        return False
    for word in _WORDS_AFTER.finditer(text, after.end(), after.end() + 40):
        noun_after = _NOUN.match(text, word.start())
        if noun_after is not None:
            kind = noun_after.lastgroup or ""
            if is_id and _GOES_ON.match(text, noun_after.end()):
                return False
            return kind == "strong" or (kind == "weak" and (not is_id or " as " in after[0]))
        if word.end() < len(text) and text[word.end()] not in " -":
            return False
    return False
