"""The text of an archive: written from an `ArchiveContent`, read back, recognised.

Markdown with a YAML head. Every free text stands in quoted lines, so nothing in it can be taken for structure: what is
written is read back exactly, and a person can still read and edit it. `writer` and `reader` are the two ways; `shapes`
says what entries and tables look like, `forms` how single values do; `older` reads archives of other tools.
"""
