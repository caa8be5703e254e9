"""Kinds of things that questions ask for by their kind, and the things that statements name."""
