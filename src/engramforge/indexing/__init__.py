"""What capture and recall share: texts to embeddings, calibration. No storage engine, no faces."""
