"""Encoders of ONNX models through fastembed, from the hub or a folder: E1, E5, E7, E10, E12 and E13.

fastembed is imported at first use; the package runs without it.
"""
