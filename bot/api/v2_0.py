"""Version 2.0, method by method as in the specification."""

from bot.api.group import EndpointGroup
from bot.wire import endpoints
from bot.wire.players import FriendsV20
from bot.wire.rating_data import RatingDataReply
from bot.wire.records import CourseRecords, RecordsV20
from bot.wire.songs import SongEntry, SongsReply


class RecordsGroupV20(EndpointGroup):
    """`records/`."""

    async def showall(
        self, *, region: str, user_id: int | None = None, user_name: str | None = None
    ) -> RecordsV20:
        """Return a player's records of all normal charts."""
        values = {"user_id": user_id, "user_name": user_name, "region": region}
        return await self.speaker.ask(endpoints.RECORDS_SHOWALL_V20, values)

    async def worldsend(
        self, *, region: str, user_id: int | None = None, user_name: str | None = None
    ) -> RecordsV20:
        """Return a player's records of all World's End charts."""
        values = {"user_id": user_id, "user_name": user_name, "region": region}
        return await self.speaker.ask(endpoints.RECORDS_WORLDSEND_V20, values)

    async def rating_data(
        self, *, region: str, user_id: int | None = None, user_name: str | None = None
    ) -> RatingDataReply:
        """Return the data that makes up a player's rating."""
        values = {"user_id": user_id, "user_name": user_name, "region": region}
        return await self.speaker.ask(endpoints.RECORDS_RATING_DATA_V20, values)

    async def course(
        self, *, region: str, user_id: int | None = None, user_name: str | None = None
    ) -> CourseRecords:
        """Return a player's course records."""
        values = {"user_id": user_id, "user_name": user_name, "region": region}
        return await self.speaker.ask(endpoints.RECORDS_COURSE_V20, values)


class MusicGroupV20(EndpointGroup):
    """`music/`."""

    async def show(self, *, id: str, region: str) -> SongEntry:  # noqa: A002 - the specification's name
        """Return one song."""
        return await self.speaker.ask(endpoints.MUSIC_SHOW_V20, {"id": id, "region": region})

    async def showall(self, *, region: str) -> SongsReply:
        """Return all songs of a region."""
        return await self.speaker.ask(endpoints.MUSIC_SHOWALL_V20, {"region": region})


class FriendsGroupV20(EndpointGroup):
    """`friends/`."""

    async def list(self) -> FriendsV20:
        """Return the token holder's friends."""
        return await self.speaker.ask(endpoints.FRIENDS_LIST_V20, {})


class V20(EndpointGroup):
    """Version 2.0."""

    @property
    def records(self) -> RecordsGroupV20:
        """A player's records."""
        return RecordsGroupV20(self.speaker)

    @property
    def music(self) -> MusicGroupV20:
        """The song catalogue."""
        return MusicGroupV20(self.speaker)

    @property
    def friends(self) -> FriendsGroupV20:
        """The token holder's friends."""
        return FriendsGroupV20(self.speaker)
