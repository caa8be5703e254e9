"""What writing, recall and upkeep share: encoding, comparing, the calibrations in use."""
