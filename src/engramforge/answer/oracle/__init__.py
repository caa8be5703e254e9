"""Answers with citations, or that nothing is known."""
