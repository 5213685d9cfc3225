"""A past for the demo, invented: the record service knows only today, and the bot only what it has seen itself.

Derived from what the service holds now, the same for the same players: earlier looks at the residents' own
ratings, a catalogue from before the last update, and the statistics of all charts, for which the bot takes hours.
Since the last of these looks they have played.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from sqlite3 import Connection
from typing import Any, Final, TypeAlias

from orjson import dumps

from bot.base.clock import JST
from bot.base.config import Settings
from bot.demo.days import play_day
from bot.domain.charts import LETTERS, MASTER, WORLDS_END, Difficulty
from bot.domain.chronicle import PlayerFigures, RecordMark, RecordsState, marks_of
from bot.domain.coach import ChartSummary
from bot.domain.history import ChartKey, Snapshot, scores_of
from bot.domain.ids import JP2, MemberId, SongId
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import EMPTY_SLOT, RatingData, Record, SlotName
from bot.features.shared.catalogues import pack
from bot.store import KeptCatalogue, Store, open_vault
from bot.wire.rating_data import RatingDataReply
from bot.wire.reading import read_reply
from bot.wire.records import RecordsV20
from bot.wire.songs import SongsReply
from bot.wire.statistics import StatV13
from service.accounts import get_account
from service.model import StoredCatalogue
from service.plays import record_v2_0
from service.rating_data import rating_data
from service.schema import opened
from service.songs import song_v2_0
from service.statistics import Play, statistics
from service.store import load_catalogue, load_chart_scores, load_recents, load_records

DAYS_AGO: Final = (58, 51, 44, 36, 27, 20, 13, 6, 2)
"""When the residents looked at their own ratings, the oldest first."""
_GAINS: Final = (0, 1, 2, 3, 5)
"""Hundredths that a rating rises between two looks."""
_LOWER: Final = 250
"""A score was lower by up to ten times this many points before it was raised."""
_NEW_SONGS: Final = 3
_CHANGED_CONSTANTS: Final = 2
_CATALOGUE_AGE: Final = timedelta(days=3)
_STATISTICS_AGE: Final = timedelta(days=1)

_Today: TypeAlias = tuple[Hundredths, RatingData]


async def write_past(
    settings: Settings, service: Path, people: Mapping[MemberId, str], now: datetime
) -> None:
    """Write into the bot's database, before the bot starts, what `people` would have seen of the service's."""
    links, snapshots, states, catalogue, gists = await asyncio.to_thread(_invent, service, people, now)
    vault = open_vault(settings.token_keys_in_clear, settings.database_path)
    async with Store(settings.database_url, vault) as store:
        await store.catalogues.put(catalogue)
        await store.statistics.put_all(gists, now - _STATISTICS_AGE)
        for link in links:
            await store.links.save(link, "")
            for snapshot in snapshots:
                if snapshot.member == link.member:
                    await store.snapshots.save(snapshot, account=link.user_id)
            for state in states:
                if state.member == link.member:
                    await store.chronicle.save(state, account=link.user_id)


def _invent(
    service: Path, people: Mapping[MemberId, str], now: datetime
) -> tuple[
    list[AccountLink], list[Snapshot], list[RecordsState], KeptCatalogue, dict[ChartKey, ChartSummary]
]:
    with opened(service) as connection:
        catalogue = load_catalogue(connection, JP2)
        gists = _gists(connection, catalogue)
        before = {name: marks_of(_played(connection, catalogue, name)) for name in people.values()}
    play_day(service, people.values(), now)
    with opened(service) as connection:
        links = [_linked(connection, member, name, now) for member, name in people.items()]
        looks = {
            member: list(_looks(Random(name), _today(connection, catalogue, name), member, now))  # noqa: S311 - invented, not secret
            for member, name in people.items()
        }
    snapshots = [look for each in looks.values() for look in each]
    states = [_as_seen(looks[member][0], before[name]) for member, name in people.items()]
    return links, snapshots, states, pack(_before_update(catalogue), JP2, now - _CATALOGUE_AGE), gists


def _gists(connection: Connection, catalogue: StoredCatalogue) -> dict[ChartKey, ChartSummary]:
    """Return what the service would say of each chart that it counts, but for World's End."""
    charts = {
        (SongId(song.song_id), Difficulty(chart.difficulty)): chart.chart_id
        for song in catalogue.songs
        for chart in song.charts
        if chart.difficulty in LETTERS and chart.difficulty != WORLDS_END
    }
    return {key: _gist(load_chart_scores(connection, chart)) for key, chart in charts.items()}


