"""Encoders that the user chose: from a setting to an encoder."""
