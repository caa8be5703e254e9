"""Verbs of archives, as `forge.archives`, and `context_load`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engramforge.core.checks.validation import check_name, check_query, check_word
from engramforge.errors import InvalidValue, NotFound
from engramforge.forge.registries.argument_checks import conversations_of
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.limits import ARCHIVE_BYTES, RECALL_HITS
from engramforge.model.memory import Kind
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.registries.lineage import CompressionMode
from engramforge.model.scope import Level
from engramforge.recall.request import whole

if TYPE_CHECKING:
    from engramforge.model.memory import Memory
    from engramforge.model.registries.archive import Archive, Continuation, ReadArchive


class ArchiveVerbs(ScopedVerbs, relating=("compress", "continue_from")):
    """The texts that carry conversations over: caches of the registries, never their source."""

    def compress(
        self,
        conversation: str,
        mode: CompressionMode | str = CompressionMode.LOSSLESS,
        context: str | None = None,
        tag: str | None = None,
        *,
        project: str | None = None,
        size: int | None = None,
        turn_range: Sequence[int] | None = None,
        level: Level | str | None = None,
    ) -> Archive:
        """Make an archive of a conversation, with the state that the registries have now, and record its edge.

        Carried decisions count another hop (`hops`), and count as validated unless the archive lists them for
        revalidation. The store keeps the text, which is forgotten together with anything that it was made from.

        Parameters
        ----------
        conversation : the `session_id` of its memories.
        mode : lossless, everything; lossy, the most important entries and a summary within `size`; partial, what
            matches `context`.
        context : for partial, what the next conversation is about.
        tag : a name for this compression.
        project : the conversation's project; needed if several projects have a conversation of this name.
        size : for lossy, characters of the text, from 2,000; default 8,000.
        level : whose the archive and its edge are. It repeats nothing that fewer see: a collective one no personal
            memory. Default: the widest at which nothing of the conversation is left out.
        turn_range : only these turns, first and last from 1; None for all. Decisions and threads are always complete.

        Raises NotFound: the store has nothing of the conversation; InvalidValue: the request is invalid, or several
        projects have the conversation.
        """
        from engramforge.answer.archives.archive_selection import DEFAULT_SIZE, LEAST_SIZE
        from engramforge.answer.archives.compressing import CompressRequest

        how = check_word(CompressionMode, mode, "mode")
        if (context is not None) is not (how is CompressionMode.PARTIAL):
            raise InvalidValue(
                "A partial archive needs a context"
                if context is None
                else f"A {how} archive takes no context",
                "Give the mode partial together with a context",
            )
        if size is not None and how is not CompressionMode.LOSSY:
            raise InvalidValue(f"A {how} archive takes no size", "Give the mode lossy together with a size")
        asked = CompressRequest(
            conversation=self._conversation(conversation),
            mode=how,
            context=None if context is None else check_query(context),
            tag=check_name(tag, "tag") if tag else "",
            project=None if project is None else check_name(project, "project"),
            size=DEFAULT_SIZE if size is None else whole(size, "size", LEAST_SIZE, ARCHIVE_BYTES),
            turn_range=_turns(turn_range),
            level=None if level is None else check_word(Level, level, "level"),
        )
        # A misspelt project is reported with the nearest name; inherited entries may be from other projects.
        self._within(project)
        return self._stages.compressing.compress(self._scope, asked)

    def continue_from(
        self, archive_text: str, conversation: str, *, project: str | None = None
    ) -> Continuation:
        """Continue from an archive in a conversation: the present state of the registries, which takes precedence over
        the text.

        The archive's edge gets the conversation as its target; a second conversation gets an edge of its own; repeating
        a call changes nothing. Entries of an archive from another store or tool are registered.

        `archive_text`: the archive, possibly with text around it; an edited or cut one is read as far as possible.
        `conversation`: the one that continues. `project`: where unknown entries are registered; default the archive's
        own.

        Raises InvalidSource: the text is no archive, or of an unknown version; InvalidValue: the conversation is the
        compressed one, or one of its ancestors.
        """
        its = check_name(conversation, "conversation")
        return self._stages.continuing.continue_from(self._scope, archive_text, its, project)

    def read(self, text: str) -> ReadArchive:
        """The content of an archive's text, and its problems; nothing is recorded.

        Raises InvalidSource if it is not an archive.
        """
        from engramforge.core.archive_format.reader import read_archive

        return read_archive(text)

    def get(self, id: str) -> Archive:  # noqa: A002 - the word a user expects
        """An archive whose text the store keeps, by its global id or its memory's. Raises InvalidValue, NotFound."""
        from engramforge.registries.registered import find_entry

        found = self._made([find_entry(self._stages.door, self._scope, Kind.ARCHIVE, id)])
        if not found:
            raise NotFound(
                f"The edge of the archive {id[:100]} is no longer there", "Read its memory instead"
            )
        return found[0]

    def browse(
        self, *, project: Ids | None = None, conversation: str | None = None, limit: int = 20, offset: int = 0
    ) -> list[Archive]:
        """Archives whose texts the store keeps, newest first; of a conversation, if one is named."""
        query = EntryQuery(
            kind=Kind.ARCHIVE,
            conversations=conversations_of(conversation),
            limit=whole(limit, "limit", 1, RECALL_HITS),
            offset=whole(offset, "offset", 0, 2**62),
        )
        return self._made(self._stages.door.asking(self._within(project)).entries(query))

    def _made(self, memories: Sequence[Memory]) -> list[Archive]:
        """Archives as they were made, without those whose edge no longer exists."""
        from engramforge.core.archive_format.reader import read_archive
        from engramforge.model.registries.archive import Archive
        from engramforge.registries.registered import registration_of

        made: list[Archive] = []
        for memory in memories:
            content = read_archive(memory.content).content
            query = EntryQuery(kind=Kind.LINEAGE, entry_ids=(str(content.lineage_id),), limit=1)
            entry_id = registration_of(memory).entry_id
            made += [
                Archive(id=entry_id, text=memory.content, content=content, edge=edge)
                for edge in self._stages.lineage_reading.browse(self._scope, query)
            ]
        return made


def _turns(turns: Sequence[int] | None) -> tuple[int, int] | None:
    if turns is None:
        return None
    if not isinstance(turns, list | tuple) or len(turns) != 2:
        raise InvalidValue(
            f"The turn_range is {str(turns)[:60]}", "Give the first and the last turn, or None for all"
        )
    first = whole(turns[0], "first turn", 1, 2**31)
    return first, whole(turns[1], "last turn", first, 2**31)
