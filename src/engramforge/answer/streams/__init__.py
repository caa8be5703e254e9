"""What is kept of a stream: learnings of beliefs that changed."""
