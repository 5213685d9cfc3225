"""bot/ui/language/titles.py: every title is in every language, and no two are alike."""

from itertools import product, starmap

import pytest

from bot.domain.titles import Calling, Manner, Title
from bot.ui.language.text import Language, Languages
from bot.ui.language.titles import title_text

LANGUAGES = list(Languages())


@pytest.mark.parametrize("t", LANGUAGES, ids=[each.code for each in LANGUAGES])
def test_every_title_is_told_apart(t: Language) -> None:
    titles = list(starmap(Title, product(Manner, Calling)))
    texts = {title_text(t, title) for title in titles}
    assert len(texts) == len(titles)
    assert (t.code == "en") is any(text.isascii() for text in texts)
