"""bot/store/sightings.py, and what boards read of the memory: no trace of those who do not let others look."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from statements import statements_of

from bot.domain.boards import Measure
from bot.domain.chronicle.state import PlayerFigures, RecordsState
from bot.domain.history import Snapshot
from bot.domain.ids import JP, JP2, GuildId, MemberId, Region, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.overpower import OverPower
from bot.store import Store

ALICE, BOB = MemberId(1), MemberId(2)
HERE, THERE = GuildId(77), GuildId(78)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
LINK = AccountLink(
    member=ALICE, user_id=UserId(7), user_name=UserName("alice"), region=JP2,
    visibility=Visibility.SERVERS, linked_at=NOW,
)  # fmt: skip


async def link(store: Store, link: AccountLink) -> None:
    await store.links.save(link, "5d" * 32)


async def seen(store: Store, *members: MemberId) -> None:
    for member in members:
        await store.sightings.note(HERE, member)


@pytest.fixture(autouse=True)
async def _linked(store: Store) -> None:
    await link(store, LINK)
    await link(store, replace(LINK, member=BOB, visibility=Visibility.ANYONE))


async def test_who_was_seen_is_of_that_server_alone(store: Store) -> None:
    await seen(store, BOB, ALICE, ALICE)
    assert await store.sightings.fetch(HERE) == [ALICE, BOB]
    assert await store.sightings.fetch(THERE) == []
    assert (await store.members.get(ALICE)).seen_in == {HERE}


async def test_who_has_left_is_forgotten_there(store: Store) -> None:
    await seen(store, ALICE, BOB)
    await store.sightings.note(THERE, ALICE)
    await store.sightings.delete(HERE, [ALICE])
    assert await store.sightings.fetch(HERE) == [BOB]
    assert await store.sightings.fetch(THERE) == [ALICE]


async def test_of_those_who_hide_nothing_is_noted_and_nothing_stays(store: Store) -> None:
    await seen(store, ALICE, BOB)
    await store.links.set_visibility(BOB, Visibility.ONLY_ME)
    await seen(store, BOB)
    assert (await store.members.get(BOB)).seen_in == frozenset()
    assert await store.sightings.fetch(HERE) == [ALICE]
    await store.links.set_visibility(BOB, Visibility.SERVERS)
    assert await store.sightings.fetch(HERE) == [ALICE]


async def test_those_whom_the_service_protects_are_on_no_board(store: Store) -> None:
    await seen(store, ALICE, BOB)
    await store.links.set_protected(LINK, is_protected=True)
    assert (await store.members.get(ALICE)).link == replace(LINK, is_protected=True)
    assert await store.sightings.fetch(HERE) == [BOB]
    await store.links.set_protected(LINK, is_protected=False)
    assert await store.sightings.fetch(HERE) == [ALICE, BOB]


async def test_whose_link_ends_is_seen_no_more(store: Store) -> None:
    await seen(store, ALICE)
    await store.links.erase(ALICE)
    await link(store, LINK)
    assert await store.sightings.fetch(HERE) == []
    await seen(store, MemberId(3))
    assert await store.sightings.fetch(HERE) == []


async def save(store: Store, days_ago: int, figures: PlayerFigures, region: Region = JP2) -> None:
    taken_at = NOW - timedelta(days=days_ago)
    state = RecordsState(member=ALICE, region=region, taken_at=taken_at, figures=figures, marks={})
    await store.chronicle.save(state, account=LINK.user_id)


async def figures(store: Store, measure: Measure, region: Region = JP2) -> Mapping[MemberId, tuple[int, int]]:
    """Return the newest figures, each with its age in days."""
    found = await store.boards.fetch_figures(measure, [ALICE, BOB], region)
    return {member: (figure, (NOW - as_of).days) for member, (figure, as_of) in found.items()}


async def test_the_newest_figure_that_is_known_counts(store: Store) -> None:
    both = PlayerFigures(rating=Hundredths(1640), best_average=Decimal("16.4321"), over_power=OverPower(5))
    await save(store, 9, replace(both, best_average=Decimal("16.1")))
    await save(store, 3, both)
    await save(store, 2, PlayerFigures(rating=Hundredths(1650), over_power=OverPower(7)))
    taken_at = NOW - timedelta(days=1)
    snapshot = Snapshot(
        member=ALICE, region=JP2, day=taken_at.date(), taken_at=taken_at, rating=Hundredths(1655), scores={}
    )
    await store.snapshots.save(snapshot, account=LINK.user_id)
    with statements_of(store) as sent:
        assert await figures(store, Measure.RATING) == {ALICE: (1655, 1)}
    assert len(sent) == 1
    assert await figures(store, Measure.OVER_POWER) == {ALICE: (7, 2)}
    assert await figures(store, Measure.BEST) == {ALICE: (164_321, 3)}


async def test_a_rating_is_no_regions_and_all_else_is(store: Store) -> None:
    await save(store, 1, PlayerFigures(rating=Hundredths(1600), over_power=OverPower(5)), JP)
    await save(store, 2, PlayerFigures(rating=Hundredths(1650), over_power=OverPower(7)))
    for region in (JP, JP2):
        assert await figures(store, Measure.RATING, region) == {ALICE: (1650, 2)}
    assert await figures(store, Measure.OVER_POWER, JP) == {ALICE: (5, 1)}
