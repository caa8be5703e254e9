"""Importing again what is new in sources that are remembered."""
