"""Answers made of many memories: archives that carry a conversation on, and context for a question (spec chapter 7).

What must not enter: what an archive's text looks like (core/archive_format), what an entry is (registries), SQL.
"""
