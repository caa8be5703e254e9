"""What a store writes, counts, moves and exports."""
