"""The table of words that the static spaces look words up in."""
