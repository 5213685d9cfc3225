"""The table of how languages write; that it is right, tests/ui/test_text.py holds."""

from dataclasses import asdict

import orjson
from generators.writing import writing_as_babel_knows

from bot.ui.language.writing import TABLE, writing_of


def test_the_table_is_what_babel_knows() -> None:
    table = orjson.loads(TABLE.read_bytes())
    assert table == {code: asdict(writing_as_babel_knows(code)) for code in table}
    assert {"en", "ja", "pt", "pt-BR", "zh-TW"} <= table.keys()


def test_a_language_that_discord_does_not_know_writes_as_its_like_or_as_english() -> None:
    assert writing_of("de-AT") == writing_of("de")
    assert writing_of("eo") == writing_of("en")
