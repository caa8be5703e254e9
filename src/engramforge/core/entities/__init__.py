"""Names in texts, and what a text says of two of them."""
