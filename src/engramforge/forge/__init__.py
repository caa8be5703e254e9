"""The facade: everything that engramforge does, as methods of one object. Faces only translate to it.

A `Forge` is made by `engramforge.open`. It is synchronous and may be shared between threads. Arguments are plain
Python (texts, numbers, aware datetimes or ISO texts); answers are frozen model types. Each file here holds the verbs
of one concern; the work is done by the stages that they call.
"""

from engramforge.forge.archiving import Archiving
from engramforge.forge.causing import Causing
from engramforge.forge.changing import Changing
from engramforge.forge.deciding import Deciding
from engramforge.forge.encoding import Encoding
from engramforge.forge.explaining import Explaining
from engramforge.forge.following import Following
from engramforge.forge.keeping import Keeping
from engramforge.forge.linking import Linking
from engramforge.forge.looking_back import LookingBack
from engramforge.forge.parts import ForgeParts, Ids
from engramforge.forge.recalling import Recalling
from engramforge.forge.relating import Relating
from engramforge.forge.remembering import Remembering
from engramforge.forge.reviewing import Reviewing
from engramforge.forge.sweeping import Sweeping
from engramforge.forge.syncing import Synchronising
from engramforge.forge.tracing import Tracing


class Forge(
    Remembering,
    Recalling,
    LookingBack,
    Changing,
    Linking,
    Relating,
    Keeping,
    Encoding,
    Explaining,
    Sweeping,
    Causing,
    Archiving,
    Following,
    Tracing,
    Deciding,
    Reviewing,
    Synchronising,
):
    """A persistent memory.

    Parameters
    ----------
    parts : the wired stages.
    scope : who asks; `agent` is the owner of personal memories.
    """


__all__ = ["Forge", "ForgeParts", "Ids"]
