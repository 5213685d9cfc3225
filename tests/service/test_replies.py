"""The arithmetic of replies, on values made for each case."""

from dataclasses import replace
from decimal import Decimal
from itertools import product
from typing import Any

import orjson
import pytest

from bot.domain.charts import MASTER, ULTIMA, WORLDS_END, Difficulty
from bot.domain.ids import JP, JP2, Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.rating import song_rating
from bot.domain.scores import SlotName
from bot.ui.language.text import Languages
from bot.wire.endpoints import RECORDS_FILTER_V10, USERS_SHOW_V13
from bot.wire.rating_data import RatingDataReply
from bot.wire.reading import read_reply
from service.model import Flags, StoredChart, StoredRecord, StoredSong
from service.numbers import number, timestamp
from service.parameters import Arguments, parse_query, read_arguments
from service.plays import record_v2_0
from service.rating_data import rating_data
from service.record_filter import filter_records
from service.refusal import Refusal
from service.reply_cache import ReplyCache
from service.search import parse_search, search, search_exactly
from service.songs import song_v1_0, song_v2_0
from service.statistics import statistics

PLAYED = Flags.PLAYED | Flags.CLEAR


def song(index: int, title: str = "", *, artist: str = "A", release: str | None = "2026-01-01") -> StoredSong:
    return StoredSong(
        song_id=SongId(f"{index:016x}"), index=index, title=title or f"Song {index}", genre="ORIGINAL",
        artist=artist, release=release, bpm=Hundredths(18_050), is_listed=True, charts=(),
    )  # fmt: skip


def record(
    index: int, score: int, constant: int = 1400, *, flags: int = PLAYED, difficulty: Difficulty = MASTER,
    region: Region = JP2,
) -> StoredRecord:  # fmt: skip
    chart = StoredChart(index, difficulty, Hundredths(constant // 50 * 50), Hundredths(constant), 1000)
    rating = song_rating(Hundredths(constant), score, region) if constant else Hundredths(0)
    return StoredRecord(song(index), chart, score, rating, flags, 0)


def ids(slot: Any) -> list[int | None]:
    return [entry and int(entry["id"], 16) for entry in slot["entries"]]


def test_an_empty_career() -> None:
    data = rating_data([], [], JP2)
    assert data["best"] == {"value": 0, "entries": [None] * 30}
    assert data["recent"] == {"value": 0, "entries": [None] * 10}
    assert data["best_candidate"] == data["best_candidate_sss"] == data["best_outside"] == {"entries": []}


def test_best_and_what_follows() -> None:
    records = [record(n, 1_000_000 + 100 * n) for n in range(1, 61)]
    data = rating_data(records, records[:3], JP2)
    assert ids(data["best"]) == list(range(60, 30, -1))
    assert ids(data["best_outside"]) == list(range(30, 10, -1))
    assert ids(data["recent"]) == [1, 2, 3] + [None] * 7
    assert ids(data["best_candidate"]) == list(range(30, 10, -1))


@pytest.mark.parametrize(
    ("ratings", "mean", "shown"),
    [
        ([1677], "16.77", "16.77"),
        ([1677, 1677, 1678], "16.77", "16.77"),  # 16.7733…
        ([1677, 1678, 1678], "16.77", "16.77"),  # 16.7766…: cut, not rounded
        ([1699] * 29 + [1728], "16.99", "16.99"),  # 16.9996…
        ([1700] * 7, "17", "17.00"),
        ([1, 0], "0", "0.00"),
    ],
)
def test_means_have_two_places_cut_and_the_bot_shows_each_of_them(
    ratings: list[int], mean: str, shown: str
) -> None:
    records = [replace(record(n, 1_000_000), rating=Hundredths(each)) for n, each in enumerate(ratings)]
    reply = rating_data(records, records[:10], JP2)
    assert orjson.dumps(reply["best"]).startswith(f'{{"value":{mean},'.encode())
    read = read_reply(RatingDataReply, orjson.dumps(reply)).reply.to_domain()
    average = read[SlotName.BEST].average
    assert average is not None
    assert Languages()["en"].average(average) == shown


def test_no_mean_of_two_places_loses_or_doubles_a_digit_on_its_way() -> None:
    english, entries = Languages()["en"], [record_v2_0(record(1, 1_000_000))]
    for hundredths in range(1801):
        value = orjson.dumps({"best": {"value": number(Hundredths(hundredths)), "entries": entries}})
        average = read_reply(RatingDataReply, value).reply.to_domain()[SlotName.BEST].average
        assert average is not None
        assert average == Decimal(hundredths) / 100
        assert english.average(average) == english.hundredths(Hundredths(hundredths))


def test_candidates_can_still_enter_least_missing_score_first() -> None:
    """Not the highest rating first: where a score is worth more, less of it is missing."""
    best = [record(n, 1_000_000, 1450) for n in range(1, 31)]
    near, hard, maxed = record(31, 1_005_000, 1395), record(32, 990_000, 1480), record(33, 1_010_000, 1330)
    above_sss, far = record(34, 1_007_600, 1345), record(35, 989_800, 1490)
    data = rating_data([*best, near, hard, maxed, above_sss, far], [], JP2)
    assert best[0].rating == 1550
    assert far.rating > above_sss.rating > near.rating
    assert ids(data["best_candidate"]) == [31, 35, 34, 32]
    assert ids(data["best_candidate_sss"]) == [31, 35, 32]
    assert ids(data["best_outside"]) == [35, 34, 33, 31, 32]


def test_sss_candidates_are_empty_in_jp() -> None:
    records = [record(n, 1_000_000 + n, region=JP) for n in range(1, 41)]
    data = rating_data(records, [], JP)
    assert data["best_candidate_sss"] == {"entries": []}
    assert len(ids(data["best_candidate"])) == 10


def test_no_world_s_end_and_no_unknown_constant_in_the_slots() -> None:
    data = rating_data(
        [record(1, 1_010_000, 0), record(2, 1_000_000, 1400, difficulty=WORLDS_END), record(3, 900_000, 1400)],
        [], JP2,
    )  # fmt: skip
    assert ids(data["best"]) == [3] + [None] * 29


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("aether", [1, 2]),
        ("ＡＥＴＨＥＲ", [1, 2]),
        ("ﾊﾝｶｸ", [3]),
        ("はんかく", [3]),
        ("dr. aether", [2]),
        ("other", [5]),
        ("ｗｈｅｅｌto", [5]),
        ('"el to the"', [5]),
        ("orbitmin", [5]),
        ('"r. reverb"', [2]),
        ('"reverb dr"', []),
        ("since:2026-02-01", [2, 3]),
        ("until:2026/02/01 aether", [1, 2]),
        ("until:2026-01-30", [5]),
        ("since:2026-02-01 until:2026-02-28", [2]),
        ("aether nothing", []),
    ],
)
def test_search(query: str, found: list[int]) -> None:
    songs = [
        song(1, "Aether", release="2026-01-31"),
        song(2, "AETHER", artist="Dr. Reverb", release="2026-02-01"),
        song(3, "ハンカク", release="2026-03-01"),
        song(4, "Undated", release=None),
        song(5, "The wheel to　the right", artist="Orbit Minus One", release="2026-01-01"),
    ]
    assert [hit.index for hit in search(songs, parse_search(query))] == found


