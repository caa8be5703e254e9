"""E5: causes and effects."""
