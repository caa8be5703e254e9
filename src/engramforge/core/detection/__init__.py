"""Rules that find decisions and threads in texts, with the sentence that says them (spec chapter 7). English first.

`rule_extractor.detect` is the way in. What must not enter: stores, clocks, anything learned.
"""
