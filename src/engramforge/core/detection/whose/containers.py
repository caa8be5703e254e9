"""What a message marks as somebody else's text: tags, fences, quotations, mails, outputs, logs of talks.

A page that is put between marks may hold such marks itself, to seem to end early. So what lies between the first and
the last mark of a kind is held to be inside wherever prose is inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.detection.whose.quotations import SEVERAL, Span, quoted
from engramforge.core.names.given_names import FIRST_NAMES
from engramforge.core.text.late_pattern import late

_OPEN: Final = late(r"<(?P<name>[^\W\d_][\w:.-]{0,60})(?:\s[^<>]{0,400})?(?<!/)>")
_CLOSE: Final = late(r"</\s*(?P<name>[^\W\d_][\w:.-]{0,60})\s*>")
_BRACKET_OPEN: Final = late(r"\[(?P<name>[^\W\d_]\w{2,30})(?:[ =:][^\[\]\n]{0,100})?\](?!\()")
_BRACKET_CLOSE: Final = late(r"\[/\s*(?P<name>[^\W\d_]\w{2,30})\s*\]")
FORMATTING: Final = "b|i|u|s|em|strong|sub|sup|kbd|mark|small|br|hr|img|input|wbr"
_ROLE_TOKEN: Final = late(r"<\|[\w ]{1,40}\|>|\[/?INST\]|<<SYS>>")
_FENCE: Final = late(r"```+|~~~+")
_TRIPLE: Final = late(r'"""|\'\'\'|<<<+|(?<!>)>{3,}+(?=\s*$)', re.M)
_PROSE: Final = late(
    r"(?:^|[\s\"'(])[A-Za-z][\w'\u2019-]{0,40}+(?:,? [\w'\u2019-]{1,40}+){3,40}[.!?:](?=\s|$)", re.M
)
_WRAPPED_IN: Final = late(r"[^\w\s]{1,6}\s?")
_MIRRORED: Final = str.maketrans("([{<", ")]}>")
_QUOTE_LINE: Final = late(
    r"[ \t]{0,3}(?:>|\"\s|\+ |bq\. |\.\. \w+::|:{3}|[\u2605\u2606]{3}|[\u23bf\u23fa\u2514\u251c\u2570]|\u2502"
    r"|\u2503|\u258c|\|)"
)
_MOST_FENCES: Final = 20
_HEAD: Final = 400
"""How much of a line is looked at, without the blanks around it."""
_STAMPED: Final = late(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|[\[(]?\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?[\])]?\s"
    r"|\[?[A-Z][a-z]{2} \d{1,2} \d\d:\d\d"
    r"|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b[: \]]"
    r"|[IWEF]\d{4} \d\d:|[A-Z][A-Z0-9_]{2,40}=\S|TOP \d{1,3}[.:]"
    r"|(?:[*|/\\ ]{0,12}|(?:pick|squash|fixup|reword|edit|drop) )(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\s"
    r"|[^\t]{0,80}\S\t[^\t]{0,80}(?:\t|\Z))"
)
"""A line of a log, of a history of commits, or of a table."""
_COMMENT: Final = late(r"(?://|/\*|\*/|;;|%%)")
_DOUBLED: Final = late(r"(?<!\()\({2,}(?=\w)|(?<!\{)\{{2,}(?=\w)")
_BLOCK_COMMENT: Final = late(r"(?s)/\*.*?(?:\*/|\Z)")
_FIELDS: Final = late(r"[ \t]*[A-Z][\w ]{1,24}:(?:\s|$)")
_NUMBERED_CASE: Final = late(
    r"(?i)\s*(?:issue|ticket|pr|mr|(?:pull|merge) request|bug|story|epic|case|incident"
    r"|task)\s*#?\s?[\w-]{0,10}\d+\s*[:\u2014\u2013-]"
)
_PATCH: Final = late(r"(?:diff --git |@@ -\d|--- a/|\+\+\+ b/|index [0-9a-f]{7})")
_PATCH_LINE: Final = late(r"[+-](?=\S)(?:[-*+#]{1,6}[ ]|(?![-*+]?\s))|[+-]{3} |@@")
_CONTEXT_LINE: Final = late(r"[ +\\@-]")
_BLOCK_KEY: Final = late(r"(?P<depth>\s*)(?:- )?[\"']?[\w.-]{1,40}[\"']?:\s*[|>][+-]?\d?\s*\Z")
"""A key whose value are the lines below it that stand deeper."""
_INDENTED: Final = late(r"(?:\t| {4,}+)[^\n]{0,200}?[A-Za-z]{2}")
_LISTED: Final = late(r"\s*(?:[-*+\u2022]|\d{1,3}[.)])\s")
_JSON: Final = late(
    r"\s*(?:\{\{|\[\[)|\s*-\s+(?:id|_id|uuid|key|uid|ref|number|name|type|kind)\s*:\s*\S"
    r"|\s*(?:[\w.-]{1,40}\s*[:=]\s*)?(?:\{\s*(?:[\"'}\n]|$)|\[\s*(?:[{\"']|$))"
)
_PLAIN: Final = late(r"[^\[{-]*+\Z")
_ENDS: Final = ("", ".", "!", "?", ",")
_SHELL: Final = late(
    r"\s{0,3}(?:[$!]\s+\S|%%\w|[%\u276f\u279c\u03bb]\s+\S|>>>\s|[a-z]\w{1,20}(?:=[#>]|>)\s+\S|In \[\d+\]:"
    r"|PS [A-Z]:\\[^>\n]*>|[A-Z]:\\[^>\n]*>"
    r"|(?:\([\w.-]+\)\s*)?[\w.-]+@[\w.-]+[: ][^$#\n]{0,80}[$#]\s|\[[\w.-]+@[\w.-]+ [^\]\n]{1,80}\][$#]\s"
    r"|#\s*(?:cat|curl|wget|ls|grep|git|less|head|tail|echo|man|docker|kubectl)\s+\S"
    r"|(?:cat|curl|wget|less|head|tail|echo|man|kubectl|docker|git|gh|psql|pip|npm) (?:-|\S+[./])\S*\s*$)"
)
_FAILURE: Final = late(
    r"\s*(?:[A-Za-z.]{0,40}(?:Error|Exception)|Traceback[\w ()]{0,40}|panic|npm (?:ERR!|WARN)"
    r"|fatal)(?:\s*\[[^\]\n]{0,40}\])?(?::|(?<=npm ERR!)|(?<=npm WARN))\s"
)
_RULED: Final = late(
    r"\d\d:\d\d:\d\d\S{0,8} --> |\s*(?!\*\*[^*\n]*\*\*\s*$)(?:[-=*_~#<>+"
    r"|\u2500\u2501\u2550]{2,}\s*\[?[A-Za-z][^\n]{0,100}?\]?\s*[-=*_~#<>+|\u2500\u2501\u2550]{2,}"
    r"|[-=*_~#<>]{0,10}\s*\[?(?:BEGIN|START|END)\b[^\n]{0,80}|\[(?:attach\w*|file|document|page|image|pasted"
    r"|quote|source|[A-Z]{4,})\b[^\]\n]{0,100}\]"
    r"|(?:re|aw|wg|subject|betreff|objet|asunto)\s*:(?![^\n]*\b(?:we|i|wir|nous|[dt]-?\d+)\b)[^\n]{0,80}"
    r"|(?:attachment|upload(?:ed)?|attached|file(?:name)?|fwd|fw|source|path|url|title)\s*:[^\n]{0,200})\s*$",
    re.I,
)
_RULE: Final = late(r"\s*(?:[-=*_~#+]{3,}|[\u2500\u2501\u2550\u2014]{3,}|(?:[-*_] ){2,}[-*_])\s*$")
_MAIL_HEADER: Final = late(
    r"\s*[*_]{0,2}(?:from|to|cc|bcc|sent|date|subject|reply-to|von|an|gesendet|datum|betreff|de|\u00e0"
    r"|envoy\u00e9|objet"
    r"|para|enviado|asunto|fecha|da|oggetto|data)[*_]{0,2} ?:\s*\S",
    re.I,
)
_WROTE: Final = late(
    r"(?i)\s*(?:on\b[^\n]{4,120}\b(?:wrote|writes)\s*:|(?:[-_*]{2,}\s*)?(?:begin )?(?:forwarded|original) message\b"
    r"|am\b[^\n]{4,120}\bschrieb\b[^\n]{0,60}:|le\b[^\n]{4,120}a \u00e9crit\s*:"
    r"|(?:sent from my|envoy\u00e9 de(?:puis)? mon|gesendet (?:von|mit)|von meinem|enviado desde) \w+"
    r"|(?:disclaimer|(?:confidentiality|legal) notice|haftungsausschluss|aviso legal|avertissement)\s*[:.]"
    r"|[^\n<>]{0,120}<[^\s<>@]{1,80}@[^\s<>]{1,80}>\)?[^\n:]{0,60}:\s*\Z"
    r"|el\b[^\n]{4,120}escribi\u00f3\s*:|il\b[^\n]{4,120}ha scritto\s*:|(?:-{2,} ?)?(?:anfang der )?(?:weitergeleitete"
    r"|urspr\u00fcngliche)\w? nachricht|(?:-{2,} ?)?(?:message (?:transf\u00e9r\u00e9|d'origine)"
    r"|mensaje (?:reenviado|original)))"
)
_TIME: Final = (
    r"(?:(?:\d{1,3}|an?|vor \d+|il y a \d+|hace \d+) ?(?:s|m|h|d|w|sec\w*|min\w*|hours?|days?|weeks?|months?|years?"
    r"|stunden?|tage?n?|wochen?|heures?|jours?|semaines?|horas?|d\u00edas?|semanas?)(?: ago)?"
    r"|yesterday|today|just now|last \w+|gestern|heute|hier|ayer|hoy|on \w{3,9} \d{1,2}(?:, \d{4})?"
    r"|(?:on )?\d{1,4}[./-]\w{2,3}[./-]\d{2,4}(?:,? (?:at )?\d\d?:\d\d(?: ?[ap]m)?)?|\d\d?:\d\d(?: ?[ap]m)?)"
)
_BYLINE: Final = late(
    rf"(?i)\s*+(?!(?:i|we|ich|wir|je|nous|yo)\b)[*_@(\[]{{0,3}}+\w[^\n.!?:]{{1,60}}?\b(?:(?:commented|replied"
    rf"|wrote|posted|opened|closed"
    rf"|merged|reviewed|approved|requested changes|(?:added|left) a comment|answered|asked|edited|reported|created"
    rf"|said|submitted|kommentiert\w*|schrieb|antwortete|a (?:comment\u00e9|r\u00e9pondu|\u00e9crit)"
    rf"|coment\u00f3|escribi\u00f3|respondi\u00f3)\b(?:[^\n.!?:]{{0,60}}?\s\W{{0,3}}{_TIME}| this issue)"
    rf"|[^\n.!?:]{{0,30}} {_TIME} kommentiert)\b[^\n.!?]{{0,40}}:?\s*\Z"
    rf"|\s*+(?:[A-Z]\w+ [A-Z]\w+|@\w+|\w+ [\u00b7\u2022|])\s+{_TIME}\s*\Z"
    r"|\s*+(?:posted|written|opened|submitted|asked|answered|published|reported) (?:by|on)\b[^\n.!?:]{1,60}\Z"
    rf"|\s*+{_TIME},? \w+(?: \w+)? (?:wrote|commented|said|posted)\s*:?\s*\Z"
)
"""Who wrote what comes below, and when."""
_SIGNED: Final = late(r"\s*--\s*\Z")
_TAIL: Final = late(
    r"(?i)\s[(\[](?:source|quelle|fuente|quoted|credit)\b[^()\n]{2,120}[)\]]\W*\Z|\s(?:source|quelle|fuente"
    r"|via):\s*\S{3,200}\Z|[.!?][\"')]?\s+[(\[](?:via|from|aus|h/t|as seen)\b[^()\n]{2,120}[)\]]\W*\Z"
    r"|[.!?][\"')]?\s+[-\u2013\u2014~/]{1,2} ?@?(?-i:[A-Z])\w+(?: (?-i:[A-Z])[\w.]+){0,3}(?:, [^\n.!?]{2,60})?\Z"
    r"|\s[-\u2013\u2014]{1,2} ?(?-i:[A-Z]\w+ [A-Z]\w+), [^\n.!?]{2,60}\Z"
    r"|[.!?]\s+(?:\((?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?\)|\[(?:emphasis|sic|translat|abridged)[^\]\n]{0,60}\]"
    r"|(?:copyright|\(c\)|\u00a9|all rights reserved)[^\n]{0,60})\W*\Z"
)
"""Ends a text with where it is from."""
_SOURCE: Final = late(
    r"(?i)[\s(\[*_]*(?:sources?|via|credits?|quelle|fuente|retrieved|(?:copied|pasted|taken|quoted) from|excerpt from"
    r"|aus|from)\b\s*:?\s*\S[^\n]{0,200}\Z|\s*\[\d{1,3}\]:?\s*(?:https?:|www\.)|\s*\d\d?:\d\d(?: ?[ap]m)? \u00b7 "
    r"|\s*(?:tel|phone|mobile|mobil|fax)\b[.:]{0,2}\s*[+(\d][\d ()/-]{6,30}\Z"
)
_ROLE: Final = late(
    r"(?i)\s*+(?:[\[(*_#<-]{1,4}+\s*+)?(?:user|human|assistant|system|developer|bot|tool|function|agent"
    r"|claude|chatgpt|gpt|sub-?agent|(?:speaker|participant|sprecher\w*|teilnehmer\w*"
    r"|voice) \d)(?:[ _-]?(?:\d{1,3}|message|turn|role|call|result|output|response|report"
    r"|says|said))?\s*+(?:[\])*_>]{1,4}\s*+)?(?::|\u2192|->|=>|>\s|(?<=[\])] )|$)"
)
_SPEAKER: Final = late(r"(?i)\s*[*_]{0,2}(?:user|human)[*_]{0,2}:")
"""A turn that begins with the name of who speaks."""
_REPORTER: Final = (
    r"(?:tool|function|search|shell|terminal|command|console|sub-?agent|agent|browser|web|fetch(?:ed)?"
    r"|crawl(?:ed)?|api|mcp|grep|http|script|build|ci|test|query|page|document|file|attachment|attached"
    r"|e-?mail|article|transcript|clipboard|forwarded|retrieved|scraped|pasted|cached|explore|research"
    r"|task)[ _-](?:[\w'.-]++\s++){0,2}(?:outputs?|results?|responses?|reports?|returns?|returned|findings?"
    r"|contents?|texts?|body|summary|excerpts?|dump|says|said|logs?|answers?|replied|reads|snippets?|data"
    r"|finished|completed|thread)\b"
)
_REPORT: Final = late(
    rf"(?i)\s*+(?:[\[(*_#{{<=-]{{1,6}}+\s*+)?(?:(?!(?:we|i)\b)[\w'./-]++\s++){{0,4}}?{_REPORTER}[^:\n]{{0,60}}(?::"
    rf"|\u2192|->|=>)|\s*+\[\s*+(?:[\w'./-]++\s++){{0,3}}?{_REPORTER}[^\]\n]{{0,40}}\]"
    rf"|\s*+[\[(*_#{{<=-]{{1,6}}+\s*+(?:[\w'./-]++\s++){{0,4}}?{_REPORTER}[^:\n]{{0,60}}$|\s*+{_REPORTER}\s*+$"
)
_TALKER: Final = late(
    r"\s*(?:\[[^\]\n]{1,40}\]\s*|\(?\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?\)?\s*[-,]?\s*)?"
    r"[*_<@]{0,3}(?P<who>[A-Z][\w.'\u2019-]{0,30}(?: [A-Z][\w.'\u2019-]{0,30}){0,2}|[a-z][\w.-]{1,30})[*_>]{0,3}"
    r"(?:\s*\([^)\n]{1,40}\))?\s*:[*_]{0,2}\s+\S"
)
_LABELLED: Final = late(r"\s*\[(?!(?:[ xX]|[DTdt]-?\d+)\])[^\]\n]{1,40}\]\s+\w")
_NO_TALKER: Final = late(
    r"(?i)(?:(?:final |key |our |the |new )?decisions?|decided|rationale|reason\w*|why|because|alternatives?"
    r"|options?|rejected|considered|todo|to-do|fixme|open|next|resolved|closed|done|fixed|blocked|blockers?"
    r"|status|context|consequences?|outcome|agreed|policy|rule|plan|note|update|action\w*|follow-?ups?"
    r"|pending|thread|question|risk|issue|priority|owner|deadline|goal|background|summary|motivation|verdict"
    r"|conclusion|resolution|scope|settled|approved|accepted|selected|chosen|verworfen|entscheidung|beschluss"
    r"|offen|reminder|fyi|ps|p\.s\.|[dt]-?\d+|adr\S*|dec\S*|thr\S*|https?|also|ok|okay|so|first|second|third"
    r"|today|yesterday|tomorrow|later|remaining|outstanding|missing|left|parking lot|parked|ai|unresolved"
    r"|known \w+)\Z"
)


