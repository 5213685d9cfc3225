import pytest

from bot.domain.nicknames.sounds import consonants, english_sounds, kana_sound, phrase_sounds


@pytest.mark.parametrize(
    ("kana", "english"),
    [
        ("スパイダーダンス", "spider dance"),
        ("ワールド", "world"),
        ("マジック", "magic"),
        ("サンダー", "thunder"),
        ("クレイジー", "crazy"),
        ("ナイト", "knight"),
        ("フォックス", "fox"),
    ],
)
def test_loan_words_have_the_consonants_of_what_they_come_from(kana: str, english: str) -> None:
    heard = {consonants(sound) for sound in phrase_sounds(english.split())}
    assert any(_is_like(consonants(kana_sound(kana)), each) for each in heard), (kana_sound(kana), heard)


def _is_like(one: str, other: str) -> bool:
    return sum(letter in other for letter in one) >= len(one) - 1


def test_a_soft_and_a_hard_g_are_both_tried() -> None:
    assert len(english_sounds("magic")) == 2
    assert len(english_sounds("world")) == 1


def test_of_long_phrases_only_some_ways_are_tried() -> None:
    assert len(phrase_sounds(["magic"] * 30)) <= 6
