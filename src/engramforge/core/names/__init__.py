"""Names that many people have."""
