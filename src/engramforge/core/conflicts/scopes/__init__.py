"""For what a statement holds: where, when, for the first or the second of a kind, with which exceptions, by clause."""
