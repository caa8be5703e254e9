"""Proof of a forget: what is looked for afterwards, and which rows still say it."""
