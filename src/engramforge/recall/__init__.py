"""Recall: from a query to hits that explain themselves (candidates, signals, attention, matching, budget)."""
