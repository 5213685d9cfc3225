"""The next day in the demo: the service's players have played, and it is the same time of day, one day later.

They try charts as when the service was seeded (`service.careers`), so that forecasts of the next try can come true.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from math import exp
from pathlib import Path
from random import Random
from typing import Final

from bot.base.clock import JST
from bot.domain.game_versions import VersionTable
from bot.domain.ids import JP2
from service.accounts import get_account, write_records
from service.careers import Talent, flags_of, try_once
from service.invented_people import talent_of
from service.model import StoredCatalogue, StoredChart, StoredRecord, StoredSong
from service.records_source import SourceRecord
from service.schema import opened, write
from service.store import load_catalogue, load_records

KIND: Final = "next_day"
"""The kind of the action of the page's button (days.js), unlike those of simcord."""
DAY: Final = timedelta(days=1)
_TRIES: Final = (18, 26)
"""The range of tries in an evening, each on a different chart."""
_EASIER_HUNDREDTHS: Final = 20
"""The hundredths from the skill down to the constant that is tried most."""
_AROUND_HUNDREDTHS: Final = 45.0
"""The spread around that constant, in hundredths."""
_UNPLAYED_WEIGHT: Final = 0.4
"""The weight of charts never played, relative to played ones."""
_FRESH_SONGS: Final = 60
"""The number of newest songs, which everybody tries more often."""
_FRESH_WEIGHT: Final = 5.0
"""The weight of the newest songs."""
_PLAYING_HOURS: Final = 3


def play_day(
    service: Path,
    players: Iterable[str],
    until: datetime,
    versions: VersionTable | None = None,
    *,
    evening: int | None = None,
) -> None:
    """Let players play in the hours before a moment, and upload; the result depends only on the day and the records.

    The number of an evening, if given, replaces the day, so that every demo is the same, whenever it is started.
    """
    drawn = until.astimezone(JST).date() if evening is None else evening
    with opened(service) as connection, write(connection):
        catalogue = load_catalogue(connection, JP2)
        for name in players:
            random = Random(f"{name} {drawn}")
            account = get_account(connection, name)
            held = load_records(connection, catalogue, account.user_id)
            played = list(_raised(random, catalogue, held, talent_of(name), until))
            write_records(connection, account, JP2, played, versions=versions)


def _raised(
    random: Random, catalogue: StoredCatalogue, held: list[StoredRecord], talent: Talent, until: datetime
) -> Iterator[SourceRecord]:
    """Yield the records that an evening has raised; a try below the record changes nothing."""
    scores = {record.chart.chart_id: record for record in held}
    for song, chart in tried(random, catalogue, scores.keys(), talent):
        score, before = try_once(random, talent, song, chart), scores.get(chart.chart_id)
        if before is None or score > before.score:
            at = until - timedelta(minutes=random.randrange(_PLAYING_HOURS * 60))
            yield SourceRecord(
                place="",
                song_id=song.song_id,
                difficulty=chart.difficulty,
                score=score,
                flags=flags_of(random, chart, score, score) | (before.flags if before else 0),
                updated_at=int(at.timestamp()),
            )


def tried(
    random: Random, catalogue: StoredCatalogue, known: Iterable[int], talent: Talent
) -> list[tuple[StoredSong, StoredChart]]:
    """Return the charts of an evening; likeliest are those a little below the player's skill, and new songs."""
    played = set(known)
    newest = sorted(catalogue.songs, key=lambda song: song.release or "", reverse=True)
    fresh = {song.song_id for song in newest[:_FRESH_SONGS]}
    weights = {
        chart_id: _wish(talent, chart)
        * (1.0 if chart_id in played else _UNPLAYED_WEIGHT)
        * (_FRESH_WEIGHT if song.song_id in fresh else 1.0)
        for chart_id, (song, chart) in catalogue.charts.items()
        if chart.constant
    }
    # Taking the largest of these powers is a weighted draw without replacement.
    order = sorted(weights, key=lambda chart_id: random.random() ** (1 / weights[chart_id]), reverse=True)
    return [catalogue.charts[chart_id] for chart_id in order[: random.randint(*_TRIES)]]


def _wish(talent: Talent, chart: StoredChart) -> float:
    away = (talent.skill - _EASIER_HUNDREDTHS - chart.constant) / _AROUND_HUNDREDTHS
    return exp(-away * away / 2) + 1e-6
