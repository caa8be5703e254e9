"""Answers made of many memories: archives that carry a conversation over, and context for a question."""
