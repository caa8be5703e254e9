"""Retrieval by intention and by state: six ways at once, and one stream of what they bring."""
