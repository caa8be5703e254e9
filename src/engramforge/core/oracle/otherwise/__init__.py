"""That two texts answer one question otherwise: another number, another day."""