def contained(text: str, *, is_person: bool) -> list[Span]:
    """The spans of a text that its marks say are somebody else's, or code; unsorted, they may overlap.

    `is_person`: whether a person wrote it. An assistant divides what it writes by rules and labels.
    """
    spans = [*_tagged(text), *_fenced(text), *quoted(text)]
    bare = text.strip()
    if is_person and (wrapped := _WRAPPED_IN.match(bare)) and _closes(bare, wrapped[0]):
        spans.append((0, len(text)))
    if (token := _ROLE_TOKEN.search(text)) is not None:
        spans.append((token.start(), len(text)))
    if ("((" in text or "{{" in text) and (opened := _DOUBLED.search(text)) is not None:
        closed = max(text.rfind("))"), text.rfind("}}"))
        spans += [(opened.start(), closed + 2)] if closed > opened.start() else []
    spans += ((hit.start(), hit.end()) for hit in _BLOCK_COMMENT.finditer(text)) if "/*" in text else ()
    spans += _by_lines(text, is_person=is_person)
    return spans


def enclosed(text: str) -> list[Span]:
    """The spans that marks begin and end: tags, fences, quotations, rules."""
    rules = [begin for begin, line in _lines(text) if _RULE.match(line)]
    between = [(rules[0], rules[-1])] if len(rules) > 1 else []
    return [*_tagged(text), *_fenced(text), *quoted(text), *between]


