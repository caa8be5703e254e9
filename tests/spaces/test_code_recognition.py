"""Where the code is in a text: every language whole and fenced, diffs, tracebacks, names in prose; and none in talk."""

from __future__ import annotations

import pytest
from tests.spaces.code_samples import DIFF, SAMPLES, TALK, TRACES

from engramforge.spaces.code.code_encoder import report_on_code
from engramforge.spaces.code.languages import GRAMMARS, language_of, language_of_file, parse
from engramforge.spaces.code.recognition import Form, recognise


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_a_text_that_is_code(language: str) -> None:
    report = report_on_code(SAMPLES[language])
    assert (report.languages, report.snippets) == ((language,), 1)
    assert report.parsed


@pytest.mark.parametrize("language", sorted(SAMPLES))
@pytest.mark.parametrize("tagged", [True, False])
def test_a_fenced_block(language: str, tagged: bool) -> None:
    found = recognise(
        f"Try this:\n\n```{language if tagged else ''}{SAMPLES[language]}```\n\nIt worked here."
    )
    assert [(piece.language, piece.form) for piece in found.snippets] == [(language, Form.FENCE)]
    assert "worked" not in found.snippets[0].text


def test_the_tag_of_a_block_decides() -> None:
    assert recognise("```js\nreturn 1\n```").snippets[0].language == "javascript"
    assert recognise("~~~c++\nint x;\n~~~").snippets[0].language == "cpp"
    assert recognise("```text\ndef f(): pass\n```").snippets == ()
    unknown = recognise("```haskell\nmain = print 1\n```").snippets[0]
    assert (unknown.language, report_on_code("```haskell\nmain = print 1\n```").parsed) == (None, False)


def test_a_shell_session_keeps_what_was_typed() -> None:
    found = recognise("```console\n$ ls -l\ntotal 4\n$ rm note.txt\n```")
    assert found.snippets[0].text == "ls -l\nrm note.txt"


def test_a_block_that_never_ends() -> None:
    assert recognise("```python\ndef f():\n    return 1").snippets[0].text == "def f():\n    return 1"


def test_both_sides_of_a_diff() -> None:
    found = recognise(DIFF)
    assert [piece.language for piece in found.snippets] == ["python", "python", "go", "go"]
    assert {piece.form for piece in found.snippets} == {Form.DIFF}
    old, new = found.snippets[:2]
    assert "price for price" in old.text and "discount" not in old.text
    assert "discount()" in new.text and "price for price" not in new.text
    assert not any(line[:1] in "+-@" for piece in found.snippets for line in piece.text.split("\n"))
    fenced = recognise(f"```diff\n{DIFF.partition('change:')[2].lstrip()}```")
    assert [piece.text for piece in fenced.snippets] == [piece.text for piece in found.snippets]


@pytest.mark.parametrize(
    ("language", "functions", "file", "exception", "message"),
    [
        ("python", {"total", "discount"}, "/srv/shop/basket.py", "KeyError", "'platinum'"),
        (
            "java",
            {"com.shop.Basket.addItem", "com.shop.Checkout.run"},
            "Basket.java",
            "java.lang.IllegalStateException",
            "basket is closed",
        ),
        (
            "javascript",
            {"basketTotal", "checkout"},
            "/srv/shop/basket.js",
            "TypeError",
            "Cannot read properties of undefined (reading 'price')",
        ),
        (
            "go",
            {"main.pickParcel"},
            "/srv/shop/ship.go",
            "panic",
            "runtime error: index out of range [3] with length 3",
        ),
        (
            "rust",
            {"rust_begin_unwind", "shop::parcel::weigh_parcel"},
            "./src/parcel.rs",
            "panicked",
            "index out of bounds: the len is 3 but the index is 3",
        ),
    ],
)
def test_a_traceback(language: str, functions: set[str], file: str, exception: str, message: str) -> None:
    found = recognise(TRACES[language])
    (trace,) = found.traces
    assert trace.language == language
    assert set(trace.functions) == functions
    assert file in trace.files
    assert (trace.exception, trace.message) == (exception, message)


def test_names_in_prose() -> None:
    found = recognise("Call `load_basket` before shop.checkout() and look at parcelWeight in ship.go.")
    assert found.snippets == ()
    assert set(found.identifiers) >= {"load_basket", "shop", "checkout", "parcelWeight"}


@pytest.mark.parametrize("text", TALK)
def test_talk_has_no_code(text: str) -> None:
    assert not recognise(text).is_code
    assert report_on_code(text).languages == ()


def test_what_a_caller_says_is_believed() -> None:
    found = recognise("total", "py")
    assert [(piece.language, piece.form) for piece in found.snippets] == [("python", Form.GIVEN)]
    assert not recognise("total", "klingon").is_code


def test_code_that_is_broken_is_still_code() -> None:
    report = report_on_code("def total(self, prices:\n    return sum(prices\n\ndef other():\n    pass\n")
    assert (report.languages, report.parsed) == (("python",), False)


def test_tags_and_endings() -> None:
    assert {language_of(tag) for tag in ("py", "Python3", ".py", "ipython")} == {"python"}
    assert (language_of("sh"), language_of("c++"), language_of("prose")) == ("bash", "cpp", None)
    assert language_of_file("src/basket.spec.ts") == "typescript"
    assert language_of_file("Makefile") is None


@pytest.mark.parametrize("language", sorted(GRAMMARS))
def test_every_grammar_reads_nothing_and_nonsense(language: str) -> None:
    assert not parse("", language).root_node.has_error
    assert parse("\0\1 ((( }}} \ud800", language).root_node.end_byte > 0
