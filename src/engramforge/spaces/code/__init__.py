"""E7, the space of code: what is recognised as code in a text, its syntax as paths, its names as hashed words."""
