"""What is read of a statement's wording before it is compared: roots of words, and whoever only reports it."""