def _gist(plays: Sequence[Play]) -> ChartSummary:
    reply = dumps(statistics(plays, averages_as_text=False))
    return ChartSummary.of(read_reply(StatV13, reply).reply.to_domain())


def _linked(connection: Connection, member: MemberId, name: str, now: datetime) -> AccountLink:
    """Return a link that is to be made anew, for its token is none: no snapshot is kept without one."""
    account = get_account(connection, name)
    return AccountLink(
        member=member,
        user_id=account.user_id,
        user_name=account.user_name,
        region=JP2,
        visibility=Visibility.ONLY_ME,
        linked_at=now - timedelta(days=DAYS_AGO[0]),
    )


def _today(connection: Connection, catalogue: StoredCatalogue, name: str) -> _Today:
    account = get_account(connection, name)
    played = load_records(connection, catalogue, account.user_id)
    reply = rating_data(played, load_recents(connection, catalogue, account.user_id), catalogue.region)
    return account.rating, read_reply(RatingDataReply, dumps(reply)).reply.to_domain()


def _played(connection: Connection, catalogue: StoredCatalogue, name: str) -> tuple[Record, ...]:
    account = get_account(connection, name)
    played = [record_v2_0(each) for each in load_records(connection, catalogue, account.user_id)]
    return read_reply(RecordsV20, dumps({"records": played})).reply.to_domain()


def _as_seen(look: Snapshot, marks: Mapping[ChartKey, RecordMark]) -> RecordsState:
    """Return all records as they stood at a look."""
    return RecordsState(
        member=look.member,
        region=look.region,
        taken_at=look.taken_at,
        figures=PlayerFigures(rating=look.rating),
        marks=marks,
    )


def _looks(random: Random, today: _Today, member: MemberId, now: datetime) -> Iterator[Snapshot]:
    """Yield what a member saw on earlier days, the newest first."""
    rating, data = today
    best = list(scores_of(data[SlotName.BEST], EMPTY_SLOT))
    turns = {key: turn for turn, key in enumerate(random.sample(best, len(best)))}
    scores = scores_of(data[SlotName.BEST], data[SlotName.RECENT])
    for place, days in reversed(list(enumerate(DAYS_AGO))):
        rating = Hundredths(max(0, rating - random.choice(_GAINS)))
        taken_at = now - timedelta(days=days, minutes=random.randrange(600))
        then = {key: _then(score, turns.get(key), place) for key, score in scores.items()}
        yield Snapshot(
            member=member,
            region=JP2,
            day=taken_at.astimezone(JST).date(),
            taken_at=taken_at,
            rating=rating,
            scores={key: score for key, score in then.items() if score is not None},
        )


def _then(score: int, turn: int | None, place: int) -> int | None:
    """Return what a chart's score was at a look; None where the chart was not there yet.

    After each look some charts of the best slot, by `turn`, are raised or come in. What stands
    in the recent slot alone was played better before, or not yet.
    """
    if turn is None:
        return None if score % 2 else min(score + _LOWER, MAX_SCORE)
    round_, raised_after = divmod(turn, len(DAYS_AGO))
    if place > raised_after:
        return score
    return None if round_ == 1 else max(0, score - _LOWER * (turn % 10 + 1))


def _before_update(catalogue: StoredCatalogue) -> SongsReply:
    """Return a catalogue without the newest songs, and with some constants a tenth lower."""
    newest_first = sorted(catalogue.songs, key=lambda song: song.release or "", reverse=True)
    older: list[dict[str, Any]] = [song_v2_0(song) for song in newest_first[_NEW_SONGS:]]
    lowered = 0
    for song in older:
        chart = song["data"].get(MASTER)
        # A tenth below n.0 or n.5 would be another level.
        if lowered < _CHANGED_CONSTANTS and chart is not None and round(chart["const"] * 10) % 5:
            chart["const"] = round(chart["const"] - 0.1, 1)
            lowered += 1
    return read_reply(SongsReply, dumps(older)).reply
