"""E10: pictures by their look and by their captions.

bytes -> decode (safe, small) -> features (shape, light, colour) -> row 0;  caption -> words -> row 1
"""
