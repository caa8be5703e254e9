"""Cause and effect in English text, by rules."""
