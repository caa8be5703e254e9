"""Wordings that several readers of the registries share."""
