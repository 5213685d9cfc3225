"""What the service holds, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.domain.charts import WORLDS_END, Difficulty
from bot.domain.ids import Region, SongId, UserId, UserName
from bot.domain.numbers import Hundredths


class Flags:
    """What a play earned beside its score: bits of one column, plain integers for speed."""

    CLEAR: Final = 1
    FULL_COMBO: Final = 2
    ALL_JUSTICE: Final = 4
    FULL_CHAIN: Final = 8
    PLAYED: Final = 16

    @staticmethod
    def unsaid(flag: int) -> int:
        """Return the bit that says of another one that nobody knows: an import did not say."""
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
    """Unix seconds; 0 where unavailable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Friendship:
    """One entry of an account's friend list."""

    account: StoredAccount
    """The other one."""
    is_accepted: bool
    is_incoming: bool
    """The other one asked."""


@dataclass(frozen=True, slots=True)
class StoredChart:
    """One chart; a song's charts are in the order of the game."""

    chart_id: int
    difficulty: Difficulty
    level: Hundredths
    constant: Hundredths
    """0 where unknown."""
    max_combo: int
    is_estimated: bool = False
    """There is a constant, but its source flags it as not certain."""

    @property
    def is_constant_unknown(self) -> bool:
        """What replies say of it: nobody knows the constant, or not for certain."""
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
    """YYYY-MM-DD."""
    bpm: Hundredths
    is_listed: bool
    """False once it has vanished from the catalogue's source; records of it stay."""
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
    """Only those listed."""
    by_id: Mapping[str, StoredSong] = field(repr=False)
    by_index: Mapping[int, StoredSong] = field(repr=False)
    charts: Mapping[int, tuple[StoredSong, StoredChart]] = field(repr=False)
    """By chart id, songs that vanished included."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A player's best on one chart."""

    song: StoredSong
    chart: StoredChart
    score: int
    rating: Hundredths
    flags: int
    """Bits of `Flags`."""
    updated_at: int
    """Unix seconds; 0 where unavailable."""


@dataclass(frozen=True, slots=True)
class StoredCourseRecord:
    """A player's best on one course."""

    index: int
    name: str
    course_class: int
    score: int
    flags: int
    """Bits of `Flags`."""
