"""What a member leaves behind in the database, and by what it is found there."""

from collections.abc import Mapping

from harness import Person
from world import World

from bot.database.tables import METADATA
from bot.domain.ids import MemberId
from bot.domain.members import Visibility

COUNTS = {"ahead", "block"}
"""Columns whose numbers are nobody's, though they may look like somebody's."""


async def rows_about(world: World, *ids: object) -> list[tuple[str, Mapping[str, object]]]:
    """Return every row of every table in which a column holds one of the ids."""
    return [
        (table.name, row)
        for table in METADATA.sorted_tables
        for row in await world.rows(table)
        if not set(ids).isdisjoint(
            value for name, value in row.items() if isinstance(value, int | str) and name not in COUNTS
        )
    ]


def ids_of(world: World, person: Person, player: str) -> tuple[object, ...]:
    """Return everything by which a member's rows can be found: on Discord, and on the service."""
    account = world.players[player].user_id
    return person.id, account, f"account:{account}"


async def settle(world: World, person: Person, player: str) -> None:
    """Leave a trace of a member everywhere there is one to leave."""
    channel = world.discord.channel
    await world.link(person, player, Visibility.ANYONE)
    await person.slash(channel, "daily channel", channel=channel, time="21:00")
    await person.slash(channel, "daily join")
    await person.slash(channel, "settings", timezone="Europe/Paris")
    for command in ("rating", "best", "friends", "account", "export"):
        await person.slash(channel, command)
    await world.rest_posts()  # they look at members too, in the minutes before they are due
    await world.bot.features.chronicle.look_at(MemberId(person.id))
