import pytest

from bot.api.checks import Values, check_values
from bot.api.protocol import make_call
from bot.domain.errors import BadQuery
from bot.wire.endpoints import BY_PATH, RECORDS_FILTER_V10
from bot.wire.versions import Version

SONG = "0123456789abcdef"


@pytest.mark.parametrize(
    ("version", "name", "values", "parameter", "allowed"),
    [
        ("2.0", "music/show", {"id": SONG.upper(), "region": "jp2"}, "id", "16 characters of 0-9 and a-f"),
        ("2.0", "music/show", {"id": SONG[1:], "region": "jp2"}, "id", "16 characters of 0-9 and a-f"),
        ("2.0", "music/show", {"id": SONG + "\n", "region": "jp2"}, "id", "text without control characters"),
        ("2.0", "music/show", {"id": SONG}, "region", "required"),
        ("2.0", "music/showall", {"region": " "}, "region", "not empty"),
        ("1.3", "users/show", {"user_id": 1, "user_name": "a"}, "user_name", "user_id or user_name, not both"),
        ("1.3", "users/show", {"user_name": ""}, "user_name", "not empty"),
        ("1.3", "music/search", {"q": ""}, "q", "not empty"),
        ("1.3", "music/search", {"q": "\u3000"}, "q", "not empty"),
        ("1.3", "music/search", {"q": "夏" * 127}, "q", "at most 126 characters"),
        ("1.3", "music/search", {"q": "\ud800"}, "q", "text without control characters"),
        ("1.3", "music/stat", {"id": SONG, "diff": "mas"}, "diff", "one of b, a, e, m, w"),
        ("1.3", "music/stat", {"id": SONG, "diff": "u"}, "diff", "one of b, a, e, m, w"),
        ("1.0", "music/search", {"q": "a", "target": "old"}, "target", "one of all, normal, we"),
        ("1.0", "records/filter", {"diff": "mw"}, "diff", "letters of b, a, e, m"),
        ("1.0", "records/filter", {"diff": ""}, "diff", "letters of b, a, e, m"),
        ("1.0", "records/filter", {"genre": "ORIGINAL"}, "genre",
         "one of all, pops, niconico, toho, variety, irodori, gekimai, orig"),
        ("1.0", "records/filter", {"lamp": "fc,ajc"}, "lamp",
         "any of clear, failed, fc, aj, noajfc, fch, nofch, separated by commas"),
        ("1.0", "records/filter", {"min_score": 2, "max_score": 1}, "min_score", "not above max_score"),
        ("1.0", "records/filter", {"min_level": 13.5, "max_level": 13}, "min_level", "not above max_level"),
        ("1.0", "records/filter", {"min_level": float("nan")}, "min_level", "a finite number"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_by_name(
    version: Version, name: str, values: Values, parameter: str, allowed: str
) -> None:
    with pytest.raises(BadQuery) as refused:
        check_values(BY_PATH[f"/{version}/{name}.json"], values)
    assert (refused.value.parameter, refused.value.allowed) == (parameter, allowed)


@pytest.mark.parametrize(
    ("version", "name", "values"),
    [
        ("2.0", "music/show", {"id": SONG, "region": "jp3"}),
        ("1.3", "users/show", {}),
        ("1.3", "music/search", {"q": "夏\u3000祭り" + "a" * 122}),
        ("1.3", "music/stat", {"id": SONG, "diff": "w"}),
        ("1.0", "records/filter", {"diff": "me", "lamp": "fc,aj", "min_level": 13.5, "max_level": 13.5}),
        ("1.0", "records/filter", {"title": "", "min_score": 1_010_000}),
    ],
)
def test_what_the_service_may_know_is_passed_on(version: Version, name: str, values: Values) -> None:
    check_values(BY_PATH[f"/{version}/{name}.json"], values)


def test_values_are_written_as_the_service_reads_them() -> None:
    values: Values = {
        "title": "a&b",
        "min_level": 13.5,
        "max_level": 14.0,
        "include_minfo": True,
        "lamp": None,
    }
    call = make_call(RECORDS_FILTER_V10, values)
    assert call.query == (
        ("title", "a&b"),
        ("min_level", "13.5"),
        ("max_level", "14"),
        ("include_minfo", "1"),
    )
    assert not call.has_target


@pytest.mark.parametrize(
    ("level", "text"),
    [(14.0, "14"), (13.4, "13.4"), (13.4567891, "13.4567891"), (1234567.0, "1234567"), (0.1, "0.1")],
)
def test_numbers_keep_their_digits(level: float, text: str) -> None:
    assert make_call(RECORDS_FILTER_V10, {"max_level": level}).query == (("max_level", text),)
