"""bot/ui/post_plans.py: the form in which a post is set up, and what is read from it."""

from datetime import time
from itertools import chain

import pytest
from limits import check_form

from bot.domain.errors import BadQuery, TooOld
from bot.domain.ids import ChannelId
from bot.domain.posts import PostKind, PostOption, PostPlan
from bot.ui.language.text import Languages
from bot.ui.post_plans import plan_form, read_form

ALL = "no_picture no_plays quiet"
TYPED = {"channel": "5", "what": "daily", "at": "21:00 Asia/Tokyo", "language": "auto", "content": ALL}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_discord_takes_the_form(language: str) -> None:
    languages = Languages()
    check_form(
        plan_form(
            languages[language], ChannelId(5), time(21), "America/Argentina/ComodRivadavia", languages
        ).to_dict()
    )


def test_what_it_shows_at_first_is_a_plan_without_wishes() -> None:
    wire = plan_form(Languages()["en"], ChannelId(5), time(21), "Asia/Tokyo", Languages()).to_dict()
    fields = [row["component"] for row in wire["components"]]
    shown = {
        str(field["custom_id"]): field.get("value")
        or " ".join(
            chain(
                (str(each["id"]) for each in field.get("default_values", ())),
                (each["value"] for each in field.get("options", ()) if each.get("default")),
            )
        )
        for field in fields
    }
    assert shown == TYPED
    assert read_form(shown) == PostPlan(channel=ChannelId(5), post_at=time(21), timezone="Asia/Tokyo")


def test_what_was_chosen_is_read() -> None:
    typed = {
        **TYPED,
        "what": "weekly",
        "at": "9 europe/paris ",
        "language": "ja",
        "content": "no_plays light",
    }
    assert read_form(typed) == PostPlan(
        channel=ChannelId(5), what=PostKind.WEEKLY, post_at=time(9), timezone="europe/paris", language="ja",
        options=frozenset({PostOption.NO_PICTURE, PostOption.QUIET, PostOption.LIGHT}),
    )  # fmt: skip


@pytest.mark.parametrize("change", [{"what": "hourly"}, {"channel": "general"}])
def test_a_form_of_another_version_is_too_old(change: dict[str, str]) -> None:
    with pytest.raises(TooOld):
        read_form({**TYPED, **change})
    for field in TYPED:
        with pytest.raises(TooOld):
            read_form({key: value for key, value in TYPED.items() if key != field})


def test_time_and_zone_are_read_as_a_japanese_keyboard_writes_them() -> None:
    found = read_form({**TYPED, "at": "２１：３０　Asia/Tokyo"})
    assert (found.post_at, found.timezone) == (time(21, 30), "Asia/Tokyo")


@pytest.mark.parametrize(
    ("typed", "hour", "minute"),
    [
        ("9:00 PM Asia/Tokyo", 21, 0), ("9 pm Asia/Tokyo", 21, 0), ("9:30pm (Asia/Tokyo)", 21, 30),
        ("12 a.m. Asia/Tokyo", 0, 0), ("12:05\u202fPM Asia/Tokyo", 12, 5), ("7:05 Asia/Tokyo", 7, 5),
    ],
)  # fmt: skip
def test_a_time_is_read_as_the_bot_itself_writes_it(typed: str, hour: int, minute: int) -> None:
    found = read_form({**TYPED, "at": typed})
    assert (found.post_at, found.timezone) == (time(hour, minute), "Asia/Tokyo")


@pytest.mark.parametrize(
    "typed", ["noon", "13 PM UTC", "0 am UTC", "24:00 UTC", "9:60 UTC", "-1 UTC", "", "9:00:00 UTC"]
)
def test_what_is_no_time_is_told(typed: str) -> None:
    with pytest.raises(BadQuery) as told:
        read_form({**TYPED, "at": typed})
    assert told.value.parameter == "time"
