"""What each filter lets through, of the songs in conftest: numbers with their difficulty where one has several."""

from dataclasses import replace

import pytest

from bot.domain.charts import ULTIMA
from bot.domain.entries import ChartEntry
from bot.domain.filters import parse_filter
from bot.domain.filters.keys import KEYS
from bot.domain.filters.words import WORDS
from bot.domain.ids import JP, SongId

ALL = "1 2EXP 2MAS 2ULT 3 4 5BAS 5MAS 6 7 8"

TABLE = [
    ("", ALL),
    ("const>=13.6", "1 2MAS 2ULT 5MAS"),
    ("const>13.6", "2MAS 2ULT 5MAS"),
    ("const<13.4", "2EXP 3 8"),
    ("const<=13.4", "2EXP 3 6 8"),
    ("const:13.6", "1"),
    ("const=13", "3"),
    ("const!=13", "1 2EXP 2MAS 2ULT 4 5BAS 5MAS 6 7 8"),
    ("const:13.4,14.7", "2MAS 6"),
    ("const:13..13.6", "1 3 6"),
    ("const:13.6～13", "1 3 6"),
    ("const:unknown", "4 5BAS 7"),
    ("-const:unknown const<12", "8"),
    ("felt<const-0.2", "1"),
    ("felt<=const-0.2", "1 6"),
    ("felt:const-0.2..const", "3 6"),
    ("felt>const", "2MAS"),
    ("felt>=const+0.3 felt:14.7..15", "2MAS"),
    ("felt:13.2", "6"),
    ("-felt:unknown felt<13.3", "3 6"),
    ("felt:unknown level>=14", "2ULT 5MAS"),
    ("level:13+", "1 4"),
    ("level:13.5", "1 4"),
    ("level:13", "3 6"),
    ("level:13,13+", "1 3 4 6"),
    ("level>=14", "2MAS 2ULT 5MAS"),
    ("level>13", "1 2MAS 2ULT 4 5MAS"),
    ("level<=12", "2EXP 5BAS 8"),
    ("diff:mas,ult", "1 2MAS 2ULT 3 4 5MAS 6"),
    ("diff:MASTER level<13+", "3 6"),
    ("diff>mas diff<we", "2ULT"),
    ("-diff:mas", "2EXP 2ULT 5BAS 7 8"),
    ("diff:we", "7"),
    ("genre:toho", "2EXP 2MAS 2ULT"),
    ("genre:orig,niconico", "1 4"),
    ("genre:東方", "2EXP 2MAS 2ULT"),
    ('genre:"POPS & ANIME"', "3"),
    ("genre:project", "2EXP 2MAS 2ULT"),
    ("-genre:orig,toho,pops,niconico,variety,gekimai", "7 8"),
    ("bpm>=200", "2EXP 2MAS 2ULT 5BAS 5MAS"),
    ("bpm:150..180", "1 6 7"),
    ("bpm:unknown", "4"),
    ("combo>2000", "2MAS 2ULT 7"),
    ("combo:0.9k", "3"),
    ("release>2023-01-01", "3 5BAS 5MAS 7 8"),
    ("release>=2023-01-01 release<2024", "2EXP 2MAS 2ULT 3"),
    ("release:2023", "2EXP 2MAS 2ULT 3"),
    ("release:2023/3", "3"),
    ("release>2023", "5BAS 5MAS 7 8"),
    ("release:unknown", "4"),
    ("date:2023-03", "3"),
    ("date>=2024-05-01", "7 8"),
    ("version:sun", "2EXP 2MAS 2ULT 3"),
    ("version:new+,verse", "1 8"),
    ('version:"new plus"', "1"),
    ("version>=luminous", "5BAS 5MAS 7 8"),
    ("version:new..sun", "1 2EXP 2MAS 2ULT 3 6"),
    ("version:unknown", "4"),
    ("artist:nodoka", "1 5BAS 5MAS 7"),
    ("artist=nodoka", "1 7"),
    ('artist:"Kitsune vs"', "2EXP 2MAS 2ULT"),
    ('title="aster"', "1"),
    ("title:かぜの", "3"),
    ('title:"!!"', "8"),
    ("title:Re:Start", "6"),
    ("aster", "1 5BAS 5MAS 7"),
    ("aster -diff:we", "1 5BAS 5MAS"),
    ("-aster level>14", "2MAS 2ULT"),
    ('"long road"', "5BAS 5MAS"),
    ("-title:aster artist:nodoka", "5BAS 5MAS"),
    ("lamp:fc", "1"),
    ("lamp>=fc", "1 2MAS 3"),
    ("lamp<fc", "2ULT 6"),
    ("lamp:aj", "3"),
    ("lamp:ajc,failed", "2MAS 2ULT"),
    ("chain:yes", "2MAS"),
    ("rank<sss", "2ULT 6"),
    ("rank:sss", "1"),
    ("rank>=sss", "1 2MAS 3"),
    ("-rank>=sss diff:mas", "4 5MAS 6"),
    ("rank:aaa..ss", "2ULT 6"),
    ("score>=1007500", "1 2MAS 3"),
    ("score<100.75万", "2ULT 6"),
    ("rating>15.15", "1 2MAS"),
    ("rating:14.4", "6"),
    ("played:no", "2EXP 4 5BAS 5MAS 7 8"),
    ("played:yes const<13.5", "3 6"),
    ("played const<13.5", "3 6"),
    ("-played", "2EXP 4 5BAS 5MAS 7 8"),
    ('-"played" played:no', "2EXP 4 5BAS 5MAS 7 8"),
    ("locked", ""),
    ("-locked const<=13.4", "2EXP 3 6 8"),
    ("updated>2026-01-01", "1 2MAS 2ULT 6"),
    ("updated>2026-01-02", "2MAS 2ULT 6"),
    ("updated:2026-01-10", "2MAS 2ULT"),
    ("const >= 13.6 diff : ult", "2ULT"),
]

