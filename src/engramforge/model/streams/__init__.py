"""What is asked by intention or by state, and the one stream that answers both."""
