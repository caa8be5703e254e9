"""A made-up observatory and two friends' talks: fifty questions to the oracle, twenty of which nothing answers."""

from __future__ import annotations

from typing import Final

from engramforge.forge import Forge

_LINK: Final = {"energy": 0.9, "confidence": 0.9, "emotion_vector": {}, "goal": "tell", "mindstate": "plain"}
D, P, V, T = "dome", "plates", "visitors", "talks"

_DECISIONS: Final = (
    ("zmq", D, "2026-01-12", "Guide camera frames travel over ZeroMQ.", "small, and it survives a cut cable", ["gRPC"]),
    ("covers", D, "2026-01-14", "The mirror covers stay closed whenever humidity is above 85 percent.", "", []),
    ("leave", D, "2026-01-20", "Raw frames must never leave the mountain network.", "the grant says so", []),
    ("wash", D, "2026-02-01", "The main mirror is washed every spring.", "", []),
    ("radios", D, "2026-02-05", "Handheld radios only for the first winter.", "", ["satellite phones"]),
    ("keys", D, "2026-02-07", "Observers log in with a hardware key, there are no passwords.", "", ["passwords"]),
    ("record", D, "2026-01-02", "Record observing decisions: Every decision that is made about the telescope is written"
     " down as a short text, so that later crews know when and why it was made.", "", []),
    ("retire", D, "2026-04-11", "Retire the dctl Command Line Interface: The interface is unmaintained and will be"
     " removed; operators move to the web console.", "nobody patched it for years", []),
    ("vet", D, "2026-03-02", "Night assistant Ragnhild decides when the dome closes for wind, nobody else.", "", []),
    ("fast", P, "2026-02-11", "Glass plates are scanned at 2400 dpi.", "", []),
    ("vault", P, "2026-02-12", "The plates lie in the vault under the library, in acid-free sleeves.", "", []),
    ("pg", P, "2026-02-20", "The plate catalogue stays in MariaDB.", "the old exports depend on it", ["SQLite"]),
    ("tickets", V, "2026-03-01", "Tickets are sold through Pretix.", "it is free for schools",
     ["Eventbrite", "own shop"]),
    ("kids", V, "2026-03-04", "Children under six come in free.", "", []),
    ("tour", V, "2026-03-05", "A guided tour takes at most fifteen guests.", "the stairs are narrow", []),
    ("night", V, "2026-03-06", "Public nights are on the first Saturday of the month.", "", []),
)  # fmt: skip
_OLDER: Final = (
    ("ada", D, "2026-01-05", "The dome controller is written in Ada.", "2026-05-10",
     "The dome controller is written in Zig."),
    ("cron", D, "2026-01-06", "Exposures are scheduled by a cron table.", "2026-04-02",
     "Exposures are scheduled by Temporal workflows."),
    ("poll", V, "2026-01-14", "The sky map asks for star positions once a minute.", "2026-04-10",
     "The sky map gets positions pushed over a server-sent event stream."),
)  # fmt: skip
_NOTES: Final = (
    ("oregon", P, "note", "2026-04-20",
     "Each morning a script copies the raw frames to a server in Oregon for the students."),
    ("wash2", P, "note", "2026-04-22", "We clean the big mirror every other year, before the winter."),
    ("roster", D, "note", "2026-02-14", "Hanne is responsible for the night roster."),
    ("roster2", V, "note", "2026-05-06", "Yusuf looks after the night roster."),
    ("phones", D, "thread", "2026-02-03", "Should the crew carry satellite phones?"),
    ("fog", D, "learning", "2026-04-30", "Fog on the finder lens went away once we kept its heater at 5 degrees."),
    ("laser", D, "note", "2026-03-14", "The alignment laser drifts when the door stays open."),
    ("bus", V, "note", "2026-03-20", "The last bus down to the valley leaves the car park at eleven at night."),
    ("shop", V, "note", "2026-03-22", "The gift shop keeps telescopes, postcards and meteorites."),
    ("wax", P, "note", "2026-03-25", "Wax stains on plates come off with naphtha."),
)  # fmt: skip
_OPPOSED: Final = (("oregon", "leave"), ("wash2", "wash"), ("roster2", "roster"))
_TALK: Final = (
    ("Petra", "Hi Oskar! I finally signed up for pottery, the raku kind, every Tuesday."),
    ("Oskar", "That is great, Petra! I have started fencing myself, with the sabre."),
    ("Petra", "How brave. My sister Ilse moved to Porto and I miss her a lot."),
    ("Oskar", "I won the chess tournament at the library last week, by the way."),
    ("Petra", "Congratulations! Did they give you a prize?"),
    ("Oskar", "A clock. And I signed with the Larchfield rowing crew for the season."),
    ("Petra", "Lovely. I adopted a greyhound from the shelter, he is called Biscuit."),
    ("Oskar", "A dog, nice! I only have my cactus to take care of."),
    ("Petra", "My bakery course begins in May; I want to open a small cafe one day."),
    ("Oskar", "I would come every morning. I am saving up for a trip to Iceland."),
    ("Petra", "Take a warm coat. I was there two years ago and froze."),
    ("Oskar", "My agency for volunteers sends me to the food bank on Fridays."),
)  # fmt: skip

