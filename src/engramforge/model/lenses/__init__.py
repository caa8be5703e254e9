"""Lenses: projects that look at one question through their roles, and what comes of it."""
