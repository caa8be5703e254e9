"""Our own exports brought back: their rows, then the texts that were edited in their pages."""
