import lzma
import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.api.lists import Json, pack, unpack

START = datetime(2026, 1, 1, tzinfo=UTC)
IDS = st.text("0123456789abcdef", min_size=15, max_size=17)
MOMENTS = (
    st.integers(-(2**31), 2**32 + 2**20)
    .map(lambda each: START + timedelta(seconds=each - 1_767_225_600))
    .map(lambda each: f"{each:%Y-%m-%dT%H:%M:%SZ}")
)
NUMBERS = st.sampled_from([0, 1, 255, 256, 2**32 - 1]) | st.integers()
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(max_size=3) | IDS | MOMENTS
KINDS = (
    SCALARS, NUMBERS, st.integers(0, 2**32), IDS, st.none() | MOMENTS, MOMENTS | st.just("2026-02-30T00:00:00Z"),
    MOMENTS | st.just("1970-01-01T00:00:00Z") | st.none(), st.text(), st.text("\n,"), st.lists(SCALARS, max_size=2),
    st.dictionaries(st.text(max_size=2), SCALARS, max_size=2),
)  # fmt: skip
LISTS = st.one_of([st.lists(kind, min_size=16, max_size=24) for kind in KINDS]) | st.lists(
    SCALARS, max_size=3
)


@given(st.dictionaries(st.text(max_size=3).filter("#".__ne__), LISTS) | LISTS)
@example([f"2026-02-{day}T00:00:00Z" for day in range(10, 31)])
def test_what_is_packed_comes_back(plain: Json) -> None:
    assert repr(unpack(pack(plain))) == repr(plain)  # and True is no 1


def entries(kind: str) -> list[Json]:
    chance = random.Random(7)  # noqa: S311 - invented
    made: list[Json] = []
    for number in range(2_000):
        drawn: dict[str, Json] = {
            "id": f"{chance.getrandbits(64):016x}",
            "score": chance.getrandbits(20),
            "constant": 1000 + chance.getrandbits(6) * 10,
            "moment": f"{START + timedelta(seconds=chance.getrandbits(24)):%Y-%m-%dT%H:%M:%SZ}",
            "moment or none": None
            if number % 9 == 0
            else f"{START + timedelta(days=number):%Y-%m-%dT%H:%M:%SZ}",
            "lamp": chance.random() < 0.5,
        }
        made.append(drawn[kind])
    return made


@pytest.mark.parametrize(
    ("kind", "bits"),
    [("id", 64), ("score", 20), ("constant", 6), ("moment", 24), ("moment or none", 20), ("lamp", 1)],
)
def test_a_list_takes_little_more_than_it_tells(kind: str, bits: int) -> None:
    packed = lzma.compress(pack(entries(kind)), format=lzma.FORMAT_ALONE)
    assert len(packed) * 8 / 2_000 < bits * 1.15 + 1
