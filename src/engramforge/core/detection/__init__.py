"""Rules that find decisions and threads in texts, with the sentence that says them. English first.

`rule_extractor.detect` is the way in.
"""