def test_an_exact_title_is_the_whole_title_folded() -> None:
    songs = [song(1, "Aether"), song(2, "AETHER!"), song(3, "ＡＥＴＨＥＲ"), song(4, "Ae ther")]
    assert [hit.index for hit in search_exactly(songs, "aether")] == [1, 3, 4]


@pytest.mark.parametrize(
    ("lamps", "passing"),
    [
        ("clear", {"clear", "fc", "aj", "fch"}),
        ("failed", {"failed"}),
        ("fc", {"fc", "fch"}),
        ("aj", {"aj"}),
        ("fc,aj", {"fc", "aj", "fch"}),
        ("noajfc", {"clear", "failed", "unsaid"}),
        ("fch", {"fch"}),
        ("clear,noajfc,nofch", {"clear"}),
        ("clear,failed", {"clear", "failed", "fc", "aj", "fch", "unsaid"}),
        ("clear,failed,fc,aj,noajfc,fch,nofch", {"clear", "failed", "fc", "aj", "fch", "unsaid"}),
    ],
)
def test_lamps_work_in_families(lamps: str, passing: set[str]) -> None:
    combo = PLAYED | Flags.FULL_COMBO
    flags = {
        "failed": Flags.PLAYED, "clear": PLAYED, "fc": combo, "aj": combo | Flags.ALL_JUSTICE,
        "fch": combo | Flags.FULL_CHAIN, "unsaid": Flags.PLAYED | Flags.unsaid(Flags.CLEAR),
    }  # fmt: skip
    records = [record(n, 900_000, flags=flag) for n, flag in enumerate(flags.values())]
    arguments = read_arguments(RECORDS_FILTER_V10, {"lamp": [lamps]})
    names = list(flags)
    assert {names[found.chart.chart_id] for found in filter_records(records, arguments)} == passing


@pytest.mark.parametrize(
    ("query", "passing"),
    [
        ({}, [1, 2, 3, 4]),
        ({"min_level": "13", "max_level": "13.5"}, [2, 3]),
        ({"min_level": "13.1"}, [3, 4]),
        ({"max_level": "12.9"}, [1]),
        ({"min_score": "920000", "max_score": "930000"}, [2, 3]),
    ],
)
def test_bounds_of_levels_and_scores_belong_to_what_passes(query: dict[str, str], passing: list[int]) -> None:
    levels = (1250, 1300, 1350, 1400)
    records = [record(number, 900_000 + number * 10_000, level) for number, level in enumerate(levels, 1)]
    arguments = read_arguments(RECORDS_FILTER_V10, {name: [value] for name, value in query.items()})
    assert [each.chart.chart_id for each in filter_records(records, arguments)] == passing


