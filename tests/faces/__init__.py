"""Tests of the faces: each alone, and all of them against one another."""
