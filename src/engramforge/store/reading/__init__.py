"""Statements that read a store, the same on every engine."""
