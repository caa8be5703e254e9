"""Bringing the store to what a source says: records, chunks, vaults, decision records, exports."""
