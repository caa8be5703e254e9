"""Pure functions over model types and NumPy: no I/O, no clock; `now` and `rng` are arguments."""
