"""Options that several commands take."""

import re
from datetime import UTC, date, datetime

import pytest
from discord import app_commands

from bot.chat.client import Interaction
from bot.chat.options import SongText, day_of, option, song_option, timezone_option
from bot.domain.errors import BadQuery
from bot.ui.language.text import described, named


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


@pytest.mark.parametrize("text", ["0001-01-01", "2015-07-15", "2027-11-25", "9999-12-31"])
def test_days_outside_the_games_life_are_refused(text: str) -> None:
    """Whatever counts from such a day would leave the calendar."""
    with pytest.raises(BadQuery, match="from: 2015-07-16 – 2027-11-24"):
        day_of(text, "from", datetime(2026, 11, 23, tzinfo=UTC))


@pytest.mark.parametrize("text", ["2015-07-16", "2027/11/24"])
def test_days_within_it_are_taken(text: str) -> None:
    assert day_of(text, "from", datetime(2026, 11, 23, tzinfo=UTC)) == date(*map(int, re.split("[-/]", text)))
