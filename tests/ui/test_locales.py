"""Every message in the code has a translation that can stand in its place."""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from bot.domain.filters.words import WORDS
from bot.ui.kit.fonts import BOLD, REGULAR, drawable
from bot.ui.language.text import Languages

ROOT = Path(__file__).parents[2]
KEYWORDS = {"t": None, "plural": (1, 2), "mark": None, "described": None, "named": ((1, "c"), 2)}
JAPANESE = ROOT / "bot/ui/language/locales/ja/LC_MESSAGES/kiroku.po"
WHOLE = {"ja"}
"""Other languages may be behind the code by a few messages, which are shown in English until then."""
CATALOGUES = sorted((ROOT / "bot/ui/language/locales").glob("*/LC_MESSAGES/kiroku.po"))


@cache
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
def test_a_catalogue_has_the_messages_of_the_code(file: Path) -> None:
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
        if not any(strings) and file.parent.parent.name not in WHOLE:
            continue
        assert all(strings), f"{file}: write the msgstr of {source!r}"
        assert all(fields(string) == fields(source) for string in strings), source
        assert {part for command in commands(source) for part in command.split(" ")} <= names, source
        assert all(commands(string) == commands(source) for string in strings), source


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.parent.parent.name)
def test_nearly_all_of_a_catalogue_is_translated(file: Path) -> None:
    kept = [message for message in read_po(BytesIO(file.read_bytes())) if message.id]
    assert sum(bool(_first(message.string)) for message in kept) > 0.9 * len(kept)


@pytest.mark.parametrize("font", [REGULAR, BOLD])
@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.parent.parent.name)
def test_pictures_have_every_letter_of_a_catalogue(file: Path, font: Path) -> None:
    said = "".join(_first(message.string) for message in read_po(BytesIO(file.read_bytes())) if message.id)
    assert [char for char in sorted(set(said)) if drawable(char, font) not in {char, ""}] == []


@pytest.mark.parametrize(
    ("said", "never"),
    [
        ("リセント枠", "リーセント"),
        ("表記を確かめて", "つづり"),
        ("デイリー投稿", "毎日の投稿"),
        ("曲名", "楽曲"),
        ("速報", "フィード(?!バック)"),
        ("を選ぶ", "選択"),
        (": ", "："),
    ],
)
def test_players_in_japan_read_one_word_for_one_thing(said: str, never: str) -> None:
    text = JAPANESE.read_text(encoding="utf-8")
    assert said in text
    assert not re.search(never, text)


def japanese() -> dict[str, str]:
    """Return every message and what a reader of Japanese is told."""
    kept = [message for message in read_po(BytesIO(JAPANESE.read_bytes())) if message.id]
    return {_first(message.id): _first(message.string) for message in kept}


def _first(said: str | Sequence[str | None] | None) -> str:
    return said if isinstance(said, str) else str((said or [""])[0])


@pytest.mark.parametrize(
    ("never", "why"),
    [
        (r"[。、！？] ", "Japanese has no space after these"),
        (
            r"オール\s*ジャスティス|フル\s*コンボ|オルジャス|フルコン",
            "the game writes ALL JUSTICE and FULL COMBO",
        ),
        (r"\{\w+\} (枠|回|曲|コース|件)中", "a part of a whole is written 3/5"),
        (r"\{(when|again)\} ?[にへ]", "Discord fills in 'in 5 minutes', which takes no particle"),
        (r"許容 ?[\d{]|見込みで届くの|見込みの大きい順", "nobody says that of a chart"),
        (r"キー(?!ワード)", "what a filter asks about is 項目"),
    ],
)
def test_no_message_reads_as_no_player_in_japan_would_write(never: str, why: str) -> None:
    assert [said for said in japanese().values() if re.search(never, said)] == [], why


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("Filled: {count} of {places}", "{count}/{places} 枠"),
        ("New in the catalogue", "新曲・定数変更"),
        ("Changed {when}; compared with {before}.", "更新: {when}（{before} と比較）"),
        (
            "About {left} of {limit} questions until {when}",
            "{when}まで、あと約{left}回（{limit}回中）質問できます",
        ),
        ("read {when}", "取得: {when}"),
        ("In no daily post", "参加しているサーバーはありません"),
        ("Played charts only", "プレイ済みのみ"),
        (
            "Players of your rating average {average}; you: {change}",
            "同レート帯の平均は {average}（自分は {change}）",
        ),
        ("ALL JUSTICE", "ALL JUSTICE"),
        ("FULL COMBO", "FULL COMBO"),
        ("first day", "参加初日"),
        ("You", "あなた"),
        ("You: {score}", "あなた: {score}"),
        ("Last upload", "データ更新日"),
        ("Random charts", "ランダム選曲"),
        ("No source link set by this bot's host", "ソースコードのリンクは設定されていません。"),
    ],
)
def test_what_players_in_japan_asked_to_read(source: str, said: str) -> None:
    assert japanese()[source] == said


