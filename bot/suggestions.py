"""What is suggested while somebody types: the autocompletes of options that several commands take."""

from discord.app_commands import Choice

from bot.client import Interaction
from bot.subjects import guild_of, viewer_of
from bot.ui.filters import filter_choices
from bot.ui.song import song_choices


async def suggest_songs(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Return songs for what was typed so far: the autocomplete of every option that takes a song."""
    library = interaction.client.features.library
    return song_choices(await library.suggest(viewer_of(interaction), current, guild_of(interaction)))


async def suggest_filters(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Return filters that what was typed could become: the autocomplete of every option that takes one."""
    return filter_choices(interaction.client.language_of(interaction), current)
