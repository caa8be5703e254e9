"""How memories, versions and links get into the store: checked, redacted, recognised, encoded, written.

Shared by capture, which brings things in, and the registries, which keep decisions and threads.
"""
