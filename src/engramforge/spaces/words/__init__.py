"""The table in which the static spaces look words up."""
