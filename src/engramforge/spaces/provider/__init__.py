"""Encoders behind somebody else's HTTP endpoint: OpenAI's protocol and Voyage's.

What must not enter: a key anywhere but in a request's header.
"""
