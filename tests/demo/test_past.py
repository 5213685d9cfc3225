"""The invented past, on the players and songs that the demo has."""

import asyncio
import json
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import orjson
import pytest
from demos import SEEDED, SERVED, all_invented
from harness import Reply
from once import made_once
from patience import PATIENT_SECONDS
from reading import is_answered
from tried_commands import NOT_PLAYED, SONG

from bot.base.clock import JST
from bot.base.config import Settings
from bot.demo import session
from bot.demo.past import DAYS_AGO, EarlierLook, chart_summaries, rated_look, replied, write_past
from bot.demo.world import RESIDENTS
from bot.domain.changes import CatalogueChanges, compare_catalogues
from bot.domain.chronicle.state import marks_of
from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.feeling import FeltByMember
from bot.domain.coach.felt import Certainty, learn
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.player_model import fit_player
from bot.domain.history import ChartKey, Snapshot
from bot.domain.ids import JP2, MemberId, SongId
from bot.features.shared.catalogues import _unpack
from bot.store import Store, Vault, new_key
from bot.wire.reading import read_reply
from bot.wire.songs import SongsReply
from service.accounts import get_account
from service.model import Flags
from service.schema import opened
from service.seed import seed
from service.songs import song_v2_0
from service.store import find_account_by_name, load_catalogue, load_chart_scores, load_records

NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
CAST = len(RESIDENTS) + 2
"""How many players the service invents for certain: residents, and two whom nobody is."""
PEOPLE = {MemberId(number): each.player for number, each in enumerate(RESIDENTS) if each.is_linked}


async def past_of(folder: Path) -> tuple[dict[MemberId, list[Snapshot]], CatalogueChanges]:
    """Write a past into fresh databases, and return what everyone saw and what the catalogue's update changed."""
    settings = Settings(database_url=f"sqlite+aiosqlite:///{folder / 'kiroku.db'}")
    await write_past(settings, folder / "service.db", PEOPLE, NOW)
    async with Store(settings.database_url, Vault([new_key()])) as store:
        snapshots = {member: await looks_of(store, member) for member in PEOPLE}
        (kept,) = await store.catalogues.fetch(JP2)
    assert kept.last_seen_at < NOW
    with opened(folder / "service.db") as connection:
        today = [song_v2_0(song) for song in load_catalogue(connection, JP2).songs]
    return snapshots, compare_catalogues(
        _unpack(kept), read_reply(SongsReply, orjson.dumps(today)).reply.to_domain(JP2)
    )


@dataclass(frozen=True)
class Past:
    """One past, which nobody changes: whoever made another would invent all players anew."""

    folder: Path
    looks: dict[MemberId, list[Snapshot]]
    changes: CatalogueChanges


@pytest.fixture(scope="session")
def past(tmp_path_factory: pytest.TempPathFactory) -> Past:
    def make(folder: Path) -> tuple[dict[MemberId, list[Snapshot]], CatalogueChanges]:
        seed(folder / "service.db", players=CAST)
        shutil.copy(folder / "service.db", folder / "before.db")
        return asyncio.run(past_of(folder))

    folder, (looks, changes) = made_once(tmp_path_factory, "past", make)
    return Past(folder, looks, changes)


async def looks_of(store: Store, member: MemberId) -> list[Snapshot]:
    """Return what somebody saw of their rating, oldest first."""
    looks = list[Snapshot]()
    day = NOW.date()
    while newest := (await store.snapshots.get(member, JP2, until=day)).newest:
        looks.insert(0, newest[0])
        day = newest[0].day - timedelta(days=1)
    return looks


async def test_everyone_has_looked_at_their_rating_before(past: Past) -> None:
    looks = past.looks
    with opened(past.folder / "service.db") as connection:
        for member, name in PEOPLE.items():
            account = find_account_by_name(connection, name)
            assert account is not None
            days = [each.day for each in looks[member]]
            assert len(days) == len(DAYS_AGO)
            assert NOW.astimezone(JST).date() - days[0] < timedelta(days=62)
            assert days[-1] < NOW.astimezone(JST).date()
            ratings = [each.rating for each in looks[member]]
            assert ratings == sorted(ratings)
            assert 5 < account.rating - ratings[0] < 120
            assert ratings[-1] <= account.rating
            assert sum(not one.says(other.rating, other.scores) for one, other in pairwise(looks[member])) > 2


