"""A language more is a folder more: commands, answers and menus come in it, and keep to Discord's limits."""

import re
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from babel.messages.pofile import read_po, write_po
from discord import Locale
from walk import walk
from world import World

from bot.domain.members import Visibility
from bot.ui.language import text
from bot.ui.language.text import Languages

SHIPPED: Final = Path(text.__file__).parent / "locales"
CODE: Final = "de"
CHANGED: Final = str.maketrans("aeou", "äéöü")
KEPT: Final = re.compile(r"(`[^`]*`|\{[^}]*\}|<[^>]*>|https?://\S+)")
"""What translations leave as it is: commands, names in braces, mentions, addresses."""


def foreign(said: str) -> str:
    """Return a message as another language may have it, of the same length."""
    parts = KEPT.split(said)
    return "".join(part if place % 2 else part.translate(CHANGED) for place, part in enumerate(parts))


@pytest.fixture
async def travelled(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A world whose bot has a catalogue more, and not a line of code."""
    shipped = SHIPPED / "ja/LC_MESSAGES/kiroku.po"
    catalogue = read_po(BytesIO(shipped.read_bytes()), locale=CODE)
    for message in catalogue:
        if message.id:
            ids = [message.id] if isinstance(message.id, str) else message.id
            said = tuple(map(foreign, ids))
            message.string = said[0] if isinstance(message.id, str) else said
    for code, file in ((CODE, None), ("ja", shipped)):
        folder = tmp_path / "locales" / code / "LC_MESSAGES"
        folder.mkdir(parents=True)
        with (folder / "kiroku.po").open("wb") as written:
            if file is None:
                write_po(written, catalogue)
            else:
                written.write(file.read_bytes())
    monkeypatch.setattr(Languages.__init__, "__defaults__", (tmp_path / "locales",))
    await world.start_bot()
    return world


async def test_commands_answers_and_menus_come_in_it(travelled: World) -> None:
    world = travelled
    (best,) = (each for each in await world.bot.tree.fetch_commands() if each.name == "best")
    names = {str(locale): name for locale, name in best.name_localizations.items()}
    assert (names[CODE], names["ja"]) == ("bést", "ベスト")
    assert "Shöw thé récörds" in best.description_localizations[Locale.german]
    hans, alice = world.discord.person("Hans", locale=CODE), world.discord.person("Alice")
    for person in (hans, alice):
        await world.link(person, "DrBeat", Visibility.SERVERS)
    assert (await hans.slash(world.discord.channel, "settings")).embed.title == "Yöür séttings"
    card = await hans.slash(world.discord.channel, "best")
    assert "räting" in str(card.files[0].description)
    listed = (await hans.click(card, "List")).posts[-1]
    assert "Thé highést söng rätings" in listed.everything
    told = await hans.slash(world.discord.channel, "search", filter="konst>=14")
    assert foreign("Filters") in {each.label for each in told.components}
    settings = await alice.slash(world.discord.channel, "settings")
    assert (await alice.choose(settings, "Language", "Deutsch")).embed.title == "Yöür séttings"


@pytest.mark.heavy
async def test_everything_that_is_said_in_it_keeps_to_the_limits(travelled: World) -> None:
    world, channel = travelled, travelled.discord.channel
    hans = world.discord.person("Hans", locale=CODE, manager=True)
    bob = world.discord.person("Bob")
    await world.link(bob, "DrBeat", Visibility.ANYONE)
    linked = await hans.submit(await hans.slash(channel, "link"), {"token": world.token("minamo_plays")})
    assert foreign("Linked") in linked.everything
    icons = english = 0
    async for _name, reply in walk(world, hans, channel, bob):
        icons += sum(post.icons for post in reply.posts)
        english += not re.search("[äéöü]", reply.posts[-1].everything)
    assert icons > 50  # each of them counted as Discord counts it, name and id
    assert english == 0
