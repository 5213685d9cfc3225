"""An invented past for the demo: the record service only knows today, and the bot only what it has seen itself.

It is derived from the service's current data, and the same for the same players: earlier looks at the residents'
records, some of which were lower or missing then, a catalogue from before the last update, and the statistics of all
charts, which would take the bot hours. After the last of these looks the residents have played again.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from sqlite3 import Connection
from typing import Any, Final, NamedTuple

from orjson import dumps

from bot.base.clock import JST
from bot.base.config import Settings
from bot.demo.days import play_day
from bot.domain.charts import LETTERS, MASTER, WORLDS_END, Difficulty
from bot.domain.chronicle.state import PlayerFigures, RecordsState, marks_of
from bot.domain.coach.summaries import ChartSummary
from bot.domain.history import ChartKey, Snapshot, scores_of
from bot.domain.ids import JP2, MemberId, SongId
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.rating import song_rating
from bot.domain.scores import EMPTY_SLOT, Record, SlotName
from bot.features.shared.catalogues import pack
from bot.store import KeptCatalogue, Store, open_vault
from bot.wire.rating_data import RatingDataReply
from bot.wire.reading import read_reply
from bot.wire.records import RecordsV20
from bot.wire.songs import SongsReply
from bot.wire.statistics import StatV13
from service.accounts import get_account
from service.careers import tries
from service.invented_people import talent_of
from service.model import Flags, StoredCatalogue, StoredRecord
from service.plays import record_v2_0
from service.rating_data import RatedScore, player_rating, rating_data
from service.schema import opened, write
from service.songs import song_v2_0
from service.statistics import Play, statistics
from service.store import load_catalogue, load_chart_scores, load_records

DAYS_AGO: Final = (58, 51, 44, 36, 27, 20, 13, 6, 2)
"""The days ago of the residents' looks at their own ratings, the oldest first."""
_RAISED_SHARE: Final = 0.85
"""The share of records that were lower before; the others are the first upload."""
_BEFORE: Final = (20, 700)
"""The range of days between the lower score and the record."""
_TRIES: Final = 4
"""The number of tries for the earlier score, which is the best one below the record."""
_DAY_SECONDS: Final = 24 * 3600
_HOURS: Final = 10
"""The most hours by which a look is earlier than its number of days ago."""
_NEW_SONGS: Final = 3
_CHANGED_CONSTANTS: Final = 2
_CATALOGUE_AGE: Final = timedelta(days=3)
_STATISTICS_AGE: Final = timedelta(days=1)


async def write_past(
    settings: Settings, service: Path, people: Mapping[MemberId, str], now: datetime
) -> None:
    """Write what `people` would have seen of the service into the bot's database, before the bot starts."""
    links, snapshots, states, catalogue, summaries = await asyncio.to_thread(_invent, service, people, now)
    vault = open_vault(settings.token_keys_in_clear, settings.database_path)
    async with Store(settings.database_url, vault) as store:
        await store.catalogues.save(catalogue)
        await store.statistics.save_all(summaries, now - _STATISTICS_AGE)
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
    links: list[AccountLink] = []
    snapshots: list[Snapshot] = []
    states: list[RecordsState] = []
    with opened(service) as connection:
        with write(connection):
            for name in people.values():
                _bring_up(connection, name, now - timedelta(days=DAYS_AGO[-1], hours=_HOURS))
        catalogue = load_catalogue(connection, JP2)
        summaries = chart_summaries(connection, catalogue)
        for member, name in people.items():
            links.append(_linked(connection, member, name, now))
            for look in _looks(connection, catalogue, name, now):
                snapshots.append(rated_look(look, member))
                states.append(_as_seen(look, member, snapshots[-1].rating))
    play_day(service, people.values(), now, evening=0)
    return links, snapshots, states, pack(_before_update(catalogue), JP2, now - _CATALOGUE_AGE), summaries


def _bring_up(connection: Connection, name: str, newest: datetime) -> None:
    """Shift the times of somebody's records so that the newest one is of a given moment."""
    account = get_account(connection, name)
    at = (int(newest.timestamp()), account.user_id)
    connection.execute(
        """UPDATE records SET updated_at = updated_at + ? - (SELECT max(updated_at) FROM records WHERE user_id = ?)
        WHERE user_id = ? AND updated_at""",
        (*at, account.user_id),
    )
    connection.execute("UPDATE accounts SET updated_at = ? WHERE user_id = ? AND updated_at", at)


