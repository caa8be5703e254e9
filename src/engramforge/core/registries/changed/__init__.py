"""A decision with one part of it changed: which one a sentence means, and what it says then."""
