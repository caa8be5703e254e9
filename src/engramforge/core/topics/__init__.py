"""What memories are about as they gather: topics, how steady they are, what shifts, what matters. Pure; no I/O."""
