"""A prompt that was used is never changed: what it made is kept with its name."""

from __future__ import annotations

from hashlib import sha256

from engramforge.llm.prompts import CONFLICT, CONSULT, EXTRACT

DIGESTS = {
    "conflict-1": "3773553a5501c52e",
    "consult-1": "181513bf3d1c42d2",
    "extract-1": "2b25d5036db098ac",
}
"""Prompt and version -> the beginning of the digest of its text. A new text is a new version, with a new line here."""


def test_no_version_was_changed() -> None:
    for prompt in (CONFLICT, CONSULT, EXTRACT):
        assert sha256(prompt.text.encode()).hexdigest()[:16] == DIGESTS[str(prompt)], (
            f"{prompt} was changed: write {prompt.name}-{prompt.version + 1}.md instead"
        )
