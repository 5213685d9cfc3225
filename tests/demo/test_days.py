"""The button "next day" of the demo: the players have played, and a day has gone by for everybody."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from shutil import copyfile
from sqlite3 import connect
from statistics import fmean

import pytest
from aiohttp import ClientSession
from explained import explain_player
from harness import Reply
from orjson import dumps
from patience import PATIENT_SECONDS
from reading import is_answered

from bot.demo import session
from bot.demo.days import KIND, play_day, tried
from bot.demo.past import chart_summaries, replied
from bot.demo.world import RESIDENTS
from bot.domain.charts import Difficulty
from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.felt import learn
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.player_model import fit_player
from bot.domain.game_versions import game_day
from bot.domain.ids import JP2, SongId
from bot.domain.ranks import Rank, next_goal
from bot.features.shared.game_data import read_game_versions
from bot.ui.language.text import DEFAULT_ZONE
from bot.wire.reading import read_reply
from bot.wire.songs import SongsReply
from service.accounts import get_account
from service.careers import try_once
from service.invented_people import talent_of
from service.schema import opened
from service.seed import seed
from service.songs import song_v2_0
from service.store import load_catalogue, load_records

NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
CAST = len(RESIDENTS) + 2
"""How many players the service invents for certain: residents, and two whom nobody is."""
PLAYERS = [each.player for each in RESIDENTS]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Path:
    database = tmp_path_factory.mktemp("days") / "service.db"
    seed(database, players=CAST)
    return database


def scores_of(service: Path, name: str) -> dict[int, tuple[int, int]]:
    """Return score and time of each record, by chart."""
    with opened(service) as connection:
        account = get_account(connection, name)
        held = load_records(connection, load_catalogue(connection, JP2), account.user_id)
    return {each.chart.chart_id: (each.score, each.updated_at) for each in held}


def test_everybody_has_played_and_nothing_falls(service: Path) -> None:
    for day in range(3):
        now = NOW + timedelta(days=day)
        before = {name: scores_of(service, name) for name in PLAYERS}
        play_day(service, PLAYERS, now)
        for name in PLAYERS:
            after = scores_of(service, name)
            changed = {chart for chart, each in after.items() if before[name].get(chart) != each}
            assert changed
            assert before[name].keys() <= after.keys()
            for chart in changed:
                score, at = after[chart]
                assert score > before[name].get(chart, (0, 0))[0]
                assert now - timedelta(hours=3) <= datetime.fromtimestamp(at, UTC) <= now
            with opened(service) as connection:
                uploaded_at = get_account(connection, name).updated_at
            assert uploaded_at == max(after[chart][1] for chart in changed)


def test_what_the_coach_says_of_the_next_try_comes_true_as_often(tmp_path: Path) -> None:
    seed(tmp_path / "service.db", players=60)
    said: dict[int, list[tuple[float, bool]]] = {}
    with opened(tmp_path / "service.db") as connection:
        catalogue = load_catalogue(connection, JP2)
        reply = dumps([song_v2_0(song) for song in catalogue.songs])
        features = ChartFeatureSet.of(read_reply(SongsReply, reply).reply.to_domain(JP2))
        crowd = learn(features.charts, chart_summaries(connection, catalogue))[0]
        for name in PLAYERS:
            account = get_account(connection, name)
            records = load_records(connection, catalogue, account.user_id)
            held = {record.chart.chart_id: record.score for record in records}
            predictions = fit_player(
                features, crowd, account.rating / 100, KnownPlays.of(replied(records))
            ).predictions
            for evening in range(30):
                luck = Random(f"{name} {evening}")  # noqa: S311 - a test
                for song, chart in tried(luck, catalogue, held, talent_of(name)):
                    goal = next_goal(held.get(chart.chart_id, Rank.S_PLUS.least_score), JP2)
                    score = try_once(luck, talent_of(name), song, chart)
                    if goal is not None:
                        chance = predictions[
                            SongId(song.song_id), Difficulty(chart.difficulty)
                        ].next_try.chance(goal)
                        said.setdefault(int(chance * 5), []).append((chance, score >= goal))
    every = [each for tenth in said.values() for each in tenth]
    assert abs(fmean(chance for chance, _ in every) - fmean(came for _, came in every)) < 0.04
    for fifth in said.values():
        if len(fifth) > 100:
            assert abs(fmean(chance for chance, _ in fifth) - fmean(came for _, came in fifth)) < 0.12


@pytest.mark.heavy
async def test_a_day_goes_by_on_the_page(tmp_path: Path) -> None:
    async with (
        session.demo(tmp_path, session.DemoOptions(port=0)) as (page, _),
        ClientSession(headers={"X-Simcord-Capability": "demo"}) as client,
    ):
        before = page._simulator.backend.clock.now()
        base = page.url.removesuffix("/#demo")
        async with client.post(f"{base}/api/pages", json={}) as reply:
            context = (await reply.json())["context"]["id"]
        for day in (1, 2):
            alike = tmp_path / f"alike{day}.db"
            with closing(connect(tmp_path / "service.db")) as served, closing(connect(alike)) as copied:
                served.backup(copied)
            play_day(alike, PLAYERS, datetime.now(UTC) + timedelta(days=day), evening=day)
            headers = {"X-Simcord-Context": context}
            async with client.post(f"{base}/api/action", json={"kind": KIND}, headers=headers) as reply:
                assert reply.status == 200
            assert page._simulator.backend.clock.now() - before >= timedelta(days=day)
            for name in PLAYERS:
                found, wanted = (scores_of(tmp_path / each, name) for each in ("service.db", alike.name))
                assert {key: score for key, (score, _) in found.items()} == {
                    key: score for key, (score, _) in wanted.items()
                }
            result = await page.viewers[0].slash(page.channel, "session")
            assert await page._simulator.until(
                lambda result=result: is_answered(result, None), PATIENT_SECONDS
            )
            told = Reply(page._simulator, result).everything
            assert "higher score" in told
            assert "Played " in told


def test_an_evening_of_a_demo_is_alike_on_whatever_day_it_is_begun(service: Path, tmp_path: Path) -> None:
    def after(evening: int, days: int) -> dict[str, dict[int, int]]:
        database = tmp_path / f"{evening}-{days}.db"
        copyfile(service, database)
        play_day(database, PLAYERS, NOW + timedelta(days=days), evening=evening)
        return {
            name: {chart: score for chart, (score, _) in scores_of(database, name).items()}
            for name in PLAYERS
        }

    assert after(0, 0) == after(0, 1) != after(1, 1)


def test_a_version_of_the_game_begins_within_the_first_days(service: Path, tmp_path: Path) -> None:
    database = tmp_path / "service.db"
    copyfile(service, database)
    table = read_game_versions(session._coming_version(tmp_path, NOW))
    version = table.versions[-1]
    begun = NOW + session.TURN_AFTER
    assert NOW < version.begins_at < begun
    play_day(database, PLAYERS, begun, table)
    for name in PLAYERS:
        found = explain_player(database, name, game_day(begun), table)
        assert (found.is_explained, found.worked_out.version, found.worked_out.new) == (True, version, ())


@pytest.mark.heavy
async def test_a_post_of_whatever_hour_is_made_on_the_next_day(tmp_path: Path) -> None:
    async with (
        session.demo(tmp_path, session.DemoOptions(port=0)) as (page, _),
        ClientSession(headers={"X-Simcord-Capability": "demo"}) as client,
    ):
        alice, channel = page.viewers[0], page.channel
        at = page._simulator.backend.clock.now().astimezone(DEFAULT_ZONE) - timedelta(hours=11)
        for command, values in (
            ("daily channel", {"channel": channel, "time": f"{at:%H:%M}"}),
            ("daily join", {}),
        ):
            result = await alice.slash(channel, command, **values)
            assert await page._simulator.until(
                lambda result=result: is_answered(result, None), PATIENT_SECONDS
            )
        before = len(channel.history())
        base = page.url.removesuffix("/#demo")
        async with client.post(f"{base}/api/pages", json={}) as reply:
            headers = {"X-Simcord-Context": (await reply.json())["context"]["id"]}
        async with client.post(f"{base}/api/action", json={"kind": KIND}, headers=headers) as reply:
            assert reply.status == 200
        assert await page._simulator.until(lambda: len(channel.history()) > before, PATIENT_SECONDS)
        (post,) = channel.history()[before:]
        assert alice.mention in str(post.embeds[0].description)
