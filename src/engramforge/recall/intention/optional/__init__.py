"""What a stream does only where it is asked to: answer again from memory, spread activation, rank by PageRank."""
