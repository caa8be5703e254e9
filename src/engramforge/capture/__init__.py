"""What comes in from outside: files imported and synchronised, decisions and threads detected."""
