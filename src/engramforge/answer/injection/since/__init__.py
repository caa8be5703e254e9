"""What was answered since a statement was made, and what that tells of it."""
