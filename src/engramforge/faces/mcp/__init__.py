"""The MCP face: tools over standard input and output, on the `mcp` SDK."""
