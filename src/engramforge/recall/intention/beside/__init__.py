"""What a stream tells beside the memories that were found."""
