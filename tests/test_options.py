"""Options that several commands take."""

from discord import app_commands

from bot.client import Interaction
from bot.options import SongText, option, song_option, timezone_option
from bot.ui.text import described, named


class Tried(app_commands.Group):
    """Two commands that share an option, each with one more."""

    @app_commands.command(name="first", description="first")
    @option("count", named("option", "count"), described("How many charts; one if left out"))
    @song_option()
    async def first(self, _interaction: Interaction, song: SongText, count: str) -> None:
        """Take a song and a number."""
        del song, count

    @app_commands.command(name="second", description="second")
    @timezone_option()
    @song_option()
    async def second(self, _interaction: Interaction, song: SongText, timezone: str) -> None:
        """Take a song and a zone."""
        del song, timezone


def test_commands_do_not_share_what_they_add_to_a_common_option() -> None:
    told = {
        command.name: [(each.display_name, each.autocomplete) for each in command.parameters]
        for command in Tried(name="tried", description="tried").walk_commands()
        if isinstance(command, app_commands.Command)
    }
    assert told == {
        "first": [("song", True), ("count", False)],
        "second": [("song", True), ("timezone", True)],
    }
