"""Moving stores and writing them down, with real engines."""