async def test_who_begins_a_demo_on_another_day_finds_the_same_scores(past: Past, tmp_path: Path) -> None:
    shutil.copy(past.folder / "before.db", tmp_path / "service.db")
    settings = Settings(database_url=f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}")
    await write_past(settings, tmp_path / "service.db", PEOPLE, NOW + timedelta(days=1))
    found: list[dict[str, dict[int, int]]] = []
    for folder in (past.folder, tmp_path):
        with opened(folder / "service.db") as connection:
            catalogue = load_catalogue(connection, JP2)
            records = {
                name: load_records(connection, catalogue, get_account(connection, name).user_id)
                for name in PEOPLE.values()
            }
        found.append(
            {name: {each.chart.chart_id: each.score for each in held} for name, held in records.items()}
        )
    assert found[0] == found[1]


async def test_the_update_brought_songs_and_constants(past: Past) -> None:
    changes = past.changes
    assert (len(changes.added), len(changes.changed)) == (3, 2)
    assert (changes.removed, changes.new_charts) == ((), ())
    for change in changes.changed:
        assert change.before.level == change.after.level
        assert change.before.constant is not None
        assert change.after.constant == change.before.constant + 10


async def test_the_statistics_of_all_charts_are_what_the_service_would_say(past: Past) -> None:
    with opened(past.folder / "before.db") as connection:
        catalogue = load_catalogue(connection, JP2)
        plays = {
            (song.song_id, chart.difficulty): load_chart_scores(connection, chart.chart_id)
            for song in catalogue.songs
            for chart in song.charts
        }
    async with Store(f"sqlite+aiosqlite:///{past.folder / 'kiroku.db'}", Vault([new_key()])) as store:
        known = await store.statistics.fetch_all()
    assert set(known) == {key for key in plays if key[1] in {"BAS", "ADV", "EXP", "MAS"}}
    assert all(summary.players == len(plays[key]) for key, summary in known.items())
    key, summary = max(known.items(), key=lambda pair: pair[1].players)
    (rating, average), *_ = summary.steps
    scores = [score for score, _, of in plays[key] if of // 10 * 10 == rating]
    assert average == pytest.approx(sum(scores) / len(scores), abs=0.01)


@pytest.mark.heavy
async def test_the_past_is_the_same_each_time(tmp_path: Path) -> None:
    folders = tmp_path / "one", tmp_path / "other"
    for folder in folders:
        folder.mkdir()
        seed(folder / "service.db", players=CAST)
    first, second = [await past_of(folder) for folder in folders]
    assert first == second


async def test_whatever_was_played_since_the_last_look_was_played_after_it(past: Past) -> None:
    async with Store(f"sqlite+aiosqlite:///{past.folder / 'kiroku.db'}", Vault([new_key()])) as store:
        seen = {member: await store.chronicle.find(member, JP2, until=NOW) for member in PEOPLE}
    with opened(past.folder / "service.db") as connection:
        catalogue = load_catalogue(connection, JP2)
        for member, name in PEOPLE.items():
            look = seen[member]
            assert look is not None
            user = get_account(connection, name).user_id
            records = replied(load_records(connection, catalogue, user))
            times = {(record.song_id, record.difficulty): record.updated_at for record in records}
            now = marks_of(records)
            played_at = [times[chart] for chart in now if now[chart] != look.marks.get(chart)]
            assert played_at
            assert all(at is not None and look.taken_at < at <= NOW for at in played_at)


@pytest.mark.parametrize("charts", [{}, {"MAS": {"level": 13, "const": 13.2, "maxcombo": 1000}}])
async def test_a_catalogue_of_one_song_has_a_past(tmp_path: Path, charts: object) -> None:
    source = tmp_path / "songs.json"
    meta = {
        "id": "0123456789abcdef",
        "title": "One",
        "genre": "ORIGINAL",
        "artist": "",
        "release": "2026-01-01",
        "bpm": 0,
    }
    source.write_text(json.dumps([{"meta": meta, "data": charts}]))
    seed(tmp_path / "service.db", catalogue=source, players=CAST)
    _, changes = await past_of(tmp_path)
    assert [song.title for song in changes.added] == ["One"]


async def test_scores_have_risen_and_come_in_since_the_last_look(past: Past) -> None:
    looks = past.looks
    async with Store(f"sqlite+aiosqlite:///{past.folder / 'kiroku.db'}", Vault([new_key()])) as store:
        states = {member: await store.chronicle.find(member, JP2) for member in PEOPLE}
    entered = dict[MemberId, set[ChartKey]]()
    with opened(past.folder / "service.db") as connection:
        catalogue = load_catalogue(connection, JP2)
        for member, name in PEOPLE.items():
            held = load_records(connection, catalogue, get_account(connection, name).user_id)
            state = states[member]
            assert state is not None
            then, now = state.marks, marks_of(replied(held))
            assert then.keys() < now.keys()
            assert all(now[key].score >= mark.score for key, mark in then.items())
            assert any(now[key].score > mark.score for key, mark in then.items())
            before, today = looks[member][-1].scores, rated_look(EarlierLook(NOW, held), member).scores
            assert all(today[key] >= score for key, score in before.items() if key in today)
            assert sum(today.get(key) == score for key, score in before.items()) > len(today) / 2
            entered[member] = {*today} - {*before}
    # An evening brings a chart into the best of whoever looks first, though not of everybody.
    assert entered[next(iter(PEOPLE))]
    assert sum(map(bool, entered.values())) > len(PEOPLE) / 2


async def test_first_scores_are_remembered_and_most_have_risen(past: Past) -> None:
    member = next(iter(PEOPLE))
    async with Store(f"sqlite+aiosqlite:///{past.folder / 'kiroku.db'}", Vault([new_key()])) as store:
        states = await store.chronicle.fetch(member, JP2, most=20)
    assert len(states) == len(DAYS_AGO)
    first, last = states[-1].marks, states[0].marks
    assert first.keys() < last.keys()
    assert all(first[key].score <= last[key].score for key in first)
    assert sum(first[key].score < last[key].score for key in first) > 10


@pytest.mark.heavy
async def test_the_demo_shows_it(tmp_path: Path) -> None:
    async with session.demo(tmp_path, session.DemoOptions(port=0)) as (page, _unlinked):
        alice = page.viewers[0]
        for command, picture, text in [
            ("rating", "Rating over time", ""),
            ("best", "ＭＩＮＡＭＯ: rating ", ""),
            ("new", None, "🆕"),
            ("session", "Session of", " higher score"),
        ]:
            result = await alice.slash(page.channel, command)
            assert await page._simulator.until(
                lambda result=result: is_answered(result, None), PATIENT_SECONDS
            )
            reply = Reply(page._simulator, result)
            assert text in reply.everything
            assert [str(file.description).startswith(str(picture)) for file in reply.files] == [True] * bool(
                picture
            )


def test_who_tries_commands_has_played_the_one_song_and_not_the_other(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """As the steps of the walk in a browser say, which leaves a song out."""
    folder, _ = all_invented(tmp_path_factory)
    with opened(folder / SERVED) as connection:
        catalogue = load_catalogue(connection, JP2)
        for viewer in RESIDENTS[:2]:
            account = get_account(connection, viewer.player)
            held = load_records(connection, catalogue, account.user_id)
            titles = {each.song.title.casefold() for each in held if each.flags & Flags.PLAYED}
            assert SONG in titles
            assert NOT_PLAYED not in titles


def test_how_hard_charts_feel_is_known_to_residents(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Of most charts in reach, and of some for sure; it takes a crowd that their own records bear out."""
    folder, _ = all_invented(tmp_path_factory)
    with opened(folder / SEEDED) as connection:
        stored = load_catalogue(connection, JP2)
        summaries = chart_summaries(connection, stored)
        account = get_account(connection, PEOPLE[MemberId(0)])
        records = replied(load_records(connection, stored, account.user_id))
    songs = orjson.dumps([song_v2_0(song) for song in stored.songs])
    features = ChartFeatureSet.of(read_reply(SongsReply, songs).reply.to_domain(JP2))
    crowd, difficulty = learn(features.charts, summaries)
    rating = account.rating / 100
    trust = fit_player(features, crowd, rating, KnownPlays.of(records)).borne_out
    felt = FeltByMember(difficulty=difficulty, rating=rating, trust=trust)
    assert felt.is_known
    reached = [each for each in features.charts if rating - 2 < each.constant < rating]
    told = [felt.of(each.key, each.constant) for each in reached]
    assert sum(each.is_known for each in told) > 0.5 * len(told)
    assert {each.certainty for each in told} >= {Certainty.SURE, Certainty.LIKELY}


async def test_a_record_is_first_seen_at_the_look_after_its_day(past: Past) -> None:
    checked = 0
    async with Store(f"sqlite+aiosqlite:///{past.folder / 'kiroku.db'}", Vault([new_key()])) as store:
        states = {member: (await store.chronicle.fetch(member, JP2, most=20))[::-1] for member in PEOPLE}
    with opened(past.folder / "service.db") as connection:
        catalogue = load_catalogue(connection, JP2)
        for member, name in PEOPLE.items():
            records = replied(load_records(connection, catalogue, get_account(connection, name).user_id))
            now = marks_of(records)
            for record in records:
                chart, at = (record.song_id or SongId(""), record.difficulty), record.updated_at
                for before, after in pairwise(states[member]):
                    if at and before.marks.get(chart) != after.marks.get(chart) == now[chart]:
                        assert before.taken_at < at <= after.taken_at
                        checked += 1
    assert checked > 50
