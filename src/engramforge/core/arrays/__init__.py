"""Arrays and algebra that several spaces stand on: ragged rows, seeded numbers, projections, hypervectors."""
