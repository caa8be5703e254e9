"""Encoders: a file or folder per kind of space, and the static model that they share."""
