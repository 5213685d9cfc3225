"""What plays do to a rating, held against working both slots out anew."""

from datetime import date
from random import Random
from typing import Final

from bot.domain.charts import MASTER, Catalogue, Chart, Song
from bot.domain.gains import (
    RatedPlace,
    RatedPlay,
    RatingSlots,
    SlotFloors,
    SlotTally,
    gain_of,
    gains_of,
    reach_of,
    slots_after,
    to_thousandths,
)
from bot.domain.game_rating import WorkedOut, caps_of, work_out
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import Record, SlotName

LINE: Final = date(2025, 12, 11)
VERSION: Final = GameVersion(
    name="x", region=JP2, first_day=LINE, formula=Formula.BEST_AND_NEW, new_since=LINE
)


def key(name: str) -> ChartKey:
    return SongId(name), MASTER


def slots(best: list[int], new: list[int] | None = None) -> RatingSlots:
    def filled(ratings: list[int], kind: str) -> tuple[RatedPlace, ...]:
        return tuple(
            RatedPlace(Hundredths(rating), 1_000_000, key(f"{kind}{number}"))
            for number, rating in enumerate(ratings)
        )

    return RatingSlots(best=filled(best, "old"), new=filled(new or [], "new"), version=VERSION)


def play(name: str, rating: int, score: int = 1_005_000, *, is_new: bool = False) -> RatedPlay:
    return RatedPlay(Hundredths(rating), score, key(name), is_new)


def test_a_chart_that_enters_gains_over_the_one_that_it_pushes_out() -> None:
    effect = gain_of(slots([1700] * 29 + [1600]), play("other", 1654))
    assert (effect.sum_gain, effect.thousandths) == (54, 11)
    assert (effect.place, effect.is_entry, effect.slot) == (30, True, SlotName.BEST)
    assert effect.pushed_out is not None
    assert effect.pushed_out.rating == 1600


def test_a_chart_that_stands_in_its_slot_gains_over_itself() -> None:
    effect = gain_of(slots([1700] * 29 + [1600]), play("old29", 1710))
    assert (effect.sum_gain, effect.place, effect.is_entry, effect.pushed_out) == (110, 1, False, None)


def test_a_free_place_counts_for_all_that_is_played_into_it() -> None:
    effect = gain_of(slots([1700] * 30, [1500]), play("other", 1500, is_new=True))
    assert (effect.sum_gain, effect.slot, effect.place) == (1500, SlotName.NEW, 1)


def test_what_enters_no_slot_changes_nothing() -> None:
    for low in (play("other", 1600, 999_999), play("old3", 1800, 1_000_000), play("other", 1599)):
        effect = gain_of(slots([1700] * 29 + [1600]), low)
        assert (effect.sum_gain, effect.thousandths, effect.pushed_out) == (0, 0, None)


def test_one_formula_without_new_songs_divides_by_forty() -> None:
    old = RatingSlots(best=slots([1600] * 30).best, new=(), version=None)
    assert old.rating is None
    assert gain_of(old, play("other", 1640)).thousandths == 10


def test_each_play_counts_after_those_before_it() -> None:
    start = slots([1700] * 28 + [1650, 1600])
    effects = gains_of(start, [play("one", 1660), play("two", 1660)])
    assert [effect.sum_gain for effect in effects] == [60, 10]


def catalogue(chance: Random) -> Catalogue:
    def song(number: int) -> Song:
        chart = Chart(
            difficulty=MASTER,
            level=Hundredths(1400),
            constant=Hundredths(chance.randint(120, 157) * 10),
            is_estimated=False,
            max_combo=None,
        )
        return Song(
            id=SongId(f"{number:016x}"),
            title="",
            genre=None,
            artist=None,
            released_on=chance.choice((date(2025, 1, 1), LINE, date(2026, 1, 1))),
            bpm=None,
            charts=(chart,),
        )

    return Catalogue.of(JP2, (song(number) for number in range(chance.choice((3, 40, 90)))))


def worked_out(scores: dict[SongId, int], songs: Catalogue) -> WorkedOut:
    records = [
        Record(
            song_id=song,
            title="",
            difficulty=MASTER,
            level=Hundredths(1400),
            constant=None,
            score=score,
            rating=Hundredths(0),
            is_estimated=False,
            lamps=None,
        )
        for song, score in scores.items()
    ]
    return work_out(records, songs, VERSION)


