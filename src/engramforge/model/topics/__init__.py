"""What topics are: what memories are about as they gather."""
