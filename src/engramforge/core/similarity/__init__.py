"""Comparing embeddings, calibrating what comes out, and surprise."""
