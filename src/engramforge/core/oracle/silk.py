"""The answer as Markdown, out of what was found: every statement with what it rests on, nothing beside."""

from __future__ import annotations

from collections.abc import Sequence

from engramforge.model.oracle import Citation, Contradiction

NOTHING_KNOWN = "Nothing that is remembered answers this."


def written(
    said: Sequence[tuple[str, Sequence[Citation]]],
    contradictions: Sequence[Contradiction],
    missing: Sequence[str],
) -> str:
    """An answer of statements, contradictions with dates and tiers, and what is missing.

    >>> print(written([], [], ["ferry"]))
    Nothing that is remembered answers this.
    """
    if not said:
        return NOTHING_KNOWN
    lines = [f"- {text} {' '.join(map(_cited, cited))}" for text, cited in said]
    if contradictions:
        lines += ["", "Contradictions:", *map(_contradiction, contradictions)]
    if missing:
        lines += ["", f"Not said anywhere: {', '.join(missing)}."]
    return "\n".join(lines)


def _cited(each: Citation) -> str:
    return f"[{each.id}] ({each.at:%Y-%m-%d}, {each.where})"


def _contradiction(each: Contradiction) -> str:
    return f"- {_side(each.one)} against {_side(each.other)}: {each.why}"


def _side(each: Citation) -> str:
    return f"[{each.id}] ({each.at:%Y-%m-%d}, tier {each.epistemic_tier:g})"
