"""The resources that the composition root gives to the bot."""

from typing import Protocol

from bot.features import Features
from bot.store import ShardFleet


class Resources(Protocol):
    """The interface of the resources: opened before the first command, closed after the last."""

    @property
    def fleet(self) -> ShardFleet | None:
        """The processes that serve with one database, after `open`; None if this one could not join them."""
        ...

    async def open(self) -> Features:
        """Build the features and everything below them. Raises: CannotStart."""
        ...

    async def reload(self) -> None:
        """Reload files that the operator may have changed; only after `open`."""
        ...

    async def describe_database(self) -> str:
        """Return the kind of the database and its revision; only after `open`."""
        ...

    async def until_outdated(self) -> None:
        """Wait until a newer version wants to upgrade the database; only after `open`."""
        ...

    def stop_waiting(self) -> None:
        """Stop waiting for silent services from now on: `close` is about to be called."""
        ...

    async def close(self) -> None:
        """Close everything, the last opened first; safe to call again, or before `open`."""
        ...
