import pytest

from bot.domain.filters import BadFilter, Expected, parse_filter
from bot.ui.errors import error_sentence
from bot.ui.text import Languages


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


def test_in_japanese() -> None:
    assert said("定数>=x", "ja").splitlines()[1] == "数値を入れてください（例: `13.5`）。"
    assert "`ベーシック` `アドバンスド`" in said("難易度:hard", "ja")


def test_what_was_typed_cannot_act_as_markup_and_stays_short() -> None:
    sentence = said("bpm>**`@everyone`" + "x" * 5000)
    assert "\\@everyone" in sentence
    assert len(sentence) < 400


@pytest.mark.parametrize("expected", Expected)
def test_everything_expected_has_words(expected: Expected) -> None:
    for code in ("en", "ja"):
        assert "{" not in error_sentence(Languages()[code], BadFilter("a", 0, 1, expected, ("b",)))
