"""Console entry points: the only place that knows more than one face."""
