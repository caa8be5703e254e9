"""Upkeep of stores as wholes: moving one to another place, writing all of it down."""
