"""How requests reach the daemon, where it is not as uvicorn has it."""
