"""A member's own settings: language, time zone, theme, slot; and, with the link, region and visibility."""

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
"""The generations that are offered, newest first; the list of the service is open."""
OFFERED_VERSIONS: Final = 8
"""Versions of a game that are offered: editions lag behind by one or two."""
REMEMBERED: Final = 10_000
"""Members whose Discord's language is remembered: the last who used the bot, about a megabyte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencesReport:
    """What `/settings` shows."""

    preferences: Preferences
    user_name: UserName | None
    """The name of the account; None where nothing is linked: region and visibility belong to the link too."""
    region: Region | None
    version: str | None
    """The version of the region's game that they have chosen, or by which their rating was explained last."""
    is_version_chosen: bool
    versions: tuple[str, ...]
    """The versions of the region's game that may be chosen, by their names, the newest first."""
    visibility: Visibility | None
    direct: PostPlan | None
    """What is written to them by direct message."""


class MemberPreferences:
    """Members' settings, and the language of their Discord."""

    def __init__(self, store: Store, ratings: GameRatings) -> None:
        self._store = store
        self._ratings = ratings
        self._locales: dict[MemberId, str] = {}
        """The languages of those who used the bot last, the latest at the end; in memory alone."""
        store.bus.subscribe(ERASED_TOPIC, lambda member: self.drop(MemberId(int(member))))
        store.bus.on_gap(self._locales.clear)

    async def get(self, member: MemberId) -> Preferences:
        """Return how to answer a member; one who cannot be read is answered like one who has chosen nothing."""
        try:
            return (await self._store.members.get(member)).preferences
        except CannotRead:  # of which the store tells the log
            return Preferences()
        except Exception:  # the command itself fails, if it needs what cannot be read
            _logger.exception("a member cannot be read")
            return Preferences()

    def note_locale(self, member: MemberId, locale: str) -> None:
        """Remember the language of a member's Discord: what they write later does not say it."""
        self._locales.pop(member, None)
        self._locales[member] = locale
        if len(self._locales) > REMEMBERED:
            del self._locales[next(iter(self._locales))]

    def locale_of(self, member: MemberId) -> str | None:
        """Return the language of a member's Discord; None where they have not used the bot lately."""
        return self._locales.get(member)

    async def report(self, member: MemberId) -> PreferencesReport:
        """Return all that a member has set."""
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
        if "timezone" in changes:  # one that was chosen once stays, also where it is none any more
            changes["timezone"] = get_timezone(changes["timezone"])
        preferences = replace((await self._store.members.get(member)).preferences, **changes)
        await self._store.members.save_preferences(member, preferences)

    async def choose_cut(self, member: MemberId, choice: CutChoice) -> None:
        """Choose what all pictures of a member's are for, or that they are for what was pressed last."""
        if choice is CutChoice.AS_PRESSED:
            await self.change(member, keeps_cut=False)
        else:
            await self.change(member, cut=Cut(choice.value), keeps_cut=True)

    async def press_cut(self, member: MemberId, cut: Cut) -> None:
        """Remember that a member has turned a picture into another cut, unless they have chosen one for all."""
        known = (await self._store.members.get(member)).preferences
        if not known.keeps_cut and known.cut is not cut:
            await self._store.members.save_preferences(member, replace(known, cut=cut))

    async def set_game(self, member: MemberId, region: Region, version: str | None) -> None:
        """Change which game a member's commands are about, and in which version they play it.

        None is the version that explains their rating. Raises: NotLinked, TooOld for a version that nobody knows.
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
        """Drop the language of a member's Discord from memory."""
        self._locales.pop(member, None)
