"""The registries of decisions, threads and lineage: the source of truth that no archive's text overrules.

Entries are memories with registry fields; every change is a version.
"""
