"""The values that the service holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.domain.charts import WORLDS_END, Difficulty
from bot.domain.ids import Region, SongId, UserId, UserName
from bot.domain.numbers import Hundredths


class Flags:
    """The achievements of a play apart from its score, as bits of one column; plain integers for speed."""

    CLEAR: Final = 1
    FULL_COMBO: Final = 2
    ALL_JUSTICE: Final = 4
    FULL_CHAIN: Final = 8
    PLAYED: Final = 16

    @staticmethod
    def unsaid(flag: int) -> int:
        """Return the bit that marks `flag` as not reported by an import."""
        return flag << 8


@dataclass(frozen=True, slots=True)
class StoredAccount:
    """An account and the player profile that belongs to it."""

    user_id: UserId
    user_name: UserName
    is_protected: bool
    description: str
    default_region: Region
    player_name: str
    honor: str
    honor_type: int
    level: int
    rating: Hundredths
    rating_max: Hundredths
    class_emblem: int
    updated_at: int
    """The time in Unix seconds; 0 where it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Friendship:
    """One entry of an account's friend list."""

    account: StoredAccount
    """The other account of the two."""
    is_accepted: bool
    is_incoming: bool
    """Whether the other account has requested the friendship."""


@dataclass(frozen=True, slots=True)
class StoredChart:
    """One chart; a song's charts are in the order of the game."""

    chart_id: int
    difficulty: Difficulty
    level: Hundredths
    constant: Hundredths
    """The constant; 0 if it is unknown."""
    max_combo: int
    is_estimated: bool = False
    """Whether the source gives a constant, but flags it as uncertain."""

    @property
    def is_constant_unknown(self) -> bool:
        """Whether replies call the constant unknown: it is unknown or uncertain."""
        return self.is_estimated or not self.constant


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSong:
    """One song of one region."""

    song_id: SongId
    index: int
    """The `idx` of version 1.0."""
    title: str
    genre: str
    artist: str
    release: str | None
    """The release day as YYYY-MM-DD."""
    bpm: Hundredths
    is_listed: bool
    """Whether the catalogue's source still has the song; if not, its records stay."""
    charts: tuple[StoredChart, ...]

    @property
    def is_worlds_end(self) -> bool:
        """Whether it holds a World's End chart alone."""
        return any(chart.difficulty == WORLDS_END for chart in self.charts)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCatalogue:
    """The songs of one region, in the order of the source."""

    region: Region
    songs: tuple[StoredSong, ...]
    """The listed songs only."""
    by_id: Mapping[str, StoredSong] = field(repr=False)
    by_index: Mapping[int, StoredSong] = field(repr=False)
    charts: Mapping[int, tuple[StoredSong, StoredChart]] = field(repr=False)
    """Every chart with its song by chart id, including charts of songs that vanished."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A player's best on one chart."""

    song: StoredSong
    chart: StoredChart
    score: int
    rating: Hundredths
    flags: int
    """The bits are those of `Flags`."""
    updated_at: int
    """The time in Unix seconds; 0 where it is not known."""


@dataclass(frozen=True, slots=True)
class StoredCourseRecord:
    """A player's best on one course."""

    index: int
    name: str
    course_class: int
    score: int
    flags: int
    """The bits are those of `Flags`."""
