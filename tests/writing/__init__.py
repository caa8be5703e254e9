"""Tests of capture, on a real store in a temporary folder."""
