"""How things come in from outside: files imported and kept in step, decisions and threads detected, changes undone."""
