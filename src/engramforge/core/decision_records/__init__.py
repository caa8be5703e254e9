"""Architecture decision records (ADR) taken apart."""
