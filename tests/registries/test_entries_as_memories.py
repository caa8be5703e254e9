"""Registry entries among all other memories: by which ids they are found, what recall shows, what no verb can break."""

from __future__ import annotations

import pytest

from engramforge.errors import Conflict, InvalidValue, NotFound
from engramforge.forge import Forge


def test_an_entry_s_global_id_names_its_memory_for_every_verb(em: Forge) -> None:
    made = em.decisions.create("Build the quay of oak", project="quay", conversation="quay-1")
    waiting = em.threads.create("Find the oak", project="quay")
    assert em.get(made.id).logical_id == made.memory_id
    assert em.get(waiting.id.upper()).logical_id == waiting.memory_id
    assert [version.content for version in em.history(made.id)] == ["Build the quay of oak"]
    assert em.links(made.id) == []
    em.invalidate(made.id)
    assert em.get(made.id).is_superseded
    assert em.forget(made.id).verified
    with pytest.raises(NotFound, match="dec_"):
        em.get(made.id)


def test_the_kind_of_an_entry_stays(em: Forge) -> None:
    made = em.decisions.create("Paint the boats green", project="boats")
    note = em.remember("The boats are in the shed", project="boats")
    for kind in ("note", "thread"):
        with pytest.raises(InvalidValue, match=f"cannot become a {kind}"):
            em.revise(made.memory_id, kind=kind)
    with pytest.raises(InvalidValue, match="cannot become a decision"):
        em.supersede(note.logical_id, kind="decision")
    assert [decision.id for decision in em.decisions.browse(project="boats")] == [made.id]
    assert em.revise(note.logical_id, kind="learning").kind == "learning"


def test_what_is_of_the_kind_of_an_entry_alone_breaks_no_registry(em: Forge) -> None:
    em.lineage.link("wharf-1", "wharf-2", tag="WHARF", project="wharf")
    beside = {
        kind: em.remember(f"The wharf, told as a {kind}", kind=kind, project="wharf").logical_id
        for kind in ("lineage", "archive", "flag")
    }
    assert [item.compression_tag for item in em.lineage.search("wharf", project="wharf")] == ["WHARF"]
    for read, named in (
        (em.lineage.get, beside["lineage"]),
        (em.archives.get, beside["archive"]),
        (em.review.accept, beside["flag"]),
    ):
        with pytest.raises(Conflict, match="that no registry has"):
            read(named)


def test_recall_shows_no_archive_unless_it_is_asked_for(em: Forge) -> None:
    opened = em.threads.create(
        "Choose the lamp", "for the tower", project="light", conversation="light-1", priority="high"
    )
    em.remember("We talked about whales today", project="light", session_id="light-1")
    em.archives.compress("light-1", project="light")
    em.threads.update(opened.id, status="resolved", resolution="The old one will do")
    asked = "We talked about whales today"
    kinds = {str(hit.memory.kind) for hit in em.recall(asked, project="light").hits}
    assert {"note", "thread"} <= kinds
    assert "archive" not in kinds
    # It lies beside what answers, which is what brought it up.
    kinds = {str(hit.memory.kind) for hit in em.recall(asked, kinds=["thread", "archive"]).hits}
    assert "archive" in kinds


def test_a_local_id_is_found_however_it_is_written(em: Forge) -> None:
    made = em.decisions.create("Dredge in May", project="dredge", conversation="dredge-1", local_id="D001")
    assert em.decisions.get("d001", conversation="dredge-1").id == made.id
    with pytest.raises(InvalidValue, match="is no id of an archive"):
        em.archives.get(made.id)


def test_a_reason_keeps_no_secret(em: Forge) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    made = em.decisions.create("Use the token of the pipeline")
    em.decisions.invalidate(made.id, reason=f"leaked {token}")
    em.forget(made.id, reason=f"exposed {token}")
    said = [line.reason for line in em.audit_log()]
    assert any("exposed" in message for message in said)
    assert all(token not in message for message in said)
