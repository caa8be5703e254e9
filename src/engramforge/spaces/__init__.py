"""Encoders: one file per kind of space, and the model they stand on. No storage, no statistics of a
corpus."""
