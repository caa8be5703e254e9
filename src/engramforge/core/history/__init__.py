"""What was believed, until when, and what replaced it."""
