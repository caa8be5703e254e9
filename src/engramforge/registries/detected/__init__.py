"""From detections to changes of the registries, and the review of those that are unsure."""
