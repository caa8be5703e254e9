"""Upkeep of whole stores: moving, exporting, calibrating, re-embedding."""
