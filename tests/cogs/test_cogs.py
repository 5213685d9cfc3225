"""Holds `bot/chat/cogs.py`: what methods of cogs say they are for is registered, each thing once."""

from collections import Counter
from pathlib import Path

import pytest

from bot.app import create_bot
from bot.base.config import Settings
from bot.chat.client import Interaction, KirokuBot
from bot.chat.cogs import KirokuCog, opens, shows, takes
from bot.chat.registration import find_cogs
from bot.ui.kit.address import _routes
from bot.ui.kit.look import Page
from bot.ui.kit.routes import SkillAddress


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> KirokuBot:
    monkeypatch.chdir(tmp_path)
    return create_bot(Settings(record_api_url="https://records.example"))


async def test_each_address_has_one_method_that_shows_its_page(
    bot: KirokuBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forgotten, whoever presses what leads there is told of a fault; said twice, the last one would win."""
    shown = Counter[type]()

    def add_page(kind: type, _method: object) -> None:
        shown[kind] += 1

    monkeypatch.setattr(bot, "add_page", add_page)
    for cog in find_cogs():
        cog(bot)
    known = [each.address for each in _routes.values()]  # tests have made some of their own
    assert shown == Counter(address for address in known if address.__module__.startswith("bot."))


async def test_a_method_may_be_for_several_things_and_be_inherited(bot: KirokuBot) -> None:
    class Base(KirokuCog):
        @shows(SkillAddress)
        async def _page(self, _interaction: Interaction, _address: SkillAddress) -> Page:
            raise NotImplementedError

    class Inherited(Base):
        @opens("one")
        @opens("two")
        async def _open(self, _interaction: Interaction) -> None:
            raise NotImplementedError

        @takes("one")
        async def _take(self, _interaction: Interaction, _fields: object) -> None:
            raise NotImplementedError

    cog = Inherited(bot)
    assert bot._pages == {SkillAddress: cog._page}
    assert bot.form_openers == {"one": cog._open, "two": cog._open}
    assert bot.forms == {"one": cog._take}
