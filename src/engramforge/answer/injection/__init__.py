"""What is put before a model unasked: at a session's start, with a prompt, before a tool."""
