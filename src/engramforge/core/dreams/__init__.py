"""What a dream does, as rules: when it starts, what is the same, how energy fades, what keeps recurring."""
