"""What a language model reads out of a message, and which of it the message really says."""
