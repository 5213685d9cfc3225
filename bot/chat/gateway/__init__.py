"""The bot's connections to Discord, and all that is used of discord.py's private parts, which tests/test_shards.py names."""
