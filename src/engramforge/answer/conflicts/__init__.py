"""Conflicts between memories: detected among neighbours in meaning, kept as links, listed and dismissed."""
