"""Version 1.0, method by method as in the specification."""

from bot.api.group import EndpointGroup
from bot.wire import endpoints
from bot.wire.players import UserV10
from bot.wire.records import RecordsV10
from bot.wire.songs import SearchReplyV10, SongEntryV10
from bot.wire.statistics import StatV10


class UsersGroupV10(EndpointGroup):
    """`users/`."""

    async def me(self) -> UserV10:
        """Return the token holder."""
        return await self.speaker.ask(endpoints.USERS_ME_V10, {})

    async def show(self, *, user_id: int | None = None, user_name: str | None = None) -> UserV10:
        """Return a player; a protected one other than the token holder is not found."""
        return await self.speaker.ask(endpoints.USERS_SHOW_V10, {"user_id": user_id, "user_name": user_name})


class MusicGroupV10(EndpointGroup):
    """`music/`."""

    async def search(
        self,
        *,
        q: str,
        target: str | None = None,
        include_minfo: bool | None = None,
        exact_match: bool | None = None,
    ) -> SearchReplyV10:
        """Return the songs that fit `q`; `target` is one of all, normal, we."""
        values = {"q": q, "target": target, "include_minfo": include_minfo, "exact_match": exact_match}
        return await self.speaker.ask(endpoints.MUSIC_SEARCH_V10, values)

    async def show(self, *, idx: int) -> SongEntryV10:
        """Return one song."""
        return await self.speaker.ask(endpoints.MUSIC_SHOW_V10, {"idx": idx})

    async def stat(self, *, idx: int, diff: str) -> StatV10:
        """Return the statistics of one chart, of an unknown song too; `diff` is one of b, a, e, m, w."""
        return await self.speaker.ask(endpoints.MUSIC_STAT_V10, {"idx": idx, "diff": diff})


class RecordsGroupV10(EndpointGroup):
    """`records/`."""

    async def showall(
        self,
        *,
        user_id: int | None = None,
        user_name: str | None = None,
        include_minfo: bool | None = None,
    ) -> RecordsV10:
        """Return a player's records of all normal charts."""
        values = {"user_id": user_id, "user_name": user_name, "include_minfo": include_minfo}
        return await self.speaker.ask(endpoints.RECORDS_SHOWALL_V10, values)

    async def filter(  # noqa: PLR0913 - the specification's nine parameters
        self,
        *,
        title: str | None = None,
        diff: str | None = None,
        min_score: int | None = None,
        max_score: int | None = None,
        min_level: float | None = None,
        max_level: float | None = None,
        genre: str | None = None,
        lamp: str | None = None,
        include_minfo: bool | None = None,
    ) -> RecordsV10:
        """Return the token holder's records that match all given parameters.

        `diff` joins letters of b, a, e, m; `lamp` joins kinds with commas; a level n+ is n.5.
        """
        values = {
            "title": title,
            "diff": diff,
            "min_score": min_score,
            "max_score": max_score,
            "min_level": min_level,
            "max_level": max_level,
            "genre": genre,
            "lamp": lamp,
            "include_minfo": include_minfo,
        }
        return await self.speaker.ask(endpoints.RECORDS_FILTER_V10, values)


class V10(EndpointGroup):
    """Version 1.0."""

    @property
    def users(self) -> UsersGroupV10:
        """Accounts and players."""
        return UsersGroupV10(self.speaker)

    @property
    def music(self) -> MusicGroupV10:
        """Songs, their search and statistics."""
        return MusicGroupV10(self.speaker)

    @property
    def records(self) -> RecordsGroupV10:
        """A player's records."""
        return RecordsGroupV10(self.speaker)
