"""bot/features/shared/chronicle.py: what one look at a member's records has found."""

from dataclasses import replace
from datetime import date, timedelta

import careers
from chronicles import NOW, state

from bot.domain.charts import Catalogue
from bot.domain.chronicle.state import marks_of
from bot.domain.game_rating import work_out
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.features.shared.chronicle import _Look, _looked

LINE = date(2026, 7, 2)
LINK = AccountLink(
    member=MemberId(1), user_id=UserId(7), user_name=UserName("alice"), region=JP2, visibility=Visibility.SERVERS,
    linked_at=NOW,
)  # fmt: skip
PLAYER = Player(
    user_id=UserId(7), user_name=UserName("alice"), is_protected=False, player_name="Alice", honor="",
    honor_type=None, level=None, rating=Hundredths(1650), rating_max=Hundredths(1651), class_emblem=None,
    updated_on=None,
)  # fmt: skip


def test_what_it_tells_of_goes_by_both_slots() -> None:
    """A new song counts, however low it stands beside thirty older ones."""
    older = [careers.record(f"{number}", 1500, 1_009_000) for number in range(40)]
    low, high = (careers.record("new", 1300, score) for score in (980_000, 1_000_000))
    found = careers.catalogue([*older, low])
    songs = Catalogue.of(
        JP2,
        (
            replace(song, released_on=LINE if song.title == "new" else date(2025, 1, 1))
            for song in found.songs
        ),
    )
    rules = GameVersion(name="x", region=JP2, first_day=LINE, formula=Formula.BEST_AND_NEW, new_since=LINE)
    before = replace(state(marks_of([*older, low])), taken_at=NOW - timedelta(hours=1))
    records = (*older, high)
    look = _Look(LINK, PLAYER, records, NOW, songs, work_out(records, songs, rules))
    after, sitting = _looked(look, before, None)
    assert sitting is not None
    assert [song for song, _ in sitting.best] == ["new"]
    assert after.figures.new_average is not None