JAPANESE = [
    ("定数>=13.5", "const>=13.5"),
    ("レベル：13+", "level:13+"),
    ("れべる:１３＋", "level:13+"),
    ("難易度:マスター、アルティマ", "diff:mas,ult"),
    ("ジャンル:東方", "genre:toho"),
    ("ジャンル:オリジナル", "genre:orig"),
    ("テンポ≧200", "bpm>=200"),
    ("ノーツ＞2000", "combo>2000"),
    ("追加日＞2023年1月1日", "release>2023-01-01"),
    ("日付:2023年3月", "release:2023-03"),
    ("バージョン:SUNPLUS、無印", "version:sun+,original"),
    ("バージョン>=LUMINOUS+", "version>=luminous+"),
    ("作曲：「Nodoka」", "artist:Nodoka"),
    ("曲名:カゼ", "title:カゼ"),
    ("ランプ:フルコン", "lamp:fc"),
    ("ランプ:オルジャス,理論値", "lamp:aj,ajc"),
    ("ランプ:フルコンボ,オールジャスティス", "lamp:fc,aj"),
    ("フルチェイン:あり", "chain:yes"),
    ("ランク<SSS", "rank<sss"),
    ("スコア>=100.5万", "score>=1005000"),
    ("単曲レート>16", "rating>16.0"),
    ("プレイ:未", "played:no"),
    ("－プレイ済み", "played:no"),
    ("-未解禁", "locked:no"),
    ("更新日:2026年", "updated:2026"),
    ("定数:不明", "const:unknown"),
    ("定数:13〜14", "const:13.0..14.0"),
    ("体感＜定数－0.2", "felt<const-0.2"),
    ("体感:14.7〜15", "felt:14.7..15.0"),
    ("－難易度≠紫", "diff:mas"),
]


def names(entries: list[ChartEntry]) -> str:
    shown: list[str] = []
    for entry in entries:
        number = int(entry.song.id, 16)
        several = len(entry.song.charts) > 1
        shown.append(f"{number}{entry.chart.difficulty if several else ''}")
    return " ".join(shown)


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_what_a_filter_lets_through(text: str, expected: str, entries: list[ChartEntry]) -> None:
    wanted = parse_filter(text)
    assert names([entry for entry in entries if wanted.matches(entry)]) == expected
    assert parse_filter(str(wanted)) == wanted


