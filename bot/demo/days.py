"""Another day in the demo: the players of the service have played, and it is as late as it was, a day on.

They try charts as they did when the service was seeded (`service.careers`): what the coach says of the next try can come true.
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
"""What tells the button of the page, days.js, from simcord's own actions."""
DAY: Final = timedelta(days=1)
_TRIES: Final = (18, 26)
"""An evening has this many tries, each on another chart."""
_EASIER_HUNDREDTHS: Final = 20
"""The constant that is tried most lies below the skill by this many hundredths."""
_AROUND_HUNDREDTHS: Final = 45.0
"""How far from it others lie that are still tried."""
_UNPLAYED_WEIGHT: Final = 0.4
"""How often a chart is tried that was never played, beside one that was."""
_FRESH_SONGS: Final = 60
"""The newest songs, on which everybody tries more."""
_FRESH_WEIGHT: Final = 5.0
"""How many times as often."""
_PLAYING_HOURS: Final = 3


def play_day(
    service: Path,
    players: Iterable[str],
    until: datetime,
    versions: VersionTable | None = None,
    *,
    evening: int | None = None,
) -> None:
    """Let players play in the hours before a moment, and upload: the same for the same day and records.

    Where an evening's number is given, it counts in place of the day: every demo tells the same, whenever it is begun.
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
    """Yield what an evening has raised; a try below the record changes nothing."""
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
    """Return the charts of an evening, those most likely that count for a rating."""
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
    # The largest of such powers are a draw by weights, each once.
    order = sorted(weights, key=lambda chart_id: random.random() ** (1 / weights[chart_id]), reverse=True)
    return [catalogue.charts[chart_id] for chart_id in order[: random.randint(*_TRIES)]]


def _wish(talent: Talent, chart: StoredChart) -> float:
    away = (talent.skill - _EASIER_HUNDREDTHS - chart.constant) / _AROUND_HUNDREDTHS
    return exp(-away * away / 2) + 1e-6
