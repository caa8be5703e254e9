"""Texts: words, stems, chunks, sentences, dates and marks."""
