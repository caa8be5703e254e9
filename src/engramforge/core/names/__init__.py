"""Names that many people have, and those of projects in questions."""
