"""The features of a piece of code: paths of its syntax without names, and the words of its names.

Paths: each node with its parent and its parent's parent, and the way between neighbouring leaves over their lowest
common ancestor (U. Alon et al., "code2vec", 2019), names and values left out, so that a renamed clone is the same.
Kinds of nodes that mean the same in several grammars share a name. Words: those of definitions, documentation, calls
and the rest, each weighted by its place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engramforge.core.text.words import words_of
from engramforge.spaces.code.languages import kinds_of, parse

if TYPE_CHECKING:
    from engramforge.spaces.code.recognition import Snippet, Trace

MOST_NODES: Final = 20_000
"""How many nodes of a tree are looked at."""
_DEEPEST: Final = 64
"""How many ancestors of a node are kept; deeper nodes count as lying there."""
_LONGEST_TEXT: Final = 4_000
"""How many characters of a comment or a string count."""

NAMES, HEAD, CALLS, REST = "names", "head", "calls", "rest"
"""Where a word stands: what is defined, the first sentence of its documentation, what it calls, elsewhere."""

_SAME: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "function": (
            "function_definition", "function_declaration", "method_declaration", "method_definition",
            "function_item",
            "function_expression", "constructor_declaration", "create_function",
            "generator_function_declaration",
        ),
        "lambda": ("lambda", "arrow_function", "closure_expression", "lambda_expression", "func_literal"),
        "class": (
            "class_definition", "class_declaration", "class_specifier", "struct_item", "struct_specifier",
            "interface_declaration", "impl_item", "enum_item", "enum_declaration", "trait_item",
            "type_declaration",
            "type_spec", "create_table",
        ),
        "if": ("if_statement", "if_expression"),
        "else": ("else_clause", "elif_clause", "else"),
        "for": ("for_statement", "for_expression", "for_in_statement", "enhanced_for_statement",
        "for_range_loop"),
        "while": ("while_statement", "while_expression", "do_statement", "loop_expression"),
        "choose": ("switch_statement", "match_statement", "match_expression", "expression_switch_statement"),
        "return": ("return_statement", "return_expression"),
        "raise": ("raise_statement", "throw_statement"),
        "try": ("try_statement", "try_expression"),
        "catch": ("except_clause", "catch_clause"),
        "call": (
            "call", "call_expression", "method_invocation", "macro_invocation", "new_expression",
            "command", "invocation",
            "object_creation_expression",
        ),
        "member": (
            "attribute", "member_expression", "field_expression", "selector_expression", "field_access",
            "scoped_identifier", "qualified_identifier",
        ),
        "index": ("subscript", "subscript_expression", "index_expression", "array_access"),
        "assign": (
            "assignment", "assignment_expression", "assignment_statement", "short_var_declaration",
            "variable_declarator",
            "let_declaration", "init_declarator", "variable_assignment", "augmented_assignment",
            "augmented_assignment_expression", "compound_assignment_expr", "var_spec",
        ),
        "binary": ("binary_operator", "binary_expression", "boolean_operator", "comparison_operator"),
        "unary": ("unary_operator", "unary_expression", "not_operator", "prefix_unary_expression"),
        "block": ("block", "statement_block", "compound_statement", "body", "class_body", "do_group"),
        "parameters": ("parameters", "formal_parameters", "parameter_list", "function_parameters"),
        "arguments": ("argument_list", "arguments"),
        "import": ("import_statement", "import_from_statement", "import_declaration", "use_declaration",
        "preproc_include"),
        "string": (
            "string", "string_literal", "interpreted_string_literal", "raw_string_literal", "template_string",
            "raw_string", "char_literal",
        ),
        "number": (
            "integer", "float", "number", "number_literal", "integer_literal", "float_literal", "int_literal",
            "decimal_integer_literal", "decimal_floating_point_literal",
        ),
        "name": (
            "identifier", "field_identifier", "property_identifier", "type_identifier", "package_identifier",
            "shorthand_property_identifier", "variable_name", "word", "command_name", "namespace_identifier",
            "simple_identifier", "object_reference", "shorthand_field_identifier", "statement_identifier",
        ),
        "nothing": ("none", "null", "nil", "null_literal", "undefined", "nullptr"),
        "truth": ("true", "false", "boolean_literal"),
        "comment": ("comment", "line_comment", "block_comment", "marginalia", "doc_comment"),
        "root": ("module", "program", "source_file", "translation_unit"),
    }
)  # fmt: skip
_NAME_OF_KIND: Final = MappingProxyType({kind: name for name, kinds in _SAME.items() for kind in kinds})
_NAMES: Final = frozenset({"identifier", "bash_word", *_SAME["name"]})
_TEXTS: Final = frozenset(
    {
        "string_content", "string_fragment", "interpreted_string_literal", "raw_string_literal",
        "raw_string", "literal",
        "string_literal", "interpreted_string_literal_content", "raw_string_literal_content",
        "multiline_string_fragment",
    }
)  # fmt: skip
_DEFINES: Final = frozenset({"function", "class"})
_DEFINERS: Final = frozenset(
    {"function_declarator", "pointer_declarator", "init_declarator", "field_declaration"}
)
_CALLED_FIELDS: Final = frozenset({"function", "name", "constructor", "macro", "type", "method"})
_MEMBER_FIELDS: Final = frozenset({"attribute", "property", "field", "name"})
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s|\n\s*\n|\n\s*[:@-]")
_WORD: Final = re.compile(r"[^\W_]")


@dataclass(slots=True)
class Features:
    """The features of one memory.

    Attributes
    ----------
    paths : path of the syntax -> how often.
    words : place -> word -> how often; words as `core.text.words.words_of` gives them.
    """

    paths: Counter[str] = field(default_factory=Counter)
    words: dict[str, Counter[str]] = field(
        default_factory=lambda: {place: Counter() for place in (NAMES, HEAD, CALLS, REST)}
    )

    def add_text(self, place: str, text: str) -> None:
        """Count the words of a text at a place."""
        self.words[place].update(words_of(text[:_LONGEST_TEXT]))


@lru_cache(maxsize=32)
def _names_by_kind(language: str) -> tuple[str, ...]:
    """The common name of every kind of node of a grammar, by number."""
    return tuple(_NAME_OF_KIND.get(kind, kind) for kind in kinds_of(language))


def add_snippet(features: Features, snippet: Snippet) -> None:
    """Count the paths and words of a piece of code; without a grammar, its words alone."""
    if snippet.language is None:
        features.add_text(REST, snippet.text)
        return
    tree = parse(snippet.text, snippet.language)
    _Walk(features, snippet.language).over(tree.walk())


def add_trace(features: Features, trace: Trace) -> None:
    """Count what a traceback names: functions as definitions, the exception as what is called."""
    for function in trace.functions:
        features.add_text(NAMES, function)
    features.add_text(CALLS, trace.exception)
    features.add_text(HEAD, trace.message)
    for file in trace.files:
        features.add_text(REST, file.rpartition("/")[2])


class _Walk:
    """A walk over a tree, in order, by its cursor."""

    def __init__(self, features: Features, language: str) -> None:
        self._features = features
        self._names = _names_by_kind(language)
        self._kinds = kinds_of(language)
        self._above: list[str] = []
        self._kinds_above: list[str] = []
        self._fields: list[str | None] = []
        self._leaf: list[str] | None = None
        self._documented = False

    def over(self, cursor: object) -> None:
        """Look at up to `MOST_NODES` nodes."""
        from tree_sitter import TreeCursor

        if not isinstance(cursor, TreeCursor):  # for the type checker: a tree gives nothing else
            return
        depth, seen = 0, 0
        while seen < MOST_NODES:
            seen += 1
            if (node := cursor.node) is None:
                return
            kept = min(depth, _DEEPEST)
            del self._above[kept:], self._kinds_above[kept:], self._fields[kept:]
            number = node.kind_id
            known = number < len(self._kinds)
            name = self._names[number] if known else "ERROR"
            kind = self._kinds[number] if known else "ERROR"
            field_name = cursor.field_name
            is_text = name == "comment" or kind in _TEXTS
            if is_text or kind in _NAMES:
                self._read(name, kind, field_name, node.text or b"")
            self._count(name, node.is_named)
            descends = not is_text and cursor.goto_first_child()
            if descends:
                if kept < _DEEPEST:
                    self._above.append(name)
                    self._kinds_above.append(kind)
                    self._fields.append(field_name)
                depth += 1
                continue
            if node.is_named:
                self._count_leaf(name)
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
                depth -= 1

    def _count(self, name: str, is_named: bool) -> None:
        """The node below its parent and its parent's parent."""
        above = self._above
        paths = self._features.paths
        if is_named:
            paths[name] += 1
        if above and (is_named or not _WORD.match(name)):
            paths[f"{above[-1]}>{name}"] += 1
            if len(above) > 1 and is_named:
                paths[f"{above[-2]}>{above[-1]}>{name}"] += 1

    def _count_leaf(self, name: str) -> None:
        """The way from the leaf before over the lowest common ancestor; long ways are cut in their middle."""
        here = [*self._above, name]
        before = self._leaf
        self._leaf = here
        if before is None:
            return
        shared = 0
        for each, other in zip(before, here, strict=False):
            if each != other:
                break
            shared += 1
        top = max(shared - 1, 0)
        up, down = before[top + 1 :], here[top + 1 :]
        if len(up) + len(down) <= 8:
            self._features.paths["^".join(reversed(up)) + "^" + before[top] + "_" + "_".join(down)] += 1

    def _read(self, name: str, kind: str, field_name: str | None, source: bytes) -> None:
        """Count the words of a name, comment or string where it stands."""
        text = source[:_LONGEST_TEXT].decode("utf-8", "replace")
        above = self._above
        if name == "comment" or kind in _TEXTS:
            self._read_text(name == "comment", text)
            return
        parent = above[-1] if above else ""
        parent_kind = self._kinds_above[-1] if above else ""
        if (parent in _DEFINES and field_name in ("name", "type")) or (
            parent_kind in _DEFINERS and field_name == "declarator"
        ):
            place = NAMES
        else:
            of_call = parent == "call" and (field_name in _CALLED_FIELDS or kind == "command_name")
            of_member = parent == "member" and field_name in _MEMBER_FIELDS and above[-2:-1] == ["call"]
            place = CALLS if of_call or of_member else REST
        self._features.words[place].update(words_of(text))

    def _read_text(self, is_comment: bool, text: str) -> None:
        """Words of a comment or string; the first sentence of a documentation counts for what is defined."""
        is_docstring = (
            len(self._above) > 2
            and self._above[-1] == "string"
            and self._above[-2] in ("expression_statement", "block")
        )
        # A comment within a function tells of a line and not of the whole.
        is_heading = is_comment and not {"function", "lambda"} & {*self._above}
        if not self._documented and (is_docstring or is_heading):
            self._documented = True
            bare = text.strip("/*#!- \t\r\n\"'")
            first, *more = _SENTENCE.split(bare, maxsplit=1)
            self._features.add_text(HEAD, first)
            for rest in more:
                self._features.add_text(REST, rest)
            return
        self._features.add_text(REST, text)
