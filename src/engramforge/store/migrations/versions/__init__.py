"""The migrations, a module each, in order."""
