"""The registry of decisions."""
