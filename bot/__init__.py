"""Kiroku, a Discord bot for players of an arcade rhythm game."""
