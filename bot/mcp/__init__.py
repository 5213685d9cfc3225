"""`kiroku mcp`: one player's records for assistants, by the Model Context Protocol; read only, nothing is kept."""
