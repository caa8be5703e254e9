"""Signals that two statements about the same thing say different things."""
