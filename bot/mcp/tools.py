"""The seven tools: each asks for what it needs, lets the domain work it out, and says it in one sentence."""

from typing import Final

from bot.api.cache import Answer
from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.age import oldest
from bot.domain.borders import borders, learn_mix
from bot.domain.charts import Song, difficulty_name
from bot.domain.entries import FELT_ORDERS, RECORD_ORDERS, Order
from bot.domain.errors import BadQuery
from bot.domain.filters import Filter, parse_filter
from bot.domain.game_versions import VersionTable, game_day
from bot.domain.numbers import Hundredths, to_hundredths
from bot.domain.scores import Record
from bot.domain.summary import summarise
from bot.mcp.answers import (
    BorderAnswer,
    ChartList,
    ExpectAnswer,
    HistoryAnswer,
    PlanAnswer,
    RatingAnswer,
    ScoreList,
)
from bot.mcp.arguments import Days, DifficultyName, FilterText, PageNumber, SongText, TargetRating
from bot.mcp.errors import in_sentences
from bot.mcp.lines import aged, border_line, chart_line, counted, number, possible_song
from bot.mcp.predictions import climb_of, expect_answer, plan_answer
from bot.mcp.reader import PlayerReader
from bot.mcp.records import history_answer, rating_answer
from bot.mcp.songs import needs_worlds_end, page_of, passing_charts, passing_scores, pick_chart, pick_song

_NEXT_TARGET_HUNDREDTHS: Final = 10
"""Hundredths above the rating: what a plan leads to where nobody names a target."""
_SEVERAL: Final = "Several songs may be meant: ask again with the song_id of one of the choices."


def _parsed(text: str, sort: Order) -> Filter:
    """Return a filter. Raises: BadFilter, BadQuery where it or the order goes by what one player's token cannot tell."""
    wanted = parse_filter(text)
    if wanted.needs_felt or sort in FELT_ORDERS:
        raise BadQuery("felt", "how hard charts feel takes statistics of all players, which only the bot has")
    return wanted


class PlayerTools:
    """What an assistant may ask about one player."""

    def __init__(self, reader: PlayerReader, clock: Clock, versions: VersionTable) -> None:
        self._reader = reader
        self._clock = clock
        self._versions = versions

    @in_sentences
    async def find_charts(
        self,
        filter: FilterText = "",  # noqa: A002 - what people call it
        sort: Order = Order.CONSTANT_DOWN,
        page: PageNumber = 1,
    ) -> ChartList:
        """Find charts of the game by a filter, with the player's scores where filter or order speak of them."""
        wanted = _parsed(filter, sort)
        songs = await self._reader.songs()
        records, age = (), songs.age
        if wanted.needs_records or sort in RECORD_ORDERS:
            answer = await self._records_for(wanted)
            records, age = answer.value, oldest(age, answer.age)
        found = await run_in_worker(passing_charts, songs.value, records, wanted, sort)
        shown, pages = page_of(found, page)
        return ChartList(
            sentence=f"{counted(len(found), 'chart')} found; page {page} of {pages} has {len(shown)}.",
            **aged(age),
            total=len(found),
            page=page,
            pages=pages,
            charts=tuple(map(chart_line, shown)),
        )

    @in_sentences
    async def my_scores(
        self,
        filter: FilterText = "",  # noqa: A002 - as above
        sort: Order = Order.RATING_DOWN,
        page: PageNumber = 1,
    ) -> ScoreList:
        """List the player's own scores that pass a filter, with how many they are, averages and ranks.

        Scores on World's End charts are among them only where the filter names difficulties, as diff:we does.
        """
        wanted = _parsed(filter, sort)
        songs = await self._reader.songs()
        answer = await self._records_for(wanted)
        found = await run_in_worker(passing_scores, songs.value, answer.value, wanted, sort)
        shown, pages = page_of(found, page)
        summary = summarise((entry.record for entry in found if entry.record), self._reader.region)
        average = "" if summary.average_score is None else f", {summary.average_score:,} points on average"
        return ScoreList(
            sentence=f"{counted(len(found), 'score')} found{average}; page {page} of {pages} has {len(shown)}.",
            **aged(answer.age),
            total=len(found),
            page=page,
            pages=pages,
            charts=tuple(map(chart_line, shown)),
            average_score=summary.average_score,
            average_rating=number(summary.average_rating),
            ranks={rank.label: count for rank, count in summary.ranks.items()},
            all_justice=summary.all_justice,
            full_combo=summary.full_combo,
            failed=summary.failed,
        )

    async def _records_for(self, wanted: Filter) -> Answer[tuple[Record, ...]]:
        return await (self._reader.all_records() if needs_worlds_end(wanted) else self._reader.records())

    @in_sentences
    async def rating(self) -> RatingAnswer:
        """Say the player's rating and the charts that it is made of, worked out by today's rules of the game."""
        answer = await self._reader.data()
        return rating_answer(answer.value, game_day(answer.age.fetched_at), self._versions, answer.age)

    @in_sentences
    async def plan(self, target: TargetRating = None) -> PlanAnswer:
        """Say which scores on which charts lead to a rating soonest, how likely each is, and how many tries that takes."""
        answer = await self._reader.data()
        data = answer.value
        aim = (
            Hundredths(data.player.rating + _NEXT_TARGET_HUNDREDTHS)
            if target is None
            else to_hundredths(target)
        )
        day = game_day(answer.age.fetched_at)
        found = await run_in_worker(climb_of, data, aim, day, self._versions)
        return plan_answer(data, found, answer.age)

    @in_sentences
    async def border(self, song: SongText, difficulty: DifficultyName = None) -> BorderAnswer:
        """Say how many JUSTICE, ATTACK and MISS each rank allows on a chart, alone and as the player usually loses points."""
        songs = await self._reader.songs()
        picked = pick_song(songs.value, song)
        if not isinstance(picked, Song):
            return BorderAnswer(sentence=_SEVERAL, choices=picked, **aged(songs.age))
        chart = pick_chart(picked, difficulty)
        records = await self._reader.records()
        mix = await run_in_worker(learn_mix, records.value, songs.value.catalogue)
        found = borders(chart.max_combo, self._reader.region, mix) if chart.max_combo else ()
        own = (
            "in the player's own mix too"
            if mix
            else "too few records tell in what mix the player loses points"
        )
        return BorderAnswer(
            sentence=f"The chart has {chart.max_combo} notes; what each rank allows is listed, {own}."
            if found
            else "Nobody knows how many notes the chart has, so nothing can be said.",
            **aged(oldest(songs.age, records.age)),
            song=possible_song(picked),
            difficulty=difficulty_name(chart.difficulty),
            notes=chart.max_combo,
            borders=tuple(map(border_line, found)),
        )

    @in_sentences
    async def expect(self, song: SongText, difficulty: DifficultyName = None) -> ExpectAnswer:
        """Say what the player is likely to score on a chart, in the next try and in the end, and how likely each rank is."""
        songs = await self._reader.songs()
        picked = pick_song(songs.value, song)
        if not isinstance(picked, Song):
            return ExpectAnswer(sentence=_SEVERAL, choices=picked, **aged(songs.age))
        chart = pick_chart(picked, difficulty)
        answer = await self._reader.data()
        return await run_in_worker(expect_answer, picked, chart, answer.value, answer.age)

    @in_sentences
    async def history(self, days: Days = 30) -> HistoryAnswer:
        """Say on which days the records were set that still stand; what was beaten since is not known any more."""
        songs = await self._reader.songs()
        records = await self._reader.records()
        today = game_day(self._clock.now())
        return history_answer(records.value, songs.value.catalogue, today, days, records.age)
