"""The command line. `program` finds and runs commands, `commands` holds one module for each."""
