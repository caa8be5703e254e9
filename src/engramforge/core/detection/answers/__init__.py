"""Decisions that a person makes by answering an assistant: what its turn offers, and what the answer takes of it."""
