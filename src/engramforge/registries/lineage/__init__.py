"""The registry of lineage: which conversation goes on from which."""
