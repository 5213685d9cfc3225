"""What all answers stand on: pages."""

from dataclasses import replace

from discord import Embed

from bot.domain.members import Audience
from bot.ui.look import Page
from bot.ui.studio import Document


def test_a_page_made_of_another_has_all_else_of_it() -> None:
    page = Page(Embed(title="a"), documents=(Document(content=b"a", name="a.csv"),), audience=Audience.ASKER)
    assert page.having(embed=Embed(title="b")) == replace(page, embed=Embed(title="b"))
    assert page.embed.title == "a"
