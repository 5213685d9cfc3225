"""What the bot is, and how fresh its data."""

from dataclasses import dataclass
from importlib.metadata import version

from bot.domain.age import Age
from bot.domain.ids import Region
from bot.features.catalogues import Catalogues


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutReport:
    """What `/about` shows."""

    version: str
    source_url: str
    """Empty where the operator has named none."""
    region: Region
    songs: int | None
    """How many the catalogue has; None where it cannot be had now."""
    age: Age | None
    """The catalogue's."""


class About:
    """Knows what is running."""

    def __init__(self, catalogues: Catalogues, default_region: Region, *, source_url: str) -> None:
        self._source_url = source_url
        self._catalogues = catalogues
        self._default_region = default_region

    async def report(self) -> AboutReport:
        """Return the version and the state of the catalogue."""
        loaded = await self._catalogues.find(self._default_region)
        return AboutReport(
            version=version("kiroku"),
            source_url=self._source_url,
            region=self._default_region,
            songs=len(loaded.catalogue.songs) if loaded else None,
            age=loaded.age if loaded else None,
        )
