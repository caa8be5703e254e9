"""The statements that write a store, the same on every engine."""
