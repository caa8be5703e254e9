"""Patterns, priming blocks and flags: memories that registries show in their own way."""
