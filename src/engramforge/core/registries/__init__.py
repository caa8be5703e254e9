"""Rules that every registry follows: ids, status, what disagrees, what matters most."""
