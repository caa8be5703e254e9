"""What faces show, as plain values: the stable shapes of the MCP tools' answers, and of the same in the CLI's `--json`.

Times are ISO 8601 texts in UTC, names are the model's own. Only shapes, one file per concern: no printing, no I/O, and
nothing that belongs to one face alone. A recall does not wait for those of registries and archives.
"""
