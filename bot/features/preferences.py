"""A member's settings: language, time zone, theme, slot; with a link, also region and visibility."""

import logging
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.cluster.invalidation import ERASED_TOPIC
from bot.domain.errors import CannotRead, NotLinked, TooOld
from bot.domain.game_versions import NO_HINTS
from bot.domain.ids import JP, JP2, MemberId, Region, UserName
from bot.domain.members import Cut, CutChoice, Preferences, Visibility
from bot.domain.posts import PostPlan
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.timezones import get_timezone
from bot.store import Store

_logger = logging.getLogger(__name__)

REGIONS: Final = (JP2, JP)
"""The generations that are offered, newest first; the service may add others."""
OFFERED_VERSIONS: Final = 8
"""The most versions of a game that are offered: editions lag behind by one or two."""
REMEMBERED: Final = 10_000
"""The most members whose Discord language is remembered: the last who used the bot, about a megabyte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencesReport:
    """The content of `/settings`."""

    preferences: Preferences
    user_name: UserName | None
    """The name of the account; None if the member is not linked: region and visibility belong to the link too."""
    region: Region | None
    version: str | None
    """The version of the region's game that they chose, or that last explained their rating."""
    is_version_chosen: bool
    versions: tuple[str, ...]
    """The names of the versions of the region's game that can be chosen, newest first."""
    visibility: Visibility | None
    direct: PostPlan | None
    """The plan of the direct messages to them."""


class MemberPreferences:
    """Members' settings, and their Discord languages."""

    def __init__(self, store: Store, ratings: GameRatings) -> None:
        self._store = store
        self._ratings = ratings
        self._locales: dict[MemberId, str] = {}
        """The Discord languages of recent users, latest last; in memory only."""
        store.bus.subscribe(ERASED_TOPIC, lambda member: self.drop(MemberId(int(member))))
        store.bus.on_gap(self._locales.clear)

    async def get(self, member: MemberId) -> Preferences:
        """Return a member's settings; the defaults if they cannot be read."""
        try:
            return (await self._store.members.get(member)).preferences
        except CannotRead:  # already logged by the store
            return Preferences()
        except Exception:  # the command itself fails if it needs the unreadable row
            _logger.exception("a member cannot be read")
            return Preferences()

    def note_locale(self, member: MemberId, locale: str) -> None:
        """Remember a member's Discord language: later messages do not carry it."""
        self._locales.pop(member, None)
        self._locales[member] = locale
        if len(self._locales) > REMEMBERED:
            del self._locales[next(iter(self._locales))]

    def locale_of(self, member: MemberId) -> str | None:
        """Return a member's Discord language; None if they have not used the bot lately."""
        return self._locales.get(member)

    async def report(self, member: MemberId) -> PreferencesReport:
        """Return all settings of a member."""
        known = await self._store.members.get(member)
        link = known.link
        hints = NO_HINTS if link is None else await self._ratings.find_hints(member, link.region)
        version = hints.chosen or hints.last
        return PreferencesReport(
            preferences=known.preferences,
            user_name=link.user_name if link else None,
            region=link.region if link else None,
            version=version and version.name,
            is_version_chosen=hints.chosen is not None,
            versions=() if link is None else self._ratings.begun_versions(link.region)[:OFFERED_VERSIONS],
            visibility=link.visibility if link else None,
            direct=next(iter(await self._store.plans.fetch_direct(member)), None),
        )

    async def change(self, member: MemberId, **changes: Any) -> None:
        """Change some of a member's settings. Raises: BadQuery for an unknown time zone."""
        if "timezone" in changes:  # an earlier choice stays, even if that zone is gone
            changes["timezone"] = get_timezone(changes["timezone"])
        preferences = replace((await self._store.members.get(member)).preferences, **changes)
        await self._store.members.save_preferences(member, preferences)

    async def choose_cut(self, member: MemberId, choice: CutChoice) -> None:
        """Choose the cut of all pictures for a member, or that it follows the last button."""
        if choice is CutChoice.AS_PRESSED:
            await self.change(member, keeps_cut=False)
        else:
            await self.change(member, cut=Cut(choice.value), keeps_cut=True)

    async def press_cut(self, member: MemberId, cut: Cut) -> None:
        """Remember that a member switched a picture to another cut, unless they chose one for all."""
        known = (await self._store.members.get(member)).preferences
        if not known.keeps_cut and known.cut is not cut:
            await self._store.members.save_preferences(member, replace(known, cut=cut))

    async def set_game(self, member: MemberId, region: Region, version: str | None) -> None:
        """Change the region of a member's commands, and the version in which they play it.

        None is the version that explains their rating. Raises: NotLinked, TooOld for an unknown version.
        """
        if version is not None and version not in self._ratings.begun_versions(region):
            raise TooOld
        link = (await self._store.members.get(member)).link
        if link is None:
            raise NotLinked
        if link.region != region:
            await self._store.links.set_region(member, region)
        if link.game_version != version:
            await self._store.links.set_game_version(member, version)

    def drop(self, member: MemberId) -> None:
        """Remove a member's Discord language from memory."""
        self._locales.pop(member, None)
