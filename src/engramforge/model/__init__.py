"""Frozen data types: the glossary as code. No I/O, no clock, no randomness, no third-party import."""
