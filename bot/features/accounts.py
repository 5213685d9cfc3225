"""Linking an account, showing the link, erasing it."""

from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from bot.api import BudgetLeft
from bot.api.answer import Answer
from bot.base.clock import Clock
from bot.domain.errors import BotError, NotLinked
from bot.domain.ids import MemberId, Region, UserName
from bot.domain.members import AccountLink, Lost, Visibility
from bot.domain.players import Player, Target
from bot.domain.posts import PostPlan
from bot.features.shared.askers import Askers
from bot.features.shared.subjects import Subject
from bot.store import Store
from bot.wire.versions import Version

_VERSIONS: Final[tuple[Version, ...]] = ("2.0", "1.3")
"""The versions that the bot's commands use."""


class TokenPlace(NamedTuple):
    """The place where members create their access token."""

    service: str
    """The name by which people know the record service: its host, without the usual port."""
    url: str
    is_exact: bool
    """Whether the token page itself is known, not only the service."""


def token_place_of(token_url: str, record_api_url: str) -> TokenPlace:
    """Return where tokens are created: the operator's setting, or else the root address of the API's host."""
    parts = urlsplit(token_url or record_api_url)
    service = parts.netloc.rpartition("@")[2]  # a name and a password must not be shown
    return TokenPlace(service, token_url or f"{parts.scheme}://{service}/", bool(token_url))


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """The result of linking an account."""

    player: Player
    lost: Lost | None
    """What was erased with the previous account; None if there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountReport:
    """A member's link, for that member only."""

    user_name: UserName
    player: Answer[Player] | None
    """The profile; None if the service could not be asked, see `trouble`."""
    trouble: BotError | None
    region: Region
    visibility: Visibility
    daily_posts: int
    """The number of servers in whose daily posts the member is."""
    feeds: int
    """The number of servers in whose feeds the member is."""
    direct: PostPlan | None
    """The direct messages to the member; None if there are none."""
    budgets: tuple[tuple[str, BudgetLeft], ...]
    """The token's remaining requests, by version of the service."""


class Accounts:
    """Members and their linked accounts."""

    def __init__(
        self, store: Store, askers: Askers, clock: Clock, *, default_region: Region, token_place: TokenPlace
    ) -> None:
        self._store = store
        self._askers = askers
        self._clock = clock
        self._default_region = default_region
        self.token_place = token_place
        """The place where members create their access token."""

    async def link(self, member: MemberId, token: str, visibility: Visibility | None = None) -> Linked:
        """Check a token with the service and store it, in place of the member's previous link.

        Without `visibility` the previous choice stays; for a first or another account it is "only me". Linking another
        account erases everything stored with the previous one, in the same transaction.

        Raises: TokenRejected, ServiceDown, BudgetSpent, UnreadableReply; then nothing has changed.
        """
        player = (await self._askers.holder(token).v1_3.users.me()).to_domain()
        before = (await self._store.members.get(member)).link
        same = before if before is not None and before.user_id == player.user_id else None
        link = AccountLink(
            member=member,
            user_id=player.user_id,
            user_name=player.user_name,
            region=same.region if same else self._default_region,
            visibility=visibility or (same.visibility if same else Visibility.ONLY_ME),
            linked_at=self._clock.now(),
            is_protected=player.is_protected,
        )
        replaced = await self._store.links.save(link, token)
        await self._askers.know_player(link, player)
        if replaced is not None:  # also by a concurrent form of the same member
            self._store.backlog.drop(member)
            await self._askers.erase_answers(replaced.link)
            await self._store.purge_deleted()
        return Linked(player=player, lost=replaced and replaced.lost)

    async def find_name(self, member: MemberId) -> UserName | None:
        """Return the name of a member's linked account; None also if it cannot be read now."""
        try:
            link = (await self._store.members.get(member)).link
        except Exception:  # noqa: BLE001 - already logged, and the member may link again
            return None
        return link and link.user_name

    async def unlink(self, member: MemberId) -> bool:
        """Erase a member's link and everything stored with it; the settings stay.

        Return whether it is gone from the disk too; otherwise that follows. Raises: NotLinked.
        """
        link = (await self._store.members.get(member)).link
        if link is None:
            raise NotLinked
        await self._store.making_room(partial(self._store.links.erase, member))
        self._store.backlog.drop(member)
        await self._askers.erase_answers(link)
        return await self._store.purge_deleted()

    async def keeps_to_self(self, member: MemberId, subject: Subject) -> bool:
        """Return whether a member asks about themselves and is set to "only me"; reads only the store."""
        link = (await self._store.members.get(member)).link
        if link is None or link.visibility is not Visibility.ONLY_ME:
            return False
        if subject.player is not None:
            return subject.player.casefold() == link.user_name.casefold()
        return subject.member in (None, member)

    async def set_visibility(self, member: MemberId, visibility: Visibility) -> None:
        """Set who may look the member up; "only me" also leaves every daily post and feed. Raises: NotLinked."""
        if not await self._store.links.set_visibility(member, visibility):
            raise NotLinked

    async def report(self, member: MemberId) -> AccountReport:
        """Return the link and the remaining budget, also while the service is down.

        Raises: NotLinked.
        """
        asker = await self._askers.get(member)
        answer: Answer[Player] | None = None
        trouble: BotError | None = None
        try:
            answer = await asker.fetch_player(Target())
        except BotError as error:
            trouble = error
        return AccountReport(
            user_name=asker.link.user_name,
            player=answer,
            trouble=trouble,
            region=asker.link.region,
            visibility=asker.link.visibility,
            daily_posts=await self._store.daily.count_joined(member),
            feeds=await self._store.feed.count_joined(member),
            direct=next(iter(await self._store.plans.fetch_direct(member)), None),
            budgets=tuple((version, asker.budget(version)) for version in _VERSIONS),
        )
