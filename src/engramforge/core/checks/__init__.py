"""What may be remembered, linked and asked; and how complete a record is."""
