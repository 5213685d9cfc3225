"""What `kiroku rating explain` says of the service's players, for tests that hold pages against it."""

from datetime import date
from pathlib import Path

from orjson import dumps as encode

from bot.domain.charts import Catalogue
from bot.domain.game_rating import Explanation, WorkedOut, explain, work_out
from bot.domain.game_versions import GameVersion, VersionTable
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.scores import Record
from bot.wire.game_versions import read_table
from bot.wire.reading import read_reply
from bot.wire.records import RecordsV20
from bot.wire.songs import SongsReply
from service.accounts import get_account
from service.plays import record_v2_0
from service.schema import opened
from service.songs import song_v2_0
from service.store import load_catalogue, load_records

LAST_DAY = date(2026, 12, 1)
"""A day of the newest version that ships."""


def explain_player(
    database: Path, name: str, day: date = LAST_DAY, table: VersionTable | None = None
) -> Explanation:
    """Return what a player's records come to, from the replies that the service would send."""
    rating, records, songs = _read(database, name)
    return explain(records, songs, day, rating, table or read_table())


def work_out_player(database: Path, name: str, version: GameVersion) -> WorkedOut:
    """Return what a player's records come to by the rules of a version, whatever their profile says."""
    _, records, songs = _read(database, name)
    return work_out(records, songs, version)


def _read(database: Path, name: str) -> tuple[Hundredths, tuple[Record, ...], Catalogue]:
    with opened(database) as connection:
        catalogue = load_catalogue(connection, JP2)
        account = get_account(connection, name)
        played = [record_v2_0(each) for each in load_records(connection, catalogue, account.user_id)]
    songs = read_reply(SongsReply, encode([song_v2_0(song) for song in catalogue.songs])).reply.to_domain(JP2)
    return account.rating, read_reply(RecordsV20, encode({"records": played})).reply.to_domain(), songs
