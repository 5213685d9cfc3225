"""Everything that speaks to Discord: the client, its connections, answers, options and registration."""
