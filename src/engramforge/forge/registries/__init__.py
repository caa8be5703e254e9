"""The registries as namespaces of the facade: forge.decisions, forge.threads, forge.lineage, forge.review."""
