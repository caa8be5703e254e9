"""Which emotions a text speaks of, by rules and a lexicon."""
