"""Live capture: what hooks of Claude Code tell becomes memories, as a later import of the transcript would have it."""