def test_ten_thousand_plays_add_up_to_what_working_out_anew_finds() -> None:
    chance = Random(30)  # noqa: S311 - invented, not secret
    counted = 0
    while counted < 10_000:
        songs = catalogue(chance)
        scores = {
            song.id: chance.randint(900_000, 1_010_000) for song in songs.songs if chance.random() < 0.7
        }
        start = worked_out(scores, songs)
        plays = list[RatedPlay]()
        for song in chance.choices(songs.songs, k=20):
            score = chance.randint(950_000, 1_010_000)
            found = RatingSlots.of(start).play_on(song, song.charts[0], score, JP2)
            assert found is not None
            plays.append(found)
            scores[song.id] = max(score, scores.get(song.id, 0))
        counted += len(plays)
        end = worked_out(scores, songs)
        effects = gains_of(RatingSlots.of(start), plays)
        gained = end.sum - start.sum
        assert sum(effect.sum_gain for effect in effects) == gained
        assert sum(effect.thousandths for effect in effects) == to_thousandths(gained, 50)
        tally = SlotTally(RatingSlots.of(start))
        for each in plays:
            tally.count(each.key, each.rating, is_new=each.is_new)
        assert tally.gained == gained
        after = slots_after(RatingSlots.of(start), plays)
        assert after.rating == end.rating
        assert [place.rating for place in after.new] == [entry.rating for entry in end.new]


def test_the_least_score_that_counts_is_told_of_each_chart() -> None:
    songs = catalogue(Random(1))  # noqa: S311 - invented, not secret
    scores = {song.id: 1_000_000 for song in songs.songs}
    standing = RatingSlots.of(worked_out(scores, songs))
    floors = SlotFloors(standing)
    for song in songs.songs:
        least = standing.least_score_for(song, song.charts[0], JP2)
        assert floors.is_open(song, song.charts[0], JP2) == (least is not None)
        rating = standing.floor_for((song.id, MASTER), is_new=standing.is_new(song))
        assert floors.floor_for(song, song.charts[0]) == rating
        for score, counts in ((least, True), (None if least is None else least - 1, False)):
            found = None if score is None else standing.play_on(song, song.charts[0], score, JP2)
            if found is not None:
                assert (gain_of(standing, found).sum_gain > 0) == counts


def test_what_a_chart_could_do_is_what_playing_it_does() -> None:
    chance = Random(4)  # noqa: S311 - invented, not secret
    for _ in range(200):
        songs = catalogue(chance)
        scores = {
            song.id: chance.randint(970_000, MAX_SCORE) for song in songs.songs if chance.random() < 0.9
        }
        song = chance.choice(songs.songs)
        best = scores.get(song.id, 0)
        found = RatingSlots.of(worked_out(scores, songs))
        reach = reach_of(found, song, song.charts[0], JP2)

        def after(score: int) -> WorkedOut:
            return worked_out({**scores, song.id: max(best, score)}, songs)  # noqa: B023 - of this round

        assert (reach is None) == (after(MAX_SCORE).sum == found.sum)
        if reach is None:
            continue
        goal = reach.goal.play.score
        for score, counts in ((reach.least, True), (reach.least - 1, False), (goal, True)):
            assert (after(score).sum > found.sum) == counts
        is_new = reach.slot is SlotName.NEW
        slot = after(goal).new if is_new else after(goal).best
        assert slot[(reach.goal.place or 0) - 1].rating == reach.goal.play.rating
        assert reach.goal.sum_gain == after(goal).sum - found.sum
        keys = [place.key for place in found.places_of(is_new=is_new)]
        chart = song.id, MASTER
        assert reach.place == (keys.index(chart) + 1 if chart in keys else None)


def test_the_most_that_slots_may_come_to_is_the_best_score_on_every_chart() -> None:
    chance = Random(5)  # noqa: S311 - invented, not secret
    for _ in range(20):
        songs = catalogue(chance)
        found = worked_out({song.id: MAX_SCORE for song in songs.songs}, songs)
        best, new = (sum(entry.rating for entry in slot) for slot in (found.best, found.new))
        assert caps_of(songs, VERSION) == (best, new)
