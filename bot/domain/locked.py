"""Songs that no player of similar rating has played: they probably have to be unlocked first."""

from collections.abc import Iterable, Mapping
from typing import Final

from bot.domain.charts import Difficulty, Song
from bot.domain.coach.summaries import ChartSummary
from bot.domain.history import ChartKey
from bot.domain.numbers import Hundredths
from bot.domain.scores import Record

_MASTER: Final = Difficulty("MAS")
_KIN_HUNDREDTHS: Final = 25
"""The largest difference in rating of similar players."""
_REACH_HUNDREDTHS: Final = 100
"""The distance below the rating within which similar players play any chart that they have."""


def likely_locked(
    songs: Iterable[Song],
    records: Iterable[Record],
    summaries: Mapping[ChartKey, ChartSummary],
    rating: Hundredths,
) -> list[Song]:
    """Return the songs whose MASTER chart is within reach, and that neither the player nor similar players have played.

    Songs without statistics are left out; those with the fewest players come first.
    """
    played = {record.song_id for record in records if record.is_played}
    found: list[tuple[int, Song]] = []
    for song in songs:
        master = song.find_chart(_MASTER)
        summary = summaries.get((song.id, _MASTER))
        if song.id in played or master is None or master.constant is None or summary is None:
            continue
        is_within_reach = master.constant <= rating - _REACH_HUNDREDTHS
        if is_within_reach and all(abs(step - rating) > _KIN_HUNDREDTHS for step, _average in summary.steps):
            found.append((summary.players, song))
    return [song for _players, song in sorted(found, key=lambda pair: (pair[0], pair[1].id))]
