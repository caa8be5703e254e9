"""Watched folders: what is saved, moved or deleted there is remembered at once."""
