"""Whose words a statement is in: who speaks, and which parts of a message are somebody else's text.

`speakers.voice_of` says who speaks, `own_words.parted` tells a message's own words from those that it only holds.
"""
