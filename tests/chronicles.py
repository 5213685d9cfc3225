"""States made up for tests of sessions."""

from collections.abc import Mapping
from datetime import UTC, datetime

from hypothesis import strategies as st

from bot.domain.charts import EXPERT, MASTER, Difficulty
from bot.domain.chronicle.state import PlayerFigures, RecordMark, RecordsState
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, MemberId, SongId
from bot.domain.numbers import Hundredths

NOW = datetime(2026, 11, 21, 14, tzinfo=UTC)

CHARTS = st.tuples(
    st.sampled_from([SongId("00ff00ff00ff00ff"), SongId("song"), SongId("0123456789abcdef")])
    | st.integers(0, 2**64 - 1).map(lambda number: SongId(f"{number:016x}")),
    st.sampled_from([MASTER, EXPERT, Difficulty("譜面")]),
)
NUMBERS = st.integers(0, 2**32 - 1)
MARKS = st.builds(
    RecordMark,
    st.integers(0, 1_010_000),
    st.integers(0, 127),
    st.sampled_from([0, 1350, 1420]),
    NUMBERS,
    st.just(0) | st.integers(0, 10_000),
    st.just(0) | st.integers(0, 63),
)
BOOKS = st.dictionaries(CHARTS, MARKS, max_size=40)


def state(marks: Mapping[ChartKey, RecordMark], *, rating: int = 1600) -> RecordsState:
    return RecordsState(
        member=MemberId(1),
        region=JP2,
        taken_at=NOW,
        figures=PlayerFigures(rating=Hundredths(rating)),
        marks=marks,
    )
