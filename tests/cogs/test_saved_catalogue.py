"""Every song of a saved `music/showall` reply, through the bot: found by its title, and shown within limits."""

from pathlib import Path

import discord
import pytest
from saved import CATALOGUES, needs_catalogue
from world import World

from bot.domain.ids import MemberId
from bot.features.songs import SongReport
from bot.ui.language.text import Languages
from bot.ui.songs import song_page
from service.seed import SeedReport, seed

pytestmark = [pytest.mark.heavy, needs_catalogue]


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SeedReport]:
    folder = tmp_path_factory.mktemp("saved")
    return folder, seed(folder / "service.db", catalogue=CATALOGUES[0], players=2)


def assert_within_limits(embed: discord.Embed) -> None:
    """Check what Discord publishes: 256 for titles and names, 1,024 for values, 25 fields, 6,000 in all."""
    assert 1 <= len(embed.title or "") <= 256
    assert len(embed.description or "") <= 4096
    assert len(embed.fields) <= 25
    for field in embed.fields:
        assert 1 <= len(field.name or "") <= 256
        assert 1 <= len(field.value or "") <= 1024
    assert len(embed.footer.text or "") <= 2048
    assert len(embed) <= 6000


@pytest.mark.timeout(300)
async def test_every_song_is_found_first_by_its_title_and_shown(world: World) -> None:
    features = world.bot.features
    alice = world.discord.person("Alice")
    member = MemberId(alice.id)
    catalogue = (await features.library.visit(member, None)).loaded.catalogue
    assert len(catalogue.songs) > 1000
    languages = Languages()
    lost: list[str] = []
    for song in catalogue.songs:
        choices = await alice.autocomplete(world.discord.channel, "song", title=song.title)
        assert len(choices) <= 25
        assert all(1 <= len(str(choice["name"])) <= 100 for choice in choices)
        if choices[0]["value"] != song.id:
            lost.append(song.id)
        shown = await features.songs.report(member, song.title, None, in_public=True)
        assert isinstance(shown, SongReport)
        for code in ("en", "ja"):
            page = song_page(languages[code], shown, member)
            assert_within_limits(page.embed)
    assert lost == []
