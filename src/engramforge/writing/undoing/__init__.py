"""What an undo takes back: its plan, and the turns of a conversation that belong together."""
