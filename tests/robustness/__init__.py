"""What must hold when processes die, meet, forget or are fed nonsense."""
