"""Claude Code itself, against a model's server of our own: `make test-e2e`."""
