"""Goal packs: made of one's own goals, shared by code or as text, taken as a whole, pinned in a server."""

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
"""The most packs of one member, and the most pinned in one server."""


class TooManyPacks(BotError):
    """A member or a server has reached the limit of packs."""

    def __init__(self) -> None:
        super().__init__(f"no more than {MAX_PACKS} packs")


class NoSuchPack(BotError):
    """A member has no such pack to remove, or a server no such pack to unpin."""

    def __init__(self, packs: Iterable[GoalPack], *, is_pinned: bool) -> None:
        self.titles = [pack.title for pack in packs]
        """The titles of the existing packs."""
        self.is_pinned = is_pinned
        super().__init__("no pack of that code or title")


class NoGoals(BotError):
    """There are no goals to make a pack of."""

    def __init__(self) -> None:
        super().__init__("no goals outside packs")


@dataclass(frozen=True, slots=True)
class FoundPack:
    """A pack and its code."""

    code: str
    pack: GoalPack


class GoalPacks:
    """Makes, finds, takes and pins packs."""

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
        await self._goals.measure(viewer, pack.goals)  # a goal may no longer have any charts
        return await self.offer(str(pack))

    async def offer(self, text: str) -> FoundPack:
        """Store a pack that somebody shares, so that its code finds it. Raises: BadPack, CannotKeep."""
        pack = read_pack(text)
        return FoundPack(await self._questions.save(str(pack), self._clock.now()), pack)

    async def find(self, code: str, guild: GuildId | None) -> FoundPack:
        """Return the pack of a code, pinned or only shared; a pinned pack is found by its title too.

        Raises: BadPack, ControlCharacter.
        """
        check_seen(code)
        if pinned := _find_among(await self.fetch_pinned(guild), code):
            return pinned
        key = code.strip().lower()
        text = await self._questions.find(key) or ""
        try:
            return FoundPack(key, read_pack(text))
        except BadPack:  # the code is that of a goal or a filter, or unknown
            raise BadPack(PackFlaw.ONE_GOAL if _is_goal(text) else PackFlaw.UNKNOWN_CODE) from None

    async def take(self, viewer: MemberId, code: str, guild: GuildId | None) -> FoundPack:
        """Set all goals of a pack for the viewer. Raises: TooOld, TooManyPacks, NotLinked, CannotKeep, as `Goals.add`."""
        try:
            found = await self.find(code, guild)
        except BadPack:  # it was available when its page was made
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
        """Delete a pack, by code or title, with its goals, except goals that are also in another pack.

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
        """Return the viewer's packs by code; none if they cannot be read now."""
        try:
            return read_kept(await self._packs.fetch(viewer))
        except CannotRead:
            return {}

    async def fetch_pinned(self, guild: GuildId | None) -> Mapping[str, GoalPack]:
        """Return a server's pinned packs by code; none in a direct message."""
        return read_kept(() if guild is None else await self._packs.fetch_pinned(guild))

    async def pin(self, guild: GuildId, code: str) -> FoundPack:
        """Pin a pack in a server. Raises: as `find`, TooManyPacks, CannotKeep."""
        found = await self.find(code, guild)
        if not await self._packs.pin(guild, str(found.pack), most=MAX_PACKS):
            raise TooManyPacks
        return found

    async def unpin(self, guild: GuildId, code: str) -> FoundPack:
        """Unpin a pack, by code or title. Raises: ControlCharacter, NoSuchPack, CannotKeep."""
        check_seen(code)
        packs = await self.fetch_pinned(guild)
        found = _find_among(packs, code)
        if found is None:
            raise NoSuchPack(packs.values(), is_pinned=True)
        await self._packs.unpin(guild, found.code)
        return found


def _find_among(packs: Mapping[str, GoalPack], typed: str) -> FoundPack | None:
    """Return the pack with the typed code, or with the typed title if only one has it."""
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
