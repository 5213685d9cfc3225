"""Another day in the demo: the players of the service have played, and it is as late as it was, a day on."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final

from bot.base.clock import JST
from bot.domain.charts import Difficulty
from bot.domain.ids import JP2, SongId
from bot.domain.ranks import MAX_SCORE
from service.accounts import get_account, write_records
from service.model import Flags, StoredCatalogue, StoredRecord
from service.rating_data import BEST_SIZE, rated
from service.records_source import SourceRecord
from service.schema import opened, write
from service.store import load_catalogue, load_records

KIND: Final = "next_day"
"""What tells the button of the page, days.js, from simcord's own actions."""
DAY: Final = timedelta(days=1)
_POOL: Final = 2 * BEST_SIZE
"""The best records, of which some are raised."""
_RAISED: Final = (3, 9)
_FIRST_PLAYS: Final = (1, 4)
_NEAR: Final = 100
"""In hundredths, by which the constant of a chart that is played first may be below that of the best."""
_FIRST_SCORES: Final = (985_000, 1_006_000)
_PLAYING_HOURS: Final = 3


def play_day(service: Path, players: Iterable[str], until: datetime) -> None:
    """Let players play in the hours before a moment, and upload: the same for the same moment and records."""
    with opened(service) as connection, write(connection):
        catalogue = load_catalogue(connection, JP2)
        for name in players:
            random = Random(f"{name} {until.astimezone(JST).date()}")  # noqa: S311 - invented, not secret
            account = get_account(connection, name)
            held = load_records(connection, catalogue, account.user_id)
            played = list(_plays(random, catalogue, held, until))
            write_records(connection, account, JP2, played)


def _plays(
    random: Random, catalogue: StoredCatalogue, held: list[StoredRecord], until: datetime
) -> Iterator[SourceRecord]:
    best = rated(held)
    pool = [record for record in best[:_POOL] if record.score < MAX_SCORE]
    for record in random.sample(pool, min(len(pool), random.randint(*_RAISED))):
        score = record.score + random.randint(1, max(1, (MAX_SCORE - record.score) // 2))
        yield _play(random, record.song.song_id, record.chart.difficulty, score, record.flags, until)
    known = {(record.song.song_id, record.chart.difficulty) for record in held}
    floor = (best[0].chart.constant if best else 1300) - _NEAR
    unplayed = [
        (song.song_id, chart.difficulty)
        for song in catalogue.songs
        for chart in song.charts
        if floor <= chart.constant <= floor + 2 * _NEAR and (song.song_id, chart.difficulty) not in known
    ]
    for song, difficulty in random.sample(unplayed, min(len(unplayed), random.randint(*_FIRST_PLAYS))):
        flags = Flags.PLAYED | Flags.CLEAR
        yield _play(random, song, difficulty, random.randint(*_FIRST_SCORES), flags, until)


def _play(
    random: Random, song: SongId, difficulty: Difficulty, score: int, flags: int, until: datetime
) -> SourceRecord:
    at = until - timedelta(minutes=random.randrange(_PLAYING_HOURS * 60))
    return SourceRecord(
        place="",
        song_id=song,
        difficulty=difficulty,
        score=score,
        flags=flags,
        updated_at=int(at.timestamp()),
    )
