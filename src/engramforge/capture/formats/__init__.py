"""The import formats, a module each: a source in, records out."""
