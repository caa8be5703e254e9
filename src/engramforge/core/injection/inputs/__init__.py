"""What a tool's input is read for beside names: places of files, and packages of a manifest."""
