"""Embeddings, parts, and which encoder made them."""
