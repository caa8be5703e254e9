"""Storage: a narrow door (door.py) and the engines behind it."""
