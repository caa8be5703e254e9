"""Injection as pure functions: what it is worth, how much of it fits, how it reads, and whether it was taken up."""
