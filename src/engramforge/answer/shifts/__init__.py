"""Shifts of activity: noticed at prompts, kept for those who look back."""
