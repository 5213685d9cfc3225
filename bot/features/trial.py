"""The best slot of an invented player, for members who have none of their own yet."""

from datetime import timedelta
from typing import Final
from weakref import WeakKeyDictionary

from bot.base.clock import JST, Clock
from bot.base.worker import run_in_worker
from bot.domain.history import Past, Snapshot
from bot.domain.ids import GuildId, MemberId, UserId, UserName
from bot.domain.members import Audience
from bot.domain.players import Player
from bot.domain.scores import SlotName
from bot.domain.search import SongIndex
from bot.domain.trial import BEST, invent
from bot.features.best import BestReport
from bot.features.shared.catalogues import LoadedCatalogue
from bot.features.shared.library import SongLibrary
from bot.features.shared.paging import part_of

_NAME: Final = "ＫＩＲＯＫＵ"
_NOBODY: Final = MemberId(0)
_LOOK_INTERVAL: Final = timedelta(days=3)
"""The time between two looks at the invented rating."""


class Trial:
    """Invents a player from the songs of the catalogue."""

    def __init__(self, library: SongLibrary, clock: Clock) -> None:
        self._library = library
        self._clock = clock
        self._reports = WeakKeyDictionary[SongIndex, BestReport]()
        """The player by catalogue: a player's picture is cached as long as the player."""

    async def report(self, viewer: MemberId, guild: GuildId | None) -> BestReport:
        """Return what `/best` would show of the invented player. Raises: as `SongLibrary.visit`."""
        loaded = (await self._library.visit(viewer, guild)).loaded
        if loaded.index not in self._reports:
            self._reports[loaded.index] = await run_in_worker(self._invent, loaded)
        return self._reports[loaded.index]

    def _invent(self, loaded: LoadedCatalogue) -> BestReport:
        region, now = loaded.catalogue.region, self._clock.now()
        found = invent(loaded.catalogue)
        looks = [now - _LOOK_INTERVAL * number for number in reversed(range(len(found.ratings)))]
        before = Snapshot(
            member=_NOBODY,
            region=region,
            day=looks[-2].astimezone(JST).date(),
            taken_at=looks[-2],
            rating=found.ratings[-2],
            scores=found.earlier,
        )
        player = Player(
            user_id=UserId(0),
            user_name=UserName("kiroku"),
            is_protected=False,
            player_name=_NAME,
            honor="",
            honor_type=None,
            level=None,
            rating=found.rating,
            rating_max=found.rating,
            class_emblem=None,
            updated_on=None,
        )
        return BestReport(
            player=player,
            name=SlotName.BEST,
            slot=found.best,
            best=found.best,
            recent=found.recent,
            genres=tuple(record.genre for record in found.recent.records),
            past=Past(
                region=region,
                until=now.astimezone(JST).date(),
                newest=(before,),
                ratings=tuple(zip(looks, found.ratings, strict=True)),
            ),
            part=part_of(found.best.records, BEST, 0),
            region=region,
            age=loaded.age,
            audience=Audience.ANYONE,
        )