def unopened(text: str) -> list[Span]:
    """The spans that only a closing mark shows, from the text's beginning on."""
    return [(0, last.end()) for _, first, last in _tags(text) if last is not None and not _opens(first, last)]


def _closes(bare: str, mark: str) -> bool:
    """Whether a text of several sentences, or one between doubled marks, ends with what it begins with, mirrored."""
    is_closed = bare.endswith(mark.strip()[::-1].translate(_MIRRORED)) and len(bare) > 2 * len(mark)
    is_marked = len(mark.strip()) > 1 and mark[0] not in "*_"
    return is_closed and (is_marked or SEVERAL.search(bare, 0, len(bare) - len(mark)) is not None)


def _tags(text: str) -> Iterator[tuple[bool, re.Match[str] | None, re.Match[str] | None]]:
    """For each name of a mark whether it is a tag, its first opening mark and its last closing mark."""
    for sign, opening, closing in (("<", _OPEN, _CLOSE), ("[", _BRACKET_OPEN, _BRACKET_CLOSE)):
        if sign not in text:
            continue
        firsts: dict[str, re.Match[str]] = {}
        for hit in opening.finditer(text):
            firsts.setdefault(hit["name"].casefold(), hit)
        lasts = {hit["name"].casefold(): hit for hit in closing.finditer(text)}
        for name in (firsts.keys() | lasts.keys()) - frozenset(FORMATTING.split("|")):
            yield sign == "<", firsts.get(name), lasts.get(name)


