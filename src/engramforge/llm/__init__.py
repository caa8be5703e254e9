"""The door to language models: a prompt and material in, a checked object out, within a time and under a cap.

Nothing needs a model, and none is imported before it is asked. What must not enter: what is asked for (the prompts'
callers know that), the store, and a key anywhere but in a request's header.
"""
