"""What came of working ratings out: of whom it is kept, what of it is counted, and what goes with a link."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.domain.ids import JP, JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.rating_census import RatingCheck
from bot.store import Store

NOON: Final = datetime(2026, 11, 1, 12, tzinfo=UTC)
ALICE: Final = AccountLink(
    member=MemberId(1),
    user_id=UserId(7),
    user_name=UserName("a"),
    region=JP2,
    visibility=Visibility.SERVERS,
    linked_at=NOON,
)
TOKEN: Final = "5d" * 32


def check(version: str | None, difference: int = 0, at: datetime = NOON) -> RatingCheck:
    return RatingCheck(version, Hundredths(difference), at)


async def test_the_last_version_that_explained_a_rating_stays_until_another_does(store: Store) -> None:
    await store.links.save(ALICE, TOKEN)
    for version, difference in (("Mate", 0), (None, 5)):
        await store.rating_checks.note(ALICE, JP2, check(version, difference))
        assert await store.rating_checks.fetch(ALICE.member) == {JP2: check("Mate", difference)}
    await store.rating_checks.note(ALICE, JP, check("Old"))
    await store.rating_checks.note(ALICE, JP2, check("Next"))
    assert await store.rating_checks.fetch(ALICE.member) == {JP2: check("Next"), JP: check("Old")}
    assert await store.rating_checks.fetch(MemberId(2)) == {}


def test_what_says_the_same_on_the_same_day_is_not_kept_again() -> None:
    kept = check("Mate", 5)
    assert kept.stands_for(check(None, 5, NOON + timedelta(hours=23)))
    assert not kept.stands_for(check("Mate", 5, NOON + timedelta(days=1)))
    assert not kept.stands_for(check("Mate", 5, NOON - timedelta(days=400))), "the clock was ahead"
    assert not kept.stands_for(check("Mate", 4))
    assert not kept.stands_for(check("Next", 5))


async def test_nothing_is_kept_of_another_account_and_all_goes_with_the_link(store: Store) -> None:
    await store.links.save(ALICE, TOKEN)
    await store.rating_checks.note(replace(ALICE, user_id=UserId(8)), JP2, check("Mate"))
    assert await store.rating_checks.fetch(ALICE.member) == {}
    await store.rating_checks.note(ALICE, JP2, check("Mate"))
    await store.links.erase(ALICE.member)
    assert await store.rating_checks.fetch(ALICE.member) == {}
    assert sum(await store.rating_checks.count_since(NOON)) == 0


async def test_those_are_counted_who_were_looked_at_since(store: Store) -> None:
    for member, (difference, days) in enumerate(((0, 1), (30, 2), (-4, 3), (-5, 6), (9, 8)), start=1):
        link = replace(ALICE, member=MemberId(member), user_id=UserId(member))
        await store.links.save(link, TOKEN)
        await store.rating_checks.note(link, JP2, check("Mate", difference, NOON - timedelta(days=days)))
    assert await store.rating_checks.count_since(NOON - timedelta(days=7)) == (1, 1, 2)


async def test_a_chosen_version_is_kept_with_the_link(store: Store) -> None:
    await store.links.save(ALICE, TOKEN)
    assert await store.links.set_game_version(ALICE.member, "Mate")
    link = (await store.members.get(ALICE.member)).link
    assert link is not None
    assert link.game_version == "Mate"
    assert not await store.links.set_game_version(MemberId(2), "Mate")
