"""The arithmetic of streams: activation, the pull of links, paths, energy, what they have in common."""
