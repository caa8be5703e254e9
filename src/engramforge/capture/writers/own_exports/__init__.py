"""Restoring our own exports: their rows, then edited texts of their pages."""
