"""What the bot says of data that came into the service from files, with all that they leave open."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from world import World

from bot.__main__ import main
from bot.domain.ids import JP2
from service.model import StoredChart, StoredSong
from service.schema import opened
from service.store import load_catalogue


def bring_in(world: World, kind: str, file: Path, *more: str) -> None:
    arguments = ["service", "import", "--db", str(world.service_database), kind, str(file), *more]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output


def charts(world: World) -> list[tuple[StoredSong, StoredChart]]:
    with opened(world.service_database) as connection:
        songs = load_catalogue(connection, JP2).songs
    return [(song, chart) for song in songs for chart in song.charts if chart.constant]


@pytest.mark.parametrize(
    ("header", "row", "said", "unsaid"),
    [
        ("id,diff,score", "{},{},960000", "", "FAILED"),
        ("id,diff,score,is_clear,is_fullcombo", "{},{},960000,,1", "FC", "FAILED"),
        ("id,diff,score,is_clear", "{},{},960000,0", "FAILED", "FC"),
    ],
)
async def test_who_does_not_say_that_it_was_cleared_has_not_said_that_it_failed(
    world: World, tmp_path: Path, header: str, row: str, said: str, unsaid: str
) -> None:
    file = tmp_path / "plays.csv"
    rows = [row.format(song.song_id, chart.difficulty) for song, chart in charts(world)[:40]]
    file.write_text("\n".join([header, *rows]), encoding="utf-8")
    bring_in(world, "--records", file, "--user", "yuzu_new")
    alice = world.discord.person("Alice")
    await world.link(alice, "yuzu_new")
    for reply in (await world.best(alice), await alice.slash(world.discord.channel, "scores")):
        assert "960,000" in reply.everything
        assert said in reply.everything
        assert unsaid not in reply.everything
    failed = await alice.slash(world.discord.channel, "scores", filter="lamp:failed")
    assert ("960,000" in failed.everything) is (said == "FAILED")


async def test_songs_that_have_left_the_catalogue_keep_their_records(world: World, tmp_path: Path) -> None:
    song = {"id": "f" * 16, "title": "Gone with the Update", "genre": "VARIETY"}
    play = {"diff": "MAS", "level": 15, "const": 15.9, "is_const_unknown": True, "score": 1_010_000}
    file = tmp_path / "reply.json"
    file.write_text(json.dumps({"records": [{**song, **play, "rating": 18.05}]}), encoding="utf-8")
    bring_in(world, "--records", file, "--user", "DrBeat")
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await world.best(alice)
    assert "Gone with the Update" in reply.charts[0][1]
    assert "15.9 (estimated)" in reply.everything


async def test_constants_in_doubt_are_shown_as_such(world: World, tmp_path: Path) -> None:
    estimated = {"level": 12, "const": 12.3, "maxcombo": 900, "is_const_unknown": 1}
    unknown = {"level": 9.5, "const": 0, "maxcombo": 500, "is_const_unknown": 0}
    song = {"meta": {"id": "e" * 16, "title": "Doubtful"}, "data": {"EXP": unknown, "MAS": estimated}}
    file = tmp_path / "songs.json"
    file.write_text(json.dumps([song]), encoding="utf-8")
    bring_in(world, "--catalogue", file)
    await world.change_database("DELETE FROM catalogues")
    await world.start_bot()
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "song", title="Doubtful")
    assert "12.3 (estimated)" in reply.everything
    assert "Constant: unknown · Max combo: 500" in reply.everything
