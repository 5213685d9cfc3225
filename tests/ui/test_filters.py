"""Holds `bot/ui/kit/filters.py`."""

import re

import pytest

from bot.domain.filters import BadFilter, Expected, parse_filter
from bot.ui.kit.errors import error_sentence
from bot.ui.language.text import Languages


def said(text: str, code: str = "en") -> str:
    with pytest.raises(BadFilter) as caught:
        parse_filter(text)
    return error_sentence(Languages()[code], caught.value)


def test_the_place_is_marked_and_the_expected_named() -> None:
    assert said("aster const>=x diff:mas") == (
        "I cannot read this filter: aster const\\>=**__x__** diff\\:mas\n"
        "A number was expected, such as `13.5`."
    )
    assert "const\\>=**__▸__**" in said("const>=")
    assert "`const`" in said("cosnt>13")
    assert "`bas` `adv`" in said("diff:hard")
    assert "written with two dots: `14.5..14.7`." in said("const:14.5-14.7")


def test_in_japanese() -> None:
    assert said("定数>=x", "ja").splitlines()[1] == "数値を入れてください（例: `13.5`）。"
    assert "`ベーシック` `アドバンスド`" in said("難易度:hard", "ja")
    assert "`14.5..14.7`" in said("定数:14.5-14.7", "ja").splitlines()[1]


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        ("sc>1000000", "score"),
        ("レヴェル:14", "レベル"),
        ("難易:紫", "難易度"),
        ("ＲＡＴＩＮＧＳ>16", "rating"),
        ("combos>2000", "combo"),
    ],
)
def test_a_wrong_key_is_met_with_the_nearest_in_whichever_language(typed: str, nearest: str) -> None:
    for code in ("en", "ja"):
        named = re.findall(r"`([^`]+)`", said(typed, code).splitlines()[1])
        assert named[0] == nearest
        assert len(named) <= 3


def test_of_one_key_one_name_is_enough() -> None:
    named = re.findall(r"`([^`]+)`", said("releas:2023"))
    assert named[0] == "release"
    assert "released" not in named


def test_where_nothing_is_near_all_are_named_in_the_words_of_their_reader() -> None:
    assert "The keys are `const` `level`" in said("zzz:1")
    assert "`定数` `レベル`" in said("ほげ:1", "ja")
    assert "`const`" not in said("ほげ:1", "ja")


def test_what_was_typed_cannot_act_as_markup_and_stays_short() -> None:
    sentence = said("bpm>**`@everyone`" + "x" * 5000)
    assert "\\@everyone" in sentence
    assert len(sentence) < 400


@pytest.mark.parametrize("expected", Expected)
def test_everything_expected_has_words(expected: Expected) -> None:
    for code in ("en", "ja"):
        assert "{" not in error_sentence(Languages()[code], BadFilter("a", 0, 1, expected, ("b",)))
