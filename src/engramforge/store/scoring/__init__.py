"""How a store weighs memories when it chooses candidates, the same on every engine."""