def _opens(first: re.Match[str] | None, last: re.Match[str]) -> bool:
    return first is not None and first.start() < last.start()


def _tagged(text: str) -> Iterator[Span]:
    """Between the first opening and the last closing mark of each name; to the end where none closes."""
    for is_tag, first, last in _tags(text):
        if last is not None:
            yield first.start() if first is not None and _opens(first, last) else 0, last.end()
        elif first is not None and is_tag and _is_alone(text, first):
            yield first.start(), len(text)


def _is_alone(text: str, hit: re.Match[str]) -> bool:
    """Whether a mark begins or ends its line, as one that opens a block does."""
    before = text[max(0, hit.start() - 200) : hit.start()].rpartition("\n")[2]
    after = text[hit.end() : hit.end() + 200].partition("\n")[0]
    return not before.strip() or not after.strip()


def _fenced(text: str) -> Iterator[Span]:
    for mark, signs in ((_FENCE, ("```", "~~~")), (_TRIPLE, ('"""', "'''", "<<<", ">>>"))):
        marks = list(mark.finditer(text)) if any(sign in text for sign in signs) else []
        if not marks:
            continue
        ends = [hit.end() for hit in marks]
        pairs = list(zip(marks[::2], marks[1::2], strict=False))
        holds_prose = any(_PROSE.search(text, begin.end(), end.start()) for begin, end in pairs)
        if len(marks) % 2:
            yield marks[0].start(), len(text)
        elif holds_prose:
            yield marks[0].start(), ends[-1]
        else:
            yield from ((begin.start(), end.end()) for begin, end in pairs)


