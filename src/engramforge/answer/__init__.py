"""What is put together for a reader: archives that carry a conversation on, and context for a question.

What must not enter: writing of anything but through the registries, SQL, settings, and any face.
"""
