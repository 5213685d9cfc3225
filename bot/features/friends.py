"""The asker's friend list, by rating."""

from dataclasses import dataclass
from typing import Final

from bot.domain.age import Age
from bot.domain.ids import MemberId
from bot.domain.players import Friend
from bot.features.askers import Askers
from bot.features.paging import Part, part_of

PAGE_SIZE: Final = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendsPage:
    """What `/friends` shows."""

    friends: tuple[Friend, ...]
    """All of them: accepted ones by rating, highest first, then pending ones."""
    part: Part
    age: Age


class Friends:
    """Looks friend lists up."""

    def __init__(self, askers: Askers) -> None:
        self._askers = askers

    async def page(self, viewer: MemberId, number: int = 0) -> FriendsPage:
        """Return one page of the viewer's own list. Raises: NotLinked, and what the service answers."""
        answer = await (await self._askers.get(viewer)).fetch_friends()
        friends = sorted(
            answer.value, key=lambda friend: (not friend.is_accepted, -friend.rating, friend.user_name)
        )
        return FriendsPage(
            friends=tuple(friends),
            part=part_of(len(friends), PAGE_SIZE, number),
            age=answer.age,
        )