@pytest.mark.parametrize(
    ("code", "never", "why"),
    [
        ("ko", "당신", "nobody is called so to their face; it is 나 or nothing"),
        ("ko", r"\}\W*(은|을|를|와|과)[ ,.]", "which particle follows depends on what is put in"),
        ("ko", "난이도표|피드|업로드", "players say 서열표, 속보 and 등록"),
        ("zh_TW", "服務器|用戶|信息|設置|添加|默認|網絡|視頻|鏈接|數據|軟件|令牌", "a word of the mainland"),
        (
            "zh_TW",
            r"[一-龥}][,;?!]|\}: |[，。：；？！] ",
            "punctuation is of full width, and no space follows it",
        ),
        ("zh_TW", r"你(?!們)", "players are 您"),
    ],
)
def test_no_message_reads_as_no_player_in_korea_or_taiwan_would_write(
    code: str, never: str, why: str
) -> None:
    file = ROOT / f"bot/ui/language/locales/{code}/LC_MESSAGES/kiroku.po"
    said = [_first(message.string) for message in read_po(BytesIO(file.read_bytes())) if message.id]
    assert [each for each in said if re.search(never, each)] == [], why


def test_particles_after_a_command_follow_its_korean_name() -> None:
    catalogue = read_po(BytesIO((ROOT / "bot/ui/language/locales/ko/LC_MESSAGES/kiroku.po").read_bytes()))
    kept = [message for message in catalogue if message.id]
    names = {_first(message.id): _first(message.string) for message in kept if message.context == "command"}
    found = 0
    for message in kept:
        for path, particle in re.findall(
            r"`/([a-z ]+)` ?(으로|로|을|를|은|는)(?=[ ,.])", _first(message.string)
        ):
            last = names[path.split(" ")[-1]][-1]
            coda = (ord(last) - ord("가")) % 28 if last >= "가" else 16  # "dm" is read with an ㅁ at its end
            is_open = coda == 0 or (coda == 8 and particle.endswith("로"))  # ㄹ takes 로 too
            said = f"/{path} is called {names[path.split(' ')[-1]]}, after which no {particle} stands: {message.string}"
            assert (particle in {"로", "를", "는"}) is is_open, said
            found += 1
    assert found > 20


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.parent.parent.name)
def test_examples_of_filters_are_in_the_words_of_their_reader(file: Path) -> None:
    words = "|".join([*WORDS[file.parent.parent.name.replace("_", "-")], "count"])
    said = [_first(message.string) for message in read_po(BytesIO(file.read_bytes())) if message.id]
    assert [each for each in said if re.search(rf"(?<![{{\w])({words})(:|[<>]?=|[<>])[\w.+]", each)] == []


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.parent.parent.name)
def test_what_came_into_a_slot_is_said_as_on_the_tile_beside(file: Path) -> None:
    """In a legend, "IN" stands before what it means: a slot that was entered, and no song that was added."""
    kept = read_po(BytesIO(file.read_bytes()))
    said = {_first(message.id): _first(message.string) for message in kept if message.id}
    entered = set(said["IN"]) - {" "}
    assert entered <= set(said["came in {since}"])


def calls_in_f_strings(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue):
            for inner in ast.walk(node.value):
                if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "t":
                    yield inner.lineno


@pytest.mark.parametrize("file", sorted([*ROOT.glob("bot/**/*.py"), *ROOT.glob("cogs/*.py")]), ids=str)
def test_no_message_hides_in_an_f_string_where_extraction_cannot_see_it(file: Path) -> None:
    assert list(calls_in_f_strings(ast.parse(file.read_text(encoding="utf-8")))) == []


def test_extraction_sees_every_message_of_the_code() -> None:
    """Where another call is given the language among the values of a message, extraction loses that message."""
    wanted = {source for _context, source in messages_in_code()}
    for file in (*ROOT.glob("bot/**/*.py"), *ROOT.glob("cogs/*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id="t") | ast.Attribute(attr="plural") | ast.Name(id="mark" | "described"),
                    args=[ast.Constant(value=str(said)), *_],
                ):
                    assert said in wanted, f"{file}:{node.lineno}"
                case _:
                    pass


def test_the_nearest_language_is_found() -> None:
    languages = Languages()
    assert languages["ja"].code == "ja"
    assert languages["ja-JP"].code == "ja"
    assert languages["en-GB"].code == "en"
    assert languages["zh-TW"].code == languages["zh-CN"].code == "zh-TW"
    assert languages["xx"].code == "en"


def test_plurals_and_numbers() -> None:
    english, japanese = Languages()["en-US"], Languages()["ja"]
    assert english.plural("{count} friend", "{count} friends", 1) == "1 friend"
    assert english.plural("{count} friend", "{count} friends", 1200) == "1,200 friends"
    assert japanese.plural("{count} friend", "{count} friends", 3) == "フレンド 3 人"
