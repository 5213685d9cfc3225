"""The bot's connections to Discord, and all uses of discord.py's private parts, which tests/test_shards.py lists."""
