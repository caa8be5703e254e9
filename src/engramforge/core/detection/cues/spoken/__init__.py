"""Wordings that count where a person gives them."""
