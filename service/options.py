"""What an operator, or a test, can set."""

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
"""Requests per window. Source: specification, Limits; 2.0 is our choice: the specification does not say."""


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
    """Requests per account, version and window."""
    window_seconds: int = 900
    """Source: specification, Limits: 15 minutes."""
    quick_seconds: float = 0.5
    """A request that follows the last one by less costs two; 0 turns it off. Our choice of size."""
    arrival_seconds: float = 10
    """A request that has not arrived whole by then is given up, and so is a connection that asks nothing."""
    regions: tuple[Region, ...] = (JP2, JP)
    """Every region identifier that is taken; the first one answers for versions without a region."""
    catalogue: Path | None = None
    """Where songs are read anew every day: a `music/showall` file, or a folder of REGION.json files."""
    delay_seconds: float = 0
    """Wait this long before each answer; for tests of slow times."""
    kept_bytes: int = 64 * 1024 * 1024
    """How much memory ready-made replies may take."""
    access_log: bool = False
    """Log method, path (never the query), status and size of every request."""

    @property
    def default_region(self) -> Region:
        """The region of versions 1.3 and 1.0, which do not ask for one."""
        return self.regions[0]
