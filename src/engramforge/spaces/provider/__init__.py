"""Encoders behind somebody else's HTTP endpoint: OpenAI's protocol and Voyage's.

What must not enter: settings, storage, and a key anywhere but in a request's header.
"""
