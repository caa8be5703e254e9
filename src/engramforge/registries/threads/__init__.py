"""The registry of threads, the open matters of conversations."""
