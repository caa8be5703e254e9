"""How memories come in: checked, redacted, recognised, written; how they change; and how files are imported.

What must not enter: ranking, SQL, settings, and any face.
"""
