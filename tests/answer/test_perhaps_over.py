"""What is said since of an open thread and may have ended it is told beside it where a session starts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.answer.test_injections import started
from tests.answer.test_plainly_settled import talk

from engramforge.core.detection.endings.perhaps_over import perhaps_over
from engramforge.forge import Forge


@pytest.mark.parametrize(
    ("title", "said", "may"),
    [
        ("renew the boat licence", "the boat licence was stamped today", True),
        ("who tars the aft deck planks?", "the deck planks are done, smells awful", True),
        ("order a sail bag for the jib", "sail bag came in the wrong colour", True),
        ("ask the office for the mooring key", "got the mooring key form", True),
        ("paint the lower hatch cover", "somebody primed the hatch cover", True),
        ("renew the boat licence", "will get the boat licence stamped tomorrow", False),
        ("renew the boat licence", "the boat licence is still not stamped", False),
        ("renew the boat licence", "is the boat licence stamped?", False),
        ("renew the boat licence", "the fishing licence was stamped", False),
        ("who tars the aft deck planks?", "the planks arrived", False),
    ],
)
def test_what_may_have_ended_a_matter(title: str, said: str, may: bool) -> None:
    assert perhaps_over(said, title) is may


def test_a_session_starts_with_it_beside_the_open_thread(em: Forge) -> None:
    talk(em, (("todo: renew the boat licence", "OK."), ("todo: paint the mast", "OK.")), "before")
    talk(em, (("todo: the depth alarm of the keel beeps all night", "OK."),), "earlier")
    talk(em, (("the boat licence was stamped today", "OK."), ("where is the mast?", "Here.")), "then")
    fixed: dict[str, Any] = {"kind": "tool_use", "project": "atlas", "session_id": "then", "sequence": 9}
    em.remember('Bash: git commit -am "Fix the depth alarm of the keel"', **fixed)
    em.remember('Bash: git commit -m "Fix the bilge alarm"', **fixed)
    found = started(em)
    assert found is not None
    assert 'renew the boat licence (said since: "the boat licence was stamped today")' in found.text
    assert "] paint the mast\n" in found.text
    assert '(said since: "Fix the depth alarm of the keel")' in found.text
