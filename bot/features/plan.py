"""What raises the best average soonest, and what one score would change."""

import asyncio
from dataclasses import dataclass, field
from typing import Final

from bot.apart import apart
from bot.domain.age import Age, oldest
from bot.domain.charts import Chart, Difficulty, Song, difficulty_name
from bot.domain.errors import BadQuery, BotError
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.numbers import Hundredths
from bot.domain.plan import Slots, Step, slots_of, steps, with_all_charts
from bot.domain.players import Player, Target
from bot.domain.route import Route, greatest_sum, shortest_route
from bot.domain.whatif import WhatIf, what_if
from bot.features.askers import Askers, ask_both
from bot.features.chronicle import Chronicles
from bot.features.coaches import Coaches
from bot.features.history import History
from bot.features.library import Library, SongChoice
from bot.features.paging import Part, part_of

PAGE_SIZE: Final = 8


class NoConstant(BotError):
    """A chart whose constant is not known, or that has none, cannot be rated."""

    def __init__(self) -> None:
        super().__init__("the chart's constant is not known")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanReport:
    """What `/plan` shows."""

    player: Player
    slots: Slots = field(repr=False)
    target: Hundredths | None
    """The best average to reach; None where none was named."""
    outside_only: bool
    """Charts in the best slot are left out of the steps."""
    route: Route | None
    """None without a target, and where it cannot be reached."""
    greatest: int
    """The sum of the best slot, in hundredths, when all its charts and those outside earn all they can."""
    part: Part[Step]
    """Without a target of everything that helps, most worth a try first; with one of the way there."""
    small: int
    """How many charts more could help by less than anybody would see."""
    counted: int | None
    """Of how many charts it is known what all players score; None with a target, for which it does not matter."""
    region: Region
    age: Age


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfReport:
    """What `/whatif` shows."""

    song: Song
    chart: Chart
    found: WhatIf
    region: Region
    age: Age


class Plans:
    """Makes plans for the asker's own best slot."""

    def __init__(
        self, askers: Askers, library: Library, history: History, chronicle: Chronicles, coaches: Coaches
    ) -> None:
        self._askers = askers
        self._history = history
        self._chronicle = chronicle
        self._library = library
        self._coaches = coaches

    async def report(
        self,
        viewer: MemberId,
        target: Hundredths | None,
        guild: GuildId | None,
        number: int = 0,
        *,
        outside_only: bool = False,
    ) -> PlanReport:
        """Return one page of what to play; the way to a target takes every chart of the slots.

        Raises: NotLinked, and what the service answers.
        """
        asker = await self._askers.get(viewer)
        region = asker.link.region
        standing = ask_both(asker.fetch_owner(Target()), asker.fetch_rating_data(Target(), region))
        if target is None:
            answer = await ask_both(standing, asker.fetch_records(Target(), region))
            (player, data), records = answer.value
            self._chronicle.note(asker.link, player, records, answer.age)
            catalogue = (await self._library.enter(asker, guild)).loaded.catalogue
            slots = slots_of(data, region)
            coached = await self._coaches.coach(catalogue, player.rating, records)
            helpful = await apart(lambda: steps(with_all_charts(slots, catalogue, records), coached.outlooks))
            wanted = [step for step in helpful if not (outside_only and step.is_in_best)]
            found = tuple(step for step in wanted if not step.is_small)
            route, small, counted = None, len(wanted) - len(found), coached.counted
        else:
            answer = await standing
            player, data = answer.value
            slots = slots_of(data, region)
            # A far target with full slots is a second's work.
            route = await asyncio.to_thread(shortest_route, slots, target * len(slots.best))
            found, small, counted = route.steps if route else (), 0, None
        await self._history.note(asker.link, player, data, answer.age)
        return PlanReport(
            player=player,
            slots=slots,
            target=target,
            outside_only=outside_only,
            route=route,
            greatest=greatest_sum(slots),
            part=part_of(found, PAGE_SIZE, number),
            small=small,
            counted=counted,
            region=region,
            age=answer.age,
        )

    async def what_if(
        self, viewer: MemberId, wanted: str, difficulty: Difficulty, score: int, guild: GuildId | None
    ) -> WhatIfReport | SongChoice:
        """Return what a score on the song that is meant would change, or songs between which to choose.

        Raises: NotLinked, NotFound, BadQuery where the song has no such chart, NoConstant, and what the service
        answers.
        """
        asker = await self._askers.get(viewer)
        region = asker.link.region
        song = (await self._library.enter(asker, guild)).pick(wanted)
        if isinstance(song, SongChoice):
            return song
        chart = next((each for each in song.charts if each.difficulty == difficulty), None)
        if chart is None:
            raise BadQuery("difficulty", ", ".join(difficulty_name(each.difficulty) for each in song.charts))
        if chart.constant is None:
            raise NoConstant
        data, records = await asyncio.gather(
            asker.fetch_rating_data(Target(), region), asker.fetch_records(Target(), region)
        )
        key = song.id, difficulty
        before = next(
            (record for record in records.value if (record.song_id, record.difficulty) == key), None
        )
        return WhatIfReport(
            song=song,
            chart=chart,
            found=what_if(slots_of(data.value, region), key, chart.constant, score, before),
            region=region,
            age=oldest(data.age, records.age),
        )
