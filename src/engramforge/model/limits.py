"""Every limit of the product in one place; each is tested past its edge."""

from typing import Final

CONTENT_BYTES: Final = 1_000_000
"""The largest content of one memory, in bytes of UTF-8 (1 MB)."""
BATCH_MEMORIES: Final = 1_000
"""The most memories in one `remember_many` batch written as one transaction."""
QUERY_CHARACTERS: Final = 10_000
"""The longest query, in characters."""
NAME_CHARACTERS: Final = 200
"""The longest project, session, tag, agent or memory name, in characters."""
TAGS_PER_MEMORY: Final = 64
"""The most tags on one memory."""
METADATA_BYTES: Final = 65_536
"""The largest open metadata of one memory, as JSON bytes."""
METADATA_DEPTH: Final = 16
"""How deep metadata and imported JSON may nest."""
NAMES_PER_ARGUMENT: Final = 1_000
"""The most projects, kinds, tags, ids or other values that one argument of a call lists."""
MEMORIES_PER_CALL: Final = 1_000_000
"""The most drafts or links that one call writes; what is taken one by one may have no end."""
FORGOTTEN_UNASKED: Final = 20
"""How many memories a forget removes at most without being confirmed, those made from them included."""
RECALL_HITS: Final = 1_000
"""The most hits that one recall returns."""
BUDGET_CHARACTERS: Final = 4_000
"""The default budget of a recall, in characters of content."""
WALK_DEPTH: Final = 4
"""The most links in a row that a walk from a memory follows."""
WALK_FAN_OUT: Final = 100
"""The most links that a walk follows at one memory."""
WALKED_LINKS: Final = 1_000
"""The most links that one walk returns; it ends with the strongest of the depth at which there would be more."""
CLOCK_SKEW_SECONDS: Final = 5
"""How far ahead of our clock a caller's recorded time may lie before it counts as the future."""
IMAGE_BYTES: Final = 20_000_000
"""The largest image file that is read, in bytes (20 MB)."""
IMAGE_PIXELS: Final = 50_000_000
"""The most pixels of an image that is decoded."""
IMAGES_PER_MEMORY: Final = 16
"""The most images of one memory that are looked at."""
ARCHIVE_BYTES: Final = 20_000_000
"""The largest archive that is read, in bytes of UTF-8; beyond `CONTENT_BYTES` the store keeps no copy of one."""
MCP_LINE_BYTES: Final = 64_000_000
"""The longest line that the MCP server reads from standard input, in bytes (64 MB): the largest archive, and room for
its escapes in JSON."""
LISTED_PER_ENTRY: Final = 256
"""The most dependencies, blockers or rejected alternatives of one entry of a registry."""
COUNTED: Final = 1_000_000_000
"""The largest count that is taken from outside, such as a version's number or the chunks of a file; the store has room
to count on from there."""

SHORTEST_ID: Final = 6
"""So many characters of an id at least tell which one is meant."""
