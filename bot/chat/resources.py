"""What the bot is given by whoever composes it."""

from typing import Protocol

from bot.features import Features
from bot.store import ShardFleet


class Resources(Protocol):
    """What the composition root hands over: entered before the first command, left after the last."""

    @property
    def fleet(self) -> ShardFleet | None:
        """The processes that serve with one database, once `open`; None where this one could not join them."""
        ...

    async def open(self) -> Features:
        """Build the features and everything below them. Raises: CannotStart."""
        ...

    async def reload(self) -> None:
        """Read anew what the operator may have changed; only after `open`."""
        ...

    async def describe_database(self) -> str:
        """Return which database there is, and what shape it has; only after `open`."""
        ...

    async def until_outdated(self) -> None:
        """Wait until a newer version wants to bring the database up to date; only after `open`."""
        ...

    def stop_waiting(self) -> None:
        """Wait no more for what says nothing, from now on: `close` is about to come."""
        ...

    async def close(self) -> None:
        """Close everything, the last opened first; safe to call again, or before `open`."""
        ...
