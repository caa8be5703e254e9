"""Entries of the registries: decisions, threads, lineage, archives, detections."""