ANSWERED: Final = (
    # question, project or None, what the citations say together
    ("What kind of pottery has Petra started?", None, ("raku",)),
    ("What kind of fencing does Oskar do?", T, ("sabre",)),
    ("What tournament did Oskar win?", None, ("chess tournament",)),
    ("Which rowing crew did Oskar sign with?", T, ("Larchfield",)),
    ("What is Petra's dog called?", None, ("Biscuit",)),
    ("Where does Petra's sister live?", T, ("Porto",)),
    ("Where does Oskar want to travel?", None, ("Iceland",)),
    ("What did Oskar say about his volunteer agency?", T, ("food bank",)),
    ("What was the dome controller written in before?", None, ("in Ada",)),
    ("What is the dome controller written in now?", None, ("in Zig",)),
    ("What was the dome controller written in in March 2026?", None, ("in Ada",)),
    ("How were exposures scheduled previously?", D, ("cron table",)),
    ("what became of the dctl command line tool?", None, ("Retire the dctl",)),
    ("When was the decision about ZeroMQ made?", None, ("ZeroMQ",)),
    ("why did we choose ZeroMQ for guide frames?", D, ("survives a cut cable",)),
    ("how does the sky map get positions of the planets?", None, ("event stream",)),
    ("are satellite phones supported?", D, ("Handheld radios only",)),
    ("May raw frames be stored in America?", None, ("never leave", "Oregon")),
    ("How often is the main mirror washed?", None, ("every spring", "every other year")),
    ("Who owns the night roster?", None, ("Hanne", "Yusuf")),
    ("Who decides that the dome closes?", None, ("Ragnhild",)),
    ("What helped against fog on the finder?", None, ("heater",)),
    ("How long may a guided tour be, in guests?", V, ("fifteen",)),
    ("When are the public nights?", None, ("first Saturday",)),
    ("Which shop software do we sell tickets with?", V, ("Pretix",)),
    ("What did we rule out for selling tickets?", V, ("Eventbrite",)),
    ("Where are the glass plates kept?", None, ("vault",)),
    ("What removes wax from plates?", P, ("naphtha",)),
    ("How do observers log in?", None, ("hardware key",)),
    ("At what resolution do we scan plates?", P, ("2400",)),
)  # fmt: skip
UNANSWERED: Final = (
    # question, project or None
    ("What kind of pottery has Oskar started?", None),
    ("What tournament did Petra win?", None),
    ("Which rowing crew did Petra sign with?", T),
    ("What is Oskar's dog called?", T),
    ("What does the hardware key cost?", None),
    ("What does the alignment laser weigh?", None),
    ("Who repairs the gift shop?", V),
    ("What colour is the guide camera?", D),
    ("What does // do in Python?", None),
    ("What changed about the tickets?", V),
    ("How many visitors came on the last public night?", None),
    ("Which insurance covers a broken plate?", None),
    ("At what hour does the bus leave from the harbour?", V),
    ("How old is the main mirror?", D),
    ("Who founded the observatory?", None),
    ("What is the wifi password of the dome?", D),
    ("Which printer do we use for postcards?", V),
    ("How much does a guided tour cost?", V),
    ("What is the boiling point of tungsten?", None),
    ("Which airline flies to Iceland?", T),
)


def build(forge: Forge) -> None:
    """Fill an empty store with the world."""
    ids: dict[str, str] = {}
    for key, project, at, text, why, rejected in _DECISIONS:
        made = forge.decisions.create(
            text, project=project, valid_at=at, rationale=why, alternatives_rejected=rejected
        )
        ids[key] = made.memory_id
    for _, project, at, text, then, later in _OLDER:
        old = forge.decisions.create(text, project=project, valid_at=at)
        forge.decisions.supersede(old.id, later, at=then)
    for key, project, kind, at, text in _NOTES:
        if kind == "thread":
            forge.threads.create(text, project=project, valid_at=at)
        else:
            ids[key] = forge.remember(text, project=project, kind=kind, valid_at=at).logical_id
    for one, other in _OPPOSED:
        forge.link(ids[one], ids[other], "CONTRADICTS", **_LINK)
    forge.remember_many(
        [
            {"content": text, "project": T, "session_id": "talk-1", "sequence": place, "speaker": speaker,
             "kind": "message", "source": "import", "valid_at": "2026-04-01T10:00:00Z"}
            for place, (speaker, text) in enumerate(_TALK)
        ]
    )  # fmt: skip
