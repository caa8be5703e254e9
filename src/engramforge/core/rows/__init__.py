"""Rows of a store as plain values and checksums, and back."""
