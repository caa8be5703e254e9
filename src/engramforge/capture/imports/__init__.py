"""An import from beginning to end: what is found, in which order it is read, what writes it, the report."""
