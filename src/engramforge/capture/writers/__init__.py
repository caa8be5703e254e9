"""Writing what sources say: records, chunks, vaults, decision records, exports."""