def chart_summaries(connection: Connection, catalogue: StoredCatalogue) -> dict[ChartKey, ChartSummary]:
    """Return the service's statistics of each chart that it counts, except World's End."""
    charts = {
        (SongId(song.song_id), Difficulty(chart.difficulty)): chart.chart_id
        for song in catalogue.songs
        for chart in song.charts
        if chart.difficulty in LETTERS and chart.difficulty != WORLDS_END
    }
    return {key: _summary(load_chart_scores(connection, chart)) for key, chart in charts.items()}


def _summary(plays: Sequence[Play]) -> ChartSummary:
    reply = dumps(statistics(plays, averages_as_text=False))
    return ChartSummary.of(read_reply(StatV13, reply).reply.to_domain())


def _linked(connection: Connection, member: MemberId, name: str, now: datetime) -> AccountLink:
    """Return a link without a token, to be replaced later: no snapshot is stored without a link."""
    account = get_account(connection, name)
    return AccountLink(
        member=member,
        user_id=account.user_id,
        user_name=account.user_name,
        region=JP2,
        visibility=Visibility.ONLY_ME,
        linked_at=now - timedelta(days=DAYS_AGO[0]),
    )


class EarlierLook(NamedTuple):
    """The records of somebody on an earlier day."""

    taken_at: datetime
    records: Sequence[StoredRecord]


def _looks(
    connection: Connection, catalogue: StoredCatalogue, name: str, now: datetime
) -> Iterator[EarlierLook]:
    """Yield the looks of a member on earlier days, the oldest first."""
    user, random = get_account(connection, name).user_id, Random(name)
    held = load_records(connection, catalogue, user)
    lower = {record.chart.chart_id: _before(name, record) for record in held}
    for days in DAYS_AGO:
        at = now - timedelta(days=days, minutes=random.randrange(_HOURS * 60))
        moment = int(at.timestamp())
        then = [each for record in held if (each := _then(record, lower[record.chart.chart_id], moment))]
        yield EarlierLook(at, then)


def _before(name: str, record: StoredRecord) -> StoredRecord | None:
    """Return a record before it was raised; None if it never was."""
    random = Random(f"{name} {record.chart.chart_id}")
    if random.random() >= _RAISED_SHARE or not record.updated_at:
        return None
    scores = islice(tries(random, talent_of(name), record.song, record.chart), _TRIES)
    score = max((score for score in scores if score < record.score), default=0)
    if not score:
        return None
    at = record.updated_at - random.randint(*_BEFORE) * _DAY_SECONDS
    rating = song_rating(record.chart.constant, score, JP2)
    return replace(record, score=score, rating=rating, flags=Flags.PLAYED | Flags.CLEAR, updated_at=at)


def _then(record: StoredRecord, before: StoredRecord | None, at: int) -> StoredRecord | None:
    """Return a record as of a moment; None if its chart was not played yet."""
    if record.updated_at <= at:
        return record
    return before if before and before.updated_at <= at else None


def rated_look(look: EarlierLook, member: MemberId) -> Snapshot:
    """Return the snapshot of a look: the rating, and what made it."""
    reply = rating_data(look.records, (), JP2)
    scores = (RatedScore(record.song, record.chart, record.score) for record in look.records)
    data = read_reply(RatingDataReply, dumps(reply)).reply.to_domain()
    return Snapshot(
        member=member,
        region=JP2,
        day=look.taken_at.astimezone(JST).date(),
        taken_at=look.taken_at,
        rating=player_rating(scores, (), JP2, int(look.taken_at.timestamp())),
        scores=scores_of(data[SlotName.BEST], EMPTY_SLOT),
    )


def _as_seen(look: EarlierLook, member: MemberId, rating: Hundredths) -> RecordsState:
    """Return the state of all records at a look."""
    return RecordsState(
        member=member,
        region=JP2,
        taken_at=look.taken_at,
        figures=PlayerFigures(rating=rating),
        marks=marks_of(replied(look.records)),
    )


def replied(records: Iterable[StoredRecord]) -> tuple[Record, ...]:
    """Return records as the bot parses them."""
    reply = dumps({"records": [record_v2_0(each) for each in records]})
    return read_reply(RecordsV20, reply).reply.to_domain()


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
