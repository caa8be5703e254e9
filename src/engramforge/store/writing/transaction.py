"""The writes of the door on any engine; see `store.door.Transaction` for the contract of each."""

from __future__ import annotations

from engramforge.model.storing.record import Erasure
from engramforge.store.writing import embeddings, forgetting, injections, links, memories, restoring, topics
from engramforge.store.writing.ledger import Writes, done_by


class StoreTransaction(Writes):
    """Writes that happen together."""

    @property
    def records(self) -> int:
        """How many records were made and closed so far."""
        return self.write.doings.records

    @property
    def erasure(self) -> Erasure:
        """What becomes of forgotten texts."""
        return self.write.erasure

    fetch = done_by(memories.fetch)
    hold = done_by(memories.hold)
    known_origins = done_by(memories.known_origins)
    add_origins = done_by(memories.add_origins)
    insert = done_by(memories.insert)
    expire = done_by(memories.expire)
    audit = done_by(memories.audit)
    create_project = done_by(memories.create_project)
    held_mark = done_by(memories.held_mark)
    save_mark = done_by(memories.save_mark)
    link = done_by(links.link)
    bind = done_by(links.bind)
    expire_link = done_by(links.expire_link)
    forget = done_by(forgetting.forget)
    lineage = done_by(memories.lineage)
    note_use = done_by(memories.note_use)
    count_uses = done_by(memories.count_uses)
    set_energies = done_by(memories.set_energies)
    save_injections = done_by(injections.save_injections)
    prune_injections = done_by(injections.prune_injections)
    place_vectors = done_by(embeddings.place_vectors)
    place_parts = done_by(embeddings.place_parts)
    place_entities = done_by(embeddings.place_entities)
    place_mentions = done_by(embeddings.place_mentions)
    activate = done_by(embeddings.activate)
    drop_encoder = done_by(embeddings.drop_encoder)
    place_clusters = done_by(topics.place_clusters)
    save_topics = done_by(topics.save_topics)
    place_members = done_by(topics.place_members)
    is_unforgotten = done_by(topics.is_unforgotten)
    end_topics = done_by(topics.end_topics)
    restore = done_by(restoring.restore)
    adopt = done_by(restoring.adopt)
    settle = done_by(restoring.settle)
    discard = done_by(restoring.discard)
