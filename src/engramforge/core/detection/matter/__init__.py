"""What a short decision is of, where its own words do not say it."""