def test_the_filter_never_shows_ultima() -> None:
    arguments = read_arguments(RECORDS_FILTER_V10, {})
    assert filter_records([record(1, 900_000, difficulty=ULTIMA)], arguments) == []


def test_statistics_count_each_play_once() -> None:
    scores = [
        1_010_000,
        1_009_999,
        1_007_500,
        1_007_499,
        1_005_000,
        1_004_999,
        1_000_000,
        999_999,
        975_000,
        974_999,
    ]
    reply = statistics([(score, PLAYED, Hundredths(1500)) for score in scores], averages_as_text=False)
    assert reply["users_count"] == 10
    assert reply["count"] == {
        "rank": {"max": 1, "sss": 2, "ss+": 2, "ss": 2, "s": 2, "<s": 1},
        "lamp": {"aj": 0, "fc": 0, "other": 10},
    }


def test_averages_by_step_of_a_tenth() -> None:
    plays = [(n, PLAYED, Hundredths(r)) for n, r in ((900_000, 1509), (900_001, 1500), (950_000, 1525))]
    assert statistics(plays, averages_as_text=False)["avg"] == {
        "15.00": 900_000.5, "15.10": None, "15.20": 950_000.0,
    }  # fmt: skip
    assert statistics(plays, averages_as_text=True)["avg"] == {
        "15.00": "900000.5", "15.10": None, "15.20": "950000.0",
    }  # fmt: skip
    assert statistics([], averages_as_text=True)["avg"] == {}
    three = [(score, PLAYED, Hundredths(1500)) for score in (900_000, 900_001, 900_001)]
    assert statistics(three, averages_as_text=True)["avg"] == {"15.00": "900000.66"}


@pytest.mark.parametrize(("lamp", "key"), [(0, "other"), (2, "fc"), (4, "aj"), (6, "aj")])
def test_lamps_of_statistics(lamp: int, key: str) -> None:
    reply = statistics([(900_000, PLAYED | lamp, Hundredths(0))], averages_as_text=False)
    assert reply["count"] == {
        "rank": {"max": 0, "sss": 0, "ss+": 0, "ss": 0, "s": 0, "<s": 1},
        "lamp": {"aj": 0, "fc": 0, "other": 0} | {key: 1},
    }


def test_a_song_without_a_date() -> None:
    undated = song(1, release=None)
    assert song_v2_0(undated)["meta"] == {
        "id": f"{1:016x}", "title": "Song 1", "genre": "ORIGINAL", "artist": "A", "release": "1970-01-01",
        "bpm": 180.5,
    }  # fmt: skip
    assert song_v1_0(undated)["meta"] == {
        "idx": 1, "title": "Song 1", "genre": "ORIGINAL", "artist": "A", "release": None, "is_we": False,
    }  # fmt: skip


def test_numbers_and_times() -> None:
    assert [number(Hundredths(value)) for value in (0, 1300, 1350, 1677, 5)] == [0, 13, 13.5, 16.77, 0.05]
    assert timestamp(0) == "1970-01-01T09:00:00+0900"
    assert timestamp(1_767_225_600) == "2026-01-01T09:00:00+0900"


def test_kept_replies_stay_within_their_bound() -> None:
    cache = ReplyCache(10_000)
    for number_, _ in product(range(50), range(2)):
        cached = cache.find(number_) or cache.put(number_, bytes([number_]) * 2_000)
        assert len(cache.compressed(cached)) < 2_000
    assert cache.find(0) is None
    assert cache.find(49) is not None
    assert cache._size == sum(cached.size for cached in cache._replies.values()) <= 10_000


@pytest.mark.parametrize(
    ("raw", "pairs"),
    [
        ("", {}),
        ("a=1&b=2", {"a": ["1"], "b": ["2"]}),
        ("a=1&a=2", {"a": ["1", "2"]}),
        ("q=%E9%9B%B6+x&e=&f", {"q": ["零 x"], "e": [""], "f": [""]}),
        ("q=%FF", {"q": ["\N{REPLACEMENT CHARACTER}"]}),
        ("q=a=b", {"q": ["a=b"]}),
    ],
)
def test_query_strings(raw: str, pairs: dict[str, list[str]]) -> None:
    assert parse_query(raw) == pairs


def test_a_parameter_given_twice_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        read_arguments(USERS_SHOW_V13, {"user_id": ["1", "1"]})
    assert refused.value.reason == "user_id is given more than once."


def test_defaults_are_filled_in() -> None:
    arguments = read_arguments(RECORDS_FILTER_V10, {"genre": ["toho"]})
    assert isinstance(arguments, Arguments)
    assert (arguments.text("genre"), arguments.text("diff"), arguments.number("max_level")) == (
        "toho", "baem", 14,
    )  # fmt: skip
