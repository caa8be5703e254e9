"""Which open thread is meant by what somebody says to be over."""
