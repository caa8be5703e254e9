"""The registry of lineage: which conversation continues which."""
