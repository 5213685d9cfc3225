"""What came of working ratings out: of whom it is kept, what of it is counted, and what goes with a link."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.domain.ids import JP, JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
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


async def test_the_last_version_that_explained_a_rating_stays_until_another_does(store: Store) -> None:
    await store.links.save(ALICE, TOKEN)
    for version, difference in (("Mate", 0), (None, 5)):
        await store.rating_checks.note(ALICE, JP2, version, Hundredths(difference), NOON)
        assert await store.rating_checks.fetch_versions(ALICE.member) == {JP2: "Mate"}
    await store.rating_checks.note(ALICE, JP, "Old", Hundredths(0), NOON)
    await store.rating_checks.note(ALICE, JP2, "Next", Hundredths(0), NOON)
    assert await store.rating_checks.fetch_versions(ALICE.member) == {JP2: "Next", JP: "Old"}
    assert await store.rating_checks.fetch_versions(MemberId(2)) == {}


async def test_nothing_is_kept_of_another_account_and_all_goes_with_the_link(store: Store) -> None:
    await store.links.save(ALICE, TOKEN)
    await store.rating_checks.note(replace(ALICE, user_id=UserId(8)), JP2, "Mate", Hundredths(0), NOON)
    assert await store.rating_checks.fetch_versions(ALICE.member) == {}
    await store.rating_checks.note(ALICE, JP2, "Mate", Hundredths(0), NOON)
    await store.links.erase(ALICE.member)
    assert await store.rating_checks.fetch_versions(ALICE.member) == {}
    assert sum(await store.rating_checks.count_since(NOON)) == 0


async def test_those_are_counted_who_were_looked_at_since(store: Store) -> None:
    for member, (difference, days) in enumerate(((0, 1), (30, 2), (-4, 3), (-5, 6), (9, 8)), start=1):
        link = replace(ALICE, member=MemberId(member), user_id=UserId(member))
        await store.links.save(link, TOKEN)
        await store.rating_checks.note(link, JP2, "Mate", Hundredths(difference), NOON - timedelta(days=days))
    assert await store.rating_checks.count_since(NOON - timedelta(days=7)) == (1, 1, 2)


async def test_a_chosen_version_is_kept_with_the_link(store: Store) -> None:
    await store.links.save(ALICE, TOKEN)
    assert await store.links.set_game_version(ALICE.member, "Mate")
    link = (await store.members.get(ALICE.member)).link
    assert link is not None
    assert link.game_version == "Mate"
    assert not await store.links.set_game_version(MemberId(2), "Mate")
