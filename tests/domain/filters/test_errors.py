"""Wrong filters: where the place is, and what was expected there. And: nothing else is ever raised."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.domain.errors import BadQuery
from bot.domain.filters import BadFilter, Expected, Filter, parse_filter, suggest
from bot.domain.filters.keys import KEYS
from bot.domain.filters.words import WORDS, word_for

MISTAKES = [
    ("aster const>=x", "x", Expected.NUMBER),
    ("const>=", "", Expected.VALUE),
    ("const>=13.555", "13.555", Expected.NUMBER),
    ("const>=99999999999999999999", "99999999999999999999", Expected.NUMBER),
    ("const>13,14", ",14", Expected.ONE_VALUE),
    ("const>unknown", "unknown", Expected.NUMBER),
    ("level:13++", "13++", Expected.LEVEL),
    ("const:14.5-14.7", "14.5-14.7", Expected.RANGE),
    ("level:13-", "13-", Expected.LEVEL),
    ("const:1-2-3", "1-2-3", Expected.NUMBER),
    ("version:next", "next", Expected.CHOICE),
    ("bpm>fast", "fast", Expected.WHOLE),
    ("bpm>1.5", "1.5", Expected.WHOLE),
    ("combo:1,,2", "", Expected.VALUE),
    ("combo:1,", "", Expected.VALUE),
    ("diff:mas,hard", "hard", Expected.CHOICE),
    ("lamp:gold", "gold", Expected.CHOICE),
    ("played>no", ">", Expected.OPERATOR),
    ("artist>x", ">", Expected.OPERATOR),
    ("release>2023-02-30", "2023-02-30", Expected.DATE),
    ("release>0000", "0000", Expected.DATE),
    ("cosnt>13", "cosnt", Expected.KEY),
    ("Re:Start", "Re", Expected.KEY),
    ('title:"open', '"open', Expected.QUOTE),
    ("「open", "「open", Expected.QUOTE),
    ('title:""', '""', Expected.VALUE),
    ('""', '""', Expected.VALUE),
    ("aster -", "-", Expected.TERM),
    ("- aster", "-", Expected.TERM),
]


@pytest.mark.parametrize(("text", "place", "expected"), MISTAKES)
def test_an_error_points_at_the_place(text: str, place: str, expected: Expected) -> None:
    with pytest.raises(BadFilter) as caught:
        parse_filter(text)
    error = caught.value
    assert (error.text[error.start : error.stop], error.expected) == (place, expected)
    assert isinstance(error, BadQuery)


def test_a_slip_is_met_with_what_was_meant() -> None:
    with pytest.raises(BadFilter) as caught:
        parse_filter("cosnt>13")
    assert caught.value.options[0] == "const"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("const:14.5-14.7", "14.5..14.7"),
        ("定数:14.7ー14.5", "14.5..14.7"),
        ("level:13-13+", "13..13+"),
        ("date:2023-2024", "2023..2024"),
        ("release:2023-01-2023-05", "2023-01..2023-05"),
        ("rank:ss-sss", "ss..sss"),
        ("version:new-sun", "new..sun"),
    ],
)
def test_a_range_that_is_written_with_a_hyphen_is_told_how_one_is_written(text: str, meant: str) -> None:
    with pytest.raises(BadFilter) as caught:
        parse_filter(text)
    assert (caught.value.expected, caught.value.options) == (Expected.RANGE, (meant,))
    key = text.split(":", maxsplit=1)[0]
    assert f"{key}:{meant}" in suggest(text)
    assert isinstance(parse_filter(f"{key}:{meant}"), Filter)


def test_what_differs_from_the_constant_is_suggested_in_the_words_of_its_key() -> None:
    assert "felt<" in suggest("fe")
    assert suggest("felt<") == ["felt<const-0.2"]
    assert suggest("体感<", "ja") == ["体感<定数-0.2"]
    assert suggest("체감<", "ko") == ["체감<상수-0.2"]


@pytest.mark.parametrize(
    "text", ["felt<abc", "felt<const-x", "felt:const..14", "felt<const-0.123", "level<const"]
)
def test_what_is_neither_a_number_nor_differs_from_the_constant(text: str) -> None:
    with pytest.raises(BadFilter) as caught:
        parse_filter(text)
    assert caught.value.expected in (Expected.FELT, Expected.LEVEL)


@pytest.mark.parametrize(
    "text", ["!!", "-!!!", "A-B", "A=", "7", "<>", ">_<", "13+", "const", "a,b", 'don"t', "１"]
)
def test_what_is_no_condition_is_a_search(text: str) -> None:
    if text == "A=":
        with pytest.raises(BadFilter):
            parse_filter(text)
        return
    assert parse_filter(text).words == ("" if text.startswith("-") else text)


FRAGMENTS = st.sampled_from(
    [name for key in KEYS for name in key.names]
    + [option.names[0] for key in KEYS for option in key.options]
    + [
        ":",
        "=",
        "!=",
        ">=",
        "<=",
        ">",
        "<",
        "-",
        ",",
        "..",
        " ",
        "　",
        '"',
        "「",
        "」",
        "\\",
        "13.5",
        "2023-01",
    ]
    + ["：", "≠", "１３", "不明", "万", "k", "+"]
)
SENTENCES = st.lists(st.one_of(FRAGMENTS, st.text(max_size=4)), max_size=12).map("".join)


@example("0“0")
@example("a“ ＂b”")
@given(st.one_of(st.text(), SENTENCES))
def test_any_text_parses_prints_and_parses_again_or_is_a_bad_query(text: str) -> None:
    wanted = refused = None
    try:
        wanted = parse_filter(text)
    except BadQuery as error:
        refused = error
    if wanted is not None:
        assert parse_filter(str(wanted)) == wanted
    else:
        assert isinstance(refused, BadFilter)
        assert 0 <= refused.start <= refused.stop <= len(text)


NUMBERS = st.one_of(st.integers(0, 10**6).map(str), st.sampled_from(["3..7", "7..3", "0~99", "1〜2"]))
CONDITIONS = st.tuples(
    st.sampled_from(["", "-"]),
    st.sampled_from(["const", "定数", "bpm", "rating"]),
    st.sampled_from([":", "=", "!=", ">=", "<=", ">", "<"]),
    NUMBERS,
).map("".join)
TEXTS = st.text(min_size=1).filter(lambda text: text.strip() != "")
QUOTED = TEXTS.map(lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("“", "").replace("”", "").replace("＂", "") + '"')  # fmt: skip


@given(
    st.lists(
        st.one_of(CONDITIONS, QUOTED.map("title:{}".format), QUOTED, QUOTED.map("-{}".format)), max_size=6
    )
)
def test_right_filters_round_trip(terms: list[str]) -> None:
    try:
        wanted = parse_filter(" ".join(terms))
    except BadFilter as error:
        assert error.expected is Expected.VALUE  # noqa: PT017 - only quotes emptied above come here
        return
    assert len(wanted.terms) == len(terms)
    assert parse_filter(str(wanted)) == wanted


@given(st.one_of(st.text(), SENTENCES), st.sampled_from(["en", "ja", "fr"]))
def test_suggestions_fit_discord(text: str, language: str) -> None:
    found = suggest(text, language)
    assert len(found) <= 25
    assert all(0 < len(each) <= 100 for each in found)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("text", "language", "first"),
    [
        ("", "en", ["const>=", "level>=", "diff:"]),
        ("", "ja", ["定数>=", "レベル>=", "難易度:"]),
        ("", "fr", ["const>=", "level>=", "diff:"]),
        ("con", "en", ["con", "const>="]),
        ("const", "en", ["const", "const>=", "const<=", "const:"]),
        ("lv14", "en", ["lv14", "level:14", "level>=14"]),
        ("level14", "en", ["level14", "level:14", "level>=14"]),
        ("aster lvl13+", "en", ["aster lvl13+", "aster level:13+"]),
        ("lv14", "ja", ["lv14", "レベル:14"]),
        ("レベル14", "en", ["レベル14", "レベル:14"]),
        ("-定数14.5", "ja", ["-定数14.5", "-定数:14.5"]),
        ("lv14-15", "en", ["lv14-15", "level:14..15"]),
        ("level99999", "en", ["level99999"]),
        ("version:", "en", ["version:mate", "version:x-verse-x"]),
        ("バージョン:無", "ja", ["バージョン:無印+", "バージョン:無印"]),
        ("れべ", "en", ["れべ", "レベル>="]),
        ("diff:", "en", ["diff:bas", "diff:adv"]),
        ("diff:mas", "en", ["diff:mas"]),
        ("diff:mas,u", "en", ["diff:mas,ult"]),
        ("難易度:", "en", ["難易度:ベーシック"]),
        ("aster -lamp:a", "en", ["aster -lamp:aj", "aster -lamp:ajc"]),
        ("장르:동", "ko", ["장르:동", "장르:동방"]),
        ("難易度:", "ko", ["難易度:ベーシック"]),
        ("曲名:夜 燈:", "zh-TW", ["曲名:夜 燈:未過關"]),
        ("更新日:2026 ランプ:", "ja", ["更新日:2026 ランプ:未クリア"]),
        ("ジャンル:東", "ja", ["ジャンル:東", "ジャンル:東方"]),
        ("const>=", "en", ["const>=13.5"]),
        ("nokey:", "en", []),
        ('title:"ab', "en", []),
    ],
)
def test_suggestions(text: str, language: str, first: list[str]) -> None:
    assert suggest(text, language)[: len(first)] == first


def test_every_suggestion_of_a_value_is_right() -> None:
    for key in KEYS:
        for language in ("en", *WORDS):
            for each in suggest(f"{word_for(key.names[0], language)}:", language):
                assert isinstance(parse_filter(each), Filter)
