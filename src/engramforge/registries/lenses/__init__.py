"""The registry of roles and lenses."""
