"""A probe in, candidates out, hits returned."""
