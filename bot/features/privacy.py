"""A member's stored data: shown, exported, erased."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from bot.api.answer_format import as_json
from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.ids import MemberId, Region, SongId
from bot.domain.kept import KeptAnswer
from bot.domain.members import AccountLink
from bot.features.preferences import MemberPreferences
from bot.features.shared.askers import Askers
from bot.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyReport:
    """The counts of a member's stored data."""

    link: AccountLink | None
    has_settings: bool
    snapshots: int
    daily_posts: int
    feeds: int
    goals: int
    locked: int
    """Songs that they marked as not unlocked."""
    suggestions: int
    """Suggested aliases on which a server's managers have not decided yet."""
    answers: int
    """Stored answers of the service about the member."""
    policy_url: str
    """The privacy policy; empty if the operator has set none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """All stored data of a member."""

    member: MemberId
    made_at: datetime
    tables: Mapping[str, Sequence[Mapping[str, object]]]
    """All rows by table, without the token."""


class Privacy:
    """Reports, exports and erases stored data."""

    def __init__(
        self, store: Store, askers: Askers, preferences: MemberPreferences, clock: Clock, *, policy_url: str
    ) -> None:
        self._store = store
        self._askers = askers
        self._preferences = preferences
        self._clock = clock
        self._policy_url = policy_url

    async def report(self, member: MemberId) -> PrivacyReport:
        """Count a member's stored data."""
        tables = await self._store.belongings.export(member)
        return PrivacyReport(
            link=(await self._store.members.get(member)).link,
            has_settings=bool(tables["preferences"]),
            snapshots=len(tables["snapshots"]),
            daily_posts=len(tables["daily_members"]),
            feeds=len(tables["feed_members"]),
            goals=len(tables["goals"]),
            locked=len(tables["locked_songs"]),
            suggestions=len(tables["alias_suggestions"]),
            answers=len(tables["kept_answers"]),
            policy_url=self._policy_url,
        )

    async def export(self, member: MemberId) -> Export:
        """Return all stored data of a member, except the token."""
        tables: dict[str, Sequence[Mapping[str, object]]] = {**await self._store.belongings.export(member)}
        link = (await self._store.members.get(member)).link
        kept = await self._store.answers.fetch_all(link.user_id) if link else ()
        # They are encrypted in the database, but belong to the member: here they are readable.
        titles = await self._store.answers.fetch_titles()
        tables["kept_answers"] = await run_in_worker(lambda: [_row(answer, titles) for answer in kept])
        told = await self._store.chronicle.fetch_changes(member)
        for name in ("snapshots", "earlier_looks"):
            tables[name] = [_in_words(row, told) for row in tables[name]]
        return Export(member=member, made_at=self._clock.now(), tables=tables)

    async def erase(self, member: MemberId) -> bool:
        """Erase all data of a member, in the database and in memory; idempotent.

        Return whether it is gone from the disk too; otherwise that follows.
        """
        link = (await self._store.members.get(member)).link
        await self._store.making_room(partial(self._store.belongings.erase, member))
        self._store.backlog.drop(member)
        self._preferences.drop(member)
        if link is not None:
            await self._askers.erase_answers(link)
        return await self._store.purge_deleted()


def _in_words(
    row: Mapping[str, object], told: Mapping[tuple[Region, datetime], Sequence[Mapping[str, object]]]
) -> Mapping[str, object]:
    """Return a look with its changes in readable form instead of the storage format."""
    seen_at = datetime.fromisoformat(str(row["records_at"] or row["taken_at"]))
    written = {"whole": None} if "whole" in row else {}
    return {**row, **written, "records": told.get((Region(str(row["region"])), seen_at))}


def _row(answer: KeptAnswer, titles: Mapping[SongId, str]) -> Mapping[str, object]:
    return {
        "account": answer.account,
        "question": answer.question,
        "fetched_at": answer.fetched_at.isoformat(),
        "body": as_json(answer.question, answer.body, titles),
    }
