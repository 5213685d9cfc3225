"""The history of a chart, from stored history only, of a member who lets the viewer look."""

from dataclasses import dataclass
from datetime import datetime

from bot.base.worker import run_in_worker
from bot.domain.charts import Chart, Difficulty, Song
from bot.domain.errors import NotLinked
from bot.domain.game_versions import GameVersion
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.story import ChartStory, NoStory, StoryStep, story_of
from bot.features.shared.askers import Askers
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongChoice, SongLibrary, get_chart
from bot.features.shared.paging import LINES, Part, part_of
from bot.features.shared.subjects import Subject
from bot.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryReport:
    """The content of a chart's history."""

    member: MemberId
    song: Song
    is_removed: bool
    """Whether the song is no longer in the catalogue and known only from records."""
    chart: Chart
    story: ChartStory
    part: Part[StoryStep | GameVersion]
    """One page of events, newest first, with the versions of the game that began meanwhile."""
    versions: tuple[GameVersion, ...]
    """All of those versions, oldest first."""
    region: Region
    audience: Audience


class Stories:
    """Reports the history of members' scores on charts; sends no request to the service for it."""

    def __init__(self, store: Store, askers: Askers, library: SongLibrary, ratings: GameRatings) -> None:
        self._chronicle = store.chronicle
        self._askers = askers
        self._library = library
        self._ratings = ratings

    async def report(
        self,
        viewer: MemberId,
        subject: Subject,
        wanted: str,
        difficulty: Difficulty | None,
        guild: GuildId | None,
        number: int = 0,
    ) -> StoryReport | SongChoice:
        """Return a chart's history, by default of the hardest chart with a record; or songs to choose from.

        Raises: NotLinked with the member who may not be looked up, MembershipUnknown, NotFound, NoStory, NoChart,
        CannotRead.
        """
        asker = await self._askers.get(viewer)
        member = await self._askers.get_remembered(asker, subject)
        if member is None:
            raise NotLinked(subject.member)
        target = await self._askers.get_target(asker, subject)
        visit = await self._library.enter(asker, guild)
        song = await visit.pick_played(wanted, target)
        if isinstance(song, SongChoice):
            return song
        if song.is_worlds_end:
            raise NoStory
        region = asker.link.region
        chart = get_chart(song, difficulty or await self._hardest_played(member, song, region))
        key = song.id, chart.difficulty
        looks = await self._chronicle.fetch_chart(member, region, key)
        # Members may hide or erase their link while this is read.
        asker = await self._askers.get(viewer)
        await self._askers.get_remembered(asker, subject)
        story = await run_in_worker(story_of, key, looks)
        table = self._ratings.versions
        versions = table.begun_between(region, looks[0].moment, looks[-1].moment) if looks else ()
        events: list[StoryStep | GameVersion] = sorted((*story.steps, *versions), key=_when, reverse=True)
        is_hidden = member == viewer and asker.is_only_me
        return StoryReport(
            member=member,
            song=song,
            is_removed=song.id not in visit.loaded.catalogue.by_id,
            chart=chart,
            story=story,
            part=part_of(events, LINES, number),
            versions=versions,
            region=region,
            audience=Audience.ASKER if is_hidden else Audience.ANYONE,
        )

    async def _hardest_played(self, member: MemberId, song: Song, region: Region) -> Difficulty | None:
        newest = await self._chronicle.find(member, region)
        charts = () if newest is None else newest.marks.keys()
        found = (chart.difficulty for chart in reversed(song.charts) if (song.id, chart.difficulty) in charts)
        return next(found, None)


def _when(event: StoryStep | GameVersion) -> datetime:
    return event.begins_at if isinstance(event, GameVersion) else event.until
