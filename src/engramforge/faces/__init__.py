"""The faces: each translates between its world and the facade, and decides nothing."""
