"""From signals to one similarity, and from that to mass and order."""
