"""What an operator or a test can set."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.domain.ids import JP, JP2, Region
from bot.wire.versions import Version

_REGION: Final = re.compile(r"[a-z0-9_-]{1,32}")

VERSIONS: Final[tuple[Version, ...]] = ("2.0", "1.3", "1.0")

DEFAULT_LIMITS: Final[Mapping[Version, int]] = {"2.0": 120, "1.3": 120, "1.0": 200}
"""An account may send this many requests per window. Source: specification, Limits; that of 2.0 is our choice."""


def read_region(text: str) -> Region:
    """Return a region identifier that an operator wrote. Raises: ValueError if it has no shape of one."""
    if not _REGION.fullmatch(text):
        message = "a region is written in lowercase letters, digits, hyphens and underscores"
        raise ValueError(message)
    return Region(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceOptions:
    """Everything about a running service that is not in its database."""

    limits: Mapping[Version, int] = field(default_factory=lambda: DEFAULT_LIMITS)
    """Each account may send this many requests per version and window."""
    window_seconds: int = 900
    """The length of a window. Source: specification, Limits."""
    quick_seconds: float = 0.5
    """A request that follows the last one by less costs two; 0 turns it off. Our choice of size."""
    arrival_seconds: float = 10
    """A request that has not arrived whole by then is given up, and so is a connection that asks nothing."""
    regions: tuple[Region, ...] = (JP2, JP)
    """These region identifiers are accepted; the first one answers in versions without a region."""
    catalogue: Path | None = None
    """Songs are read anew every day from this `music/showall` file, or folder of REGION.json files."""
    delay_seconds: float = 0
    """Each answer is delayed by this much, for tests of slow services."""
    kept_bytes: int = 64 * 1024 * 1024
    """Cached replies may take this much memory."""
    access_log: bool = False
    """The log has method, path (never the query), status and size of every request."""

    @property
    def default_region(self) -> Region:
        """The region of versions 1.3 and 1.0, which do not ask for one."""
        return self.regions[0]
