"""Every message in the code has a translation that can stand in its place."""

import ast
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from bot.ui.text import Languages

ROOT = Path(__file__).parents[2]
KEYWORDS = {"t": None, "plural": (1, 2), "mark": None, "described": None, "named": ((1, "c"), 2)}
CATALOGUES = sorted((ROOT / "bot/ui/locales").glob("*/LC_MESSAGES/kiroku.po"))


def messages_in_code() -> dict[tuple[str | None, str], str | tuple[str, ...]]:
    found: dict[tuple[str | None, str], str | tuple[str, ...]] = {}
    for folder in ("bot", "cogs"):
        for _file, _line, message, _comments, context in extract_from_dir(ROOT / folder, keywords=KEYWORDS):  # pyright: ignore[reportArgumentType]  # the stub wants a narrower mapping
            found[context, message if isinstance(message, str) else message[0]] = message
    return found


def fields(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}


def commands(text: str) -> set[str]:
    return set(re.findall(r"`/([^`]*)`", text))


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.parent.parent.name)
def test_a_catalogue_is_complete(file: Path) -> None:
    catalogue = read_po(BytesIO(file.read_bytes()))
    wanted = messages_in_code()
    assert len(wanted) > 50
    kept = {(m.context, m.id if isinstance(m.id, str) else m.id[0]): m for m in catalogue if m.id}
    assert set(wanted) - set(kept) == set()
    assert set(kept) - set(wanted) == set()
    names = {source for context, source in wanted if context == "command"}
    for (_context, source), message in kept.items():
        strings = [message.string] if isinstance(message.string, str) else list(message.string or ())
        assert not message.fuzzy, source
        assert all(strings), source
        assert all(fields(string) == fields(source) for string in strings), source
        assert {part for command in commands(source) for part in command.split(" ")} <= names, source
        assert all(commands(string) == commands(source) for string in strings), source


@pytest.mark.parametrize(
    ("said", "never"),
    [
        ("リセント枠", "リーセント"),
        ("表記を確かめて", "つづり"),
        ("デイリー投稿", "毎日の投稿"),
        ("曲名", "楽曲"),
        ("自分", "あなた"),
        ("を選ぶ", "選択"),
        (": ", "："),
    ],
)
def test_players_in_japan_read_one_word_for_one_thing(said: str, never: str) -> None:
    text = (ROOT / "bot/ui/locales/ja/LC_MESSAGES/kiroku.po").read_text(encoding="utf-8")
    assert said in text
    assert never not in text


def calls_in_f_strings(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue):
            for inner in ast.walk(node.value):
                if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "t":
                    yield inner.lineno


@pytest.mark.parametrize("file", sorted([*ROOT.glob("bot/**/*.py"), *ROOT.glob("cogs/*.py")]), ids=str)
def test_no_message_hides_in_an_f_string_where_extraction_cannot_see_it(file: Path) -> None:
    assert list(calls_in_f_strings(ast.parse(file.read_text(encoding="utf-8")))) == []


def test_the_nearest_language_is_found() -> None:
    languages = Languages()
    assert languages["ja"].code == "ja"
    assert languages["ja-JP"].code == "ja"
    assert languages["en-GB"].code == "en"
    assert languages["xx"].code == "en"


def test_plurals_and_numbers() -> None:
    english, japanese = Languages()["en-US"], Languages()["ja"]
    assert english.plural("{count} friend", "{count} friends", 1) == "1 friend"
    assert english.plural("{count} friend", "{count} friends", 1200) == "1,200 friends"
    assert japanese.plural("{count} friend", "{count} friends", 3) == "フレンド 3 人"
