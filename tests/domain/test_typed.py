import pytest

from bot.domain.typed import MAX_KEPT_CHARACTERS, ControlCharacter, TooLong, check_kept, check_typed


@pytest.mark.parametrize(
    "text", ["AE\0THER", "a\x1b[2J", "\x7f", "\x85", "half \ud83d", "\u200b", "\u3000\u2060 \u202e"]
)
def test_what_nobody_sees_is_refused(text: str) -> None:
    with pytest.raises(ControlCharacter):
        check_typed(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "two\nlines\tand more\r\n",
        "ＡＥＴＨＥＲ 漢字 𠮷 🎵 é",
        "\u3000",
        "\u200b音\u3000",
        "\U0001fae9",
        "\ue000",
    ],
)
def test_what_people_type_is_taken(text: str) -> None:
    check_typed(text)


def test_as_much_as_there_is_room_for_is_kept() -> None:
    assert check_kept("あ" * MAX_KEPT_CHARACTERS) == "あ" * MAX_KEPT_CHARACTERS
    with pytest.raises(TooLong) as refused:
        check_kept("あ" * (MAX_KEPT_CHARACTERS + 1))
    assert (refused.value.length, refused.value.most) == (MAX_KEPT_CHARACTERS + 1, MAX_KEPT_CHARACTERS)
