"""Benchmarks of engramforge: one file per benchmark, one harness for all of them.

They see the product through its public facade only, with its defaults, and run beside their baselines. They
are part of the source repository and not of the wheel.
"""