def _by_lines(text: str, *, is_person: bool) -> Iterator[Span]:
    lines = _lines(text)
    heads = [(begin, line.strip()[:_HEAD]) for begin, line in lines]
    fences = [] if "```" not in text else list(_fenced(text))
    bare = [head for head in heads if not any(begin <= head[0] < end for begin, end in fences[:_MOST_FENCES])]
    # What a fence holds ends with it.
    held = _rest_of(bare or heads, is_person=is_person)
    rules = [begin for begin, line in heads if _RULE.match(line)]
    if is_person and len(rules) > 1:
        yield rules[0], rules[-1]
    if held is not None:
        yield held, len(text)
    is_patch = is_hunk = False
    last, was_listed, depth = "", False, -1
    for begin, line in lines:
        # A quotation goes on in a paragraph's further lines, but not behind a question, which is answered below it.
        is_wrapped = bool(_QUOTE_LINE.match(last)) and not last.rstrip().endswith("?")
        is_patch = is_patch or _PATCH.match(line) is not None
        is_hunk = is_patch and (
            line.startswith("@@") or (is_hunk and _CONTEXT_LINE.match(f"{line} ") is not None)
        )
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            depth = -1
        is_held = (
            _QUOTE_LINE.match(line)
            or (is_wrapped and line.strip())
            or _STAMPED.match(line.lstrip())
            or _COMMENT.match(line.lstrip())
            or is_hunk
            or depth >= 0
            or (is_patch and _PATCH_LINE.match(line))
            or (_INDENTED.match(line) and not was_listed)
        )
        if (key := _BLOCK_KEY.match(line)) is not None:
            depth = len(key["depth"])
        if is_held:
            yield begin, begin + len(line)
        if line.strip():
            was_listed = bool(_LISTED.match(line)) or (was_listed and bool(_INDENTED.match(line)))
            last = f"> {line}" if is_wrapped and not _QUOTE_LINE.match(line) else line
        else:
            last = ""


