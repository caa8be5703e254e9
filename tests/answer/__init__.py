"""Tests of archives and of loaded context, on real stores."""
