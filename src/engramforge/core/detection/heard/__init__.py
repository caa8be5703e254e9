"""What is only heard in a person's words, so that it waits for review."""
