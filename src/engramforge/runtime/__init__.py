"""The daemon's life: where it is, how it is started and asked, the spool, and what it serves.

`places`, `lock`, `starting`, `client` and `proxy` use the standard library alone: a command that asks a live daemon
imports them and nothing else.
"""
