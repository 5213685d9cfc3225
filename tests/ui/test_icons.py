"""bot/ui/kit/icons.py and bot/ui/kit/icon_shapes.py: which icons there are, what they look like, and words in their place."""

import io
import re
from itertools import combinations

import pytest
from contrasts import contrast
from PIL import Image, ImageChops, ImageStat

from bot.domain.charts import MASTER, Difficulty
from bot.domain.chronicle.state import LampFlags
from bot.domain.ids import JP, JP2
from bot.domain.ranks import MAX_SCORE, Rank
from bot.domain.scores import Lamps
from bot.domain.summary import Summary
from bot.ui.kit import icon_shapes as drawn
from bot.ui.kit.icon_shapes import SIDE, draw_icon
from bot.ui.kit.icons import ICONS, difficulty_icon, emoji_names, is_icon, lamp_icon, lamp_icons, rank_icon
from bot.ui.language.text import Languages
from bot.ui.scores import summary_text

SMALL = (22, 22)
"""As Discord shows an emoji in a line of text."""
DARK, LIGHT = 0x313338, 0xFFFFFF
"""Discord's pages."""
APART = 4.0
"""Shades of 255 by which two icons without their colours differ on average, at least: some see no colours."""


@pytest.fixture(scope="module")
def pictures() -> dict[str, Image.Image]:
    return {icon.name: Image.open(io.BytesIO(draw_icon(icon))) for icon in ICONS}


def test_discord_takes_them() -> None:
    assert len(ICONS) == len(emoji_names()) == len({icon.name for icon in ICONS}) == 24
    assert all(re.fullmatch(r"\w{2,32}", name, re.ASCII) and is_icon(name) for name in emoji_names())
    assert all(len(draw_icon(icon)) < 16_000 for icon in ICONS[:3])


def test_what_is_drawn_otherwise_has_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn, "__file__", __file__)
    emoji_names.cache_clear()
    others = set(emoji_names())
    monkeypatch.undo()
    emoji_names.cache_clear()
    assert not others & set(emoji_names())


def test_letters_are_read_on_their_plates() -> None:
    assert all(contrast(icon.colour, icon.ink) >= 4.5 for icon in ICONS)


def test_plates_are_seen_on_either_page() -> None:
    for page in (DARK, LIGHT):
        assert all(max(contrast(each, page) for each in (icon.colour, icon.ink)) >= 3 for icon in ICONS)


def test_none_is_told_by_its_colour_alone(pictures: dict[str, Image.Image]) -> None:
    assert all(each.size == (SIDE, SIDE) for each in pictures.values())
    for page in (DARK, LIGHT):
        grey = {name: _seen(picture, page) for name, picture in pictures.items()}
        for (one, first), (other, second) in combinations(grey.items(), 2):
            apart = ImageStat.Stat(ImageChops.difference(first, second)).mean[0]
            assert apart >= APART, (one, other, apart)


def _seen(picture: Image.Image, page: int) -> Image.Image:
    shown = Image.new("RGBA", picture.size, (*page.to_bytes(3, "big"), 255))
    shown.alpha_composite(picture)
    small = shown.convert("L")
    small.thumbnail(SMALL)
    return small


def test_words_stand_where_an_icon_is_missing() -> None:
    languages = Languages()
    t = languages["ja"]
    lamps = Lamps(is_clear=True, is_full_combo=True, is_all_justice=True, is_full_chain=True)
    assert rank_icon(t, 1_009_000, JP2) == "SSS+"
    assert rank_icon(t, 1_009_000, JP) == "SSS"
    assert difficulty_icon(t, MASTER) == "MASTER"
    assert difficulty_icon(t, Difficulty("NEW")) == "NEW"
    assert lamp_icons(t, lamps, 1_009_990) == ["AJ", "FULL CHAIN"]
    assert lamp_icons(t, lamps, MAX_SCORE) == ["AJC", "FULL CHAIN"]
    assert lamp_icons(t, None, 0) == []
    languages.icons["SSSplus"] = "<:SSSplus_k12345678:1>"
    assert rank_icon(t, 1_009_000, JP2) == "<:SSSplus_k12345678:1>"
    assert rank_icon(t, 1_008_999, JP2) == "SSS"


def test_what_a_list_counts_has_icons_too() -> None:
    languages = Languages()
    languages.icons.update({"AJ": "<:AJ_k12345678:1>", "SSSplus": "<:SSSplus_k12345678:1>"})
    t = languages["en"]
    assert (
        lamp_icon(t, LampFlags.ALL_JUSTICE)
        == lamp_icon(t, LampFlags.ALL_JUSTICE, "ALL JUSTICE")
        == "<:AJ_k12345678:1>"
    )
    assert lamp_icon(t, LampFlags.FULL_COMBO) == "FC"
    assert lamp_icon(t, LampFlags.FULL_COMBO, "FULL COMBO") == "FULL COMBO"
    counted = summary_text(
        t,
        Summary(
            count=3, average_score=None, average_rating=None, ranks={Rank.SSS_PLUS: 3}, maximum=0, all_justice=2,
            full_combo=1, failed=0,
        ),
    )  # fmt: skip
    assert counted.endswith("-# <:SSSplus_k12345678:1> 3\n-# <:AJ_k12345678:1> 2 · FC 1")


def test_a_play_that_was_lost_says_so() -> None:
    lamps = Lamps(is_clear=False, is_full_combo=False, is_all_justice=False, is_full_chain=False)
    assert lamp_icons(Languages()["en"], lamps, 900_000) == ["FAILED"]
