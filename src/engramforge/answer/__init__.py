"""Answers made of many memories: archives that carry a conversation on, and context for a question."""
