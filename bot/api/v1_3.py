"""Version 1.3, method by method as in the specification."""

from bot.api.group import EndpointGroup
from bot.wire import endpoints
from bot.wire.players import FriendsV13, User
from bot.wire.records import CourseRecords, RecordsV13
from bot.wire.songs import SearchHits, SongEntry, SongsReply
from bot.wire.statistics import StatV13


class UsersGroupV13(EndpointGroup):
    """`users/`."""

    async def me(self) -> User:
        """Return the token holder."""
        return await self.speaker.ask(endpoints.USERS_ME_V13, {})

    async def show(self, *, user_id: int | None = None, user_name: str | None = None) -> User:
        """Return a player."""
        return await self.speaker.ask(endpoints.USERS_SHOW_V13, {"user_id": user_id, "user_name": user_name})


class FriendsGroupV13(EndpointGroup):
    """`friends/`."""

    async def list(self) -> FriendsV13:
        """Return the token holder's friends."""
        return await self.speaker.ask(endpoints.FRIENDS_LIST_V13, {})


class MusicGroupV13(EndpointGroup):
    """`music/`."""

    async def search(self, *, q: str) -> SearchHits:
        """Return at most 200 songs that fit `q`, whose syntax the specification does not show."""
        return await self.speaker.ask(endpoints.MUSIC_SEARCH_V13, {"q": q})

    async def show(self, *, id: str) -> SongEntry:  # noqa: A002 - the specification's name
        """Return one song."""
        return await self.speaker.ask(endpoints.MUSIC_SHOW_V13, {"id": id})

    async def showall(self) -> SongsReply:
        """Return all songs."""
        return await self.speaker.ask(endpoints.MUSIC_SHOWALL_V13, {})

    async def stat(self, *, id: str, diff: str) -> StatV13:  # noqa: A002 - the specification's name
        """Return the statistics of one chart; `diff` is one of b, a, e, m, w."""
        return await self.speaker.ask(endpoints.MUSIC_STAT_V13, {"id": id, "diff": diff})


class RecordsGroupV13(EndpointGroup):
    """`records/`."""

    async def showall(self, *, user_id: int | None = None, user_name: str | None = None) -> RecordsV13:
        """Return a player's records of all normal charts."""
        values = {"user_id": user_id, "user_name": user_name}
        return await self.speaker.ask(endpoints.RECORDS_SHOWALL_V13, values)

    async def worldsend(self, *, user_id: int | None = None, user_name: str | None = None) -> RecordsV13:
        """Return a player's records of all World's End charts."""
        values = {"user_id": user_id, "user_name": user_name}
        return await self.speaker.ask(endpoints.RECORDS_WORLDSEND_V13, values)

    async def course(self, *, user_id: int | None = None, user_name: str | None = None) -> CourseRecords:
        """Return a player's course records."""
        values = {"user_id": user_id, "user_name": user_name}
        return await self.speaker.ask(endpoints.RECORDS_COURSE_V13, values)


class V13(EndpointGroup):
    """Version 1.3."""

    @property
    def users(self) -> UsersGroupV13:
        """Accounts and players."""
        return UsersGroupV13(self.speaker)

    @property
    def friends(self) -> FriendsGroupV13:
        """The token holder's friends."""
        return FriendsGroupV13(self.speaker)

    @property
    def music(self) -> MusicGroupV13:
        """Songs, their search and statistics."""
        return MusicGroupV13(self.speaker)

    @property
    def records(self) -> RecordsGroupV13:
        """A player's records."""
        return RecordsGroupV13(self.speaker)