@pytest.mark.parametrize(("japanese", "english"), JAPANESE)
def test_the_same_words_in_japanese(japanese: str, english: str) -> None:
    assert parse_filter(japanese) == parse_filter(english)
    assert str(parse_filter(japanese)) == english


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("상수>=13.5 난이도:마스터,얼티마", "const>=13.5 diff:mas,ult"),
        ("레벨:14+ 랭크<SSS -램프:풀콤", "level:14+ rank<sss -lamp:fc"),
        ("장르:동방 노트수>2000 상수:불명", "genre:toho combo>2000 const:unknown"),
        ("체감<상수-0.2 체감:불명", "felt<const-0.2 felt:unknown"),
        ("體感<定數-0.2", "felt<const-0.2"),
        ("定數>=13.5 難度:紫譜、ultima", "const>=13.5 diff:mas,ult"),
        ("等級:14+ 評級<SSS -燈:全連", "level:14+ rank<sss -lamp:fc"),
        ("類型:東方 物量>2000 定數:不明", "genre:toho combo>2000 const:unknown"),
    ],
)
def test_the_same_words_in_other_languages(text: str, english: str) -> None:
    assert str(parse_filter(text)) == english


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("text", [text for text, _expected in TABLE])
def test_a_filter_can_be_written_in_every_language(text: str, language: str) -> None:
    wanted = parse_filter(text)
    assert parse_filter(wanted.written(language)) == wanted


def test_words_of_a_language() -> None:
    wanted = parse_filter("const>=13.5 diff:mas,ult -lamp:aj bpm:unknown combo>2000 aster")
    assert wanted.written("ja") == (
        "定数>=13.5 難易度:マスター,アルティマ -ランプ:AJ BPM:不明 ノーツ数>2000 aster"
    )
    assert wanted.written("fr") == wanted.written("en") == str(wanted)


def test_every_word_of_a_language_stands_for_something() -> None:
    options = {option.names[0] for key in KEYS for option in key.options}
    for words in WORDS.values():
        assert set(words) <= {key.names[0] for key in KEYS} | options | {"unknown"}
        assert {key.names[0] for key in KEYS} <= set(words)


def test_every_key_is_in_the_table() -> None:
    typed = " ".join(text for text, _expected in TABLE)
    assert [key.names[0] for key in KEYS if key.names[0] not in typed] == []


def test_ranks_are_those_of_the_region(entries: list[ChartEntry]) -> None:
    old = [replace(entry, region=JP) for entry in entries]
    assert names([entry for entry in old if parse_filter("rank:sss").matches(entry)]) == "1 2MAS 3"
    assert names([entry for entry in old if parse_filter("rank:sss+").matches(entry)]) == ""


def test_words_can_be_looked_up_by_a_search(entries: list[ChartEntry]) -> None:
    asked: list[str] = []

    def search(words: str) -> list[SongId]:
        asked.append(words)
        return [SongId(f"{2:016x}")]

    wanted = parse_filter("bore const>1 alis -aster").searched(search)
    assert asked == ["bore alis"]
    assert names([entry for entry in entries if wanted.matches(entry)]) == "2EXP 2MAS 2ULT"
    assert str(wanted) == "bore const>1.0 alis -aster"


def test_filters_join() -> None:
    assert str(parse_filter("aster").and_also(parse_filter("played:no"))) == "aster played:no"


@pytest.mark.parametrize(
    ("text", "needs"),
    [("const>1 aster", False), ("-rank>=sss", True), ("プレイ:未", True), ("felt<14", True)],
)
def test_whether_scores_are_needed(text: str, *, needs: bool) -> None:
    assert parse_filter(text).needs_records is needs


def test_a_difficulty_that_nobody_knows_is_none_of_those_named(entries: list[ChartEntry]) -> None:
    assert parse_filter("diff:ult").matches(next(e for e in entries if e.chart.difficulty == ULTIMA))
    assert not parse_filter("diff:bas,adv,exp,mas,ult,we").matches(entries[-1])
