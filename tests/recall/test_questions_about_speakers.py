"""Somebody who once spoke can be asked about: what notes say of a person does not depend on who said what."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engramforge.core.ranking.question import read_question
from engramforge.core.text.words import term_of
from engramforge.forge import Forge
from engramforge.indexing.encode import TextEncoder
from engramforge.model.search.candidates import Corpus
from engramforge.recall.retrieval import probe_of
from engramforge.store.scoring.strength import Occurrences, score_words

_NOTES = (
    "Ottilie Brandt tunes the harpsichord before each concert.",
    "The oboe case needs a new hinge.",
    "Tickets are sold at the bakery on Mill Street.",
    "Choir practice ends when the last tram leaves.",
    "Sunday's programme opens with a passacaglia.",
    "The bellows were patched with goat leather.",
)
_TUNES, _KEEPS, _HELD = "Ottilie Brandt tunes", "Casimir keeps the sheet", "Rehearsals are held"


def _told(forge: Forge) -> None:
    for text in _NOTES:
        forge.remember(text, near=False)
    forge.remember("Casimir keeps the sheet music in the north cupboard.", speaker="Casimir", near=False)
    forge.remember("Rehearsals are held in the crypt from now on.", speaker="Ottilie", near=False)


def test_who_spoke_can_be_asked_about(forge: Forge) -> None:
    _told(forge)
    # By what a note says of somebody, and by what somebody says of themselves, who is named in it.
    for question, answer in (
        ("Who is Ottilie?", _TUNES),
        ("What does Ottilie do?", _TUNES),
        ("Ottilie Brandt", _TUNES),
        ("what does ottilie tune?", _TUNES),
        ("Who is Casimir?", _KEEPS),
        ("Where does Casimir keep the sheet music?", _KEEPS),
    ):
        found = forge.recall(question)
        assert found.answered, question
        assert found.hits[0].memory.content.startswith(answer), question
        assert found.hits[0].parts.similarity > 0.7, question
    about = forge.streams.by_intention("Who is Ottilie?")
    assert about.answered
    assert about.items[0].memory.content.startswith(_TUNES)
    assert about.items[0].relevance > 0.9


def test_a_name_alone_answers_nothing(forge: Forge) -> None:
    _told(forge)
    for question in (
        "What did Ottilie say about the budget?",
        "Which dentist does Ottilie use?",
        "How old is Casimir?",
        "What is Casimir's mortgage rate?",
        "When did Casimir marry Ottilie?",
        "Who is Leopold?",
    ):
        assert not forge.recall(question).answered, question
    said = forge.recall("What did Ottilie say about the rehearsals?")
    assert said.answered
    assert said.hits[0].memory.content.startswith(_HELD)


def test_a_name_of_a_speaker_helps_to_find_memories_and_not_their_sessions() -> None:
    words = TextEncoder()
    query = words.encode_query("Which desk is Ottilie's?", None, ("ottilie",))
    query = replace(query, about=words.encode_query("Which desk is Ottilie's?"))
    nothing = np.empty(0, np.uint32), np.empty(0, np.int64)
    corpus = Corpus(0, 0, *nothing)
    probe = probe_of(query, read_question(query.text, ("ottilie",), ()), corpus)
    place = probe.terms.tolist().index(term_of("ottilie"))
    assert probe.beside == 1
    one, zero, times = np.ones(1, np.int32), np.zeros(1, np.int64), np.ones(1, np.uint8)
    found = Occurrences(zero, np.array([place], np.int64), times)
    assert score_words(found, probe, one, 1.0)[0] > 0
    assert score_words(found, probe, one, 1.0, zero)[0] == 0
