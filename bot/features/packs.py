"""Packs of goals: made of one's own, handed on by code or as a text, taken as a whole, pinned in a server."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.base.clock import Clock
from bot.domain.errors import BadQuery, BotError, CannotRead, TooOld
from bot.domain.goals import BadGoal, Goal, parse_goal
from bot.domain.ids import GuildId, MemberId
from bot.domain.typed import check_seen
from bot.features.goals import Goals
from bot.features.shared.goal_packs import MAX_PACK_GOALS, BadPack, GoalPack, PackFlaw, read_kept, read_pack
from bot.store import NewGoal, Store, key_of

MAX_PACKS: Final = 3
"""Packs of one member, and packs that are pinned in one server."""


class TooManyPacks(BotError):
    """A member, or a server, has as many packs as it may."""

    def __init__(self) -> None:
        super().__init__(f"no more than {MAX_PACKS} packs")


class NoSuchPack(BotError):
    """A pack was to be dropped that the member does not have, or unpinned that is not pinned."""

    def __init__(self, packs: Iterable[GoalPack], *, is_pinned: bool) -> None:
        self.titles = [pack.title for pack in packs]
        """What those are called that there are."""
        self.is_pinned = is_pinned
        super().__init__("no pack of that code or title")


class NoGoals(BotError):
    """A pack was to be made of no goals."""

    def __init__(self) -> None:
        super().__init__("no goals outside packs")


@dataclass(frozen=True, slots=True)
class FoundPack:
    """A pack, and with which code it is had."""

    code: str
    pack: GoalPack


class GoalPacks:
    """Hands packs on."""

    def __init__(self, store: Store, goals: Goals, clock: Clock) -> None:
        self._packs = store.goal_packs
        self._questions = store.questions
        self._goals = goals
        self._clock = clock

    async def make(self, viewer: MemberId, title: str, author: str) -> FoundPack:
        """Make a pack of the viewer's goals outside packs. Raises: NoGoals, ControlCharacter, BadPack, as `Goals.add`."""
        check_seen(title)
        goals = [goal for _, goal in await self._goals.fetch(viewer) if isinstance(goal, Goal)]
        if not goals:
            raise NoGoals
        pack = GoalPack(title, author, tuple(goals[:MAX_PACK_GOALS]))
        await self._goals.measure(viewer, pack.goals)  # one may have been set while there were charts for it
        return await self.offer(str(pack))

    async def offer(self, text: str) -> FoundPack:
        """Keep a pack that somebody hands on, so that its code finds it. Raises: BadPack, CannotKeep."""
        pack = read_pack(text)
        return FoundPack(await self._questions.save(str(pack), self._clock.now()), pack)

    async def find(self, code: str, guild: GuildId | None) -> FoundPack:
        """Return the pack that a code stands for, be it pinned or only handed on; of a pinned one its title will do too.

        Raises: BadPack, ControlCharacter.
        """
        check_seen(code)
        if pinned := _find_among(await self.fetch_pinned(guild), code):
            return pinned
        key = code.strip().lower()
        text = await self._questions.find(key) or ""
        try:
            return FoundPack(key, read_pack(text))
        except BadPack:  # the code is that of a goal or a filter, or none
            raise BadPack(PackFlaw.ONE_GOAL if _is_goal(text) else PackFlaw.UNKNOWN_CODE) from None

    async def take(self, viewer: MemberId, code: str, guild: GuildId | None) -> FoundPack:
        """Set the viewer all goals of a pack that was found. Raises: TooOld, TooManyPacks, NotLinked, CannotKeep, as `Goals.add`."""
        try:
            found = await self.find(code, guild)
        except BadPack:  # it was pinned or kept when it was looked at
            raise TooOld from None
        progress, age = await self._goals.measure(viewer, found.pack.goals)
        goals = [
            NewGoal(str(goal), each.done, each.is_reached)
            for goal, each in zip(found.pack.goals, progress, strict=True)
        ]
        if not await self._packs.take(viewer, str(found.pack), goals, age.fetched_at, most=MAX_PACKS):
            raise TooManyPacks
        return found

    async def remove(self, viewer: MemberId, code: str) -> FoundPack:
        """Delete a pack, by its code or title, and the goals that came with it, but those of another one.

        Raises: ControlCharacter, NoSuchPack, CannotKeep.
        """
        check_seen(code)
        packs = await self.fetch(viewer)
        found = _find_among(packs, code)
        if found is None:
            raise NoSuchPack(packs.values(), is_pinned=False)
        del packs[found.code]
        left = {key_of(str(goal)) for pack in packs.values() for goal in pack.goals}
        await self._packs.delete(viewer, found.code, kept=left)
        return found

    async def fetch(self, viewer: MemberId) -> dict[str, GoalPack]:
        """Return the viewer's packs by their codes; none where that cannot be read just now."""
        try:
            return read_kept(await self._packs.fetch(viewer))
        except CannotRead:
            return {}

    async def fetch_pinned(self, guild: GuildId | None) -> Mapping[str, GoalPack]:
        """Return a server's packs by their codes; none in a direct message."""
        return read_kept(() if guild is None else await self._packs.fetch_pinned(guild))

    async def pin(self, guild: GuildId, code: str) -> FoundPack:
        """Pin a pack in a server. Raises: as `find`, TooManyPacks, CannotKeep."""
        found = await self.find(code, guild)
        if not await self._packs.pin(guild, str(found.pack), most=MAX_PACKS):
            raise TooManyPacks
        return found

    async def unpin(self, guild: GuildId, code: str) -> FoundPack:
        """Take a pinned pack down, by its code or title. Raises: ControlCharacter, NoSuchPack, CannotKeep."""
        check_seen(code)
        packs = await self.fetch_pinned(guild)
        found = _find_among(packs, code)
        if found is None:
            raise NoSuchPack(packs.values(), is_pinned=True)
        await self._packs.unpin(guild, found.code)
        return found


def _find_among(packs: Mapping[str, GoalPack], typed: str) -> FoundPack | None:
    """Return the pack whose code was typed, or the title that no other of them has."""
    code = typed.strip().lower()
    if code in packs:
        return FoundPack(code, packs[code])
    title = typed.strip().casefold()
    named = [FoundPack(code, pack) for code, pack in packs.items() if pack.title.casefold() == title]
    return named[0] if len(named) == 1 else None


def _is_goal(text: str) -> bool:
    try:
        parse_goal(text)
    except (BadQuery, BadGoal):
        return False
    return True
