"""What is so of any text, whoever reads it."""
