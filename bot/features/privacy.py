"""What is kept about a member: shown, handed out, erased."""

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
    """What is kept about a member, counted."""

    link: AccountLink | None
    has_settings: bool
    snapshots: int
    daily_posts: int
    feeds: int
    goals: int
    locked: int
    """Songs that they have not unlocked."""
    suggestions: int
    """Other names of songs, of which those who manage a server have not decided yet."""
    answers: int
    """Last known answers of the service about the member."""
    policy_url: str
    """Where it says what is kept of everybody, and why; empty where the operator has named none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """Everything that is kept about a member."""

    member: MemberId
    made_at: datetime
    tables: Mapping[str, Sequence[Mapping[str, object]]]
    """Every row, by table; the token alone is left out."""


class Privacy:
    """Speaks of and for everything kept."""

    def __init__(
        self, store: Store, askers: Askers, preferences: MemberPreferences, clock: Clock, *, policy_url: str
    ) -> None:
        self._store = store
        self._askers = askers
        self._preferences = preferences
        self._clock = clock
        self._policy_url = policy_url

    async def report(self, member: MemberId) -> PrivacyReport:
        """Count what is kept about a member."""
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
        """Return everything that is kept about a member, but for the token itself."""
        tables: dict[str, Sequence[Mapping[str, object]]] = {**await self._store.belongings.export(member)}
        link = (await self._store.members.get(member)).link
        kept = await self._store.answers.fetch_all(link.user_id) if link else ()
        # Encrypted in the database, but the member's own: here they can be read.
        titles = await self._store.answers.fetch_titles()
        tables["kept_answers"] = await run_in_worker(lambda: [_row(answer, titles) for answer in kept])
        told = await self._store.chronicle.fetch_changes(member)
        for name in ("snapshots", "earlier_looks"):
            tables[name] = [_in_words(row, told) for row in tables[name]]
        return Export(member=member, made_at=self._clock.now(), tables=tables)

    async def erase(self, member: MemberId) -> bool:
        """Erase everything that is kept about a member, here and in memory; again changes nothing.

        Return whether it is gone from the disk too; else that follows.
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
    """Return a look with what it has changed in place of how that is written down."""
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
