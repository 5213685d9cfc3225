"""Every picture that answers come with is told to people who do not see it: in their language, alike in each theme."""

import re
import sqlite3
from contextlib import closing

import pytest
from dailies import next_day
from harness import Person
from walk import walk
from world import World

from bot.domain.members import Theme, Visibility
from bot.ui.preferences import THEMES

pytestmark = pytest.mark.heavy

DRAWN = {"best", "goal list", "history", "overpower", "rating", "session", "skill", "try"}
"""The commands whose answers have a picture, of one who has played and set a goal, whatever the options are."""
OTHERS = {"stats", "table"}
"""Those that need others for one."""
LEAST = 25
"""Characters: less than that is a name and no text."""


def most_played(world: World) -> str:
    """Return the title of a song of whose MASTER chart enough is known for a plot."""
    with closing(sqlite3.connect(world.service_database)) as service:
        ((title,),) = service.execute(
            "SELECT title FROM records JOIN charts USING (chart_id) JOIN songs USING (song_id)"
            " WHERE difficulty = 'MAS' GROUP BY chart_id ORDER BY count(*) DESC, chart_id LIMIT 1"
        )
    return str(title)


async def told(world: World, person: Person) -> dict[str, list[str]]:
    """Return the alternative texts of each command's pictures."""
    found: dict[str, list[str]] = {}
    channel = world.discord.channel
    replies = [
        ("stats", await person.slash(channel, "stats", song=most_played(world), difficulty="MAS")),
        ("table", await person.slash(channel, "table", filter="lv:14")),
    ]
    replies += [each async for each in walk(world, person, channel, person)]
    for name, reply in replies:
        pictures = [file for post in reply.posts for file in post.files if file.filename.endswith(".png")]
        if pictures:
            found[name] = [str(file.description) for file in pictures]
    return found


async def test_each_picture_is_told_in_every_language_and_theme(world: World) -> None:
    alice = world.discord.person("Alice", manager=True)
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    for command in ("session", "rating"):
        await alice.slash(world.discord.channel, command)
    await next_day(world, "DrBeat")
    await alice.slash(world.discord.channel, "goal add", goal="level:14 rank>=sss count:20")
    texts = dict[tuple[str, Theme], dict[str, list[str]]]()
    for t in world.bot.languages:
        alice.speaks(t.code)
        for theme in Theme:
            settings = await alice.slash(world.discord.channel, "settings")
            await alice.choose(settings, t("Pictures"), f"{t(THEMES[theme])} · {t('For phones')}")
            texts[t.code, theme] = await told(world, alice)
    for (code, _theme), found in texts.items():
        assert found.keys() >= DRAWN | OTHERS, (DRAWN | OTHERS) - found.keys()
        for name, said in found.items():
            assert len(set(said)) == len(said), name  # two pictures do not say the same
            assert min(map(len, said)) >= LEAST, name
            if code == "ja":
                assert all(re.search("[ぁ-んァ-ヶ一-龯]", each) for each in said), name
    for t in world.bot.languages:
        dark, light = (texts[t.code, theme] for theme in Theme)
        assert dark.keys() == light.keys()
        assert [name for name in dark if dark[name] != light[name]] == []
