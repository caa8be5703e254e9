"""What is kept, from one event to the next, of how turns were read."""
