"""The asker's friend list, by rating."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.domain.age import Age
from bot.domain.errors import BotError
from bot.domain.ids import MemberId
from bot.domain.numbers import Hundredths
from bot.domain.players import Friend, Target
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.paging import Part, part_of

PAGE_SIZE: Final = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendsReport:
    """The content of `/friends`."""

    part: Part[Friend]
    """Friends by rating, highest first and unknown ones last; then pending requests, by name."""
    count: int
    """The number of friends."""
    own: Hundredths | None
    """The asker's rating; None if it is unknown."""
    place: tuple[int, int] | None
    """The asker's place and the count, among all with a known rating; None if the asker's is unknown."""
    age: Age


class FriendLists:
    """Reports friend lists."""

    def __init__(self, askers: Askers) -> None:
        self._askers = askers

    async def report(self, viewer: MemberId, number: int = 0) -> FriendsReport:
        """Return one page of the viewer's own list. Raises: NotLinked, and errors of the service."""
        asker = await self._askers.get(viewer)
        answer, own = await asyncio.gather(asker.fetch_friends(), _own_rating(asker))
        friends = sorted(
            (friend for friend in answer.value if friend.is_accepted),
            key=lambda friend: (-friend.rating, friend.user_name),
        )
        requests = sorted(
            (friend for friend in answer.value if not friend.is_accepted), key=lambda each: each.user_name
        )
        return FriendsReport(
            part=part_of([*friends, *requests], PAGE_SIZE, number),
            count=len(friends),
            own=own,
            place=None if own is None else _place(own, friends),
            age=answer.age,
        )


def _place(own: Hundredths, friends: Iterable[Friend]) -> tuple[int, int]:
    known = [friend.rating for friend in friends if friend.rating]
    return 1 + sum(rating > own for rating in known), 1 + len(known)


async def _own_rating(asker: Asker) -> Hundredths | None:
    try:
        return (await asker.fetch_owner(Target())).value.rating or None
    except BotError:
        # The friends are the answer; a missing own place must not fail it.
        return None
