"""Holds `bot/ui/kit/fonts.py`."""

import json
import string
from pathlib import Path

import pytest
from saved import CATALOGUES, needs_catalogue

from bot.ui.kit.fonts import BOLD, REGULAR, drawable, fallback_of, runs_of


@pytest.mark.parametrize("font", [REGULAR, BOLD])
def test_text_is_split_by_the_fonts_that_have_it(font: Path) -> None:
    assert list(runs_of("譜面 A✪B", font)) == [(font, "譜面 A"), (fallback_of(font), "✪"), (font, "B")]


def test_what_no_font_has_is_shown_in_its_plain_form_or_by_a_sign() -> None:
    assert drawable("🅰", REGULAR) in {"🅰", "A"}
    assert drawable("a\N{THAI CHARACTER KO KAI}b", REGULAR) == "a〓b"
    assert drawable("e\N{ZERO WIDTH JOINER}\N{VARIATION SELECTOR-16}\n", REGULAR) == "e"
    assert drawable("\ue000", REGULAR) == "〓"


def test_everyday_letters_are_left_alone() -> None:
    text = string.printable.strip() + "ぁゖァヿ漢字ｱＡ々ー～"
    assert drawable(text, BOLD) == text


@needs_catalogue
def test_every_letter_of_the_real_catalogue_is_drawn_as_it_is() -> None:
    songs = [song["meta"] for file in CATALOGUES for song in json.loads(file.read_text(encoding="utf-8"))]
    letters = {char for song in songs for key in ("title", "artist", "genre") for char in song[key] or ""}
    assert len(letters) > 1000
    for font in (REGULAR, BOLD):
        assert [char for char in letters if drawable(char, font) != char] == []
