"""Language models as the settings name them, and what is told of one; what may not be sent to any."""
