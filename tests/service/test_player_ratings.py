"""Ratings of the service's players: by the formula of the day, as the bot works them out from the same replies."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from explained import explain_player

from bot.domain.game_versions import Formula, game_day
from bot.domain.ids import JP, JP2
from bot.domain.numbers import Hundredths
from bot.wire.game_versions import read_table
from service.accounts import get_account, write_records
from service.records_source import SourceRecord
from service.schema import opened, write
from service.seed import seed
from service.store import load_catalogue

PLAYERS: Final = 12


def test_every_seeded_player_of_today_is_explained_by_the_newest_version(tmp_path: Path) -> None:
    report = seed(tmp_path / "service.db", players=PLAYERS)
    names = [str(player.user_name) for player in report.players]
    found = {name: explain_player(tmp_path / "service.db", name) for name in names}
    assert {name: each.is_explained for name, each in found.items()} == dict.fromkeys(names, True)
    slots = [each.worked_out for each in found.values()]
    assert max(len(each.new) for each in slots) == 20  # there is something to see
    # Those with no record are explained by every version, and so by the newest.
    assert {each.version and each.version.name for each in slots} == {"Mate"}
    assert {each.formula for each in slots} == {Formula.BEST_AND_NEW}


def test_an_upload_is_rated_by_the_version_of_its_day(tmp_path: Path) -> None:
    report = seed(tmp_path / "service.db", players=1)
    name = str(report.players[0].user_name)
    table = read_table()
    days = [version.first_day for version in table.versions if version.region == JP2]
    with opened(tmp_path / "service.db") as connection:
        catalogue = load_catalogue(connection, JP2)
    song = next(
        song for song in catalogue.songs if song.charts[-1].constant and (song.release or "") < "2020"
    )
    for first_day in days:
        played = datetime(first_day.year, first_day.month, first_day.day, 3, tzinfo=UTC)
        with opened(tmp_path / "service.db") as connection, write(connection):
            connection.execute("UPDATE accounts SET updated_at = 0")
            connection.execute("UPDATE records SET updated_at = 0")
            account = get_account(connection, name)
            play = SourceRecord(
                place="",
                song_id=song.song_id,
                difficulty=song.charts[-1].difficulty,
                score=1_000_000,
                flags=16,
                updated_at=int(played.timestamp()),
            )
            write_records(connection, account, JP2, [play])
        found = explain_player(tmp_path / "service.db", name, game_day(played))
        version = found.worked_out.version
        assert found.is_explained
        assert version is not None
        assert version.first_day == first_day


def test_the_older_game_keeps_its_formula(tmp_path: Path) -> None:
    seed(tmp_path / "service.db", players=1)
    with opened(tmp_path / "service.db") as connection, write(connection):
        connection.execute("UPDATE accounts SET default_region = ?", (JP,))
        connection.execute("DELETE FROM records")
        connection.execute("DELETE FROM recents")
        catalogue = load_catalogue(connection, JP)
        (name,) = connection.execute("SELECT user_name FROM accounts").fetchone()
        charts = [(song, chart) for song in catalogue.songs for chart in song.charts if chart.constant][:40]
        now = datetime(2026, 11, 1, tzinfo=UTC) + timedelta(hours=1)
        plays = [
            SourceRecord(
                place="",
                song_id=song.song_id,
                difficulty=chart.difficulty,
                score=1_000_000,
                flags=16,
                updated_at=int(now.timestamp()),
            )
            for song, chart in charts
        ]
        write_records(connection, get_account(connection, name), JP, plays)
        rating = get_account(connection, name).rating
    best = sorted((chart.constant + 100 for _, chart in charts), reverse=True)
    assert rating == Hundredths((sum(best[:30]) + sum(best[:10])) // 40)