def _rest_of(lines: list[tuple[int, str]], *, is_person: bool) -> int | None:
    """Where a text begins that goes on to the end: a mail, an output, a record, a log of a talk."""
    begins = [
        begin
        for begin, line in lines
        if _WROTE.match(line)
        or (begin < lines[-1][0] and line[-1:] not in _ENDS and _BYLINE.match(line))
        or (is_person and _SIGNED.match(line))
        or (_ROLE.match(line) and not (begin == 0 and _SPEAKER.match(line)))
        or _REPORT.match(line)
        or _RULED.match(line)
        or _SHELL.match(line)
        or _FAILURE.match(line)
        or (not _PLAIN.match(line) and _JSON.match(line))
    ]
    roles = [line for _, line in lines if _ROLE.match(line)]
    if any(not _SPEAKER.match(line) for line in roles) and (len(roles) > 1 or not _ROLE.match(lines[0][1])):
        # The first turn of a talk may have lost its name: it stands before the message.
        begins.append(0)
    last = next((line for _, line in reversed(lines) if line), "")
    if is_person and (_TAIL.search(last) or (last != lines[0][1] and _SOURCE.match(last))):
        begins.append(0)
    headers = [begin for begin, line in lines if _MAIL_HEADER.match(line)]
    begins += headers[:1] if len(headers) > 1 else []
    if lines and _NUMBERED_CASE.match(lines[0][1]) and any(_FIELDS.match(line) for _, line in lines[1:]):
        begins.append(0)
    talk = [begin for begin, line in lines if is_person and _talks(line)]
    is_named = len(talk) == 1 and any(_is_named(line) for _, line in lines)
    begins += talk[:1] if len(talk) > 1 or is_named else []
    return min(begins, default=None)


def _talks(line: str) -> bool:
    """Whether a line is somebody's turn in a log of a talk."""
    return (line.startswith("[") and _LABELLED.match(line) is not None) or bool(talker(line))


def talker(line: str) -> str:
    """Whose turn a line is in a log of a talk; "" for nobody's."""
    hit = _TALKER.match(line[:200])
    return hit["who"] if hit is not None and _NO_TALKER.match(hit["who"]) is None else ""


def _is_named(line: str) -> bool:
    """Whether a line begins with a person's first name, or how they are addressed, as it is copied from a talk."""
    hit = _TALKER.match(line[:200])
    if hit is None:
        return False
    return line[: hit.start("who")].endswith("@") or hit["who"].partition(" ")[0].lower() in FIRST_NAMES


def _lines(text: str) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    place = 0
    for line in text.split("\n"):
        found.append((place, line))
        place += len(line) + 1
    return found
