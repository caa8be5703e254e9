"""The door's contract, held by every engine."""
