"""Several projects look at one question."""
