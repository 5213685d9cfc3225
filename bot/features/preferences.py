"""A member's own settings: language, time zone, theme, slot; and, with the link, region and visibility."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.domain.errors import NotLinked
from bot.domain.ids import JP, JP2, MemberId, Region
from bot.domain.members import Preferences, Visibility
from bot.features.timezones import get_timezone
from bot.store import Store

REGIONS: Final = (JP2, JP)
"""The generations that are offered, newest first; the list of the service is open."""
REMEMBERED: Final = 10_000
"""Members whose Discord's language is remembered: the last who used the bot, about a megabyte."""
_DEFAULT: Final = Preferences()


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsPage:
    """What `/settings` shows."""

    preferences: Preferences
    region: Region | None
    """None where nothing is linked: region and visibility belong to the link."""
    visibility: Visibility | None


class MemberPreferences:
    """Everyone's settings, in memory: each answer needs its reader's language before anything is asked."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[MemberId, Preferences] = {}
        self._locales: dict[MemberId, str] = {}
        """Of those who used the bot last, the latest at the end; in memory alone."""

    async def load(self) -> None:
        """Read everyone's settings once, at start; later changes go through here."""
        known: Mapping[MemberId, Preferences] = await self._store.preferences.fetch_all()
        self._known = dict(known)

    def of(self, member: MemberId) -> Preferences:
        """Return a member's settings."""
        return self._known.get(member, _DEFAULT)

    def notice(self, member: MemberId, locale: str) -> None:
        """Remember the language of a member's Discord: what they write later does not say it."""
        self._locales.pop(member, None)
        self._locales[member] = locale
        if len(self._locales) > REMEMBERED:
            del self._locales[next(iter(self._locales))]

    def language_of(self, member: MemberId) -> str | None:
        """Return the language that a member chose, else that of their Discord; None where neither is known."""
        return self.of(member).language or self._locales.get(member)

    async def page(self, member: MemberId) -> SettingsPage:
        """Return all that a member has set."""
        link = await self._store.links.find(member)
        return SettingsPage(
            preferences=self.of(member),
            region=link.region if link else None,
            visibility=link.visibility if link else None,
        )

    async def save(self, member: MemberId, preferences: Preferences) -> None:
        """Change a member's settings. Raises: BadQuery for an unknown time zone."""
        preferences = replace(preferences, timezone=get_timezone(preferences.timezone))
        await self._store.preferences.save(member, preferences)
        self._known[member] = preferences

    async def set_region(self, member: MemberId, region: Region) -> None:
        """Change which game a member's commands are about. Raises: NotLinked."""
        if not await self._store.links.set_region(member, region):
            raise NotLinked

    def forget(self, member: MemberId) -> None:
        """Drop a member's settings from memory, once they are erased."""
        self._known.pop(member, None)
        self._locales.pop(member, None)
