"""Topics of a project, kept up to date: vectors of each space -> clusters of each space -> topics -> names, phases."""
