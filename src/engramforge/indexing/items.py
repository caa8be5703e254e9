"""What the encoders see of a memory: its text and pictures. Shared by writing and re-embedding."""

from __future__ import annotations

from engramforge.core.entities.naming import LONGEST_NAME
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.spaces.part_encoder import Item, Picture


def item_of(record: Draft | Memory, pictures: tuple[Picture, ...] = ()) -> Item:
    """The item of a draft or memory; pictures are passed in.

    Captions are words that people search by, so those that the content does not hold already are part of the text. A
    memory of kind entity is about its own name. Archives and detections waiting for review only repeat other memories,
    so nothing of them is seen.
    """
    if record.kind is Kind.ARCHIVE or (record.kind is Kind.FLAG and record.registration is not None):
        return Item("")
    text = spoken_text(record)
    captions = [each.caption for each in record.attachments if each.caption and each.caption not in text]
    names = (record.name or record.content[:LONGEST_NAME],) if record.kind is Kind.ENTITY else ()
    return Item("\n".join((text, *captions)), pictures=pictures, names=names)


def spoken_text(record: Draft | Memory) -> str:
    """The text of a record that is embedded: its name, since people ask by it, and its content without a leading
    "speaker:".

    Speakers are compared separately; as a word in every turn the name would only drown out the others.
    """
    content = record.content
    prefix = f"{record.speaker}:"
    if record.speaker and content[: len(prefix)].casefold() == prefix.casefold():
        content = content[len(prefix) :].lstrip() or content
    return content if record.name is None else f"{record.name}\n{content}"
