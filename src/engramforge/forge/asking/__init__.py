"""Verbs that only ask: recall and its kin, and streams by intention or by state."""
