"""The registries of decisions, threads and lineage: the source of truth, whatever an archive's text says.

Entries are memories with registry fields; every change is a version.
"""
