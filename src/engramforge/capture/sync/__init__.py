"""Repeated import of what is new in remembered sources."""
