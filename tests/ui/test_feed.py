"""bot/ui/feed.py: a message of a feed."""

from dataclasses import replace

import pytest
from limits import check_embeds
from sittings import TOLD, play, sitting

from bot.domain.chronicle.state import LampFlags
from bot.domain.feed import Sitting, Worth
from bot.domain.numbers import Hundredths
from bot.domain.ranks import Rank
from bot.features.feed import FeedPost
from bot.ui.feed import feed_page, worth_text
from bot.ui.language.text import Language, Languages

ENGLISH, JAPANESE = (Languages()[code] for code in ("en", "ja"))


def said(t: Language, found: Sitting) -> str:
    page = feed_page(t, FeedPost(sitting=found, plays=found.plays, songs={}))
    check_embeds([page.embed])
    return str(page.embed.description)


def test_ten_charts_are_told_and_how_many_more_there_are() -> None:
    plays = [play(f"{number}", lamps=TOLD | LampFlags.ALL_JUSTICE) for number in range(12)]
    lines = said(ENGLISH, sitting(*plays)).split("\n")
    assert lines[-1] == "and 2 more charts"
    assert sum("SSS · AJ" in line for line in lines) == 10
    assert "2 譜面" in said(JAPANESE, sitting(*plays))


@pytest.mark.parametrize(
    ("gain", "shown"), [(3, "**16.50** (+0.03)"), (0, "**16.50** (±0)"), (None, "**16.50**\n")]
)
def test_the_rating_is_told_and_what_it_came_to_where_that_is_known(gain: int | None, shown: str) -> None:
    assert f"<@1> Rating {shown}" in said(ENGLISH, sitting(gain=gain))


def test_a_name_is_told_as_it_is() -> None:
    found = replace(sitting(), player_name="*@everyone*")
    page = feed_page(ENGLISH, FeedPost(sitting=found, plays=found.plays, songs={}))
    assert str(page.embed.title).replace("\\", "") == "New bests of *@everyone*"
    assert "*@" not in str(page.embed.title).replace("\\*", "")


@pytest.mark.parametrize(
    ("worth", "english", "japanese"),
    [
        (Worth(), "every new best", "すべての自己ベスト更新"),
        (Worth(lamp=LampFlags.FULL_COMBO), "FC / AJ", "FC / AJ"),
        (
            Worth(gain=Hundredths(5), rank=Rank.SSS, lamp=LampFlags.ALL_JUSTICE),
            "rating +0.05 or more / SSS or higher / AJ",
            "レーティング +0.05 以上 / SSS 以上 / AJ",
        ),
    ],
)
def test_what_a_feed_tells_of_is_said(worth: Worth, english: str, japanese: str) -> None:
    assert (worth_text(ENGLISH, worth), worth_text(JAPANESE, worth)) == (english, japanese)
