"""One module for each command; each holds it under the name `command`."""
